// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/kmers/reads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "apps/graph/random.hpp"
#include "apps/graph/text_file.hpp"
#include "apps/kernels/kmers/kmer.hpp"

namespace windrow::apps {

namespace {

bool is_bases(std::string_view line) {
  return std::ranges::all_of(line, [](unsigned char c) { return std::isalpha(c) != 0; });
}
bool is_qualities(std::string_view line) {
  return std::ranges::all_of(line, [](unsigned char c) { return '!' <= c && c <= '~'; });
}

/// The rest of the record after its name.
std::string read_record(graph::text_file& file, const std::string& name) {
  const auto bases_line = file.next_line();
  if (!bases_line || !is_bases(*bases_line)) file.fail("the bases of a read, as letters in one line");
  std::string bases(*bases_line);
  const auto separator = file.next_line();
  if (!separator || !separator->starts_with('+') || (separator->size() > 1 && separator->substr(1) != name))
    file.fail("'+', alone or with the name of the read again");
  const auto qualities = file.next_line();
  if (!qualities || qualities->size() != bases.size() || !is_qualities(*qualities))
    file.fail(fmt::format("{} quality values, one for each base", bases.size()));
  return bases;
}

} // namespace

void read_fastq(const std::string& path, const read_visitor& visit) {
  graph::text_file file(path, "FASTQ file");
  std::uint64_t number = 0;
  bool has_ended = false;
  while (const auto line = file.next_line()) {
    has_ended |= line->empty();
    if (line->empty()) continue;
    if (has_ended || !line->starts_with('@'))
      file.fail(has_ended ? "nothing after an empty line" : "'@' and the name of a read");
    const std::string name(line->substr(1));
    visit(number++, read_record(file, name));
  }
}

namespace {

constexpr std::uint64_t read_length = 150;
constexpr std::uint64_t coverage = 20;
constexpr std::string_view letters = "ACGT";

std::string random_genome(std::uint64_t length, graph::random_stream& random) {
  std::string genome(length, 'A');
  for (auto& base : genome) base = letters[random.below(4)];
  return genome;
}

std::string other_strand(std::string bases) {
  std::ranges::reverse(bases);
  for (auto& base : bases) base = letters[3 - letters.find(base)];
  return bases;
}

void add_errors(std::string& bases, graph::random_stream& random) {
  for (auto& base : bases) {
    const auto draw = random.below(1000);
    if (draw < 10)
      base = letters[(letters.find(base) + 1 + random.below(3)) % 4];
    else if (draw == 10)
      base = 'N';
  }
}

} // namespace

void generate_reads(std::uint64_t reads, std::uint64_t seed, const read_visitor& visit) {
  graph::random_stream random(seed);
  const auto places = 1 + reads * read_length / coverage;
  const auto genome = random_genome(places + read_length, random);
  for (std::uint64_t k = 0; k < reads; ++k) {
    auto bases = genome.substr(random.below(places), read_length);
    if (random.below(2) == 1) bases = other_strand(std::move(bases));
    add_errors(bases, random);
    visit(k, bases);
  }
}

void visit_reads(const workload& w, const read_visitor& visit) {
  if (!w.sequences.empty()) return read_fastq(w.sequences, visit);
  constexpr auto kmers_per_read = read_length - kmer_length + 1;
  const auto kmers = std::max<std::uint64_t>(w.graph.edges.size(), w.operations);
  generate_reads((kmers + kmers_per_read - 1) / kmers_per_read, w.seed, visit);
}

} // namespace windrow::apps
