// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "transport/bulk/bulk_memory.hpp"
#include "transport/forwarding.hpp"

namespace windrow::transport {

/// Another transport whose direct operations go through `bulk_memory`. What blocks tell other PEs, they learn
/// behind the writes that were kept; what they tell this PE, it learns before it reads.
class bulk_transport final : public forwarding_transport {
 public:
  bulk_transport(std::unique_ptr<transport> inner, bulk_parts parts)
      : forwarding_transport(std::move(inner)), parts_(parts) {}

  /// To be called once.
  std::unique_ptr<remote_memory> make_remote() override;
  void commit(block*, pe_t to) override;
  void send_home(block*) override;
  block* receive() override;
  void charge_by(counters&) override;
  void sleep_until(std::uint64_t due_ns) override { inner_->sleep_until(due_ns); }

 private:
  bulk_parts parts_;
  bulk_memory* memory_ = nullptr; ///< lives as long as anybody uses this transport
};

/// What the text of WINDROW_BULK asks for. Throws windrow::error.
bulk_parts parse_bulk(std::string_view text);

/// `inner`, or, where it has PEs that load and store do not reach, what WINDROW_BULK makes of it. Throws
/// windrow::error.
std::unique_ptr<transport> with_bulk(std::unique_ptr<transport> inner);

} // namespace windrow::transport
