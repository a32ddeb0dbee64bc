// SPDX-License-Identifier: BSD-3-Clause
// Classes as bytes, by cereal.
#include <gtest/gtest.h>

#include <array>
#include <cereal/types/array.hpp>
#include <cereal/types/map.hpp>
#include <cereal/types/optional.hpp>
#include <cereal/types/polymorphic.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/utility.hpp>
#include <cereal/types/vector.hpp>
#include <complex>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "windrow/error.hpp"
#include "windrow/mobile.hpp"

namespace windrow::mobile {
namespace {

template <class T>
T through_bytes(const T& value) {
  std::vector<std::byte> bytes;
  save(value, bytes);
  T result{};
  load(result, bytes);
  return result;
}

TEST(archives, take_what_cereal_takes) {
  const std::map<std::string, std::vector<double>> m{{"one", {1.5}}, {"none", {}}, {"two", {2, -2}}};
  EXPECT_EQ(through_bytes(m), m);
  EXPECT_EQ(through_bytes(std::vector<bool>{true, false, true}), (std::vector<bool>{true, false, true}));
}

// Parts of others: plain ones as bytes, and those that say how by what they say.
struct point {
  double x, y;
  auto operator<=>(const point&) const = default;
};
enum class colour : std::uint8_t { red, blue };
struct empty {};
struct one_of_two {
  int a = 1, b = 2;
  template <class Archive>
  void serialize(Archive& archive) {
    archive(a);
  }
};
struct from_outside {
  int a = 1, b = 2;
};
template <class Archive>
void serialize(Archive& archive, from_outside& value) {
  archive(value.a);
}
struct in_halves {
  int a = 1, b = 2;
  template <class Archive>
  void save(Archive& archive) const {
    archive(b);
  }
  template <class Archive>
  void load(Archive& archive) {
    archive(a);
  }
};
struct of_a_version {
  int a = 1, b = 2;
  template <class Archive>
  void serialize(Archive& archive, std::uint32_t version) {
    archive(a);
    if (version == 0) archive(b);
  }
};
struct whole {
  std::vector<point> points;
  std::vector<mobile_ptr<whole>> others;
  std::map<point, std::optional<point>> by_point;
  std::vector<std::array<point, 2>> pairs;
  std::vector<std::pair<int, std::complex<float>>> numbers;
  std::vector<colour> colours;
  std::vector<empty> nothing;
  point alone{};
  std::array<int, 3> three{};
  std::vector<one_of_two> some;
  std::vector<from_outside> outside;
  std::vector<in_halves> halves;
  std::vector<of_a_version> versions;

  template <class Archive>
  void serialize(Archive& a) {
    a(points, others, by_point, pairs, numbers, colours, nothing, alone, three, some, outside, halves,
      versions);
  }
};

} // namespace
} // namespace windrow::mobile

CEREAL_CLASS_VERSION(windrow::mobile::of_a_version, 3)

