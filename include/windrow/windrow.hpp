// SPDX-License-Identifier: BSD-3-Clause
/// The whole public C++ API.
#pragma once

#include "windrow/array.hpp"
#include "windrow/array_operations.hpp"
#include "windrow/call.hpp"
#include "windrow/context.hpp"
#include "windrow/deferred.hpp"
#include "windrow/error.hpp"
#include "windrow/fork_join.hpp"
#include "windrow/global_ptr.hpp"
#include "windrow/job.hpp"
#include "windrow/mailbox.hpp"
#include "windrow/one_sided.hpp"
#include "windrow/selector.hpp"
#include "windrow/simulation.hpp"
#include "windrow/stats.hpp"
#include "windrow/stream.hpp"
#include "windrow/synchronization.hpp"
#include "windrow/task.hpp"
#include "windrow/team.hpp"
#include "windrow/types.hpp"
#include "windrow/version.hpp"
