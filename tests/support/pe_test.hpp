// SPDX-License-Identifier: BSD-3-Clause
// For tests that run as a real multi-process job: all PEs run the same tests in the same order.
#pragma once

#include "windrow/job.hpp"

namespace windrow::test {

/// The job that this test program is a PE of.
job& the_job();

} // namespace windrow::test
