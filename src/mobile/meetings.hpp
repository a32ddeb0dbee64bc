// SPDX-License-Identifier: BSD-3-Clause
// Messages to several objects in one place. README.md describes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "windrow/detail/object_core.hpp"

namespace windrow::mobile {

/// One of the objects that meet.
struct seat {
  object_id id;
  std::uint32_t named; ///< its place among those that the sender has named
  pe_t where;          ///< once it is held
};

/// What goes from object to object, and then to where they meet.
struct core::meeting {
  std::uint64_t function = 0; ///< first: reports read it in front of any message
  std::uint64_t number = 0;   ///< the same on no two PEs
  std::uint64_t held = 0;     ///< so many of the seats
  std::vector<seat> seats;    ///< by id
  std::vector<std::byte> arguments;

  std::size_t bytes() const;
  void write(std::byte* to) const;
  static meeting read(std::span<const std::byte> from);
  /// Where they meet, once all are held.
  pe_t place() const;
};

/// Those of a PE, in handlers of the engine; guarded.
class core::meetings {
 public:
  struct waiting {
    meeting what;
    std::size_t missing; ///< objects that are on their way
  };

  /// What has to wait for visits.
  struct put_off {
    message_head head;
    std::vector<std::byte> body;
  };

  std::unordered_set<object_id> held;                 ///< here, for a meeting
  std::unordered_set<object_id> begun;                ///< of those, in one whose function runs
  std::unordered_map<object_id, std::size_t> visited; ///< of the others: how often at a time
  std::vector<put_off> after_visits;
  std::unordered_map<std::uint64_t, waiting> all;        ///< that are to be here, by number
  std::unordered_map<object_id, std::uint64_t> expected; ///< which meeting waits for it
  std::uint64_t sent = 0;
  std::size_t running = 0; ///< on workers

  struct on_worker {
    const meeting* what;
    const char* function;
  };
  std::unordered_map<const void*, on_worker> begun_on_workers; ///< by light thread
};

} // namespace windrow::mobile
