// SPDX-License-Identifier: BSD-3-Clause
// Tasks of plain data in the symmetric heap. README.md has the protocol.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <exception>
#include <utility>
#include <vector>

#include "os/cpu.hpp"
#include "pgas/core.hpp"
#include "windrow/detail/round_up.hpp"
#include "windrow/portable_tasks.hpp"

namespace windrow::tasks {

/// In the symmetric heap of each PE, followed by the tasks, a ring.
struct portable_queue {
  static constexpr std::uint32_t capacity = 4096;

  alignas(64) std::atomic<std::uint32_t> locked;
  std::atomic<std::uint32_t> count;               ///< changes under the lock
  std::uint32_t first;                            ///< where the oldest is
  alignas(64) std::atomic<std::uint64_t> started; ///< by its own PE only
  alignas(64) std::atomic<std::uint64_t> ended;   ///< the same

  std::byte* at(std::uint32_t index, std::size_t bytes) {
    return reinterpret_cast<std::byte*>(this + 1) + (first + index) % capacity * bytes;
  }
};

namespace {

constexpr transport::wait_kind for_portable{.text = "portable tasks to steal, or the end of all of them",
                                            .rings = false};

/// Holds the lock of a queue. Its holder may have been interrupted, hence the yields.
class holding {
 public:
  explicit holding(portable_queue& q) : queue_(q) {
    for (int turn = 0; q.locked.exchange(1, std::memory_order_acquire) != 0; ++turn)
      turn < 64 ? os::pause() : os::yield();
  }
  ~holding() { queue_.locked.store(0, std::memory_order_release); }
  holding(const holding&) = delete;
  holding& operator=(const holding&) = delete;

 private:
  portable_queue& queue_;
};

void add_one(std::atomic<std::uint64_t>& mine) {
  mine.store(mine.load(std::memory_order_relaxed) + 1, std::memory_order_seq_cst);
}

} // namespace

struct portable_queues::state {
  state(job& j, std::size_t task_bytes)
      : owner(j),
        bytes(detail::round_up(task_bytes, std::size_t{16})),
        memory(j.allocate<std::byte>(sizeof(portable_queue) + portable_queue::capacity * bytes, 64)) {
    for (pe_t distance = 0; distance < j.pes(); ++distance)
      if (auto* const at = j.local(global_ptr<std::byte>((j.pe() + distance) % j.pes(), memory.offset())))
        near.push_back(reinterpret_cast<portable_queue*>(at));
    task.resize(bytes);
  }

  portable_queue& mine() { return *near.front(); }
  void push(const void* pushed, std::size_t task_bytes);
  bool take();
  bool take_newest();
  bool steal();
  bool steal_from(portable_queue&);
  void keep_stolen();
  void refill();
  bool all_ended() const;

