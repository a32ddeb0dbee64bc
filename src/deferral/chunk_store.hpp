// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

namespace windrow::deferral {

inline constexpr std::size_t chunk_bytes = 8192;
inline constexpr std::align_val_t chunk_alignment{chunk_bytes};

/// The unit in which deferred work gets memory: this header, then closures or records. A multiple of its own
/// size, so that an address tells its chunk.
struct alignas(16) chunk {
  chunk* next;         ///< the one behind it in its queue
  std::byte* end;      ///< of what it holds, once it has a next
  std::uint32_t holds; ///< of records: while it is in a queue, and by each record that others still need
  std::uint32_t units; ///< its size in chunks: more than 1 where a single large record is in it

  std::byte* first() { return reinterpret_cast<std::byte*>(this + 1); }
  std::byte* limit() { return reinterpret_cast<std::byte*>(this) + chunk_bytes; }
};

/// The chunk that the byte at `address` is in.
inline chunk* chunk_of(std::byte* address) {
  return reinterpret_cast<chunk*>(address - reinterpret_cast<std::uintptr_t>(address) % chunk_bytes);
}

/// Chunks, given out again as soon as they come back. Its memory grows to the most that were in use at a
/// time.
class chunk_store {
 public:
  chunk* take() {
    if (free_ == nullptr) grow();
    chunk* const c = free_;
    free_ = c->next;
    return new (c) chunk{nullptr, nullptr, 0, 1};
  }
  void give(chunk* c) {
    c->next = free_;
    free_ = c;
  }

 private:
  struct release {
    void operator()(std::byte* slab) const;
  };

  void grow();

  chunk* free_ = nullptr;
  std::vector<std::unique_ptr<std::byte[], release>> slabs_;
};

} // namespace windrow::deferral
