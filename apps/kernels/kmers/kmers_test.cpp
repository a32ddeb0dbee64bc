// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/kmers/kmers.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "apps/graph/random.hpp"
#include "apps/kernels/kmers/reads.hpp"
#include "tests/support/pe_test.hpp"
#include "windrow/error.hpp"

namespace windrow::apps {
namespace {

using test::the_job;

/// A file of this PE that is gone with the test.
class temporary_file {
 public:
  explicit temporary_file(std::string_view text) { std::ofstream(path_, std::ios::binary) << text; }
  ~temporary_file() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_ = fmt::format("{}/windrow_kmers_test_{}.fastq", testing::TempDir(), getpid());
};

std::string record(const std::string& name, const std::string& bases) {
  return fmt::format("@{}\n{}\n+\n{}\n", name, bases, std::string(bases.size(), 'I'));
}

std::vector<std::string> read_text(std::string_view text) {
  std::vector<std::string> all;
  read_fastq(temporary_file(text).path(),
             [&](std::uint64_t, std::string_view read) { all.emplace_back(read); });
  return all;
}

/// The sentence of the error, without the directory.
std::string error_of(std::string_view text) {
  try {
    read_text(text);
  } catch (const error& problem) {
    const std::string sentence = problem.what();
    return sentence.substr(sentence.find(".fastq") + 6);
  }
  return "no error";
}

TEST(Fastq, ReadsRecords) {
  EXPECT_TRUE(read_text("").empty());
  EXPECT_EQ(read_text("@a b\nACGT\n+\nIIII\n@c\nnnA\n+c\n@+!\n"), (std::vector<std::string>{"ACGT", "nnA"}));
  EXPECT_EQ(read_text("@a\r\nAC\r\n+\r\nII\r\n\r\n"), (std::vector<std::string>{"AC"}));
  EXPECT_EQ(read_text("@empty\n\n+\n\n"), (std::vector<std::string>{""}));
}

TEST(Fastq, SaysWhatIsWrongAndWhere) {
  const std::string good = record("r", "ACGT");
  EXPECT_EQ(error_of(">fasta\nACGT\n"), ", line 1: expected '@' and the name of a read, found \">fasta\"");
  EXPECT_EQ(error_of(good + "ACGT\n"), ", line 5: expected '@' and the name of a read, found \"ACGT\"");
  EXPECT_EQ(error_of(good + "@x\nAC-T\n+\nIIII\n"),
            ", line 6: expected the bases of a read, as letters in one line, found \"AC-T\"");
  EXPECT_EQ(error_of("@x\nACGT\nACGT\n+\nIIIIIIII\n"),
            ", line 3: expected '+', alone or with the name of the read again, found \"ACGT\"");
  EXPECT_EQ(error_of("@x\nACGT\n+y\nIIII\n"),
            ", line 3: expected '+', alone or with the name of the read again, found \"+y\"");
  EXPECT_EQ(error_of("@x\nACGT\n+\nIII\n"),
            ", line 4: expected 4 quality values, one for each base, found \"III\"");
  EXPECT_EQ(error_of("@x\nACGT\n+\nII I\n"),
            ", line 4: expected 4 quality values, one for each base, found \"II I\"");
  EXPECT_EQ(error_of(good + "@x\nACGT\n"),
            ", line 6: expected '+', alone or with the name of the read again, found the end of the file");
  EXPECT_EQ(error_of(good + "@x\n"),
            ", line 5: expected the bases of a read, as letters in one line, found the end of the file");
  EXPECT_EQ(error_of(good + "\n" + good), ", line 6: expected nothing after an empty line, found \"@r\"");
}

TEST(Fastq, EveryPeIsToldOfABadFile) {
  workload w{.name = "reads", .graph = {}, .sequences = "/nowhere/reads.fastq", .seed = 1, .operations = 0};
  EXPECT_THROW(kmers_entry.make(the_job(), w), error);
  try {
    kmers_entry.sequential(w);
    FAIL();
  } catch (const error& problem) {
    EXPECT_EQ(std::string(problem.what()).find("cannot open the FASTQ file /nowhere/reads.fastq: "), 0u);
  }
}

// ---- k-mers, by their letters

std::string other_strand(const std::string& bases) {
  std::string other;
  for (auto base = bases.rbegin(); base != bases.rend(); ++base)
    other += *base == 'A' ? 'T' : *base == 'C' ? 'G' : *base == 'G' ? 'C' : 'A';
  return other;
}

kmer packed(const std::string& bases) {
  kmer value = 0;
  for (const char base : bases) value = 4 * value + std::string_view("ACGT").find(base);
  return value;
}

std::map<kmer, std::uint64_t> count_letters(const std::vector<std::string>& reads) {
  std::map<kmer, std::uint64_t> counts;
  for (const auto& read : reads) {
    for (std::size_t k = 0; k + kmer_length <= read.size(); ++k) {
      const auto bases = read.substr(k, kmer_length);
      if (bases.find_first_not_of("ACGT") != std::string::npos) continue;
      ++counts[packed(std::min(bases, other_strand(bases)))];
    }
  }
  return counts;
}

TEST(Kmers, AreTheSmallerOfBothStrands) {
  graph::random_stream random(4);
  std::string read;
  for (int k = 0; k < 400; ++k) read += std::string_view("ACGTACGTACGTN")[random.below(13)];
  read += std::string(100, 'A') + std::string(40, 'T');
  std::map<kmer, std::uint64_t> counts;
  for_each_kmer(read, [&](kmer k) { ++counts[k]; });
  EXPECT_EQ(counts, count_letters({read}));
  EXPECT_GE(counts[0], 80u) << "A and T are the same on two strands";
}

TEST(KmerTable, KeepsItsCountsWhenItGrows) {
  kmer_table table;
  for (int round = 1; round <= 3; ++round) {
    for (kmer k = 0; k < 5000; ++k) table.count(k * k);
  }
  EXPECT_EQ(table.size(), 5000u);
  for (kmer k = 0; k < 5000; ++k) EXPECT_EQ(table[k * k], 3u);
  EXPECT_EQ(table[3], 0u);
  table.clear();
  EXPECT_EQ(table.size(), 0u);
}

/// All styles on a file that every PE reads.
TEST(Kmers, OfAFileAreCountedInEveryStyle) {
  const std::string a = "ACGGTTTACGATCCGATCGATTACGGATCCA", lower = "acggtttacgatccgatcgattacggatcca";
  std::vector<std::string> reads{a, other_strand(a), a + "N" + a, a.substr(1), std::string(200, 'T')};
  std::string text = record("lower", lower);
  for (const auto& read : reads) text += record("r", read);
  std::uint64_t expected = 0;
  reads.push_back(a);
  for (const auto& [k, count] : count_letters(reads)) expected += kmer_hash(k) * count;

  const temporary_file file(text);
  const workload w{.name = "reads", .graph = {}, .sequences = file.path(), .seed = 1, .operations = 0};
  EXPECT_EQ(kmers_entry.sequential(w).checksum, expected);
  const auto tested = kmers_entry.make(the_job(), w);
  for (const auto style : cpp_styles) {
    tested->reset();
    tested->run(style);
    EXPECT_EQ(the_job().world().sum(tested->checksum()), expected) << static_cast<int>(style);
  }
}

TEST(Kmers, GeneratedReadsAreTheSameEverywhereAndForEver) {
  std::vector<std::string> reads;
  generate_reads(50, 9, [&](std::uint64_t, std::string_view read) { reads.emplace_back(read); });
  ASSERT_EQ(reads.size(), 50u);
  std::uint64_t sum = 0;
  for (const auto& read : reads) {
    ASSERT_EQ(read.size(), 150u);
    for (const char base : read) sum = 31 * sum + static_cast<unsigned char>(base);
  }
  EXPECT_EQ(the_job().world().max(sum), the_job().world().min(sum));
  const auto counts = count_letters(reads);
  EXPECT_LT(counts.size(), 50u * 120 / 2) << "reads overlap";
}

} // namespace
} // namespace windrow::apps
