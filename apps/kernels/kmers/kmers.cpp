// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/kmers/kmers.hpp"

#include <algorithm>

#include "apps/kernels/kmers/reads.hpp"

namespace windrow::apps {

const kernel_entry kmers_entry{
    .name = "kmers",
    .about =
        "counts the k-mers of sequencing reads in a hash table over all PEs: a look-up, mostly with an "
        "increment, for each",
    .styles = all_styles,
    .make = make_kernel<kmers>,
    .sequential = sequential_kmers,
};

namespace {

/// number * parts / 2^32
constexpr std::uint64_t scaled(std::uint64_t number, std::uint64_t parts) {
  return (number * (parts >> 32)) + (number * (parts & 0xffffffffu) >> 32);
}

} // namespace

kmers::kmers(job& j, const workload& w) : job_(j) {
  const auto pe = static_cast<std::uint64_t>(j.pe()), pes = static_cast<std::uint64_t>(j.pes());
  visit_reads(w, [&](std::uint64_t number, std::string_view bases) {
    if (number % pes == pe) reads_.emplace_back(bases);
  });
  for_each_of_mine([&](kmer) { ++kmers_; });
  const auto slots = j.world().sum(kmers_) * 3 / 2 + 1;
  keys_ = owned_array<kmer>(j, slots);
  counts_ = owned_array<std::uint64_t>(j, slots);
}

void kmers::reset() {
  std::ranges::fill(keys_.local(), no_kmer);
  std::ranges::fill(counts_.local(), 0);
  table_.clear();
  job_.barrier();
}

std::uint64_t kmers::first_slot(kmer k) const {
  return scaled(kmer_hash(k) >> 32, keys_.size());
}

pe_t kmers::owner(kmer k) const {
  return static_cast<pe_t>(scaled(kmer_hash(k) >> 32, static_cast<std::uint64_t>(job_.pes())));
}

std::uint64_t kmers::checksum() {
  std::uint64_t sum = 0;
  for (std::uint64_t k = 0; k < keys_.local().size(); ++k) {
    if (keys_.local()[k] != no_kmer) sum += kmer_hash(keys_.local()[k]) * counts_.local()[k];
  }
  table_.for_each([&](kmer k, std::uint64_t count) { sum += kmer_hash(k) * count; });
  return sum;
}

} // namespace windrow::apps
