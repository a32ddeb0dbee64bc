// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "apps/graph/csr.hpp"
#include "apps/graph/rmat.hpp"
#include "apps/matrix/build.hpp"
#include "apps/matrix/compare.hpp"
#include "apps/matrix/matrix_market.hpp"
#include "tests/support/pe_test.hpp"
#include "tests/support/shared_file.hpp"
#include "windrow/error.hpp"
#include "windrow/one_sided.hpp"

namespace windrow::apps {
namespace {

using test::the_job;

/// Entries of a random matrix, the same on all PEs.
std::vector<entry> random_entries(unsigned seed, std::uint64_t rows, std::uint64_t columns) {
  std::mt19937_64 random(seed);
  std::vector<entry> entries(random() % 500);
  for (auto& e : entries) e = {random() % rows, random() % columns};
  return entries;
}

/// The matrix of entries that all PEs have; each PE sends its share.
template <class D = cyclic_distribution>
sparse_matrix<D> collected(const std::vector<entry>& entries, std::uint64_t rows, std::uint64_t columns) {
  return collect_matrix<D>(the_job(), rows, columns, [&](auto send) {
    for (std::size_t k = static_cast<std::size_t>(the_job().pe()); k < entries.size();
         k += static_cast<std::size_t>(the_job().pes()))
      send(entries[k].row, entries[k].column);
  });
}

template <class D>
void expect_holds(const sparse_matrix<D>& m, std::vector<entry> entries, unsigned seed) {
  std::erase_if(entries, [&](const entry& e) { return m.owner(e.row) != the_job().pe(); });
  std::vector<entry> held;
  for_each_entry(m, [&](std::uint64_t row, std::uint64_t column) { held.push_back({row, column}); });
  std::ranges::sort(entries);
  std::ranges::sort(held);
  EXPECT_EQ(held.size(), m.local_entries());
  EXPECT_TRUE(held == entries) << "seed " << seed;
}

TEST(SparseMatrix, HoldsWhatWasSentInBothLayouts) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const std::uint64_t rows = 1 + seed * 7 % 40, columns = 1 + seed * 13 % 60;
    const auto entries = random_entries(seed, rows, columns);
    const auto by_turns = collected<cyclic_distribution>(entries, rows, columns);
    const auto in_blocks = collected<block_distribution>(entries, rows, columns);
    expect_holds(by_turns, entries, seed);
    expect_holds(in_blocks, entries, seed);
    EXPECT_TRUE(equal(the_job(), spread<block_distribution>(the_job(), by_turns), in_blocks));
    EXPECT_TRUE(equal(the_job(), spread<cyclic_distribution>(the_job(), in_blocks), by_turns));
  }
}

TEST(SparseMatrix, OfAGraphIsItsEdges) {
  const auto graph = graph::rmat{6, 8, 2}.generate();
  std::vector<entry> entries;
  for (const auto& e : graph.edges) entries.push_back({e.from, e.to});
  expect_holds(matrix_of(the_job(), graph), entries, 2);
  expect_holds(matrix_of<block_distribution>(the_job(), graph), entries, 2);
}

TEST(SparseMatrix, RemoteRowsAreFound) {
  auto m = matrix_of(the_job(), graph::rmat{6, 8, 2}.generate());
  const graph::csr whole(graph::rmat{6, 8, 2}.generate());
  m.sort_rows();
  for (std::uint64_t row = 0; row < m.rows(); ++row) {
    const auto at = windrow::get(the_job(), m.extent_of(row));
    std::vector<std::uint64_t> fetched(at.size);
    windrow::get(the_job(), m.row(row, at), std::span(fetched));
    EXPECT_TRUE(std::ranges::equal(fetched, whole.row(row))) << "row " << row;
  }
}

TEST(SparseMatrix, UnequalInOneEntry) {
  const std::vector<entry> entries{{0, 1}, {3, 2}, {3, 2}, {4, 0}};
  const auto m = collected(entries, 5, 5);
  for (const auto& other : std::vector<std::vector<entry>>{
           {{0, 1}, {3, 2}, {4, 0}}, {{0, 1}, {3, 2}, {3, 3}, {4, 0}}, {{0, 1}, {3, 2}, {2, 2}, {4, 0}}}) {
    const auto different = collected(other, 5, 5);
    EXPECT_FALSE(equal(the_job(), m, different));
    EXPECT_NE(the_job().world().sum(checksum(m)), the_job().world().sum(checksum(different)));
  }
  EXPECT_FALSE(equal(the_job(), m, collected(entries, 5, 6)));
  EXPECT_FALSE(equal(the_job(), m, collected(entries, 6, 5)));
  EXPECT_TRUE(equal(the_job(), m, collected({entries.rbegin(), entries.rend()}, 5, 5)));
}

TEST(SparseMatrix, MayBeEmpty) {
  for (const std::uint64_t rows : {0, 1, 9}) {
    const auto m = collected({}, rows, 3);
    EXPECT_EQ(m.rows(), rows);
    EXPECT_EQ(m.local_entries(), 0u);
  }
}