namespace windrow::mobile {
namespace {

TEST(archives, take_plain_classes_inside_others) {
  const whole before{.points = {{1, 2}, {3, 4}},
                     .others = {mobile_ptr<whole>(7), {}},
                     .by_point = {{{5, 6}, point{7, 8}}, {{9, 10}, {}}},
                     .pairs = {{point{1, 2}, point{3, 4}}},
                     .numbers = {{3, {4, 5}}},
                     .colours = {colour::blue, colour::red},
                     .nothing = {{}, {}},
                     .alone = {11, 12},
                     .three = {1, 2, 3},
                     .some = {{5, 6}},
                     .outside = {{5, 6}},
                     .halves = {{5, 6}},
                     .versions = {{5, 6}}};
  const auto after = through_bytes(before);
  EXPECT_EQ(after.points, before.points);
  EXPECT_EQ(after.others, before.others);
  EXPECT_EQ(after.by_point, before.by_point);
  EXPECT_EQ(after.pairs, before.pairs);
  EXPECT_EQ(after.numbers, before.numbers);
  EXPECT_EQ(after.colours, before.colours);
  EXPECT_EQ(after.nothing.size(), 2U);
  EXPECT_EQ(after.alone, before.alone);
  EXPECT_EQ(after.three, before.three);
  // What they leave out is what it was when the vector made them.
  EXPECT_EQ(std::pair(after.some[0].a, after.some[0].b), std::pair(5, 2));
  EXPECT_EQ(std::pair(after.outside[0].a, after.outside[0].b), std::pair(5, 2));
  EXPECT_EQ(std::pair(after.halves[0].a, after.halves[0].b), std::pair(6, 2));
  EXPECT_EQ(std::pair(after.versions[0].a, after.versions[0].b), std::pair(5, 2));
}

// Alone, too, and in an array.
TEST(archives, take_classes_as_they_say_although_they_are_plain) {
  const one_of_two changed{5, 6};
  EXPECT_EQ(through_bytes(changed).a, 5);
  EXPECT_EQ(through_bytes(changed).b, 2);
  EXPECT_EQ(through_bytes(in_halves{5, 6}).a, 6);
  EXPECT_EQ(through_bytes(from_outside{5, 6}).b, 2);
  EXPECT_EQ(through_bytes(of_a_version{5, 6}).b, 2);
  EXPECT_EQ((through_bytes(std::array<one_of_two, 2>{changed, changed})[1].b), 2);
  static_assert(!is_plain<one_of_two> && is_plain<point> && is_plain<std::array<point, 2>> &&
                is_plain<std::complex<float>> && is_plain<mobile_ptr<whole>>);
}

struct at_the_end {
  int first = 1, last = 2;
  template <class Archive>
  void serialize(Archive& archive) {
    archive(cereal::defer(last), first);
  }
};

TEST(archives, take_what_is_deferred) {
  const auto after = through_bytes(std::vector<at_the_end>{{3, 4}, {5, 6}});
  EXPECT_EQ(std::pair(after[0].first, after[0].last), std::pair(3, 4));
  EXPECT_EQ(std::pair(after[1].first, after[1].last), std::pair(5, 6));
}

struct reads_more {
  std::string text = "four";
  template <class Archive>
  void save(Archive& a) const {
    a(text);
  }
  template <class Archive>
  void load(Archive& a) {
    int more;
    a(text, more);
  }
};
struct reads_less {
  std::string text = "four";
  template <class Archive>
  void save(Archive& a) const {
    a(text, text);
  }
  template <class Archive>
  void load(Archive& a) {
    a(text);
  }
};

template <class T>
std::string refusal_of(const T& value) {
  try {
    through_bytes(value);
  } catch (const error& e) {
    return e.what();
  }
  return "nothing";
}

TEST(archives, what_reads_and_what_writes_must_agree) {
  EXPECT_EQ(refusal_of(reads_more()),
            "a mobile object or argument was written in 12 bytes, and is read as 16: its serialize does not "
            "read what it writes");
  EXPECT_NE(refusal_of(reads_less()).find("written in 24 bytes, and is read as 12:"), std::string::npos);
}

} // namespace

struct shape {
  virtual ~shape() = default;
  virtual double area() const = 0;
};
struct square final : shape {
  double side = 0;
  double area() const override { return side * side; }
  template <class Archive>
  void serialize(Archive& a) {
    a(side);
  }
};

namespace {

TEST(archives, keep_the_class_behind_a_base) {
  std::unique_ptr<shape> s = std::make_unique<square>();
  static_cast<square&>(*s).side = 3;
  std::vector<std::byte> bytes;
  save(s, bytes);
  std::unique_ptr<shape> copy;
  load(copy, bytes);
  EXPECT_EQ(copy->area(), 9);
}

} // namespace
} // namespace windrow::mobile

CEREAL_REGISTER_TYPE(windrow::mobile::square)
CEREAL_REGISTER_POLYMORPHIC_RELATION(windrow::mobile::shape, windrow::mobile::square)
