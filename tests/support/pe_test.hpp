// SPDX-License-Identifier: BSD-3-Clause
// For GoogleTest programs that run as a job of several processes (windrow_test(... PES ...)).
#pragma once

#include <gtest/gtest.h>

#include "windrow/job.hpp"

namespace windrow::test {

/// The job that all tests of the program share. Every PE runs the same tests in the same order and meets the
/// others after each. A failed EXPECT on any PE fails the test on all; a failed ASSERT ends the job, since
/// the other PEs may wait for what this one would have done next. Only PE 0 prints, except for failures.
job& the_job();

} // namespace windrow::test
