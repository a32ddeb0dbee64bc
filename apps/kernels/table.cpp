// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/table.hpp"

#include <algorithm>
#include <array>

#include "apps/kernels/bfs/bfs.hpp"
#include "apps/kernels/components/components.hpp"
#include "apps/kernels/histogram/histogram.hpp"
#include "apps/kernels/index_gather/index_gather.hpp"
#include "apps/kernels/influence/influence.hpp"
#include "apps/kernels/jaccard/jaccard.hpp"
#include "apps/kernels/kmers/kmers.hpp"
#include "apps/kernels/pagerank/pagerank.hpp"
#include "apps/kernels/permute_matrix/permute_matrix.hpp"
#include "apps/kernels/random_permutation/random_permutation.hpp"
#include "apps/kernels/sssp/sssp.hpp"
#include "apps/kernels/topological_sort/topological_sort.hpp"
#include "apps/kernels/transpose_matrix/transpose_matrix.hpp"
#include "apps/kernels/triangles/triangles.hpp"
#include "apps/kernels/triangles_chunked/triangles_chunked.hpp"

namespace windrow::apps {

namespace {

// Loops in C that no plug-in has compiled are right, but wait for each fetch: no table has that style.
void leave_out_annotated([[maybe_unused]] kernel_entry& entry) {
#ifndef WINDROW_ANNOTATED_KERNELS
  if (entry.styles.back() == kernel_style::annotated)
    entry.styles = entry.styles.first(entry.styles.size() - 1);
#endif
}

} // namespace

std::span<const kernel_entry> kernels() {
  static const auto table = [] {
    std::array entries{
        histogram_entry,
        index_gather_entry,
        random_permutation_entry,
        permute_matrix_entry,
        transpose_matrix_entry,
        topological_sort_entry,
        triangles_entry,
        triangles_chunked_entry,
        triangles_escaping_entry,
        sssp_entry,
        bfs_entry,
        pagerank_entry,
        components_entry,
        jaccard_entry,
        kmers_entry,
        influence_entry,
    };
    std::ranges::for_each(entries, leave_out_annotated);
    return entries;
  }();
  return table;
}

const kernel_entry* find_kernel(std::string_view name) {
  const auto all = kernels();
  const auto found = std::ranges::find(all, name, &kernel_entry::name);
  return found == all.end() ? nullptr : &*found;
}

} // namespace windrow::apps
