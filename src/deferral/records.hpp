// SPDX-License-Identifier: BSD-3-Clause
// Deferred code that waits for several values, or in an order: what the compiler makes, `when_all`.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <thread>

#include "deferral/chunk_store.hpp"
#include "windrow/detail/continuations.hpp"
#include "windrow/detail/round_up.hpp"

namespace windrow::deferral {

struct record;
struct record_queue;

/// What is special about a record.
enum class record_kind : std::uint16_t {
  plain,
  with_drop, ///< the payload begins with a `drop_function`
  in_runs,   ///< `run` in place of a body
  batch,     ///< the same; several payloads, with what they have in common in front of them
  crowded,   ///< one of the last two, whose body leads to more than may wait: the run is to end
};

/// In front of the payload that the code sees. The payload is 16-byte aligned.
struct alignas(16) record {
  union {
    void (*body)(void* payload);
    /// Runs and removes the oldest record of the queue, and those that follow it as far as they are of its
    /// kind and ready. How many payloads that were.
    std::uint32_t (*run)(record_queue&);
  };
  record* parent;      ///< of the level above, whose payload must stay; or null
  std::uint32_t size;  ///< with the payload; of a batch, once it is closed
  std::uint16_t level; ///< how many fetches deep the code stood that opened it
  record_kind kind;
  std::uint32_t holders; ///< itself, until its body has run, and its children
  std::uint32_t pending; ///< values that are not there yet, plus one until it is committed (by a call)

  bool has_run() const { return kind >= record_kind::in_runs; }
  void* payload() { return this + 1; }
  std::size_t payload_bytes() const { return size - sizeof(record); }
  /// To the next record.
  std::uint32_t room() const { return detail::round_up(size, 16); }
  static record& of(void* payload) { return *(static_cast<record*>(payload) - 1); }
  /// The size of a record.
  static constexpr std::uint32_t size_with(std::size_t payload_bytes) {
    return static_cast<std::uint32_t>(sizeof(record) + detail::round_up(payload_bytes, 16));
  }
};
static_assert(sizeof(record) == 32 && sizeof(record) - offsetof(record, pending) == pending_before_payload);

/// Where records get chunks from: the scheduler, which counts them.
class chunk_source {
 public:
  virtual chunk* take_chunk() = 0;
  virtual void give_chunk(chunk*) = 0;
  /// Counts memory of `chunks` chunks that is not from here, or, with a negative number, no more.
  virtual void count_chunks(std::int64_t chunks) = 0;
  /// More than the limit is in use.
  virtual bool is_over_limit() const = 0;

 protected:
  ~chunk_source() = default;
};

/// Records of one level, one behind the other in chunks. Closed: all null, so that there is no room.
struct record_queue {
  std::byte* tail = nullptr;  ///< where the next record goes, or the next payload of the open batch
  std::byte* limit = nullptr; ///< of the chunk that the tail is in
  std::byte* head = nullptr;  ///< the oldest record
  chunk* last = nullptr;      ///< the chunk that the tail is in
  record* batch = nullptr;    ///< the newest record, while it may grow

  bool empty() const { return head == tail; }
  std::size_t room() const { return static_cast<std::size_t>(limit - tail); }
  record& oldest() const { return *reinterpret_cast<record*>(head); }
  /// Bytes of the open batch.
  std::size_t batch_bytes() const {
    return static_cast<std::size_t>(tail - reinterpret_cast<std::byte*>(batch));
  }

  /// Before another record, and before the batch runs.
  void close_batch() {
    if (batch == nullptr) return;
    batch->size = static_cast<std::uint32_t>(batch_bytes());
    tail = reinterpret_cast<std::byte*>(batch) + batch->room();
    batch = nullptr;
  }

  /// After the oldest record, of that size, has run: forgets it, if that is all there is to do.
  bool pass(std::uint32_t size) {
    const auto& r = oldest();
    auto* const next = head + size;
    if (r.holders != 1 || next == chunk_of(head)->end) return false;
    if (r.parent != nullptr) {
      if (r.parent->holders == 1) return false;
      --r.parent->holders;
    }
    head = next;
    return true;
  }
};

/// The records of one PE: a first-in-first-out queue for each level.
class records {
 public:
  static constexpr std::size_t most_levels = 64;

  explicit records(chunk_source& chunks) : chunks_(chunks) {}
  ~records();
  records(const records&) = delete;
  records& operator=(const records&) = delete;

  record& open(void (*body)(void*), std::size_t bytes, record* parent, std::uint32_t level, record_kind);
  void commit(record& r) {
    --uncommitted_;
    --r.pending;
  }

  /// The queues of all levels. Compiled code adds complete records to those that have a chunk with room.
  record_queue* levels() { return levels_.data(); }
  /// Whether another record of level 0 would take another chunk.
  bool is_full(std::size_t bytes) const { return levels_[0].room() < record::size_with(bytes); }

  /// Whether another thread is between opening and committing one.
  bool opened_elsewhere() const { return uncommitted_ > 0 && !mine(); }
  /// From now on they are the calling thread's.
  void adopt() { opener_ = std::this_thread::get_id(); }
  bool waiting() const {
    return !std::all_of(levels_.begin(), end(), [](const record_queue& q) { return q.empty(); });
  }

  // All of these see only what the calling thread has opened or adopted.

  bool any() const { return waiting() && mine(); }
  bool uncommitted() const { return uncommitted_ > 0 && mine(); }
  /// The oldest record of some level has all that it waits for, and need not wait for deeper levels.
  bool ready() const;
  /// Runs those; returns how many. Called while nothing else runs. Above the limit, levels wait until those
  /// behind them are empty: a record may lead to thousands, of a range that it has fetched.
  std::uint32_t run_ready();
  /// Runs those of the levels behind that of the record which runs now, and will not come to its end.
  std::uint32_t run_ready_behind() { return run_ready_from(running_ + 1); }
  /// Forgets the oldest record of a queue, after it has run.
  void remove_oldest(record_queue&);

 private:
  using queues = std::array<record_queue, most_levels>;

  queues::const_iterator end() const { return levels_.begin() + depth_; }
  bool mine() const { return opener_ == std::this_thread::get_id(); }
  void add_chunk(record_queue&, std::uint32_t record_size);
  chunk* take_chunk(std::size_t bytes);
  std::uint32_t run_ready_from(std::size_t level);
  std::uint32_t run_level(std::size_t level);
  /// Its oldest record.
  bool may_run(std::size_t level) const;
  bool waits_for_deeper(std::size_t level) const;
  static void end_run(const record_queue&);
  void release(record*);
  void drop_hold(chunk*);
  void reuse(record_queue&);

  chunk_source& chunks_;
  queues levels_{};
  std::uint32_t depth_ = 0; ///< levels that have been in use
  std::size_t running_ = 0; ///< the level whose records run
  std::uint32_t uncommitted_ = 0;
  std::thread::id opener_; ///< whose the records that wait are
};

} // namespace windrow::deferral
