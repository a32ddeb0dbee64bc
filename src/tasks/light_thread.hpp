// SPDX-License-Identifier: BSD-3-Clause
// A task with a stack of its own: where it would wait, it leaves its worker to others.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "os/fiber.hpp"
#include "transport/wait_record.hpp"
#include "windrow/detail/direct_operation.hpp"
#include "windrow/detail/fork.hpp"
#include "windrow/detail/task.hpp"

namespace windrow::tasks {

/// What reports say of each, and tools/gdb/windrow.py reads without debug information: 8 bytes each, in this
/// order.
struct light_thread_record {
  std::atomic<const char*> name = nullptr;                      ///< of static storage
  std::atomic<const transport::wait_kind*> waits_for = nullptr; ///< null: it does not wait
  std::atomic<const void*> waits_at = nullptr;                  ///< the object, if it is one
  void* const* context = nullptr;                               ///< where it is kept where its registers are
  std::int64_t pe = -1, worker_index = -1;
  light_thread_record* next_record = nullptr;
};

/// As a task, what goes on (`task_kind::light`). It stays with one worker, as its stack does, and lies at the
/// end of that: so who waits keeps one page if that is enough.
struct light_thread : task, light_thread_record {
  light_thread(worker& w, std::byte* stack, std::size_t bytes);

  worker& home;
  os::fiber fiber;
  std::byte* stack;
  const std::byte* stack_limit;
  std::uint64_t* canary = nullptr; ///< `canary_words` that an overflow destroys, if no guard is there
  task* spawned = nullptr;         ///< what it runs
  bool found_nothing = false;      ///< was asked to look again, and has found nothing

  // While it does not run; `may_use` is what it may now.
  scope* innermost = nullptr;
  const detail::caller* call = nullptr; ///< that synchronizes, and waits in it
  branch_link before_all{nullptr};
  branch_list branches{&before_all, &before_all};
};

/// Those of a worker that have ended; more are made when there are none. Owner only.
class light_threads {
 public:
  explicit light_threads(worker& w);
  ~light_threads();
  light_threads(const light_threads&) = delete;
  light_threads& operator=(const light_threads&) = delete;

  bool empty() const { return unused_ == nullptr; }
  light_thread& take();
  /// Says so, if this thread's light thread has used up its stack when it used that address.
  static void explain_fault(const void* address);
  void give(light_thread& l) { l.next = std::exchange(unused_, &l); }
  /// Ends the job if that one, which is about to leave its stack, has used more than there is.
  static void require_within_stack(const light_thread& l) {
    if (l.canary != nullptr && !is_whole(l)) [[unlikely]]
      stack_is_used_up(l);
  }
  /// Adds a line for each of the first `most` that wait to the text; returns how many there are. Any thread.
  std::size_t list_waiting(std::string& text, std::size_t most) const;

 private:
  static constexpr std::size_t batch = 16;
  static constexpr std::size_t canary_words = 64; ///< frames that are larger may step over them
  static const std::size_t head_bytes;

  light_thread& on(std::byte* stack) const;
  static void set_canary(light_thread&, std::uint64_t* at);
  static bool is_whole(const light_thread&);
  [[noreturn, gnu::cold]] static void stack_is_used_up(const light_thread&);
  void add_batch();
  void record(std::byte* first);
  void forget_records();

  worker& home_;
  const std::size_t stack_bytes_;  ///< with the guard
  mutable std::mutex mutex_;       ///< for who lists
  std::vector<std::byte*> stacks_; ///< `batch` each
  task* unused_ = nullptr;
};

} // namespace windrow::tasks
