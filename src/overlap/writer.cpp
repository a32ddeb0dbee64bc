// SPDX-License-Identifier: BSD-3-Clause
#include "overlap/writer.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/fatal.hpp"
#include "overlap/event_text.hpp"
#include "overlap/stream.hpp"
#include "windrow/error.hpp"

namespace windrow::overlap {

namespace {

// What a PE that is killed loses at most.
constexpr std::size_t block_bytes = 16 * 1024;

} // namespace

writer::writer(const std::string& file, int pe, int pes, bool all_accesses)
    : file_(file),
      output_(::open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666)),
      pe_(pe),
      pes_(pes),
      all_accesses_(all_accesses) {
  if (!output_.is_open())
    throw error(fmt::format("windrow overlap: {} cannot be written: {}", file, std::strerror(errno)));
}

// The time is that of the event before, so that each block can be read by itself.
void writer::begin_block() {
  block_ += static_cast<char>(record::head);
  append(block_, static_cast<std::uint64_t>(pes_));
  append(block_, std::uint64_t{all_accesses_});
  append(block_, last_ns_);
}

void writer::append_name(const std::string& text) {
  if (block_.empty()) begin_block();
  block_ += text;
}

void writer::name_site(std::uint32_t number, const site& frames) {
  std::string text(1, static_cast<char>(record::site));
  append(text, std::uint64_t{number});
  append(text, frames.size());
  for (const auto& one : frames) {
    append(text, std::string_view(one.file));
    append(text, std::string_view(one.function));
    append(text, static_cast<std::uint64_t>(one.line));
    append(text, static_cast<std::uint64_t>(one.column));
    append(text, one.hash);
  }
  append_name(text);
}

void writer::name_team(std::uint32_t number, const std::vector<int>& members) {
  std::string text(1, static_cast<char>(record::team));
  append(text, std::uint64_t{number});
  append(text, members.size());
  for (const int one : members) append(text, static_cast<std::uint64_t>(one));
  append_name(text);
}

void writer::add(const event& given) {
  if (block_.empty()) begin_block();
  auto one = given;
  one.begin_ns = std::max(one.begin_ns, last_ns_);
  one.end_ns = std::max(one.end_ns, one.begin_ns);
  append(block_, one, last_ns_);
  if (block_.size() >= block_bytes) flush();
}

// By one call, so that what PEs append does not mix.
void writer::flush() {
  if (block_.empty() || failed_) return block_.clear();
  const block_head head{block_magic, format_version, static_cast<std::uint32_t>(pe_),
                        static_cast<std::uint32_t>(block_.size()), sum_of(block_)};
  block_.insert(0, reinterpret_cast<const char*>(&head), sizeof head);
  const auto written = ::write(output_.get(), block_.data(), block_.size());
  if (written != static_cast<ssize_t>(block_.size())) {
    base::say(fmt::format("windrow overlap: {} cannot be written: {}; what was recorded before can be read",
                          file_, written < 0 ? std::strerror(errno) : "no space left"));
    failed_ = true;
  }
  block_.clear();
}

void writer::end() {
  append_name(std::string(1, static_cast<char>(record::end)));
  flush();
}

} // namespace windrow::overlap
