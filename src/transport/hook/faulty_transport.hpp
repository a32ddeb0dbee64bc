// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <random>
#include <string_view>

#include "transport/forwarding.hpp"

namespace windrow::transport {

/// What is to go wrong; README.md has the meaning of each.
struct faults {
  std::uint32_t blocks = 0; ///< besides one for each PE; 0: all that there are
  std::uint32_t refuse = 0; ///< percent
  std::uint32_t hold = 0;   ///< percent
  std::uint64_t lose = 0;   ///< 0: none
  std::uint32_t unread = 0; ///< 1: whatever is sent comes home unread
  std::uint64_t seed = 0;
};

/// As "blocks=4,refuse=20,hold=50,lose=1000,unread=1,seed=1". Throws windrow::error.
faults parse_faults(std::string_view text);

/// Another transport that is short of blocks, slow to show what has arrived, or loses a block, and counts
/// what is asked of it.
class faulty_transport final : public forwarding_transport {
 public:
  faulty_transport(std::unique_ptr<transport> inner, const faults&);

  block* acquire() override;
  void discard(block*) override;
  void commit(block*, pe_t to) override;
  block* receive() override;
  void ring(pe_t) override;
  void sleep(std::uint32_t ticket, std::chrono::nanoseconds limit) override;
  /// Says, at the end, what has been counted.
  void set_state(pe_state) override;

 private:
  bool happens(std::uint32_t percent);

  faults faults_;
  std::mutex drawing_; ///< several threads of a PE may send
  std::mt19937_64 random_;
  std::atomic<std::uint32_t> in_use_ = 0;
  struct {
    std::atomic<std::uint64_t> acquired, refused, committed, received, held, rung, slept;
  } counted_{};
};

/// `inner`, or with what WINDROW_FAULTS says.
std::unique_ptr<transport> with_faults(std::unique_ptr<transport> inner);

} // namespace windrow::transport
