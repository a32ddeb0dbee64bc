// SPDX-License-Identifier: BSD-3-Clause
// The file of a recording: what is written is read, and what is not right is said.
#include "overlap/recording.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "overlap/writer.hpp"
#include "windrow/error.hpp"

namespace windrow::overlap {
namespace {

class Recording : public testing::Test {
 protected:
  Recording() { std::filesystem::remove(file_); }
  ~Recording() override { std::filesystem::remove(file_); }

  // Two PEs: blocks of both, in turn.
  void write(int events) const {
    writer first(file_, 0, 2, true), second(file_, 1, 2, true);
    second.name_site(7, {{"a.c", "f", 14, 5}, {"b.c", "main", 20, 3}});
    first.name_site(9, {{"a.c", "f", 14, 5}, {"b.c", "main", 20, 3}});
    second.name_team(3, {1});
    for (int i = 0; i < events; ++i) {
      first.add(example(9, i));
      second.add(example(7, i));
    }
    first.end();
    second.flush();
  }

  static event example(std::uint32_t site, int i) {
    event one;
    one.what = action::put_signal;
    one.blocking = i % 2 == 0;
    one.floating = i % 3 == 0;
    one.of_shared = i % 5 == 0;
    one.site = site;
    one.peer = i % 2;
    one.team = site == 7 ? 3 : 0;
    one.context = 2;
    one.local = {0x7fff00001000, 40, 8, 16}; // three blocks
    one.remote = {first_symmetric + 64, std::uint64_t{1} << 40};
    one.word = {first_symmetric, 8};
    one.begin_ns = 1000 + static_cast<std::uint64_t>(i) * 10;
    one.end_ns = one.begin_ns + 7;
    one.recorder_ns = static_cast<std::uint64_t>(i % 3) * 100;
    return one;
  }

  std::string bytes() const {
    std::ifstream in(file_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void replace(const std::string& text) const { std::ofstream(file_, std::ios::binary) << text; }
  std::string complaint() const {
    try {
      read_recording(file_);
    } catch (const error& problem) {
      return problem.what();
    }
    return "none";
  }
  void expect_complaint(const std::string& text) const {
    EXPECT_NE(complaint().find(text), std::string::npos) << complaint();
  }

  std::string file_ = testing::TempDir() + "recording_test." + std::to_string(::getpid()) + ".overlap";
};

TEST_F(Recording, IsReadAsItWasWritten) {
  write(5000);
  const auto run = read_recording(file_);
  EXPECT_TRUE(run.all_accesses);
  ASSERT_EQ(run.pes.size(), 2U);
  EXPECT_TRUE(run.pes[0].ended);
  EXPECT_FALSE(run.pes[1].ended);
  ASSERT_EQ(run.sites.size(), 2U); // the same place, for both
  EXPECT_EQ(place_of(run.sites[1]), "a.c:14:5");
  EXPECT_EQ(run.sites[1][1].function, "main");
  EXPECT_EQ(run.teams, (std::vector<std::vector<int>>{{0, 1}, {1}}));
  ASSERT_EQ(run.pes[1].events.size(), 5000U);
  for (int i = 0; i < 5000; ++i) {
    const auto& one = run.pes[1].events[static_cast<std::size_t>(i)];
    const auto expected = example(7, i);
    EXPECT_EQ(one.site, 1U);
    EXPECT_EQ(one.team, 1U);
    EXPECT_EQ(one.begin_ns, expected.begin_ns);
    EXPECT_EQ(one.end_ns, expected.end_ns);
    EXPECT_EQ(one.peer, expected.peer);
    EXPECT_EQ(one.blocking, expected.blocking);
    EXPECT_EQ(one.floating, expected.floating);
    EXPECT_EQ(one.of_shared, expected.of_shared);
    EXPECT_EQ(one.local, expected.local);
    EXPECT_EQ(one.remote, expected.remote);
    EXPECT_EQ(one.word, expected.word);
    EXPECT_EQ(one.recorder_ns, expected.recorder_ns);
  }
}

TEST_F(Recording, ThatIsCutOffIsReadAsFarAsItGoes) {
  write(5000);
  const auto whole = bytes();
  replace(whole.substr(0, whole.size() * 2 / 3));
  const auto run = read_recording(file_);
  EXPECT_FALSE(run.pes[0].ended);
  EXPECT_GT(run.pes[0].events.size(), 2000U);
  EXPECT_LT(run.pes[0].events.size(), 5000U);
}

TEST_F(Recording, IsNoneWithoutAWholeBlock) {
  write(10);
  const auto whole = bytes();
  for (std::size_t left = 1; left <= 50; ++left) {
    replace(whole.substr(0, left));
    expect_complaint("cut off before the end of its first block");
  }
}

TEST_F(Recording, SaysWhatIsWrong) {
  // the file of each case takes the place of the one before
  expect_complaint("cannot be read");
  std::filesystem::create_directory(file_);
  expect_complaint("is a folder");
  std::filesystem::remove(file_);
  replace("");
  expect_complaint("not compiled with -foverlap");
  replace("something that is no recording");
  expect_complaint("is no recording");
  std::filesystem::remove(file_);
  write(10);
  auto text = bytes();
  text.back() ^= 1;
  replace(text);
  expect_complaint("a block has changed");
  text = bytes();
  text[4] = 99;
  replace(text);
  expect_complaint("format 99");
}

} // namespace
} // namespace windrow::overlap
