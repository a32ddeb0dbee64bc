// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>

#include "apps/graph/csr.hpp"
#include "windrow/array.hpp"
#include "windrow/job.hpp"

namespace windrow::apps {

/// The rows of a graph in symmetric memory, round robin: row v is on PE v % pes. To fetch the row of another
/// PE, fetch its extent, then what the extent says.
class distributed_csr {
 public:
  /// Where a row is among the targets of its owner. Eight bytes, so that fetching one is a single small read.
  struct alignas(8) extent {
    std::uint32_t first;
    std::uint32_t size;
  };

  /// Collective. Every PE gives the whole graph; its own rows are copied. Throws windrow::error if these have
  /// more than 2^32 - 1 edges.
  distributed_csr(job&, const graph::csr&);

  global_ref<extent> extent_of(graph::vertex v) const { return extents_[v]; }
  global_ptr<graph::vertex> row(graph::vertex v, const extent& at) const {
    return targets_.on(extents_.owner(v)) + static_cast<std::int64_t>(at.first);
  }

  /// This PE's rows are numbered 0 … local_rows() - 1.
  std::uint64_t local_rows() const { return extents_.local().size(); }
  std::span<const graph::vertex> local_row(std::uint64_t k) const {
    const auto& at = extents_.local()[k];
    return {local_targets_ + at.first, at.size};
  }

 private:
  array<extent, cyclic_distribution> extents_;
  global_ptr<graph::vertex> targets_;
  graph::vertex* local_targets_;
};

} // namespace windrow::apps
