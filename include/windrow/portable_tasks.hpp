// SPDX-License-Identifier: BSD-3-Clause
// Tasks of plain data that idle PEs of the same host steal from each other.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "windrow/call.hpp"
#include "windrow/job.hpp"
#include "windrow/types.hpp"

namespace windrow {

namespace tasks {

/// The part that does not depend on the type of tasks. src/task/README.md has the protocol.
class portable_queues {
 public:
  portable_queues(job&, std::size_t task_bytes);
  ~portable_queues();
  portable_queues(const portable_queues&) = delete;
  portable_queues& operator=(const portable_queues&) = delete;

  void push(const void* task);
  /// Calls `run(object, task)` for each.
  void run(void (*run)(void* object, const void* task), void* object);
  std::uint64_t stolen() const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

} // namespace tasks

/// A pool of tasks in the symmetric heap, for work whose amount only shows as it is done: a search, a tree,
/// an adaptive mesh. A task is plain data T (values, `global_ptr`, `symmetric`) and `handler(task)` what is
/// done with it, on whichever PE of the host has nothing else to do; it pushes what it finds.
///
///   windrow::portable_tasks<node> pool(job, [&](const node& n) {
///     for (const node& child : children_of(n)) pool.push(child);
///   });
///   if (job.pe() == 0) pool.push(root);
///   pool.run();
///
/// A PE runs its newest task. One that has none takes half of another's, the oldest, one-sidedly: also while
/// the owner computes for long without calling the library. PEs of other hosts are not stolen from.
///
/// Construction, `run` and destruction are collective, in the same order on all PEs. Tasks run on the PE's
/// own thread, one at a time, and may do what main code may but wait for other PEs' main code: so no
/// collectives. T is at most 512 bytes, its alignment at most 16.
template <transferable T>
class portable_tasks {
 public:
  template <std::invocable<const T&> Handler>
  portable_tasks(job& j, Handler handler)
      : handler_(std::make_shared<Handler>(std::move(handler))),
        run_([](void* h, const void* task) {
          const T copy = tasks::value_at<T>(static_cast<const std::byte*>(task));
          (*static_cast<Handler*>(h))(copy);
        }),
        queues_(j, sizeof(T)) {
    static_assert(sizeof(T) <= 512 && alignof(T) <= 16);
  }

  /// Adds a task: before `run`, or in a task.
  void push(const T& task) { queues_.push(&task); }

  /// Returns when the tasks of all PEs have ended, and all that these have pushed. If handlers have thrown,
  /// each of their PEs rethrows its first exception then.
  void run() { queues_.run(run_, handler_.get()); }

  /// Tasks that this PE has taken from others so far.
  std::uint64_t stolen() const { return queues_.stolen(); }

 private:
  std::shared_ptr<void> handler_;
  void (*run_)(void*, const void*);
  tasks::portable_queues queues_;
};

} // namespace windrow
