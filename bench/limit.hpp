// SPDX-License-Identifier: BSD-3-Clause
// The limit program: the same work as histogram and index gather, written by hand on nothing but shared
// memory. One ring of 16 KiB blocks per direction, 512 KiB in all; items are offsets; the owner works through
// a block in a loop with prefetching; a reply overwrites its request. Windrow's numbers are quoted as
// fractions of this.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "windrow/job.hpp"

namespace windrow::bench {

inline constexpr std::size_t limit_block_bytes = 16 * 1024;
inline constexpr std::size_t limit_ring_blocks = 32;

/// A ring between two PEs, in the symmetric memory of the sender.
struct limit_ring {
  alignas(64) std::atomic<std::uint64_t> filled;  ///< blocks the sender has published
  alignas(64) std::atomic<std::uint64_t> handled; ///< blocks the receiver has worked on
  alignas(64) std::atomic<std::uint64_t> last;    ///< 1 + number of the sender's last block; 0: not known yet
  std::uint32_t count[limit_ring_blocks];
  alignas(64) std::byte block[limit_ring_blocks][limit_block_bytes];
};

/// All rings of a job, and one side's positions. `Item` is the type of an offset: 8 bytes as anybody would
/// begin, or 4.
template <class Item>
class limit_rings {
 public:
  static constexpr std::size_t per_block = limit_block_bytes / sizeof(Item);

  explicit limit_rings(job& j)
      : job_(j), storage_(j.allocate<std::byte>(ring_bytes() * pes(j), 64)), fill_(pes(j)) {
    for (pe_t to = 0; to < j.pes(); ++to) new (ring_at(j.pe(), to)) limit_ring{};
    j.barrier();
  }
  ~limit_rings() { job_.free(storage_); }
  limit_rings(const limit_rings&) = delete;
  limit_rings& operator=(const limit_rings&) = delete;

  /// Runs a phase: `produce(send)` calls send(to, offset, note) for every item; `handle(span<Item>)` is
  /// called for arrived blocks; `returned(to, block number, items)` for blocks whose replies are here, if
  /// Replies.
  template <bool Replies, class Produce, class Handle>
  void run(Produce produce, Handle handle, std::uint64_t* out) {
    reset();
    handle_arrived<Replies>(handle);
    produce([&](pe_t to, std::uint64_t offset, std::uint64_t note) {
      auto& f = fill_[static_cast<std::size_t>(to)];
      if (f.next == per_block) [[unlikely]]
        new_block<Replies>(to, handle, out);
      f.items[f.next] = static_cast<Item>(offset);
      if constexpr (Replies) f.notes[f.next] = note;
      ++f.next;
    });
    finish<Replies>(handle, out);
  }

 private:
  struct filling {
    limit_ring* ring = nullptr;
    Item* items = nullptr;
    std::size_t next = 0;
    std::uint64_t block = 0;     ///< number of the block being filled
    std::uint64_t collected = 0; ///< blocks whose replies have been taken
    std::uint64_t* notes = nullptr;
    std::unique_ptr<std::uint64_t[]> note_store;
    std::uint64_t received = 0; ///< of the other direction: blocks handled
    bool ended = false;         ///< of the other direction
  };

  static std::size_t pes(const job& j) { return static_cast<std::size_t>(j.pes()); }
  static std::size_t ring_bytes() { return (sizeof(limit_ring) + 63) / 64 * 64; }
  limit_ring* ring_at(pe_t from, pe_t to) {
    return reinterpret_cast<limit_ring*>(job_.local(storage_.on(from)) +
                                         ring_bytes() * static_cast<std::size_t>(to));
  }

  void reset() {
    for (pe_t to = 0; to < job_.pes(); ++to) {
      auto& f = fill_[static_cast<std::size_t>(to)];
      auto store = std::move(f.note_store);
      f = {};
      f.note_store =
          store ? std::move(store) : std::make_unique<std::uint64_t[]>(limit_ring_blocks * per_block);
      f.ring = ring_at(job_.pe(), to);
      f.ring->filled = 0, f.ring->handled = 0, f.ring->last = 0;
      start_block(f);
    }
    job_.barrier();
  }
  void start_block(filling& f) {
    f.items = reinterpret_cast<Item*>(f.ring->block[f.block % limit_ring_blocks]);
    f.notes = f.note_store.get() + f.block % limit_ring_blocks * per_block;
    f.next = 0;
  }
  void publish(filling& f) {
    f.ring->count[f.block % limit_ring_blocks] = static_cast<std::uint32_t>(f.next);
    f.ring->filled.store(++f.block, std::memory_order_release);
  }

  template <bool Replies, class Handle>
  void new_block(pe_t to, Handle& handle, std::uint64_t* out) {
    auto& f = fill_[static_cast<std::size_t>(to)];
    publish(f);
    do {
      handle_arrived<Replies>(handle);
      if constexpr (Replies) collect(f, out);
    } while (f.block - f.ring->handled.load(std::memory_order_acquire) >= limit_ring_blocks);
    if constexpr (Replies) collect(f, out);
    start_block(f);
  }

  template <bool Replies, class Handle>
  bool handle_arrived(Handle& handle) {
    bool all_ended = true;
    for (pe_t from = 0; from < job_.pes(); ++from) {
      auto& f = fill_[static_cast<std::size_t>(from)];
      auto* ring = ring_at(from, job_.pe());
      const auto last = ring->last.load(std::memory_order_acquire);
      while (f.received < ring->filled.load(std::memory_order_acquire)) {
        const auto slot = f.received % limit_ring_blocks;
        handle(std::span<Item>(reinterpret_cast<Item*>(ring->block[slot]), ring->count[slot]));
        ring->handled.store(++f.received, std::memory_order_release);
      }
      all_ended = all_ended && last != 0 && f.received == last - 1;
    }
    return all_ended;
  }

  void collect(filling& f, std::uint64_t* out) {
    const auto handled = f.ring->handled.load(std::memory_order_acquire);
    for (; f.collected < handled; ++f.collected) {
      const auto slot = f.collected % limit_ring_blocks;
      const auto* replies = reinterpret_cast<const Item*>(f.ring->block[slot]);
      const auto* notes = f.note_store.get() + slot * per_block;
      for (std::uint32_t i = 0; i < f.ring->count[slot]; ++i) out[notes[i]] = replies[i];
    }
  }

  template <bool Replies, class Handle>
  void finish(Handle& handle, std::uint64_t* out) {
    for (auto& f : fill_) {
      publish(f);
      f.ring->last.store(f.block + 1, std::memory_order_release);
    }
    while (!handle_arrived<Replies>(handle)) {
    }
    if constexpr (Replies)
      for (auto& f : fill_)
        while (f.collected < f.block) collect(f, out);
  }

  job& job_;
  global_ptr<std::byte> storage_;
  std::vector<filling> fill_;
};

} // namespace windrow::bench
