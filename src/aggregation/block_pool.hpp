// SPDX-License-Identifier: BSD-3-Clause
// The blocks of a PE on their way: from the moment when one is full, or has to leave, until it is home. All
// senders of the PE share them, under a lock that is taken for blocks, never for items.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "aggregation/reply_receiver.hpp"
#include "os/zeroed_array.hpp"
#include "pgas/core.hpp"
#include "transport/block.hpp"
#include "transport/transport.hpp"
#include "windrow/stats.hpp"
#include "windrow/types.hpp"

namespace windrow::aggregation {

class sender;

/// A block that has been filled.
struct filled_block {
  transport::block* content;
  std::byte* notes; ///< of private memory; else null
  pe_t to;
  block_mark mark;
  sender* from;
  std::uint64_t stamp; ///< `block_pool::stamp` when it was filled
};

class block_pool {
 public:
  /// `shared`: several threads use it.
  block_pool(pgas::core&, bool shared);
  ~block_pool();
  block_pool(const block_pool&) = delete;
  block_pool& operator=(const block_pool&) = delete;
  /// From now on several threads use it.
  void share() { shared_ = true; }

  std::uint32_t capacity() const { return capacity_; } ///< bytes of payload of a block
  std::uint32_t size() const { return static_cast<std::uint32_t>(states_.size()); }

  // By any sender.

  /// A free block, or null.
  transport::block* acquire();
  /// Of one that is not needed after all.
  void discard(transport::block*);
  /// Private memory in place of a free block. Ends the job if there is too much of it.
  transport::block* spare_block();
  /// The notes of a block mirror its payload: what the sender must remember about an item is at the item's
  /// place.
  std::byte* notes_for(const transport::block*);
  /// Hands the block to its PE.
  void commit(const filled_block&);
  /// Keeps a private one until there is a shared one for its content.
  void spill(const filled_block&);
  /// So much is in the spill that senders who may wait should, and that no more should be handled.
  bool spills_much() const { return spilled_.load(std::memory_order_relaxed) > much_; }
  std::size_t spilled() const { return spilled_.load(std::memory_order_relaxed); }
  /// What blocks that are filled from now on are to be marked with.
  std::uint64_t stamp() const { return stamp_.load(std::memory_order_relaxed); }
  /// Blocks that were filled before this call have a smaller stamp than is returned, those filled after it
  /// have not. By one thread at a time.
  std::uint64_t next_stamp() { return stamp_.fetch_add(1, std::memory_order_seq_cst) + 1; }
  /// Whether all blocks with a smaller stamp are home. `seen` is 0 at first, and then what this call left.
  bool are_home(std::uint64_t stamp, std::uint32_t& seen);

  // By the PE's own thread.

  /// Sends what has been spilled, as far as there are free blocks. False if nothing is sent.
  bool drain_spill();
  /// Where the sender's notes about a block that has come home are, or null: it needs none.
  const std::byte* notes_of(const transport::block*) const;
  /// The block is home, its replies are delivered. Returns whose it was.
  sender& come_home(transport::block*);
  block_mark mark_of(const transport::block*) const;
  /// Of the blocks that are out, as far as one can say while other threads send.
  std::uint32_t out() const;
  bool has_out_at(pe_t pe) const {
    return out_[static_cast<std::size_t>(pe)].load(std::memory_order_relaxed) > 0;
  }
  pe_t holder_of_most() const;

 private:
  struct block_state {
    std::byte* notes = nullptr; ///< made when first needed
    block_mark mark = no_mark;
    sender* from = nullptr;
    std::atomic<std::uint64_t> out_since = 0; ///< its stamp; 0: it is not out
    bool has_notes = false;                   ///< the block in flight holds fetching runs
  };

  std::unique_lock<std::mutex> lock() {
    return shared_ ? std::unique_lock(mutex_) : std::unique_lock<std::mutex>();
  }
  block_state& state_of(const transport::block* b) { return states_[link_.pool_index(b)]; }
  const block_state& state_of(const transport::block* b) const { return states_[link_.pool_index(b)]; }
  bool drain_locked();

  pgas::core& core_;
  transport::transport& link_;
  bool shared_;
  const std::uint32_t capacity_;
  std::size_t spill_limit_; ///< blocks
  std::size_t much_;        ///< of them
  std::mutex mutex_;        ///< for the free blocks and the spill
  os::zeroed_array<block_state> states_;
  os::zeroed_array<std::atomic<std::uint32_t>> out_; ///< blocks, by the PE that has them
  std::deque<filled_block> spill_;
  std::atomic<std::size_t> spilled_ = 0; ///< of it
  std::atomic<std::uint64_t> stamp_ = 1;
};

} // namespace windrow::aggregation
