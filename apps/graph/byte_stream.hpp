// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apps/graph/unpack.hpp"

namespace windrow::graph {

/// The bytes of a file or a pipe, decompressed (gzip, xz, zstd: its first bytes tell, not its name). Whatever
/// goes wrong is a windrow::error that gives the reason alone.
class byte_stream {
 public:
  explicit byte_stream(const std::string& path);

  /// Fills the front of `out` and returns how much; 0 at the end of the stream. `out` is not empty.
  std::size_t read(std::span<char> out);

  /// Whether each PE can read a part on its own: a regular file that is not compressed, and whose name means
  /// the same to all PEs, which that of the standard input does not.
  bool is_divisible() const { return is_divisible_ && unpacker_ == nullptr; }
  std::uint64_t size() const { return size_; } ///< of a regular file, as it lies on the disk
  /// Goes on with the byte at `place`. For what is divisible.
  void seek(std::uint64_t place);

 private:
  /// An open file.
  struct descriptor {
    explicit descriptor(const std::string& path);
    ~descriptor();
    descriptor(const descriptor&) = delete;
    descriptor& operator=(const descriptor&) = delete;
    int number;
  };

  std::size_t read_raw(std::span<char> out);
  void look_at_beginning();

  descriptor file_;
  bool is_divisible_ = false; ///< if it is not compressed
  std::uint64_t size_ = 0;
  std::unique_ptr<unpacker> unpacker_; ///< none: not compressed
  std::vector<char> buffer_;
  std::string_view input_; ///< of the buffer: read and not yet taken
  bool at_end_ = false;    ///< of the file
};

} // namespace windrow::graph