TEST(MatrixMarket, GivesBackWhatWasWritten) {
  const test::shared_file file(".mtx");
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const std::uint64_t rows = 1 + seed * 11 % 50, columns = 1 + seed * 5 % 30;
    const auto entries = random_entries(seed, rows, columns);
    const auto m = collected(entries, rows, columns);
    write_matrix(the_job(), m, file.path());
    EXPECT_TRUE(equal(the_job(), read_matrix(the_job(), file.path()), m)) << "seed " << seed;
    expect_holds(read_matrix<block_distribution>(the_job(), file.path()), entries, seed);
  }
  write_matrix(the_job(), collected({}, 4, 0), file.path());
  EXPECT_EQ(read_matrix(the_job(), file.path()).rows(), 4u);
}

TEST(MatrixMarket, ReadsTheFormatsThatThereAre) {
  const test::shared_file file(".mtx");
  file.write(
      "%%MatrixMarket matrix coordinate real symmetric\r\n% a comment\r\n\r\n3 3 3\r\n1 1 2.5\r\n\r\n"
      "3 1 -1e9\r\n% the last line has no end\r\n3 2 0");
  expect_holds(read_matrix(the_job(), file.path()), {{0, 0}, {2, 0}, {0, 2}, {2, 1}, {1, 2}}, 0);
  file.write("%%matrixmarket MATRIX coordinate Integer general\n2 5 1\n2 5 -3\n");
  expect_holds(read_matrix(the_job(), file.path()), {{1, 4}}, 0);
  file.write("\xef\xbb\xbf\n \n%%MatrixMarket matrix coordinate pattern general\n2 2 1\n2 1\n");
  expect_holds(read_matrix(the_job(), file.path()), {{1, 0}}, 0);
}

std::string complaint_about(const std::string& path) {
  try {
    read_matrix(the_job(), path);
  } catch (const error& e) {
    return e.what();
  }
  return "none";
}

TEST(MatrixMarket, EveryPeGetsTheSameClearSentence) {
  const test::shared_file file(".mtx");
  const std::string head = "%%MatrixMarket matrix coordinate pattern general\n";
  const std::vector<std::pair<std::string, std::string>> cases{
      {"",
       ": expected \"%%MatrixMarket matrix coordinate\", then pattern, real or integer, then general, "
       "symmetric or skew-symmetric, found the end of the file"},
      {"1 2\n",
       ", line 1: expected \"%%MatrixMarket matrix coordinate\", then pattern, real or integer, then "
       "general, symmetric or skew-symmetric, found \"1 2\""},
      {"%%MatrixMarket matrix array real general\n",
       ", line 1: expected \"%%MatrixMarket matrix coordinate\","
       " then pattern, real or integer, then general, "
       "symmetric or skew-symmetric, found \"%%MatrixMarket matrix array real "
       "general\""},
      {head,
       ": expected the size of the matrix as three integers: rows, columns, entries, found the end of the "
       "file"},
      {head + "% c\n3 3\n",
       ", line 3: expected the size of the matrix as three integers: rows, columns, entries, "
       "found \"3 3\""},
      {head + "3 3 4\n1 1\n2 2\n3 3\n", ": expected 4 entries, as its head says, found 3"},
      {head + "3 3 2\n1 1\n2 2\n3 3\n", ": expected 2 entries, as its head says, found 3"},
      {head + "3 3 3\n1 1\n2 2\n4 3\n", ", line 5: expected row and column from 1 to 3, found \"4 3\""},
      {head + "3 2 3\n1 1\n2 0\n1 1\n",
       ", line 4: expected row from 1 to 3, column from 1 to 2, found \"2 0\""},
      {head + "3 3 1\n1 1 7\n", ", line 3: expected row and column from 1 to 3, found \"1 1 7\""},
      {"%%MatrixMarket matrix coordinate real general\n3 3 1\n1 1\n",
       ", line 3: expected row and column from 1 to 3 and a value, found \"1 1\""},
      {"%%MatrixMarket matrix coordinate pattern symmetric\n3 2 1\n3 1\n",
       ", line 2: expected the size of the matrix as three integers: rows, columns, entries (as many rows as "
       "columns, because it is symmetric), found \"3 2 1\""},
      {"%%MatrixMarket matrix coordinate integer symmetric\n3 3 2\n3 1 5\n1 3 5\n",
       ", line 4: expected row and column from 1 to 3 and an integer, on or below the diagonal (a file with "
       "both triangles calls the matrix general), found \"1 3 5\""},
  };
  for (const auto& [text, sentence] : cases) {
    file.write(text);
    EXPECT_EQ(complaint_about(file.path()), file.path() + sentence);
  }
  file.write("\x1f\x8b and so on");
  EXPECT_EQ(complaint_about(file.path()),
            file.path() + " is compressed: unpack it first, because every PE reads a part of it");
  EXPECT_EQ(complaint_about("/nowhere/m.mtx"),
            "cannot read the file /nowhere/m.mtx: No such file or directory");
}

TEST(MatrixMarket, WhatCannotBeWrittenIsAnErrorEverywhere) {
  const auto m = collected({{0, 0}}, 1, 1);
  try {
    write_matrix(the_job(), m, "/nowhere/m.mtx");
    FAIL() << "nobody noticed";
  } catch (const error& e) {
    EXPECT_STREQ(e.what(), "cannot write the file /nowhere/m.mtx: No such file or directory");
  }
}

} // namespace
} // namespace windrow::apps
