// SPDX-License-Identifier: BSD-3-Clause
// Energy counters, as recorded on machines that have them: the files of this test are laid out like theirs.
#include "apps/runner/energy.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

namespace windrow::apps {
namespace {

namespace fs = std::filesystem;

class Energy : public testing::Test {
 protected:
  void TearDown() override { fs::remove_all(root_); }

  void write(const std::string& file, const std::string& text) {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text << '\n';
  }
  void zone(const std::string& folder, const std::string& name, std::uint64_t range = 262143328850) {
    write("sys/class/powercap/" + folder + "/name", name);
    write("sys/class/powercap/" + folder + "/max_energy_range_uj", std::to_string(range));
    microjoules(folder, 0);
  }
  void microjoules(const std::string& folder, std::uint64_t value) {
    write("sys/class/powercap/" + folder + "/energy_uj", std::to_string(value));
  }
  /// Two sockets with memory, as a Xeon shows them.
  void two_sockets() {
    for (const std::string socket : {"0", "1"}) {
      zone("intel-rapl:" + socket, "package-" + socket);
      zone("intel-rapl:" + socket + ":0", "core");
      zone("intel-rapl:" + socket + ":1", "dram", 65712999613);
    }
    zone("intel-rapl:2", "psys");
    zone("intel-rapl-mmio:0", "package-0");
  }

  const fs::path root_ = fs::path(testing::TempDir()) / fmt::format("windrow energy {}", getpid());
};

TEST_F(Energy, NoCountersNoJoules) {
  const energy_meter meter(root_);
  EXPECT_FALSE(meter.present());
  EXPECT_TRUE(meter.joules(meter.read(), meter.read()).empty());
  EXPECT_NE(meter.source().find("no energy counters"), std::string::npos);
}

TEST_F(Energy, PackagesAndMemoryOfAllSocketsAddUpOnce) {
  two_sockets();
  const energy_meter meter(root_);
  ASSERT_TRUE(meter.present());
  EXPECT_EQ(meter.source(), (root_ / "sys/class/powercap").string());
  microjoules("intel-rapl:0", 1'000'000);
  microjoules("intel-rapl:1", 5);
  const auto before = meter.read();
  microjoules("intel-rapl:0", 3'500'000);
  microjoules("intel-rapl:0:0", 2'000'000); // in the package
  microjoules("intel-rapl:0:1", 250'000);
  microjoules("intel-rapl:1", 1'000'005);
  microjoules("intel-rapl:1:1", 500'000);
  microjoules("intel-rapl:2", 9'000'000);
  microjoules("intel-rapl-mmio:0", 9'000'000);
  const auto joules = meter.joules(before, meter.read());
  ASSERT_EQ(joules.size(), 2u);
  EXPECT_NEAR(joules.at("cpu"), 3.5, 1e-9);
  EXPECT_NEAR(joules.at("memory"), 0.75, 1e-9);
}

// 100 W at 10 readings a second, over three ends of a small range: what the phases add up to is what was
// spent.
TEST_F(Energy, WrapsAreCounted) {
  constexpr std::uint64_t range = 99'999'999;
  zone("intel-rapl:0", "package-0", range);
  const energy_meter meter(root_);
  double sum = 0;
  std::uint64_t spent = 60'000'000;
  microjoules("intel-rapl:0", spent);
  auto before = meter.read();
  for (int reading = 0; reading < 30; ++reading) {
    spent += 10'000'000;
    microjoules("intel-rapl:0", spent % (range + 1));
    const auto after = meter.read();
    sum += meter.joules(before, after).at("cpu");
    before = after;
  }
  EXPECT_NEAR(sum, 300.0, 1e-6);
}

TEST_F(Energy, CrayCountersAreReadWithTheirUnits) {
  zone("intel-rapl:0", "package-0"); // what the node itself counts comes first
  write("sys/cray/pm_counters/energy", "81234567 J 1700000000000000 us");
  write("sys/cray/pm_counters/cpu_energy", "1000 J 1700000000000000 us");
  write("sys/cray/pm_counters/memory_energy", "500 J 1700000000000000 us");
  const energy_meter meter(root_);
  EXPECT_EQ(meter.source(), (root_ / "sys/cray/pm_counters").string());
  const auto before = meter.read();
  write("sys/cray/pm_counters/energy", "81234767 J 1700000001000000 us");
  write("sys/cray/pm_counters/cpu_energy", "1103 J 1700000001000000 us");
  write("sys/cray/pm_counters/memory_energy", "591 J 1700000001000000 us");
  const std::map<std::string, double> expected{{"cpu", 103}, {"memory", 91}, {"node", 200}};
  EXPECT_EQ(meter.joules(before, meter.read()), expected);
}

TEST_F(Energy, ACounterThatStartsAgainSaysNothing) {
  write("sys/cray/pm_counters/energy", "5000 J");
  const energy_meter meter(root_);
  const auto before = meter.read();
  write("sys/cray/pm_counters/energy", "10 J");
  EXPECT_TRUE(meter.joules(before, meter.read()).empty());
}

TEST_F(Energy, CountersThatCannotBeReadAreTold) {
  zone("intel-rapl:0", "package-0");
  fs::remove(root_ / "sys/class/powercap/intel-rapl:0/energy_uj");
  const energy_meter meter(root_);
  EXPECT_FALSE(meter.present());
  EXPECT_NE(meter.source().find("cannot be read"), std::string::npos);
}

} // namespace
} // namespace windrow::apps
