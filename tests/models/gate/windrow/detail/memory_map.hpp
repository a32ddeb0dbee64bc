// SPDX-License-Identifier: BSD-3-Clause
// What the gate uses of include/windrow/detail/memory_map.hpp.
#pragma once

#include <atomic>

#include "transport/host/host_memory.hpp"

namespace windrow {

using pe_t = int;

namespace transport {
struct latency_model;
}

namespace detail {

struct memory_map {
  pe_t pe = 0, pes = 0, plain_pes = 0;
  std::atomic<bool> atomics_announced = false, plain_atomics = false, under_way = false;
  bool keep_announced = false;
  transport::host_memory* gate = nullptr;
  const transport::latency_model* latency = nullptr;
  const void* remote_hosts = nullptr;
};

void announce_atomics(memory_map&);

} // namespace detail
} // namespace windrow
