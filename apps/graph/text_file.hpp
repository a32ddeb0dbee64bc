// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

struct gzFile_s;

namespace windrow::graph {

/// A text file read line by line, plain or gzip (the content tells which, not the name). What cannot be
/// opened or read is a windrow::error that names the file and the reason.
class text_file {
 public:
  /// `kind` is what messages call it.
  explicit text_file(std::string path, std::string_view kind = "graph file");

  /// The next line without its end (LF or CR LF), or nothing after the last one. Valid until the next call.
  std::optional<std::string_view> next_line();

  /// Throws windrow::error: this file, the line last read, what was expected there and what was found.
  [[noreturn]] void fail(std::string_view expected) const;

 private:
  struct closer {
    void operator()(gzFile_s*) const;
  };

  bool fill();
  std::string_view take_line(std::size_t length, std::size_t end_length);

  std::string path_;
  std::string_view kind_;
  std::unique_ptr<gzFile_s, closer> file_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0; ///< what of the buffer is read and not yet handed out
  std::uint64_t line_number_ = 0;
  std::string_view line_;
  bool is_at_end_ = false;
};

} // namespace windrow::graph
