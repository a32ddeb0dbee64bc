// SPDX-License-Identifier: BSD-3-Clause
#include "apps/graph/text_file.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "windrow/error.hpp"

namespace windrow::graph {

namespace {

constexpr std::size_t buffer_bytes = 1 << 18; // also the longest line: far longer than any line of a graph
constexpr std::size_t excerpt_length = 60;

/// The beginning of a line, fit to be shown.
std::string excerpt(std::string_view line) {
  std::string shown(line.substr(0, excerpt_length));
  std::ranges::replace_if(shown, [](unsigned char c) { return c < ' ' || c > '~'; }, '?');
  return line.size() > excerpt_length ? shown + "..." : shown;
}

} // namespace

void text_file::closer::operator()(gzFile_s* file) const {
  gzclose(file);
}

text_file::text_file(std::string path, std::string_view kind)
    : path_(std::move(path)), kind_(kind), file_(gzopen(path_.c_str(), "rb")), buffer_(buffer_bytes) {
  if (!file_) throw error(fmt::format("cannot open the {} {}: {}", kind_, path_, std::strerror(errno)));
  gzbuffer(file_.get(), buffer_bytes);
}

std::optional<std::string_view> text_file::next_line() {
  for (std::size_t searched = begin_;;) {
    const auto* from = buffer_.data() + searched;
    if (const auto* end = static_cast<const char*>(std::memchr(from, '\n', end_ - searched)))
      return take_line(static_cast<std::size_t>(end - buffer_.data()) - begin_, 1);
    const auto pending = end_ - begin_;
    if (!fill()) {
      if (pending != 0) return take_line(pending, 0); // the last line has no end
      is_at_end_ = true;
      return std::nullopt;
    }
    searched = begin_ + pending;
  }
}

/// Reads on, moving what is pending to the front. False at the end of the file.
bool text_file::fill() {
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  if (end_ == buffer_.size()) {
    take_line(end_, 0);
    fail("a line of text");
  }
  const auto count = gzread(file_.get(), buffer_.data() + end_, static_cast<unsigned>(buffer_.size() - end_));
  // A gzip file that was cut off gives its data and the error later, with a count of zero or more.
  int code = Z_OK;
  const char* reason = gzerror(file_.get(), &code);
  if (code == Z_ERRNO) reason = std::strerror(errno);
  if (count < 0 || code != Z_OK)
    throw error(fmt::format("cannot read the {} {} after line {}: {}", kind_, path_, line_number_, reason));
  end_ += static_cast<std::size_t>(count);
  return count > 0;
}

std::string_view text_file::take_line(std::size_t length, std::size_t end_length) {
  line_ = std::string_view(buffer_.data() + begin_, length);
  if (line_.ends_with('\r')) line_.remove_suffix(1);
  begin_ += length + end_length;
  ++line_number_;
  return line_;
}

void text_file::fail(std::string_view expected) const {
  const auto found = is_at_end_ ? "the end of the file" : fmt::format("\"{}\"", excerpt(line_));
  throw error(fmt::format("{}, line {}: expected {}, found {}", path_, line_number_, expected, found));
}

} // namespace windrow::graph
