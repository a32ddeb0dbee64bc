// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "transport/host/host_memory.hpp"

namespace windrow::transport {
namespace {

TEST(geometry, lanes_stay_within_4_mib_per_pe) {
  for (pe_t pes = 1; pes <= most_pes; pes = pes < 16 ? pes + 1 : pes * 2) {
    const geometry shape(pes, segment_of(std::size_t{1} << 20, pes));
    const auto pool = std::size_t{shape.blocks_per_pe} * shape.block_bytes;
    EXPECT_LE(pool, (pes <= 2000 ? std::size_t{4} : std::size_t{9}) << 20) << pes << " PEs";
    EXPECT_GE(shape.block_bytes, 1024U) << pes << " PEs";
    EXPECT_LT(shape.total, std::size_t{1} << 46) << pes << " PEs";
    EXPECT_GT(shape.blocks_per_pe, 2U * static_cast<unsigned>(pes)) << pes << " PEs";
  }
}

TEST(geometry, a_busy_pair_has_the_memory_it_is_fastest_with) {
  const geometry shape(2, segment_of(std::size_t{1} << 20, 2));
  const auto pool = std::size_t{shape.blocks_per_pe} * shape.block_bytes;
  EXPECT_GE(pool, std::size_t{256} << 10);
  EXPECT_LE(pool, std::size_t{1} << 20);
}

} // namespace
} // namespace windrow::transport
