// SPDX-License-Identifier: BSD-3-Clause
// Classes as bytes, by cereal.
#include <gtest/gtest.h>

#include <cereal/types/map.hpp>
#include <cereal/types/polymorphic.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "windrow/detail/object_bytes.hpp"

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

TEST(archives, what_reads_and_what_writes_must_agree) {
  EXPECT_EXIT(through_bytes(reads_more()), testing::ExitedWithCode(1),
              "written in 12 bytes, and is read as 16: its serialize does not read what it writes");
  EXPECT_EXIT(through_bytes(reads_less()), testing::ExitedWithCode(1),
              "written in 24 bytes, and is read as 12");
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
