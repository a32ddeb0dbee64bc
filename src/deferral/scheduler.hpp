// SPDX-License-Identifier: BSD-3-Clause
// Decides when deferred work runs. README.md has the protocol.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "aggregation/engine.hpp"
#include "aggregation/reply_receiver.hpp"
#include "deferral/chunk_store.hpp"
#include "deferral/records.hpp"
#include "job/room.hpp"
#include "os/zeroed_array.hpp"
#include "pgas/core.hpp"
#include "windrow/detail/continuations.hpp"
#include "windrow/job.hpp"

namespace windrow::deferral {

class scheduler final : private closure_support,
                        public room,
                        public aggregation::reply_receiver,
                        private chunk_source {
 public:
  /// Attaches itself to the engine.
  scheduler(pgas::core&, aggregation::engine&);
  /// What still waits is destroyed without running.
  ~scheduler() override;

  continuations& inlined() { return inlined_; }

  // Records.

  /// A new record of level 0 may first run others, and help as `keep_bound` does.
  record& open(void (*body)(void*), std::size_t bytes, record* parent, std::uint32_t level,
               record_kind = record_kind::plain);
  /// Runs the oldest record of each level that is ready, if nothing else runs.
  void commit(record&);
  record_queue* record_levels() { return records_.levels(); }
  /// Finishes loads, and runs what is ready if nothing else runs.
  void run_loads();
  /// Runs the records that are in front of the program's place, which it will not leave, for the job ends: in
  /// the body of a record, those of the levels behind. Within that time.
  void run_before_end(std::uint64_t limit_ns);
  /// For runs of records, which remove what they have run.
  void remove_oldest_record(record_queue& q) { records_.remove_oldest(q); }
  /// Whether there is anything that `drain` would run.
  bool any_records() const { return records_.waiting(); }
  /// Whether another thread is about to commit one.
  bool opened_elsewhere() const { return records_.opened_elsewhere(); }

  // For the engine.

  void close_stretch(pe_t to) override { inlined_.answers_[to].asked.close(); }
  aggregation::block_mark block_leaves(pe_t to) override;
  void block_is_home(pe_t from, aggregation::block_mark) override;
  bool pending() const override;
  bool ready() const override;
  /// Also all that waits for no message. Nothing if it is running already, or in a handler.
  void run() override;
  bool runs_in_all_waits() const override { return true; }
  void inbox_served() override { run_arrived(); }
  void require_complete() override;
  void describe(transport::wait_details&) const override;
  std::uint64_t started() const override { return loads_run_ + loads_waiting() + inlined_.postponed_in_all_; }

 private:
  class turn;

  /// Runs what has been answered, and what that makes ready in turn. Nothing if it is running already, or in
  /// a handler.
  void run_arrived();

  /// What was queued for a PE up to some moment, and whether all of that has been answered.
  struct segment {
    std::byte* end;
    bool home;
  };
  /// What is known about the closures that wait for a PE's answers.
  struct answer_state {
    std::unique_ptr<std::deque<segment>> segments; ///< from the first block on: an empty one has 576 bytes
    aggregation::block_mark first = 1;             ///< number of the first segment
    std::byte* marked = nullptr;                   ///< the tail of the queue at the last mark
    std::byte* ready = nullptr;                    ///< up to here they can run; null: none can
  };

  void make_room(closure_queue&, step_function, std::size_t bytes) override;
  void make_room_in_window(step_function, std::size_t bytes) override;
  void run_local() override;
  void help() override;
  bool help_once() override;
  std::byte* take_values(std::size_t bytes) override;
  void give_values(std::byte* values, std::size_t bytes) override;
  std::byte* open_joined(void (*body)(void* payload), std::size_t bytes) override;
  void commit_joined(void* payload) override;

  chunk* take_chunk() override;
  void give_chunk(chunk*) override;
  void count_chunks(std::int64_t) override;
  bool is_over_limit() const override { return inlined_.chunks_ > inlined_.limit_; }
  /// Values of ranges take that many bytes from now on.
  void count_values(std::size_t bytes);

  answer_state& state_of(pe_t pe) {
    answer_state*& known = states_[static_cast<std::size_t>(pe)];
    if (known == nullptr) [[unlikely]]
      known = &used_states_.emplace_back();
    return *known;
  }
  /// Ends the job in a task that was not given to the communication worker.
  void require_may_defer() const;
  bool awaits_answers(const closure_queue& q) const {
    return &q != &inlined_.loading_ && &q != &inlined_.postponed_;
  }
  /// Room for some closures, up to `most`.
  void make_room_at_tail(closure_queue&, step_function, std::size_t bytes, std::size_t most);
  void begin_batch(closure_queue&, step_function, std::size_t bytes);
  void extend(closure_queue&);
  /// One step through a queue; true if it has come to `stop`.
  bool advance(closure_queue&, std::byte* stop, std::uint32_t most, fate);
  void begin_next_batch(closure_queue&, chunk*);
  void leave(closure_queue&, chunk*);
  bool run_answers();
  void run_answers_of(pe_t);
  /// How many wait for loadable memory.
  std::uint32_t loads_waiting() const;
  void count_loads(const progress&);
  bool any_local() const { return !inlined_.loading_.empty() || !inlined_.postponed_.empty(); }
  /// Runs what waits for no message, up to that many loads from loadable memory.
  bool run_local(std::uint32_t most_left);
  void drop(closure_queue&);

  os::zeroed_array<closure_queue> queues_; ///< by PE, of what waits for its answers
  continuations inlined_;
  continuations* const outer_ = continuations_of_thread; ///< of another job that this thread has made before
  pgas::core& core_;
  aggregation::engine& engine_;
  std::uint32_t hard_limit_;
  std::uint32_t of_program_ = 0; ///< chunks in use since it took some last, the fewest
  chunk_store store_;
  std::size_t values_bytes_ = 0;           ///< taken by values of ranges
  os::zeroed_array<answer_state*> states_; ///< by PE; null: it has not been asked yet
  std::deque<answer_state> used_states_;
  std::vector<pe_t> arrived_;        ///< PEs with closures that can run
  std::uint32_t closure_queues_ = 0; ///< of those that are not empty
  std::uint64_t loads_run_ = 0;      ///< closures that waited for loadable memory and have run
  std::uint32_t loads_counted_ = 0;  ///< that wait for it, up to `loads_uncounted_`
  std::byte* loads_uncounted_ = nullptr;
  std::size_t load_bytes_ = 1; ///< of each of those behind
  records records_;
};

extern const room_type room_of_jobs;
/// That of a job.
scheduler& scheduler_of(const job&);

} // namespace windrow::deferral
