// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "apps/graph/edge_list.hpp"

namespace windrow::graph {

/// The generators, by the names that users give them.
inline constexpr std::array<std::string_view, 5> generator_names{"rmat", "kronecker", "erdos-renyi", "grid",
                                                                 "communities"};

/// A generated graph: the same for the same parameters, on every machine and for any number of PEs.
struct generator {
  std::string name = "rmat";      ///< one of `generator_names`
  unsigned scale = 16;            ///< log2 of the number of vertices, at most 40
  unsigned edges_per_vertex = 16; ///< grids have about 2, whatever is asked for
  std::uint64_t seed = 1;         ///< grids do without

  /// "R-MAT scale 16"
  std::string title() const;
  edge_list generate() const;
};

} // namespace windrow::graph
