// SPDX-License-Identifier: BSD-3-Clause
#include "apps/graph/text_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "apps/graph/byte_stream.hpp"
#include "apps/graph/fields.hpp"
#include "windrow/error.hpp"

namespace windrow::graph {

namespace {

constexpr std::size_t text_buffer_bytes =
    1 << 18; // also the longest line: far longer than any line of most formats
constexpr std::size_t excerpt_length = 60;

/// The beginning of a line, fit to be shown.
std::string excerpt(std::string_view line) {
  std::string shown(line.substr(0, excerpt_length));
  std::ranges::replace_if(shown, [](unsigned char c) { return c < ' ' || c > '~'; }, '?');
  return line.size() > excerpt_length ? shown + "..." : shown;
}

/// The head of the first file in an archive is 512 bytes, padded by zeros, with a word of its own in them.
bool is_tar_head(std::string_view line) {
  return line.size() > 262 && line.substr(257, 5) == "ustar";
}

std::unique_ptr<byte_stream> open(const std::string& path, std::string_view kind) {
  if (path.empty()) throw error(fmt::format("the name of the {} is empty", kind));
  try {
    return std::make_unique<byte_stream>(path);
  } catch (const error& problem) {
    throw error(fmt::format("cannot open the {} {}: {}", kind, path, problem.what()));
  }
}

} // namespace

text_file::text_file(std::string path, std::string_view kind)
    : path_(std::move(path)),
      kind_(kind),
      stream_(open(path_, kind_)),
      buffer_(text_buffer_bytes),
      longest_line_(text_buffer_bytes) {}
text_file::~text_file() = default;
text_file::text_file(text_file&&) noexcept = default;

bool text_file::is_divisible() const {
  return stream_->is_divisible();
}

std::uint64_t text_file::size() const {
  return stream_->size();
}

std::optional<std::string_view> text_file::next_line() {
  if (position_ >= part_end_) return std::nullopt;
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

std::optional<std::string_view> text_file::next_filled_line() {
  auto line = next_line();
  while (line && is_empty_or_comment(*line, "")) line = next_line();
  return line;
}

void text_file::unread() {
  begin_ -= taken_;
  position_ -= taken_;
  line_number_ -= taken_ != 0;
  taken_ = 0;
}

/// Moves what is pending to the front of the buffer, which grows if that fills it.
void text_file::make_room() {
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  if (end_ < buffer_.size()) return;
  if (end_ >= longest_line_) {
    take_line(end_, 0);
    fail("a line of text");
  }
  buffer_.resize(2 * buffer_.size());
}

/// Reads on. False at the end of the file.
bool text_file::fill() {
  make_room();
  try {
    const auto count = stream_->read(std::span(buffer_).subspan(end_));
    end_ += count;
    return count > 0;
  } catch (const error& problem) {
    throw error(fmt::format("cannot read the {} {} after line {}: {}", kind_, path_,
                            lines_before_part() + line_number_, problem.what()));
  }
}

std::string_view text_file::take_line(std::size_t length, std::size_t end_length) {
  line_ = std::string_view(buffer_.data() + begin_, length);
  if (position_ == 0 && is_tar_head(line_))
    throw error(
        fmt::format("{} is a tar archive: unpack it first (tar -xf), and name a file that was in it", path_));
  if (position_ == 0) line_ = without_byte_order_mark(line_);
  if (line_.ends_with('\r')) line_.remove_suffix(1);
  taken_ = length + end_length;
  begin_ += taken_;
  position_ += taken_;
  ++line_number_;
  return line_;
}

void text_file::keep_to(std::uint64_t first, std::uint64_t last) {
  part_begin_ = first == 0 ? 0 : first - 1; // the line that this byte ends or is in is that of another part
  part_end_ = std::numeric_limits<std::uint64_t>::max();
  stream_->seek(part_begin_);
  begin_ = end_ = taken_ = 0;
  position_ = part_begin_;
  line_number_ = 0;
  is_at_end_ = false;
  if (first != 0) next_line();
  part_end_ = last;
}

/// Line ends before this part, counted when there is an error to tell.
std::uint64_t text_file::lines_before_part() const {
  if (part_begin_ == 0) return 0;
  byte_stream from_the_beginning(path_);
  std::vector<char> piece(text_buffer_bytes);
  std::uint64_t lines = 0;
  for (auto left = part_begin_; left > 0;) {
    const auto count =
        from_the_beginning.read(std::span(piece).first(std::min<std::size_t>(left, text_buffer_bytes)));
    if (count == 0) break;
    lines += static_cast<std::uint64_t>(
        std::count(piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(count), '\n'));
    left -= count;
  }
  return lines;
}

void text_file::fail(std::string_view expected) const {
  const auto found = is_at_end_ ? "the end of the file" : fmt::format("\"{}\"", excerpt(line_));
  throw error(fmt::format("{}, line {}: expected {}, found {}", path_, lines_before_part() + line_number_,
                          expected, found));
}

} // namespace windrow::graph
