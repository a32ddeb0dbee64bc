// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "transport/bulk/bulk_memory.hpp"
#include "transport/forwarding.hpp"

namespace windrow::transport {

/// Another transport whose direct operations may go through `bulk_memory`. What blocks tell other PEs, they
/// learn behind the writes that were kept; what they tell this PE, it learns before it reads.
class bulk_transport final : public forwarding_transport {
 public:
  explicit bulk_transport(std::unique_ptr<transport> inner) : forwarding_transport(std::move(inner)) {}

  std::unique_ptr<remote_memory> make_remote() override { return inner_->make_remote(); }
  bulk_parts set_bulk(bulk_parts, std::unique_ptr<remote_memory>&) override;
  void commit(block*, pe_t to) override;
  void send_home(block*) override;
  block* receive() override;
  void charge_by(counters&) override;
  void sleep_until(std::uint64_t due_ns) override { inner_->sleep_until(due_ns); }

 private:
  void settle() {
    if (memory_ != nullptr) memory_->settle_writes();
  }

  bulk_parts parts_;
  bulk_memory* memory_ = nullptr; ///< made when there are parts; lives as long as anybody uses this transport
  counters unknown_;              ///< as long as nobody counts
  counters* counted_ = &unknown_;
};

/// What the text of WINDROW_BULK asks for. Throws windrow::error.
bulk_parts parse_bulk(std::string_view text);
/// What the environment's WINDROW_BULK asks for; nothing without that variable.
bulk_parts chosen_bulk();

/// `inner`, or, where it has PEs that load and store do not reach, a transport whose operations can be kept.
std::unique_ptr<transport> with_bulk(std::unique_ptr<transport> inner);

} // namespace windrow::transport
