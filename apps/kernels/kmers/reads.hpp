// SPDX-License-Identifier: BSD-3-Clause
// Where sequences come from.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "apps/kernels/kernel.hpp"

namespace windrow::apps {

using read_visitor = std::function<void(std::uint64_t number, std::string_view bases)>;

/// Calls `visit` for each read of a FASTQ file, plain or gzip, xz, zstd: records of four lines, which are a
/// name that begins with '@', the bases (letters, one line), a line that begins with '+', and as many quality
/// values as bases. Anything else is a windrow::error with the file, the line and what was expected.
void read_fastq(const std::string& path, const read_visitor& visit);

/// Reads as a sequencing machine would give them: of 150 bases, from either strand of a random genome, which
/// they cover twenty times; one base in a hundred is wrong and a few are unknown (N). Depends on the seed and
/// on the number of reads alone.
void generate_reads(std::uint64_t reads, std::uint64_t seed, const read_visitor& visit);

/// The reads of a workload: those of its file or, if it has none, as many generated ones as have about one
/// k-mer for each edge of the graph or for each of the operations asked for, whichever is more.
void visit_reads(const workload&, const read_visitor& visit);

} // namespace windrow::apps
