// SPDX-License-Identifier: BSD-3-Clause
// Distributed locks after Mellor-Crummey and Scott ("Algorithms for scalable synchronization on shared-memory
// multiprocessors", 1991): PEs queue up, each waits on its own copy of the lock variable and is woken by the
// one before it. The lower half of PE 0's copy is the end of the queue (PE + 1, 0: nobody holds the lock);
// the upper half of every PE's copy is that PE's place in the queue.
#include <fmt/format.h>

#include <atomic>
#include <bit>

#include "aggregation/engine.hpp"
#include "base/fatal.hpp"
#include "pgas/core.hpp"
#include "shmem/define.hpp"
#include "shmem/ordering.hpp"
#include "shmem/remote_access.hpp"
#include "shmem/waiting.hpp"

namespace windrow::shmem {

namespace {

constexpr transport::wait_kind for_lock{"a lock that PE {pe} has or waits for"};

using word = std::uint32_t;

constexpr word in_queue = 1U << 31; ///< a thread of this PE waits for the lock or holds it
constexpr word waiting = 1U << 30;
constexpr word next_mask = waiting - 1; ///< PE + 1 of the next in the queue, 0: none

class lock {
 public:
  lock(long* variable, const char* routine) : variable_(variable), routine_(routine) {
    tail_ = words(0);
    place_ = words(hot.pe) + 1;
  }

  void set() const {
    note_call();
    require_not_mine();
    // Threads of one PE exclude each other here first: the queue has one place for each PE.
    wait(hot.pe, [this] { return take_place(in_queue | waiting); });
    const word before = tail().exchange(self());
    if (before == 0) {
      place().fetch_and(~waiting);
      return;
    }
    const int ahead = static_cast<int>(before) - 1;
    remote_word(words(ahead) + 1).fetch_or(self());
    hot.core->link().ring(ahead); // it may be waiting to hand over
    wait(ahead, [this] { return (place().load() & waiting) == 0; });
  }

  /// True if the lock is now held.
  bool try_set() const {
    word nobody = 0;
    if (!take_place(in_queue)) return false;
    if (tail().compare_exchange_strong(nobody, self())) return true;
    give_up_place();
    return false;
  }

  void clear() const {
    complete_begun();
    std::atomic_thread_fence(std::memory_order_seq_cst); // what was done under the lock is complete
    const word now = place().load();
    if ((now & in_queue) == 0 || (now & waiting) != 0)
      base::fatal(fmt::format("{}: PE {} does not hold the lock", routine_, hot.pe));
    word end = self();
    if ((now & next_mask) == 0 && tail().compare_exchange_strong(end, 0)) return give_up_place();
    // The next one has yet to say who it is: the last of all, say.
    wait(static_cast<int>(tail().load()) - 1, [this] { return (place().load() & next_mask) != 0; });
    const int next = static_cast<int>(place().load() & next_mask) - 1;
    give_up_place();
    remote_word(words(next) + 1).fetch_and(~waiting);
    hot.core->link().ring(next);
  }

 private:
  static_assert(sizeof(long) == 2 * sizeof(word) && std::endian::native == std::endian::little);

  word* words(int pe) const { return reinterpret_cast<word*>(remote(variable_, pe, routine_)); }
  remote_word<word> tail() const { return remote_word(tail_); }
  std::atomic_ref<word> place() const { return std::atomic_ref(*place_); }
  static word self() { return static_cast<word>(hot.pe) + 1; }
  // Whoever could free it is in this very call, or must not be in the library meanwhile.
  void require_not_mine() const {
    if (hot.core->has_threads() || (place().load() & in_queue) == 0) return;
    base::fatal(fmt::format(
        "{}: PE {} holds the lock already (or the lock was not 0 before it was used for the first time)",
        routine_, hot.pe));
  }
  bool take_place(word as) const {
    word free = 0;
    return place().compare_exchange_strong(free, as);
  }
  // Other threads of this PE may sleep until it is free.
  void give_up_place() const {
    place().store(0);
    if (cold.thread_level > SHMEM_THREAD_FUNNELED) hot.core->link().ring(hot.pe);
  }
  // The PE that holds the lock may wait for what this one has stored.
  template <class Done>
  static void wait(int for_pe, Done done) {
    cold.job->engine().wait_for_value(done, {for_lock, for_pe});
  }

  long* variable_;
  const char* routine_;
  word* tail_;
  word* place_;
};

} // namespace

} // namespace windrow::shmem

using namespace windrow::shmem; // everything below is the C interface

SHMEM_FUNCTION(void, shmem_set_lock, (long* lock_variable)) {
  require_running(ROUTINE);
  SYNCHRONIZES;
  lock(lock_variable, ROUTINE).set();
}
SHMEM_FUNCTION(void, shmem_clear_lock, (long* lock_variable)) {
  require_running(ROUTINE);
  SYNCHRONIZES;
  lock(lock_variable, ROUTINE).clear();
}
SHMEM_FUNCTION(int, shmem_test_lock, (long* lock_variable)) {
  require_running(ROUTINE);
  SYNCHRONIZES;
  if (lock(lock_variable, ROUTINE).try_set()) return polled(0);
  after_failed_test();
  return 1;
}
