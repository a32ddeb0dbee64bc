// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "transport/hook/latency_model.hpp"
#include "transport/remote_memory.hpp"
#include "transport/transport.hpp"

namespace windrow::transport {

/// The segments of all PEs as they are: on this host used by load and store, when an imitated latency says
/// so, on other hosts by messages.
class segment_memory final : public remote_memory {
 public:
  /// Any but the first may be null.
  segment_memory(const segments& all, const latency_model* latency, other_hosts* remote_hosts)
      : all_(all), latency_(latency), remote_hosts_(remote_hosts) {}

  bool put(pe_t, std::uint64_t offset, const void* from, std::size_t bytes, until) override;
  bool get(pe_t, std::uint64_t offset, void* to, std::size_t bytes, until) override;
  bool put_strided(pe_t, std::uint64_t offset, const void* from, const detail::strides&, until) override;
  bool get_strided(pe_t, std::uint64_t offset, void* to, const detail::strides&, until) override;
  std::uint64_t change(pe_t, std::uint64_t offset, const detail::atomic_change&) override;
  bool begin_change(pe_t, std::uint64_t offset, const detail::atomic_change&, void* before,
                    std::size_t bytes) override;
  bool change_many(pe_t, std::span<const detail::placed_change>) override;
  bool write_together(std::span<const write_batch>) override;
  bool begins_puts(pe_t pe) const override { return is_on_other_host(pe) || goes_on(pe, until::copied); }
  void fence() override {} // operations on one PE are carried out in order
  bool complete() override;
  bool progress() override;

 private:
  bool is_on_other_host(pe_t) const;
  bool goes_on(pe_t, until) const;
  std::byte* at(pe_t, std::uint64_t offset) const;
  template <class Action>
  bool carry_out(const latency_model::message&, until, Action) const;
  bool put_copy(pe_t, std::uint64_t offset, std::vector<std::byte> copy, until) const;
  bool change_copy(pe_t, std::vector<detail::placed_change>, until) const;

  segments all_;
  const latency_model* latency_;
  other_hosts* remote_hosts_;
};

} // namespace windrow::transport
