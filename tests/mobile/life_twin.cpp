// SPDX-License-Identifier: BSD-3-Clause
// A class that has the name of another one, in life.cpp.
#include "windrow/mobile.hpp"

void make_other_twin(windrow::object_space&);

namespace {

struct twin {
  float height[3] = {};
};

} // namespace

void make_other_twin(windrow::object_space& space) {
  space.make<twin>();
}
