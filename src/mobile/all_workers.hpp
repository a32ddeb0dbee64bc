// SPDX-License-Identifier: BSD-3-Clause
// Handlers on all workers of a PE. README.md describes it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "mobile/turns.hpp"
#include "tasks/pool.hpp"
#include "windrow/detail/object_core.hpp"

namespace windrow::mobile {

/// A message whose handler runs on some worker.
struct core::use {
  message_head head;
  cell* object;
  address function;
  std::vector<std::byte> arguments;
  const void* light = nullptr; ///< the light thread that runs it
  std::size_t row = 0;         ///< its place among those that run

  std::size_t bytes() const { return sizeof *this + arguments.size(); }
};

/// A message that moves the object, ends it, or holds it for a meeting.
struct core::act {
  what kind;
  pe_t to;                        ///< of moves
  std::vector<std::byte> meeting; ///< of the last
};

/// What there is where handlers run on all workers. The lock is for that, the protocol, and all else of the
/// core that handlers use.
class core::all_workers final : public tasks::backlog {
 public:
  std::mutex mutex;
  turns<std::unique_ptr<use>, act> turn;
  std::vector<use*> running;
  std::size_t to_begin = 0; ///< light threads for uses that were called, which may be withdrawn meanwhile
  uses leaving;             ///< with the object that moves next
  bool ending = false;      ///< an exception ends the space: handlers that have not begun are dropped
  std::atomic<std::size_t> bytes_to_begin = 0; ///< of those that have not begun
  idle_balancing* balances = nullptr;

  bool is_large() const override {
    return bytes_to_begin.load(std::memory_order_relaxed) > most_bytes_to_begin;
  }

  void task_ended() override;

  void add_running(use& u) {
    u.row = running.size();
    running.push_back(&u);
  }
  void remove_running(const use& u) {
    running.back()->row = u.row;
    running[u.row] = running.back();
    running.pop_back();
  }
  /// A use has ended, which took so long.
  void count(std::uint64_t busy_ns) {
    busy_ns_ += busy_ns;
    if (++ended_ == most_counted) ended_ /= 2, busy_ns_ /= 2;
  }
  /// How long the last ones took; none: nobody knows.
  std::optional<double> mean_ns() const {
    if (ended_ == 0) return {};
    return static_cast<double>(busy_ns_) / static_cast<double>(ended_);
  }
  void drop_waiting() {
    turn.for_each_waiting([this](object_id, const auto& u) { bytes_to_begin -= u->bytes(); });
    turn.drop_waiting();
  }

 private:
  static constexpr std::size_t most_bytes_to_begin = std::size_t{4} << 20;
  static constexpr std::uint64_t most_counted = 1024;

  std::uint64_t ended_ = 0, busy_ns_ = 0;
};

} // namespace windrow::mobile
