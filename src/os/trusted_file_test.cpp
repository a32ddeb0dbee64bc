// SPDX-License-Identifier: BSD-3-Clause
#include "os/trusted_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace {

class trusted_file : public testing::Test {
 protected:
  void SetUp() override {
    std::array<char, 32> name{"/tmp/windrow_trusted_XXXXXX"};
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name.data();
    file_ = folder_ + "/module.so";
    std::ofstream(file_) << "x";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string folder_, file_;
};

TEST_F(trusted_file, is_one_of_the_user) {
  EXPECT_TRUE(windrow::os::is_trusted_file(file_));
  EXPECT_FALSE(windrow::os::is_trusted_file(folder_ + "/absent.so"));
}

TEST_F(trusted_file, is_one_of_root) {
  struct stat about{};
  ASSERT_EQ(::stat("/etc/passwd", &about), 0);
  if (about.st_uid != 0) GTEST_SKIP() << "root has no number in this user name space";
  EXPECT_TRUE(windrow::os::is_trusted_file("/etc/passwd"));
}

TEST_F(trusted_file, is_not_one_that_anybody_can_change) {
  ::chmod(file_.c_str(), 0646);
  EXPECT_FALSE(windrow::os::is_trusted_file(file_));
}

TEST_F(trusted_file, is_not_in_a_folder_that_anybody_can_change) {
  ::chmod(folder_.c_str(), 0757);
  EXPECT_FALSE(windrow::os::is_trusted_file(file_));
}

TEST_F(trusted_file, is_no_link) {
  const auto link = folder_ + "/link.so";
  std::filesystem::create_symlink(file_, link);
  EXPECT_FALSE(windrow::os::is_trusted_file(link));
}

TEST_F(trusted_file, is_not_one_of_somebody_else) {
  constexpr uid_t nobody = 65534;
  if (::geteuid() == nobody || ::chown(file_.c_str(), nobody, nobody) != 0)
    GTEST_SKIP() << "only root can give a file away";
  EXPECT_FALSE(windrow::os::is_trusted_file(file_));
}

} // namespace
