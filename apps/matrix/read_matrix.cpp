// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "apps/graph/fields.hpp"
#include "apps/graph/matrix_market.hpp"
#include "apps/matrix/build.hpp"
#include "apps/matrix/matrix_market.hpp"
#include "apps/support/agree.hpp"
#include "apps/support/mapped_file.hpp"
#include "apps/support/share.hpp"

namespace windrow::apps {

namespace {

/// Takes lines off the front of a text.
class lines {
 public:
  explicit lines(std::string_view text) : rest_(text) {}

  /// The next line without its end (LF or CR LF), or nothing at the end of the text.
  std::optional<std::string_view> next() {
    if (rest_.empty()) return std::nullopt;
    const auto length = std::min(rest_.find('\n'), rest_.size());
    auto line = rest_.substr(0, length);
    rest_.remove_prefix(std::min(length + 1, rest_.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
  }
  /// The next one that says something; empty at the end of the text.
  std::string_view next_with_content() { return next_but("%"); }
  /// The same, which may be a comment.
  std::string_view next_filled() { return next_but(""); }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view next_but(std::string_view comment) {
    auto line = next();
    while (line && graph::is_empty_or_comment(*line, comment)) line = next();
    return line.value_or("");
  }

  std::string_view rest_;
};

/// A Matrix Market file, open, with its head understood.
class matrix_file {
 public:
  explicit matrix_file(const std::string& path) : path_(path), file_(path) {
    if (file_.text().starts_with("\x1f\x8b"))
      throw error(
          fmt::format("{} is compressed: unpack it first, because every PE reads a part of it", path));
    lines head(graph::without_byte_order_mark(file_.text()));
    const auto banner = head.next_filled();
    const auto format = graph::parse_matrix_banner(banner);
    if (!format) fail(banner, graph::expected_matrix_banner);
    const auto shape = head.next_with_content();
    const auto size = graph::parse_matrix_size(shape, *format);
    if (!size) fail(shape, graph::expected_matrix_size(*format));
    format_ = *format;
    size_ = *size;
    body_ = head.rest();
  }

  const graph::matrix_size& size() const { return size_; }
  /// The entries in the lines that begin in this PE's share of the file, as the file has them.
  std::vector<entry> entries_of(const job& j) const {
    const auto [first, size] = share_of(j, body_.size());
    const auto begin = line_after(first);
    lines part(body_.substr(begin, line_after(first + size) - begin));
    std::vector<entry> entries;
    for (auto line = part.next_with_content(); !line.empty(); line = part.next_with_content()) {
      const auto e = graph::parse_matrix_entry(line, format_, size_);
      if (!e) fail(line, graph::expected_matrix_entry(format_, size_));
      entries.push_back({e->from, e->to});
    }
    return entries;
  }
  bool is_symmetric() const { return format_.is_symmetric; }

 private:
  /// Where the first line that begins at `place` or later begins.
  std::size_t line_after(std::size_t place) const {
    if (place == 0) return 0;
    const auto end = body_.find('\n', place - 1);
    return end == std::string_view::npos ? body_.size() : end + 1;
  }
  /// Throws: `line`, a part of the file, or empty for its end, is not what it should be.
  [[noreturn]] void fail(std::string_view line, std::string_view expected) const;

  std::string path_;
  mapped_file file_;
  graph::matrix_format format_{};
  graph::matrix_size size_{};
  std::string_view body_; ///< the lines after the head
};

void matrix_file::fail(std::string_view line, std::string_view expected) const {
  if (line.empty()) throw error(fmt::format("{}: expected {}, found the end of the file", path_, expected));
  const auto number = 1 + std::count(file_.text().data(), line.data(), '\n');
  throw error(
      fmt::format("{}, line {}: expected {}, found \"{}\"", path_, number, expected, line.substr(0, 60)));
}

} // namespace

template <class Distribution>
sparse_matrix<Distribution> read_matrix(job& j, const std::string& path) {
  std::optional<matrix_file> file;
  std::vector<entry> mine;
  all_or_none(j, [&] {
    file.emplace(path);
    mine = file->entries_of(j);
  });
  const auto& size = file->size();
  if (const auto found = j.world().sum(mine.size()); found != size.entries)
    throw error(
        fmt::format("{}: expected {} entries, as its head says, found {}", path, size.entries, found));
  return collect_matrix<Distribution>(j, size.rows, size.columns, [&](auto send) {
    for (const auto& e : mine) {
      send(e.row, e.column);
      if (file->is_symmetric() && e.row != e.column) send(e.column, e.row);
    }
  });
}

template sparse_matrix<cyclic_distribution> read_matrix(job&, const std::string&);
template sparse_matrix<block_distribution> read_matrix(job&, const std::string&);

} // namespace windrow::apps
