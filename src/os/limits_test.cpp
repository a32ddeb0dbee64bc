// SPDX-License-Identifier: BSD-3-Clause
// What a process may use, on systems that are not this one.
#include <gtest/gtest.h>
#include <sched.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>

#include "os/control_group.hpp"
#include "os/cpu.hpp"

namespace {

int processors_of_machine = 0; ///< 0: this machine's own answer

}

// As the kernel does: too small a set is refused, and a thread may run on every second processor.
extern "C" int sched_getaffinity(pid_t, std::size_t bytes, cpu_set_t* set) noexcept {
  if (bytes * 8 < static_cast<std::size_t>(processors_of_machine)) return errno = EINVAL, -1;
  CPU_ZERO_S(bytes, set);
  for (int i = 0; i < processors_of_machine; i += 2) CPU_SET_S(static_cast<std::size_t>(i), bytes, set);
  return 0;
}

namespace windrow::os {
namespace {

TEST(processors, of_machines_of_all_sizes_are_counted) {
  for (const int machine : {2, 64, 1024, 1026, 4096, 8192}) {
    processors_of_machine = machine;
    EXPECT_EQ(static_cast<int>(allowed_processors().count()), machine / 2);
  }
}

class groups : public testing::Test {
 protected:
  void write(const std::string& path, const std::string& text) {
    const auto file = root_ / path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  control_groups of(const std::string& membership) {
    write("membership", membership);
    return control_groups((root_ / "membership").string(), (root_ / "mount").string());
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

 private:
  std::filesystem::path root_ =
      std::filesystem::temp_directory_path() / ("windrow_limits_test." + std::to_string(::getpid()));
};

TEST_F(groups, without_limits_there_are_none) {
  write("mount/job/memory.max", "max\n");
  write("mount/job/cpu.max", "max 100000\n");
  EXPECT_FALSE(of("0::/job\n").memory());
  EXPECT_FALSE(of("0::/job\n").processors());
  EXPECT_FALSE(of("").memory());
}

TEST_F(groups, the_smallest_limit_on_the_way_to_the_root_counts) {
  write("mount/slurm/memory.max", "8000000\n");
  write("mount/slurm/job/memory.max", "3000000\n");
  write("mount/slurm/job/step/memory.max", "max\n");
  write("mount/slurm/cpu.max", "150000 100000\n");
  write("mount/slurm/job/cpu.max", "400000 100000\n");
  const auto here = of("0::/slurm/job/step\n");
  EXPECT_EQ(here.memory(), 3000000U);
  EXPECT_EQ(here.processors(), 1.5);
}

TEST_F(groups, a_container_sees_its_own_group_as_the_root) {
  write("mount/memory.max", "5000000\n");
  EXPECT_EQ(of("0::/\n").memory(), 5000000U);
  EXPECT_EQ(of("0::/../not/visible\n").memory(), 5000000U);
}

TEST_F(groups, of_version_1) {
  write("mount/memory/a/memory.limit_in_bytes", "7000000\n");
  write("mount/memory/memory.limit_in_bytes", "9223372036854771712\n");
  write("mount/cpu/a/b/cpu.cfs_quota_us", "-1\n");
  write("mount/cpu/a/b/cpu.cfs_period_us", "100000\n");
  write("mount/cpu/a/cpu.cfs_quota_us", "250000\n");
  write("mount/cpu/a/cpu.cfs_period_us", "100000\n");
  const auto here = of("12:cpu,cpuacct:/a/b\n11:memory:/a/b\n0::/c\n");
  EXPECT_EQ(here.memory(), 7000000U);
  EXPECT_EQ(here.processors(), 2.5);
}

} // namespace
} // namespace windrow::os
