// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "os/descriptor.hpp"
#include "transport/host/host_memory.hpp"
#include "transport/transport.hpp"

namespace windrow::transport {

/// PEs that share memory: processes (`shm`), threads (`threads`) or a single PE (`self`). The three differ
/// only in where the memory comes from. See README.md in this folder for the protocol of blocks and bells.
class host_transport final : public transport {
 public:
  /// The memory, that of `file`, must be zero or have been used by such a transport of the same shape.
  /// `mapping` is kept as long as this object lives; it may be null if the memory outlives it anyway.
  host_transport(std::string name, host_memory memory, pe_t pe, std::shared_ptr<const os::descriptor> file,
                 std::shared_ptr<void> mapping = nullptr);

  std::string_view name() const override { return name_; }
  pe_t pe() const override { return pe_; }
  pe_t pes() const override { return static_cast<pe_t>(memory_.shape().pes); }
  const segments& symmetric() const override { return heaps_; }
  host_memory& host() override { return memory_; }
  void adopt(std::byte* begin, std::size_t bytes, std::size_t offset) override;
  void disown() override;

  std::size_t block_capacity() const override { return memory_.shape().block_bytes - sizeof(block); }
  block* acquire() override;
  void discard(block*) override;
  void commit(block*, pe_t to) override;
  block* receive() override;
  bool has_arrivals() const override;
  void send_home(block*) override;
  std::uint32_t pool_index(const block* b) const override { return memory_.number_of(b) - first_block_; }
  std::uint32_t pool_size() const override { return memory_.shape().blocks_per_pe; }

  void ring(pe_t pe) override;
  std::uint32_t prepare_sleep() override;
  void sleep(std::uint32_t ticket, std::chrono::nanoseconds limit) override;
  void cancel_sleep() override;

  pe_state state_of(pe_t pe) const override {
    return memory_.control(pe).state.load(std::memory_order_acquire);
  }
  void set_state(pe_state state) override;
  void end_job() override { memory_.job().over.store(1, std::memory_order_seq_cst); }
  wait_record& waiting(pe_t pe) override { return memory_.control(pe).waiting; }

 private:
  void push(pe_t to, block* b);

  struct adopted {
    std::byte* begin;
    std::size_t bytes;
    std::size_t place; ///< in the file
  };

  std::string name_;
  std::shared_ptr<const os::descriptor> file_;
  std::shared_ptr<void> mapping_;
  host_memory memory_;
  pe_t pe_;
  segments heaps_;
  std::uint32_t first_block_;
  std::uint32_t begun_ = 0;         ///< of the pool: those behind have never been used
  std::vector<std::uint32_t> free_; ///< the others; last in, first out: the newest is still in the cache
  std::vector<adopted> adopted_;
  /// Taken from the inbox, oldest first, linked by `next`. Threads that go to sleep look at it.
  std::atomic<std::uint32_t> arrived_ = 0;
};

} // namespace windrow::transport