  job& owner;
  std::size_t bytes; ///< of a task and what it takes to align the next one
  std::size_t task_bytes = 0;
  global_ptr<std::byte> memory;
  std::vector<portable_queue*> near; ///< those of this host's PEs: the own one, then the next PE's, and so on
  std::vector<std::byte> overflow;   ///< what the queue has no room for; newest last
  std::vector<std::byte> loot;
  std::vector<std::byte> task; ///< the one that has been taken
  std::uint64_t stolen = 0;
  std::exception_ptr failure;
};

// Counted first: it is alive when others can see it.
void portable_queues::state::push(const void* pushed, std::size_t size) {
  portable_queue& q = mine();
  add_one(q.started);
  const holding lock(q);
  const auto count = q.count.load(std::memory_order_relaxed);
  if (count < portable_queue::capacity) {
    std::memcpy(q.at(count, bytes), pushed, size);
    q.count.store(count + 1, std::memory_order_relaxed);
    return;
  }
  overflow.resize(overflow.size() + bytes);
  std::memcpy(overflow.data() + overflow.size() - bytes, pushed, size);
}

bool portable_queues::state::take() {
  if (take_newest()) return true;
  if (overflow.empty()) return steal();
  refill();
  return take_newest();
}

bool portable_queues::state::take_newest() {
  portable_queue& q = mine();
  if (q.count.load(std::memory_order_relaxed) == 0) return false;
  const holding lock(q);
  const auto count = q.count.load(std::memory_order_relaxed);
  if (count == 0) return false;
  std::memcpy(task.data(), q.at(count - 1, bytes), bytes);
  q.count.store(count - 1, std::memory_order_relaxed);
  return true;
}

// From what is kept in private into the queue, where it can be stolen.
void portable_queues::state::refill() {
  portable_queue& q = mine();
  const holding lock(q);
  auto count = q.count.load(std::memory_order_relaxed);
  for (; count < portable_queue::capacity && !overflow.empty(); ++count) {
    std::memcpy(q.at(count, bytes), overflow.data() + overflow.size() - bytes, bytes);
    overflow.resize(overflow.size() - bytes);
  }
  q.count.store(count, std::memory_order_relaxed);
}

bool portable_queues::state::steal() {
  for (auto victim = near.begin() + 1; victim != near.end(); ++victim)
    if (steal_from(**victim)) return keep_stolen(), true;
  return false;
}

// The oldest half: in a tree these have most below them.
bool portable_queues::state::steal_from(portable_queue& q) {
  constexpr std::uint32_t most = 512; // the owner waits meanwhile
  if (q.count.load(std::memory_order_relaxed) == 0) return false;
  const holding lock(q);
  const auto count = q.count.load(std::memory_order_relaxed);
  const auto taken = std::min(count - count / 2, most);
  loot.resize(taken * bytes);
  for (std::uint32_t i = 0; i < taken; ++i) std::memcpy(loot.data() + i * bytes, q.at(i, bytes), bytes);
  q.first = (q.first + taken) % portable_queue::capacity;
  q.count.store(count - taken, std::memory_order_relaxed);
  stolen += taken;
  return taken > 0;
}

// Others may steal it in turn, but for the newest, which is run here.
void portable_queues::state::keep_stolen() {
  portable_queue& q = mine();
  std::memcpy(task.data(), loot.data() + loot.size() - bytes, bytes);
  loot.resize(loot.size() - bytes);
  const holding lock(q);
  auto count = q.count.load(std::memory_order_relaxed);
  for (std::size_t at = 0; at < loot.size(); at += bytes, ++count)
    std::memcpy(q.at(count, bytes), loot.data() + at, bytes);
  q.count.store(count, std::memory_order_relaxed);
}

// Ended first: what has not ended when this begins is then still counted among the started.
bool portable_queues::state::all_ended() const {
  std::uint64_t ended = 0, started = 0;
  for (const auto* q : near) ended += q->ended.load(std::memory_order_seq_cst);
  for (const auto* q : near) started += q->started.load(std::memory_order_seq_cst);
  return started == ended;
}

// ---- portable_queues

portable_queues::portable_queues(job& j, std::size_t task_bytes)
    : state_(std::make_unique<state>(j, task_bytes)) {
  state_->task_bytes = task_bytes;
}

// While an exception unwinds, the others may be anywhere.
portable_queues::~portable_queues() {
  if (std::uncaught_exceptions() == 0) state_->owner.free(state_->memory);
}

std::uint64_t portable_queues::stolen() const {
  return state_->stolen;
}

void portable_queues::push(const void* task) {
  state_->push(task, state_->task_bytes);
}

void portable_queues::run(void (*run)(void*, const void*), void* object) {
  state& s = *state_;
  auto& core = s.owner.core();
  s.owner.barrier(); // what all have pushed is counted
  for (bool found = true; found;) {
    core.wait({for_portable}, [&] { return (found = s.take()) || s.all_ended(); });
    if (!found) break;
    try {
      run(object, s.task.data());
    } catch (...) { // for the end of the run
      if (!s.failure) s.failure = std::current_exception();
    }
    add_one(s.mine().ended);
    if (core.link().has_arrivals()) core.progress();
  }
  s.owner.barrier(); // nobody looks any more
  if (s.failure) std::rethrow_exception(std::exchange(s.failure, nullptr));
}

} // namespace windrow::tasks
