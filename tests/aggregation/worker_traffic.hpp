// SPDX-License-Identifier: BSD-3-Clause
// What tasks on all workers of a PE send, and what must have become of it. Collective: all PEs call these
// with the same arguments.
#pragma once

#include <cstdint>

#include "windrow/job.hpp"

namespace windrow::test {

/// So many tasks of each PE send numbered items to all PEs by a stream: those of each task arrive in order.
void send_in_order_of_tasks(job&, int tasks, std::uint32_t items);
/// Tasks send texts to a mailbox, some of many blocks.
void send_items_of_any_size(job&, std::uint64_t seed, int tasks);
/// Handlers wait for their own tasks, which send more than there are blocks, on whatever worker they run.
/// `light`: meanwhile light threads of all workers send, and wait for room.
void send_from_tasks_of_handlers(job&, int messages, bool light = false);
/// Tasks wait for the results of their own operations.
void complete_in_tasks(job&, int tasks);

} // namespace windrow::test
