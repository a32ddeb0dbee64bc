// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <functional>
#include <iterator>

#include "apps/matrix/matrix_market.hpp"
#include "apps/support/agree.hpp"

namespace windrow::apps {

namespace {

/// A file that is written at places of one's choice.
class output_file {
 public:
  output_file(const std::string& path, int flags)
      : path_(path), file_(open(path.c_str(), O_WRONLY | O_CLOEXEC | flags, 0666)) {
    if (file_ < 0) fail();
  }
  ~output_file() {
    if (file_ >= 0) close(file_);
  }
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;

  void write_at(std::uint64_t place, std::string_view text) {
    while (!text.empty()) {
      const auto written = pwrite(file_, text.data(), text.size(), static_cast<off_t>(place));
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) fail();
      text.remove_prefix(static_cast<std::size_t>(written));
      place += static_cast<std::uint64_t>(written);
    }
  }
  /// Some file systems tell only here that there was no room.
  void finish() {
    if (close(std::exchange(file_, -1)) != 0) fail();
  }

 private:
  [[noreturn]] void fail() const {
    throw error(fmt::format("cannot write the file {}: {}", path_, std::strerror(errno)));
  }

  std::string path_;
  int file_;
};

template <class Distribution>
std::string text_of(job& j, const sparse_matrix<Distribution>& m) {
  std::string text;
  const auto entries = j.world().sum(m.local_entries());
  auto out = std::back_inserter(text);
  if (j.pe() == 0)
    fmt::format_to(out, "%%MatrixMarket matrix coordinate pattern general\n{} {} {}\n", m.rows(), m.columns(),
                   entries);
  for_each_entry(m, [&](std::uint64_t row, std::uint64_t column) {
    fmt::format_to(out, "{} {}\n", row + 1, column + 1);
  });
  return text;
}

} // namespace

template <class Distribution>
void write_matrix(job& j, const sparse_matrix<Distribution>& m, const std::string& path) {
  const auto text = text_of(j, m);
  const auto place = j.world().exclusive_scan<std::uint64_t>(text.size(), 0, std::plus<>{});
  all_or_none(j, [&] { // emptied by one PE before any writes
    if (j.pe() == 0) output_file(path, O_CREAT | O_TRUNC).finish();
  });
  all_or_none(j, [&] {
    output_file file(path, 0);
    file.write_at(place, text);
    file.finish();
  });
}

template void write_matrix(job&, const sparse_matrix<cyclic_distribution>&, const std::string&);
template void write_matrix(job&, const sparse_matrix<block_distribution>&, const std::string&);

} // namespace windrow::apps
