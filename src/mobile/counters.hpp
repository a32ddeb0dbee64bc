// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "job/room.hpp"

namespace windrow::mobile {

/// What mobile objects have in the table of counters. They live in an `object_space`, not in the job.
extern const room_type room_of_jobs;

} // namespace windrow::mobile
