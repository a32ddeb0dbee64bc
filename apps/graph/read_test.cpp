// SPDX-License-Identifier: BSD-3-Clause
#include "apps/graph/read.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <string_view>

#include "apps/graph/sequential.hpp"
#include "windrow/error.hpp"

namespace windrow::graph {
namespace {

using edges = std::vector<edge>;

/// A file that is gone with the test.
class temporary_file {
 public:
  explicit temporary_file(std::string_view text) { std::ofstream(path_, std::ios::binary) << text; }
  ~temporary_file() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_ = fmt::format("{}/windrow_read_test_{}.txt", testing::TempDir(), getpid());
};

std::string gzip(std::string_view text) {
  const temporary_file file("");
  const auto out = gzopen(file.path().c_str(), "wb");
  gzwrite(out, text.data(), static_cast<unsigned>(text.size()));
  gzclose(out);
  std::ifstream in(file.path(), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

edge_list read_text(std::string_view text) {
  return read({temporary_file(text).path()});
}

/// A file with a name of its own, for what the name tells.
class named_file {
 public:
  named_file(const std::string& ending, std::string_view text)
      : path_(fmt::format("{}/windrow_read_test_{}{}", testing::TempDir(), getpid(), ending)) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~named_file() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

edge_list read_metis(std::string_view text) {
  return read({named_file(".graph", text).path()});
}

/// The sentence of the error, without the directory.
std::string error_of(std::string_view text, file_format format = file_format::by_name_and_content) {
  const temporary_file file(text);
  try {
    read({file.path(), format});
  } catch (const error& problem) {
    const std::string sentence = problem.what();
    const auto at = sentence.find(".txt");
    return at == std::string::npos ? sentence : sentence.substr(at + 4);
  }
  return "no error";
}

const std::string matrix = "%%MatrixMarket matrix coordinate ";

TEST(ReadEdgeList, EdgesInOrderOfTheFile) {
  const auto graph = read_text("# a comment\n0 1\n2\t0\n\n   1   2  \n# the end\n");
  EXPECT_EQ(graph.vertices, 3u);
  EXPECT_EQ(graph.edges, (edges{{0, 1}, {2, 0}, {1, 2}}));
}

TEST(ReadEdgeList, NoEdges) {
  for (const auto* text : {"\n", "# nothing\n", "# nothing", "\r\n\r\n"}) {
    const auto graph = read_text(text);
    EXPECT_EQ(graph.vertices, 0u) << text;
    EXPECT_TRUE(graph.edges.empty()) << text;
  }
}

// Before, they were graphs without vertices.
TEST(ReadFile, NothingAtAll) {
  for (const auto format : {file_format::by_name_and_content, file_format::edge_list,
                            file_format::matrix_market, file_format::metis})
    for (const auto& text : {std::string(), gzip("")})
      EXPECT_EQ(error_of(text, format), ": the file is empty, so there is no graph in it");
}

TEST(ReadEdgeList, LineEndsOfWindowsAndNoneAtTheEnd) {
  EXPECT_EQ(read_text("# c\r\n0 1\r\n1 2\r\n").edges, (edges{{0, 1}, {1, 2}}));
  EXPECT_EQ(read_text("0 1\n1 2").edges, (edges{{0, 1}, {1, 2}}));
  EXPECT_EQ(read_text("0 1\r\n1 2\r").edges, (edges{{0, 1}, {1, 2}}));
}

TEST(ReadEdgeList, LargeAndSparseIdsAreNumberedInTheirOrder) {
  const auto graph = read_text("18446744073709551615 4294967296\n7 2147483648\n4294967296 7\n");
  EXPECT_EQ(graph.vertices, 4u);
  EXPECT_EQ(graph.edges, (edges{{3, 2}, {0, 1}, {2, 0}}));
}

TEST(ReadEdgeList, SelfLoopsAndRepetitionsAreKept) {
  EXPECT_EQ(read_text("1 1\n0 1\n0 1\n1 0\n").edges, (edges{{1, 1}, {0, 1}, {0, 1}, {1, 0}}));
}

TEST(ReadEdgeList, WeightsAreKeptIfEveryEdgeHasOne) {
  const auto graph = read_text("0 1 0.5\n1 2 1217567877\n# c\n2 0 -1e3\n");
  EXPECT_EQ(graph.edges, (edges{{0, 1}, {1, 2}, {2, 0}}));
  EXPECT_EQ(graph.weights, (std::vector<double>{0.5, 1217567877, -1e3}));
  EXPECT_TRUE(read_text("0 1\n1 2\n").weights.empty());
}

TEST(ReadEdgeList, CommentsOfKonectAndNetworkRepository) {
  const auto graph = read_text("% sym weighted\n% 2 3 3\n1 2 0.5 1217567877\n# c\n2 3 +2 1217567878\n");
  EXPECT_EQ(graph.edges, (edges{{0, 1}, {1, 2}}));
  EXPECT_EQ(graph.weights, (std::vector<double>{0.5, 2})) << "the fourth number is a time";
}

TEST(ReadEdgeList, CommasBetweenFields) {
  EXPECT_EQ(read_text("0,1,5\n1, 2 ,6\n").edges, (edges{{0, 1}, {1, 2}}));
  for (const std::string line : {"1,,2", ",1,2", "1,2,", "1;2"})
    EXPECT_NE(error_of(line + "\n").find("line 1: expected two vertex ids"), std::string::npos) << line;
}

TEST(ReadEdgeList, BipartiteGraphsOfKonectAreRefused) {
  EXPECT_EQ(error_of("% bip unweighted\n1 1\n"),
            ", line 1: expected a graph whose two columns number the same vertices, not one that says it is "
            "bipartite, found \"% bip unweighted\"");
}

TEST(ReadEdgeList, EveryLineHasAsManyNumbersAsTheFirst) {
  const std::string ids = "expected two vertex ids (integers from 0 to 2^64 - 1)";
  EXPECT_EQ(error_of("0 1 5\n1 2\n"),
            ", line 2: " + ids + " and a weight, as in the first edge, found \"1 2\"");
  EXPECT_EQ(error_of("0 1 5 6\n1 2 3\n"),
            ", line 2: " + ids + ", a weight and a time, as in the first edge, found \"1 2 3\"");
  EXPECT_EQ(error_of("0 1 5 6 7\n"),
            ", line 1: " + ids + " and at most a weight and a time after them, found \"0 1 5 6 7\"");
  for (const std::string weight : {"nan", "inf", "x", "1e999", "1e-400", "-0.0001e-399"})
    EXPECT_NE(error_of("0 1 " + weight + "\n"), "no error") << weight;
}

// Before, they were rounded without a word.
TEST(ReadWeights, IntegersThatNoDoubleEqualsAreNoted) {
  const auto is_rounded = [](const std::string& weight) {
    const auto graph = read_text("0 1 " + weight + "\n1 0 1\n");
    EXPECT_EQ(graph.has_rounded_weights,
              read_text(matrix + "real general\n1 1 1\n1 1 " + weight + "\n").has_rounded_weights);
    EXPECT_EQ(graph.has_rounded_weights,
              read_metis("2 1 1\n2 " + weight + "\n1 " + weight).has_rounded_weights);
    return graph.has_rounded_weights;
  };
  for (const std::string exact : {"9007199254740992", "-9007199254740994", "+4611686018427387904", "1e300",
                                  "9007199254740993.5", "0.1", "0e-999", "18446744073709549568"})
    EXPECT_FALSE(is_rounded(exact)) << exact;
  for (const std::string rounded : {"9007199254740993", "-9007199254740993", "+9007199254740993",
                                    "18446744073709551615", "100000000000000000000001"})
    EXPECT_TRUE(is_rounded(rounded)) << rounded;
  EXPECT_TRUE(read_text(matrix + "integer general\n1 1 1\n1 1 -9007199254740993\n").has_rounded_weights);
  EXPECT_FALSE(read_text(matrix + "integer general\n1 1 1\n1 1 -9223372036854775808\n").has_rounded_weights);
  EXPECT_FALSE(read_text("0 1 1 9007199254740993\n").has_rounded_weights) << "a time is left out anyway";
}

TEST(ReadMatrix, ValuesAreWeights) {
  const auto graph = read_text(matrix + "real symmetric\n3 3 2\n2 1 0.5\n3 3 7\n");
  EXPECT_EQ(graph.weights, (std::vector<double>{0.5, 0.5, 7}));
  EXPECT_TRUE(read_text(matrix + "pattern general\n2 2 1\n2 1\n").weights.empty());
}

TEST(ReadEdgeList, LinesAcrossTheReadersBuffer) {
  std::string text;
  edges expected;
  for (vertex v = 0; v < 100'000; ++v) {
    text += fmt::format("{} {}\n", v, v + 1);
    expected.push_back({v, v + 1});
  }
  EXPECT_EQ(read_text(text).edges, expected);
  EXPECT_EQ(read_text(gzip(text)).edges, expected);
}

TEST(ReadEdgeList, MalformedLines) {
  const std::string expected =
      ", line 2: expected two vertex ids (integers from 0 to 2^64 - 1), as in the first edge, found ";
  for (const std::string line : {"3", "a b", "1 x", "-1 2", "1 -2", "1.5 2", "1 2 x", "1 2 3", "+1 2",
                                 "18446744073709551616 1", "0x1 2", "1 2x"}) {
    EXPECT_EQ(error_of("0 1\n" + line + "\n2 3\n"), expected + '"' + line + '"');
  }
}

TEST(ReadEdgeList, UnreadableTextIsShownHarmlessly) {
  const auto sentence = error_of("\x1b[31m\xff" + std::string(60, 'x'));
  EXPECT_TRUE(sentence.ends_with("found \"?[31m?" + std::string(54, 'x') + "...\"")) << sentence;
}

TEST(ReadEdgeList, ALineWithoutEnd) {
  EXPECT_NE(error_of(std::string(1 << 20, '1')).find("line 1: expected a line of text"), std::string::npos);
}

TEST(ReadMatrix, GeneralPattern) {
  const auto graph = read_text(matrix + "pattern general\n% comment\n4 4 3\n1 2\n% another\n4 1\n\n1 2\n");
  EXPECT_EQ(graph.vertices, 4u) << "vertex 3 has no edge, but a row";
  EXPECT_EQ(graph.edges, (edges{{0, 1}, {3, 0}, {0, 1}}));
}

TEST(ReadMatrix, SymmetricEntriesAreEdgesInBothDirections) {
  const auto graph = read_text(matrix + "integer symmetric\n3 3 2\n2 1 5\n3 3 1\n");
  EXPECT_EQ(graph.edges, (edges{{1, 0}, {0, 1}, {2, 2}}));
}

TEST(ReadMatrix, AnyCaseAndLineEndsOfWindows) {
  EXPECT_EQ(read_text("%%matrixmarket MATRIX Coordinate Real General\r\n2 2 1\r\n1 2 -1.5e-3\r\n").edges,
            (edges{{0, 1}}));
}

std::string error_of_named(const std::string& ending, std::string_view text) {
  const named_file file(ending, text);
  try {
    read({file.path()});
  } catch (const error& problem) {
    return std::string(problem.what()).substr(file.path().size());
  }
  return "no error";
}

// Before, such files were edge lists, and the size an edge.
TEST(ReadMatrix, TheBannerIsTheFirstLine) {
  const std::string body = "pattern general\n3 3 2\n1 2\n2 3\n";
  const std::string banner = ", line 1: expected \"%%MatrixMarket matrix coordinate\"";
  for (const std::string ending : {".mtx", ".mtx.gz", ".mtx.xz", ".mtx.zst"}) {
    for (const std::string before : {"", "\n", " \t\n\r\n"})
      EXPECT_EQ(read({named_file(ending, before + matrix + body).path()}).edges, (edges{{0, 1}, {1, 2}}));
    for (const std::string& text :
         {"% comment\n" + matrix + body, "%" + matrix + body, matrix.substr(1) + body,
          std::string("3 3 2\n1 2\n2 3\n"), "# " + matrix + body})
      EXPECT_EQ(error_of_named(ending, text).substr(0, banner.size()), banner) << ending << '\n' << text;
  }
  EXPECT_EQ(read_text("\n" + matrix + body).edges, (edges{{0, 1}, {1, 2}}));
  EXPECT_EQ(read({named_file(".mtx", "3 3\n1 2\n").path(), file_format::edge_list}).edges.size(), 2u);
}

TEST(ReadEdgeList, AMatrixIsNoComment) {
  for (const std::string line : {"%%MatrixMarket matrix coordinate", "%MatrixMarket matrix", "%matrixmarket"})
    for (const std::string before : {"# c\n", "1 2\n"})
      EXPECT_EQ(
          error_of(before + line + "\n3 3\n1 2\n", file_format::edge_list),
          ", line 2: expected an edge list, or a Matrix Market file that begins with \"%%MatrixMarket\", "
          "above everything else, found \"" +
              line + '"');
  EXPECT_EQ(read_text("% from MatrixMarket\n# %%MatrixMarket\n1 2\n").edges.size(), 1u);
}

TEST(ReadMatrix, NoEntriesAndHugeSizes) {
  EXPECT_TRUE(read_text(matrix + "real general\n0 0 0\n").edges.empty());
  const auto graph = read_text(matrix + "pattern general\n9000000000 9000000000 1\n9000000000 3000000000\n");
  EXPECT_EQ(graph.vertices, 9'000'000'000u);
  EXPECT_EQ(graph.edges, (edges{{8'999'999'999, 2'999'999'999}}));
}

TEST(ReadMatrix, SkewSymmetricEntriesChangeTheSign) {
  const auto graph = read_text(matrix + "real skew-symmetric\n3 3 1\n2 1 5\n");
  EXPECT_EQ(graph.edges, (edges{{1, 0}, {0, 1}}));
  EXPECT_EQ(graph.weights, (std::vector<double>{5, -5}));
}

// Before, values with fractions were weights of an integer matrix.
TEST(ReadMatrix, ValuesOfAnIntegerMatrixAreIntegers) {
  EXPECT_EQ(read_text(matrix + "integer general\n2 2 2\n1 1 -4\n2 1 +9\n").weights,
            (std::vector<double>{-4, 9}));
  for (const std::string value : {"1.5", "1e3", "+-1", "9223372036854775808"})
    EXPECT_EQ(error_of(matrix + "integer general\n2 2 1\n1 2 " + value + "\n"),
              ", line 3: expected row and column from 1 to 2 and an integer, found \"1 2 " + value + "\"");
  EXPECT_NE(error_of(matrix + "real general\n2 2 1\n1 2 +-1\n"), "no error");
}

// Before, the edges of a file that lists both triangles were there twice.
TEST(ReadMatrix, SymmetricFilesHaveTheLowerTriangleOnly) {
  EXPECT_EQ(
      error_of(matrix + "real symmetric\n2 2 2\n2 1 5\n1 2 5\n"),
      ", line 4: expected row and column from 1 to 2 and a value, on or below the diagonal (a file with "
      "both triangles calls the matrix general), found \"1 2 5\"");
  for (const std::string entry : {"1 2 5", "2 2 5", "2 2 0"})
    EXPECT_EQ(
        error_of(matrix + "real skew-symmetric\n2 2 1\n" + entry + "\n"),
        ", line 3: expected row and column from 1 to 2 and a value, below the diagonal (a file with both "
        "triangles calls the matrix general), found \"" +
            entry + '"');
}

TEST(ReadMatrix, BannersThatMeanSomethingElse) {
  for (const std::string rest :
       {"pattern", "complex general", "pattern skew-symmetric", "complex hermitian", "real general x"}) {
    EXPECT_EQ(error_of(matrix + rest + "\n1 1 0\n"),
              ", line 1: expected \"%%MatrixMarket matrix coordinate\", then pattern, real or integer, then "
              "general, symmetric or skew-symmetric, found \"" +
                  matrix + rest + '"');
  }
  EXPECT_NE(error_of("%%MatrixMarket matrix array real general\n").find("expected"), std::string::npos);
}

TEST(ReadMatrix, Sizes) {
  const std::string expected =
      "expected the size of the matrix as three integers: rows, columns, entries, found ";
  EXPECT_EQ(error_of(matrix + "pattern general\n2 2\n"), ", line 2: " + expected + "\"2 2\"");
  EXPECT_EQ(error_of(matrix + "pattern general\n2 2 -1\n"), ", line 2: " + expected + "\"2 2 -1\"");
  EXPECT_EQ(error_of(matrix + "pattern general\n2 2 1 1\n"), ", line 2: " + expected + "\"2 2 1 1\"");
  EXPECT_EQ(error_of(matrix + "pattern general\n% only\n"), ", line 2: " + expected + "the end of the file");
  EXPECT_EQ(
      error_of(matrix + "pattern general\n2 3 1\n1 1\n"),
      ", line 2: expected as many rows as columns, because a graph is a square matrix, found \"2 3 1\"");
}

TEST(ReadMatrix, MalformedEntries) {
  for (const std::string entry : {"0 1", "1 3", "3 1", "1", "1 2 1", "x y"}) {
    EXPECT_EQ(error_of(matrix + "pattern general\n2 2 1\n" + entry + "\n"),
              ", line 3: expected row and column from 1 to 2, found \"" + entry + "\"");
  }
  for (const std::string entry : {"1 2", "1 2 x", "1 2 1 1"}) {
    EXPECT_EQ(error_of(matrix + "real general\n2 2 1\n" + entry + "\n"),
              ", line 3: expected row and column from 1 to 2 and a value, found \"" + entry + "\"");
  }
}

TEST(ReadMatrix, TooFewAndTooManyEntries) {
  EXPECT_EQ(error_of(matrix + "pattern general\n2 2 2\n1 2\n"),
            ": expected 2 entries, as its head says, found 1");
  EXPECT_EQ(error_of(matrix + "pattern general\n2 2 1\n1 2\n2 1\n"),
            ": expected 1 entries, as its head says, found 2");
}

TEST(ReadMetis, EmptyLinesAreVertices) {
  const auto graph = read_metis("% comment\n4 2\n2 3\n1\n% another\n1\n\n");
  EXPECT_EQ(graph.vertices, 4u);
  EXPECT_EQ(graph.edges, (edges{{0, 1}, {0, 2}, {1, 0}, {2, 0}}));
  EXPECT_TRUE(graph.weights.empty());
  EXPECT_EQ(read_metis("4 1\n\n3\n2\n\n\n\n").vertices, 4u) << "more empty lines at the end";
  EXPECT_EQ(read_metis("0 0\n").vertices, 0u);
}

TEST(ReadMetis, WeightsOfEdgesAreKeptAndThoseOfVerticesSkipped) {
  EXPECT_EQ(read_metis("2 1 1\n2 7\n1 7\n").weights, (std::vector<double>{7, 7}));
  for (const auto* text :
       {"2 1 010\n5 2\n5 1\n", "2 1 11 3\n5 6 7 2 9\n5 6 7 1 9\n", "2 1 110\n1 5 2\n1 5 1\n"})
    EXPECT_EQ(read_metis(text).edges, (edges{{0, 1}, {1, 0}})) << text;
}

TEST(ReadMetis, LinesOfAnyLength) {
  std::string text = "100001 100000\n", leaves;
  for (int v = 2; v <= 100'001; ++v) {
    text += fmt::format("{} ", v);
    leaves += "1\n";
  }
  EXPECT_GT(text.size(), 1u << 19);
  EXPECT_EQ(read_metis(text + '\n' + leaves).edges.size(), 200'000u);
}

TEST(ReadMetis, MalformedFiles) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", ": the file is empty, so there is no graph in it"},
      {"1 9223372036854775808\n\n", ": expected 9223372036854775808 edges, as its head says, found 0"},
      {"x 1\n", ", line 1: expected the head of a METIS file"},
      {"2 1 002\n", ", line 1: expected the head of a METIS file"},
      {"2 1 000 1 1\n", ", line 1: expected the head of a METIS file"},
      {"2 1\n3\n1\n", ", line 2: expected neighbours from 1 to 2, found \"3\""},
      {"2 1\n2\n0\n", ", line 3: expected neighbours from 1 to 2, found \"0\""},
      {"2 1 1\n2\n1 5\n", ", line 2: expected neighbours from 1 to 2, each with a weight, found \"2\""},
      {"2 1 10\n5 2\nx\n", ", line 3: expected 1 numbers of the vertex, then neighbours"},
      {"3 1\n2\n1\n", ": expected 3 lines of neighbours, one for each vertex, as its head says, found 2"},
      {"2 1\n2\n1\n1\n", ": expected 2 lines of neighbours, one for each vertex, as its head says, found 3"},
      {"2 1\n1\n\n", ": vertex 1 is its own neighbour"},
      {"3 1\n2\n3\n\n", "one names the other"},
      {"2 2\n2\n1\n", ": expected 2 edges, as its head says, found 1"}};
  for (const auto& [text, sentence] : cases) {
    const auto said = error_of(text, file_format::metis);
    EXPECT_NE(said.find(sentence), std::string::npos) << said;
  }
}

TEST(ReadFile, GzipIsToldByContent) {
  EXPECT_EQ(read_text(gzip("0 1\n1 2\n")).edges, (edges{{0, 1}, {1, 2}}));
}

TEST(ReadFile, SeveralGzipFilesOneBehindAnother) {
  EXPECT_EQ(read_text(gzip("0 1\n1") + gzip(" 2\n")).edges, (edges{{0, 1}, {1, 2}}));
}

TEST(ReadFile, ZerosBehindGzip) {
  const std::string zeros(1 << 18, '\0');
  EXPECT_EQ(read_text(gzip("0 1\n1 2\n") + zeros).edges, (edges{{0, 1}, {1, 2}}));
  EXPECT_EQ(read_text(gzip("0 1\n") + zeros + gzip("1 2\n")).edges, (edges{{0, 1}, {1, 2}}));
  EXPECT_NE(error_of(gzip("0 1\n") + zeros + "no gzip").find("incorrect header check"), std::string::npos);
}

// As the SuiteSparse collection has its matrices.
TEST(ReadFile, ArchivesAreNamed) {
  std::string head = "m/m.mtx";
  head.resize(257);
  head += "ustar";
  head.resize(512);
  const auto text = head + matrix + "pattern general\n2 2 1\n1 2\n";
  for (const auto& packed : {text, gzip(text)})
    EXPECT_EQ(error_of(packed),
              " is a tar archive: unpack it first (tar -xf), and name a file that was in it");
}

TEST(ReadFile, OtherCompressionIsNamed) {
  EXPECT_EQ(error_of("BZh91AY&SY"),
            ": it is compressed by bzip2, which Windrow does not read: decompress it first");
}

TEST(ReadFile, TextOfWindows) {
  const std::string mark = "\xef\xbb\xbf";
  EXPECT_EQ(read_text(mark + "0 1\r\n1 2\r\n").edges, (edges{{0, 1}, {1, 2}}));
  EXPECT_EQ(read_text(gzip(mark + matrix + "pattern general\n2 2 1\n2 1\n")).edges, (edges{{1, 0}}));
  EXPECT_EQ(read_metis(mark + "2 1\n2\n1\n").edges, (edges{{0, 1}, {1, 0}}));
  EXPECT_EQ(error_of("0 1\n" + mark + "1 2\n"),
            ", line 2: expected two vertex ids (integers from 0 to 2^64 - 1), as in the first edge, found "
            "\"???1 2\"");
  EXPECT_EQ(error_of("\xff\xfe" + std::string("0\0 \0", 4)),
            ": it is text in UTF-16: convert it first, for example by iconv -f UTF-16 -t UTF-8");
}

TEST(ReadFile, DamagedGzip) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += fmt::format("{} {}\n", i, i * 7919 % 1000);
  const auto whole = gzip(text);
  EXPECT_NE(error_of(whole.substr(0, whole.size() / 2)).find("unexpected end of file"), std::string::npos);
  auto damaged = whole;
  damaged[whole.size() - 6] ^= 1; // in the checksum
  EXPECT_NE(error_of(damaged).find("incorrect data check"), std::string::npos);
}

TEST(ReadFile, MissingFileAndDirectory) {
  try {
    read({"/nowhere/graph.txt"});
    FAIL() << "no error";
  } catch (const error& problem) {
    EXPECT_STREQ(problem.what(), "cannot open the graph file /nowhere/graph.txt: No such file or directory");
  }
  try {
    read({"/tmp"});
    FAIL() << "no error";
  } catch (const error& problem) {
    EXPECT_STREQ(problem.what(), "cannot open the graph file /tmp: Is a directory");
  }
  try {
    read({""});
    FAIL() << "no error";
  } catch (const error& problem) {
    EXPECT_STREQ(problem.what(), "the name of the graph file is empty");
  }
}

/// Writes a random graph in every format and reads it back.
class RoundTrip : public testing::TestWithParam<unsigned> {
 protected:
  std::mt19937_64 random_{GetParam()};
  edges random_edges() {
    edges made(std::uniform_int_distribution<std::size_t>(0, 300)(random_));
    const auto spread = std::uniform_int_distribution<vertex>(1, 1u << 20)(random_);
    std::uniform_int_distribution<vertex> id(0, 60);
    for (auto& e : made) e = {id(random_) * spread, id(random_) * spread};
    return made;
  }
};

TEST_P(RoundTrip, EveryFormat) {
  const auto made = random_edges();
  std::string list = "# random\n", entries;
  for (const auto& e : made) {
    list += fmt::format("{}\t{}\r\n", e.from, e.to);
    entries += fmt::format("{} {} 0.25\n", e.from + 1, e.to + 1);
  }
  const auto size = 1u << 30;
  const auto matrix_text =
      fmt::format("{}real general\n{} {} {}\n{}", matrix, size, size, made.size(), entries);
  const auto expected = renumbered(made);
  for (const auto& text : {list, gzip(list)}) {
    const auto graph = read_text(text);
    EXPECT_EQ(graph.vertices, expected.vertices);
    EXPECT_EQ(graph.edges, expected.edges);
  }
  for (const auto& text : {matrix_text, gzip(matrix_text)}) {
    const auto graph = read_text(text);
    EXPECT_EQ(graph.vertices, size);
    EXPECT_EQ(graph.edges, made);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RoundTrip, testing::Range(1u, 51u));

TEST(RealGraph, FacebookHasItsKnownCounts) {
  const auto graph = read({WINDROW_REAL_GRAPH});
  EXPECT_EQ(graph.vertices, 4039u);
  EXPECT_EQ(graph.edges.size(), 88'234u);
  EXPECT_EQ(triangles(graph), 1'612'010u);
}

} // namespace
} // namespace windrow::graph
