// SPDX-License-Identifier: BSD-3-Clause
// What the gate uses of src/transport/host/host_memory.hpp.
#pragma once

#include <atomic>
#include <cstdint>

namespace windrow::transport {

class host_memory {
 public:
  static constexpr int pes = 3;
  struct pe_control {
    std::atomic<std::uint32_t> applying;
  };
  struct job_control {
    std::atomic<std::uint32_t> direct_atomics;
  };

  pe_control& control(int pe) { return controls_[pe]; }
  job_control& job() { return job_; }

 private:
  pe_control controls_[pes];
  job_control job_;
};

} // namespace windrow::transport
