// SPDX-License-Identifier: BSD-3-Clause
#include "deferral/scheduler.hpp"
#include "job/room.hpp"
#include "mobile/counters.hpp"
#include "tasks/pool.hpp"

namespace windrow {

std::span<const room_type* const> all_rooms() {
  static constexpr const room_type* all[] = {&deferral::room_of_jobs, &tasks::room_of_jobs,
                                             &mobile::room_of_jobs};
  return all;
}

} // namespace windrow
