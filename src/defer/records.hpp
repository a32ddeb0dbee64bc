// SPDX-License-Identifier: BSD-3-Clause
// Deferred code that waits for several values: what the compiler makes, `when_all`.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include "defer/chunk_store.hpp"
#include "windrow/detail/continuations.hpp"

namespace windrow::deferral {

/// In front of the payload that the code sees. The payload is 16-byte aligned.
struct alignas(16) record {
  void (*body)(void* payload);
  record* next;          ///< of its level
  record* parent;        ///< whose payload must stay, or null
  const void* origin;    ///< whatever the opener wants to know of it again; null: the payload begins with a
                         ///< `drop_function`
  std::uint32_t pending; ///< values that are not there yet, plus one until it is committed
  std::uint32_t holders; ///< itself, until its body has run, and its children
  std::uint32_t level;
  std::uint32_t bytes; ///< of the payload

  void* payload() { return this + 1; }
  static record& of(void* payload) { return *(static_cast<record*>(payload) - 1); }
};
static_assert(sizeof(record) - offsetof(record, pending) == pending_before_payload);

/// Where records get chunks from: the scheduler, which counts them.
class chunk_source {
 public:
  virtual chunk* take_chunk() = 0;
  virtual void give_chunk(chunk*) = 0;
  /// Counts memory of `chunks` chunks that is not from here, or, with a negative number, no more.
  virtual void count_chunks(std::int64_t chunks) = 0;

 protected:
  ~chunk_source() = default;
};

/// Loads from memory that this processor can reach, with the cache misses of a window of them under way
/// together.
class counted_loads {
 public:
  struct entry {
    const void* from;
    void* slot;
    std::uint32_t* counter;
    std::uint32_t width_log2;
  };

  bool empty() const { return finished_ == added_; }
  void add(const entry& e) {
    __builtin_prefetch(e.from);
    if (added_ - finished_ == entries_.size()) finish_oldest();
    entries_[added_++ % entries_.size()] = e;
  }
  void finish() {
    while (!empty()) finish_oldest();
  }

 private:
  void finish_oldest();

  std::array<entry, 64> entries_{};
  std::uint64_t added_ = 0, finished_ = 0;
};

/// The records of one PE: a first-in-first-out queue for each level.
class records {
 public:
  explicit records(chunk_source& chunks) : chunks_(chunks) {}
  ~records();
  records(const records&) = delete;
  records& operator=(const records&) = delete;

  record& open(const void* origin, void (*body)(void*), std::size_t bytes, record* parent);
  void commit(record& r) {
    --uncommitted_;
    --r.pending;
  }
  counted_loads& loads() { return loads_; }
  const counted_loads& loads() const { return loads_; }

  // All of these see only what the calling thread has opened.

  bool any() const { return waiting_ > 0 && mine(); }
  bool uncommitted() const { return uncommitted_ > 0 && mine(); }
  /// The oldest record of some level has all that it waits for.
  bool ready() const;
  /// Runs those; returns how many. Called while nothing else runs.
  std::uint32_t run_ready();

 private:
  struct level_queue {
    record* oldest = nullptr;
    record* newest = nullptr;
  };

  bool mine() const { return opener_ == std::this_thread::get_id(); }
  record* place(std::size_t bytes);
  void release(record*);
  void give_back(record*);

  chunk_source& chunks_;
  counted_loads loads_;
  std::vector<level_queue> levels_;
  chunk* current_ = nullptr;
  std::byte* tail_ = nullptr; ///< where the next record goes, in `current_`
  std::uint32_t waiting_ = 0;
  std::uint32_t uncommitted_ = 0;
  std::thread::id opener_; ///< of the records that wait
};

} // namespace windrow::deferral
