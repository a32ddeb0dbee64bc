// SPDX-License-Identifier: BSD-3-Clause
#include "apps/matrix/sparse_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "apps/graph/mix.hpp"
#include "windrow/error.hpp"

namespace windrow::apps {

namespace {

constexpr std::uint64_t most_entries = std::numeric_limits<std::uint32_t>::max();

} // namespace

std::uint64_t hash(const entry& e) {
  return graph::mix(graph::mix(e.row + graph::golden) + (e.column + 1) * graph::golden);
}

template <class Distribution>
sparse_matrix<Distribution>::sparse_matrix(job& j, std::uint64_t rows, std::uint64_t columns,
                                           std::span<const std::uint64_t> sizes)
    : job_(&j), columns_(columns), extents_(j, rows) {
  reserve(j, sizes);
  j.barrier();
}

template <class Distribution>
sparse_matrix<Distribution>::sparse_matrix(job& j, std::uint64_t rows, std::uint64_t columns,
                                           std::span<const entry> own)
    : job_(&j), columns_(columns), extents_(j, rows) {
  std::vector<std::uint64_t> sizes(local_rows());
  for (const auto& e : own) ++sizes[local_index(e.row)];
  reserve(j, sizes);
  auto& next = sizes;
  for (std::uint64_t k = 0; k < local_rows(); ++k) next[k] = extents_.local()[k].first;
  for (const auto& e : own) entries_.local()[next[local_index(e.row)]++] = e.column;
  j.barrier();
}

template <class Distribution>
void sparse_matrix<Distribution>::reserve(job& j, std::span<const std::uint64_t> sizes) {
  local_entries_ = std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
  const auto most = j.world().max(local_entries_);
  if (most > most_entries)
    throw error(fmt::format("a PE would hold {} entries of a matrix, more than {}: start more PEs", most,
                            most_entries));
  std::uint32_t first = 0;
  for (std::uint64_t k = 0; k < local_rows(); ++k) {
    const auto size = static_cast<std::uint32_t>(sizes[k]);
    extents_.local()[k] = {first, size};
    first += size;
  }
  entries_ = owned_array<std::uint64_t>(j, most * static_cast<std::uint64_t>(j.pes()));
}

template <class Distribution>
void sparse_matrix<Distribution>::sort_rows() {
  for (std::uint64_t k = 0; k < local_rows(); ++k) std::ranges::sort(local_row(k));
  job_->barrier();
}

template class sparse_matrix<cyclic_distribution>;
template class sparse_matrix<block_distribution>;

} // namespace windrow::apps
