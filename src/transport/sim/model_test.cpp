// SPDX-License-Identifier: BSD-3-Clause
#include "transport/sim/model.hpp"

#include <gtest/gtest.h>

#include "windrow/error.hpp"

namespace windrow::transport {
namespace {

constexpr auto complete = R"(
# a comment
pes_per_host = 4
near.latency = 150ns
near.overhead=60ns   # behind a value
near.gap = 0
near.per_byte = 0.08ns
far.latency = 1.5us
far.overhead = 0.25 us
far.gap = 5000ps
far.per_byte = 0.04ns
direct = 15ns
poll = 1ns
item.sent = 2ns
item.handled = 2.5ns
)";

std::string without(const std::string& line) {
  std::string text = complete;
  text.erase(text.find(line), text.find('\n', text.find(line)) - text.find(line));
  return text;
}

std::string complaint(const std::string& text) {
  try {
    parse_model(text, "my.model");
  } catch (const error& e) {
    return e.what();
  }
  return "none";
}

TEST(model, is_read_to_the_picosecond) {
  const auto m = parse_model(complete, "my.model");
  EXPECT_EQ(m.pes_per_host, 4);
  EXPECT_EQ(m.near.latency_ps, 150'000U);
  EXPECT_EQ(m.near.per_byte_ps, 80U);
  EXPECT_EQ(m.far.latency_ps, 1'500'000U);
  EXPECT_EQ(m.far.overhead_ps, 250'000U);
  EXPECT_EQ(m.far.gap_ps, 5000U);
  EXPECT_EQ(m.far.per_byte_ps, 40U);
  EXPECT_EQ(m.item_handled_ps, 2500U);
  EXPECT_TRUE(m.is_near(4, 7));
  EXPECT_FALSE(m.is_near(3, 4));
}

TEST(model, complains_with_the_line) {
  EXPECT_EQ(complaint(without("far.gap")), "my.model: a value for far.gap is missing");
  EXPECT_EQ(complaint(without("pes_per_host")), "my.model: a value for pes_per_host is missing");
  EXPECT_EQ(complaint("\nnear.gap = 5\n"),
            "my.model, line 2: near.gap '5' is not a time such as 0.08ns, 1.2us or 0");
  EXPECT_EQ(complaint("near.gap = -1ns"),
            "my.model, line 1: near.gap '-1ns' is not a time such as 0.08ns, 1.2us or 0");
  EXPECT_EQ(complaint("near.gap = nanns"),
            "my.model, line 1: near.gap 'nanns' is not a time such as 0.08ns, 1.2us or 0");
  EXPECT_EQ(complaint("hello"), "my.model, line 1: 'hello' is not of the form name = value");
  EXPECT_EQ(complaint("pes_per_host = 0"),
            "my.model, line 1: pes_per_host '0' is not a whole number from 1 to 4096");
  EXPECT_TRUE(complaint("far.speed = 1ns")
                  .starts_with("my.model, line 1: there is no parameter 'far.speed'; a model has "));
  EXPECT_EQ(complaint(without("poll") + "poll = 0"), "my.model: poll and direct must take at least 1ns");
}

TEST(model, presets_are_complete) {
  const auto names = preset_names();
  for (const auto* expected : {"shared-memory", "hdr", "slingshot11", "cloud"})
    EXPECT_NE(std::find(names.begin(), names.end(), expected), names.end()) << expected;
  for (const auto name : names) {
    const auto m = model_named(std::string(name));
    EXPECT_EQ(m.name, name);
    EXPECT_GT(m.far.latency_ps, 0U);
  }
}

TEST(model, values_behind_the_name_replace_its_own) {
  const auto m = model_named("cloud,pes_per_host=8, far.latency=50us");
  EXPECT_EQ(m.pes_per_host, 8);
  EXPECT_EQ(m.far.latency_ps, 50'000'000U);
  EXPECT_EQ(m.far.overhead_ps, model_named("cloud").far.overhead_ps);
  EXPECT_THROW(model_named("cloud,latency"), error);
  EXPECT_THROW(model_named("/nonexistent.model"), error);
}

} // namespace
} // namespace windrow::transport
