// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace windrow::graph {

class byte_stream;

/// A text file or pipe read line by line, plain or compressed (gzip, xz, zstd; the content tells which, not
/// the name). What cannot be opened or read is a windrow::error that names the file and the reason.
class text_file {
 public:
  /// `kind` is what messages call it.
  explicit text_file(std::string path, std::string_view kind = "graph file");
  ~text_file();
  text_file(text_file&&) noexcept;

  /// The next line without its end (LF or CR LF), the first one without a byte order mark; nothing after the
  /// last one. Valid until the next call.
  std::optional<std::string_view> next_line();
  /// The same, without lines of nothing but blanks.
  std::optional<std::string_view> next_filled_line();
  /// Makes the line last read the next one again.
  void unread();
  /// Lines are refused that are longer than a quarter of a MiB, as no line of most formats is, until this
  /// says that a line may have any length.
  void allow_long_lines() { longest_line_ = std::numeric_limits<std::size_t>::max(); }

  /// Throws windrow::error: this file, the line last read, what was expected there and what was found.
  [[noreturn]] void fail(std::string_view expected) const;
  const std::string& path() const { return path_; }

  /// Whether several processes can each read a part: it is a file, not a pipe, and not compressed.
  bool is_divisible() const;
  std::uint64_t size() const;                          ///< in bytes, as it lies on the disk
  std::uint64_t position() const { return position_; } ///< bytes before the next line
  /// Goes on with those lines that begin at byte `first` or later and before byte `last`, which may be any
  /// bytes of the file. For what is divisible.
  void keep_to(std::uint64_t first, std::uint64_t last);

 private:
  bool fill();
  void make_room();
  std::string_view take_line(std::size_t length, std::size_t end_length);
  std::uint64_t lines_before_part() const;

  std::string path_;
  std::string_view kind_;
  std::unique_ptr<byte_stream> stream_;
  std::vector<char> buffer_;
  std::size_t longest_line_;
  std::size_t begin_ = 0, end_ = 0; ///< what of the buffer is read and not yet handed out
  std::uint64_t position_ = 0;
  std::uint64_t part_begin_ = 0, part_end_ = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t line_number_ = 0; ///< in this part
  std::string_view line_;
  std::size_t taken_ = 0; ///< bytes of the buffer that the line took, with its end
  bool is_at_end_ = false;
};

} // namespace windrow::graph
