// SPDX-License-Identifier: BSD-3-Clause
/// The whole public C++ API.
#pragma once

#if __cplusplus < 202002L
#error "Windrow needs C++20: compile with -std=c++20, or by windrow c++"
#else

#include "windrow/array.hpp"
#include "windrow/array_operations.hpp"
#include "windrow/balance.hpp"
#include "windrow/busy_time.hpp"
#include "windrow/call.hpp"
#include "windrow/context.hpp"
#include "windrow/deferred.hpp"
#include "windrow/error.hpp"
#include "windrow/forall.hpp"
#include "windrow/fork_join.hpp"
#include "windrow/global_ptr.hpp"
#include "windrow/job.hpp"
#include "windrow/mailbox.hpp"
#include "windrow/one_sided.hpp"
#include "windrow/pipelined.hpp"
#include "windrow/portable_tasks.hpp"
#include "windrow/promise.hpp"
#include "windrow/ragged_array.hpp"
#include "windrow/selector.hpp"
#include "windrow/simulation.hpp"
#include "windrow/stats.hpp"
#include "windrow/stream.hpp"
#include "windrow/synchronization.hpp"
#include "windrow/task.hpp"
#include "windrow/task_group.hpp"
#include "windrow/team.hpp"
#include "windrow/types.hpp"
#include "windrow/version.hpp"
#include "windrow/waiting_handler.hpp"
#include "windrow/when_all.hpp"

#endif
