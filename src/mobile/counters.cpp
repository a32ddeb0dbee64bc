// SPDX-License-Identifier: BSD-3-Clause
#include "mobile/counters.hpp"

namespace windrow::mobile {

namespace {

constexpr report_column columns[] = {
    {"  obj msgs", 10, &counters::object_messages},
    {" forwarded", 10, &counters::object_forwards},
    {" parked", 7, &counters::object_parks},
    {" moves", 7, &counters::object_moves},
    {" moved", 9, &counters::object_bytes_moved, true},
};

} // namespace

constinit const room_type room_of_jobs{.begin = nullptr, .columns = columns};

} // namespace windrow::mobile
