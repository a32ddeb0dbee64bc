// SPDX-License-Identifier: BSD-3-Clause
// Counts by sorting.
#include <algorithm>
#include <string>
#include <vector>

#include "apps/kernels/kmers/kmers.hpp"
#include "apps/kernels/kmers/reads.hpp"
#include "apps/kernels/support.hpp"

namespace windrow::apps {

namespace {

std::uint64_t count_sorted(const std::vector<kmer>& sorted) {
  std::uint64_t checksum = 0;
  for (auto first = sorted.begin(); first != sorted.end();) {
    const auto last = std::find_if(first, sorted.end(), [&](kmer k) { return k != *first; });
    checksum += kmer_hash(*first) * static_cast<std::uint64_t>(last - first);
    first = last;
  }
  return checksum;
}

} // namespace

sequential_answer sequential_kmers(const workload& w) {
  std::vector<std::string> reads;
  visit_reads(w, [&](std::uint64_t, std::string_view bases) { reads.emplace_back(bases); });
  std::uint64_t checksum = 0;
  const auto seconds = seconds_of([&] {
    std::vector<kmer> all;
    for (const auto& read : reads) for_each_kmer(read, [&](kmer k) { all.push_back(k); });
    std::ranges::sort(all);
    checksum = count_sorted(all);
  });
  return {checksum, seconds};
}

} // namespace windrow::apps
