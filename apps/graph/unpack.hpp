// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <span>
#include <string_view>

namespace windrow::graph {

/// Undoes the compression of a stream of bytes, piece by piece.
class unpacker {
 public:
  virtual ~unpacker() = default;
  /// Takes bytes off the front of `in` and fills the front of `out`; both are left with what remains of them.
  /// `is_last`: nothing comes after `in`. Throws windrow::error with the reason where the data are damaged.
  virtual void unpack(std::string_view& in, std::span<char>& out, bool is_last) = 0;
  /// Whether the stream may end here: all that has begun is complete.
  virtual bool may_end() const = 0;
};

/// What a file that begins like this needs: one for gzip, xz or zstd, or nothing, if it is not compressed.
/// Throws windrow::error for other compression, for text in UTF-16, and for what this build cannot undo.
std::unique_ptr<unpacker> make_unpacker(std::string_view beginning);

/// As many bytes of the beginning as are needed to tell.
inline constexpr std::size_t telling_bytes = 6;

} // namespace windrow::graph
