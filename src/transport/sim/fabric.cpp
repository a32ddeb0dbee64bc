// SPDX-License-Identifier: BSD-3-Clause
#include "transport/sim/fabric.hpp"

#include <algorithm>
#include <bit>

namespace windrow::transport {

namespace {

/// A message occupies a port from `begin_ps` on; returns when its last byte is through, at most the end of
/// time.
std::uint64_t pass(std::uint64_t& free_ps, std::uint64_t begin_ps, const link_cost& cost, std::size_t bytes) {
  const auto length_ps = cost.length_ps(bytes);
  begin_ps = std::max(begin_ps, free_ps);
  const auto last_ps = begin_ps < end_of_time_ps - length_ps ? begin_ps + length_ps : end_of_time_ps;
  free_ps = last_ps + cost.gap_ps;
  return last_ps;
}

std::uint64_t rounds_among(pe_t members) {
  return std::bit_width(static_cast<std::uint32_t>(members - 1));
}

} // namespace

std::uint64_t fabric::arrival_ps(pe_t from, pe_t to, std::size_t bytes, std::uint64_t ready_ps) {
  const auto& cost = model_.between(from, to);
  if (model_.is_near(from, to))
    return pass(memory_.place(from).port_free_ps, ready_ps, cost, bytes) + cost.latency_ps;
  const auto out_ps = pass(memory_.place(model_.host_of(from)).out_free_ps, ready_ps, cost, bytes);
  return out_ps - cost.length_ps(bytes) + cost.latency_ps;
}

std::uint64_t fabric::receive_ps(pe_t to, std::size_t bytes, std::uint64_t arrival_ps) {
  return pass(memory_.place(model_.host_of(to)).in_free_ps, arrival_ps, model_.far, bytes);
}

std::uint64_t fabric::expected_ps(pe_t to, std::size_t bytes, std::uint64_t arrival_ps) const {
  auto free_ps = memory_.place(model_.host_of(to)).in_free_ps;
  return pass(free_ps, arrival_ps, model_.far, bytes);
}

std::uint64_t fabric::lookahead_ps() const {
  const auto pes = static_cast<pe_t>(memory_.shape().pes);
  const auto far_ps = model_.far.overhead_ps + model_.far.latency_ps;
  if (model_.pes_per_host == 1) return far_ps;
  const auto near_ps = model_.near.overhead_ps + model_.near.latency_ps;
  return pes <= model_.pes_per_host ? near_ps : std::min(near_ps, far_ps);
}

fabric::rounds fabric::rounds_of(pe_t members) const {
  const auto hosts = (members + model_.pes_per_host - 1) / model_.pes_per_host;
  return {rounds_among(std::min(members, model_.pes_per_host)), rounds_among(hosts)};
}

std::uint64_t fabric::collective_ps(pe_t members, std::size_t bytes) const {
  const auto [near, far] = rounds_of(members);
  const auto round_ps = [](const link_cost& c) { return 2 * c.overhead_ps + c.latency_ps; };
  const auto& widest = far > 0 ? model_.far : model_.near;
  return near * round_ps(model_.near) + far * round_ps(model_.far) + widest.length_ps(bytes);
}

} // namespace windrow::transport
