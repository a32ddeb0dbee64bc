// SPDX-License-Identifier: BSD-3-Clause
// 64 bytes from PE 0 to PE 1 and back, again and again: by two loops that look at shared memory, and between
// two light threads that wait for messages.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <thread>

#include "windrow/windrow.hpp"

namespace windrow::bench {

class round_trip {
 public:
  /// Collective.
  explicit round_trip(job& j)
      : job_(j),
        lines_(j.allocate<line>(1, 64)),
        messages_(j, [this](std::span<const line> batch, pe_t) { arrive(batch.back()); }) {
    *mine() = {};
    j.barrier();
  }
  ~round_trip() { job_.free(lines_); }
  round_trip(const round_trip&) = delete;
  round_trip& operator=(const round_trip&) = delete;

  /// Whether both PEs are there and share memory.
  bool possible() const { return job_.pes() >= 2 && theirs() != nullptr; }
  /// The last number that came back, of PE 0; elsewhere `turns`.
  std::uint64_t by_loops(std::uint64_t turns);
  std::uint64_t by_light_threads(std::uint64_t turns);

 private:
  using line = std::array<std::uint64_t, 8>; ///< the first is the number of the message

  bool plays() const { return job_.pe() < 2; }
  line* mine() const { return job_.local(lines_); }
  line* theirs() const { return job_.local(global_ptr<line>(1 - job_.pe() % 2, lines_.offset())); }
  void arrive(const line& l) {
    last_ = l[0];
    arrived_.release();
  }
  void wait_for(std::uint64_t number) const {
    const std::atomic_ref<std::uint64_t> flag((*mine())[0]);
    while (flag.load(std::memory_order_acquire) != number)
      if (must_yield_) std::this_thread::yield();
  }
  void write(std::uint64_t number) const {
    line& to = *theirs();
    for (std::size_t i = 1; i < to.size(); ++i) to[i] = number + i;
    std::atomic_ref<std::uint64_t>(to[0]).store(number, std::memory_order_release);
  }

  job& job_;
  global_ptr<line> lines_;
  const bool must_yield_ = std::thread::hardware_concurrency() < 2;
  binary_semaphore arrived_{0};
  std::uint64_t last_ = 0, begun_ = 0;
  stream<line> messages_;
};

inline std::uint64_t round_trip::by_loops(std::uint64_t turns) {
  if (!plays()) return turns;
  for (std::uint64_t i = 1; i <= turns; ++i)
    if (job_.pe() == 0)
      write(begun_ + i), wait_for(begun_ + i);
    else
      wait_for(begun_ + i), write(begun_ + i);
  begun_ += turns;
  return turns;
}

inline std::uint64_t round_trip::by_light_threads(std::uint64_t turns) {
  if (plays())
    finish([&] {
      spawn_at(communication_worker, [&] {
        for (std::uint64_t i = 1; i <= turns; ++i) {
          if (job_.pe() == 0) messages_.send(1, line{i});
          arrived_.acquire();
          if (job_.pe() == 1) messages_.send(0, line{last_});
        }
      });
    });
  messages_.barrier();
  return plays() ? last_ : turns;
}

} // namespace windrow::bench
