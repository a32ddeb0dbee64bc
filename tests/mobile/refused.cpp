// SPDX-License-Identifier: BSD-3-Clause
// Each of these must not compile, for the reason that CMakeLists.txt names. Without a case it must.
#include <array>
#include <map>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

#include "windrow/mobile.hpp"
#include "windrow/multicast.hpp"

namespace {

struct plain {
  int value;
  void set(int v) { value = v; }
  void take(std::span<const int>) {}
  void point(const int*) {}
  void change(int&) {}
  void scribble(std::span<int>) {}
  std::string_view view() const { return {}; }
  std::span<int> places() { return {}; }
  void change_here(int v) & { value = v; }
  int look_here() const& noexcept { return value; }
  void move_out() && {}
};
struct alignas(64) wide {
  double values[8];
};
struct aligned {
  void take(const wide&) {}
  void take_all(std::span<const wide>) {}
  wide give() const { return {}; }
};
struct other {
  void set(int) {}
};
struct rich {
  std::map<int, int> values;
};
struct based : plain {
  int more;
};

void exchange(plain&, plain&, double) {}
void take_all(std::span<plain* const>) noexcept {}
[[maybe_unused]] void change_too(plain&, int&) {}
[[maybe_unused]] void scribble_too(plain&, std::span<int>) {}

void use(windrow::object_space& space) {
  const auto p = space.make<plain>();
  p.send<&plain::set>(1);
  const std::array<int, 2> two{};
  p.send<&plain::take>(two);
  p.send<&plain::change_here>(1);
  p.call<&plain::look_here>();
  windrow::multicast<exchange>(std::tuple(p, p), 1);
  windrow::multicast<take_all>(std::vector{p});
  static_assert(std::is_same_v<decltype(p.call<&plain::set>(1)), windrow::future<void>>);
#if defined POINTER
  p.send<&plain::point>(nullptr);
#elif defined REFERENCE
  p.send<&plain::change>(1);
#elif defined SPAN_OF_MUTABLE
  std::array<int, 2> mine{};
  p.send<&plain::scribble>(mine);
#elif defined SPAN_OF_ALIGNED
  space.make<aligned>().send<&aligned::take_all>(std::vector<wide>(2));
#elif defined ALIGNED
  space.make<aligned>().send<&aligned::take>(wide());
#elif defined ALIGNED_RESULT
  space.make<aligned>().call<&aligned::give>();
#elif defined RVALUE_FUNCTION
  p.send<&plain::move_out>();
#elif defined OTHER_CLASS
  p.send<&other::set>(1);
#elif defined TOO_FEW_ARGUMENTS
  p.send<&plain::set>();
#elif defined VIEW_AS_RESULT
  p.call<&plain::view>();
#elif defined SPAN_AS_RESULT
  p.call<&plain::places>();
#elif defined MULTICAST_REFERENCE
  windrow::multicast<change_too>(std::tuple(p), 1);
#elif defined MULTICAST_SPAN_OF_MUTABLE
  std::array<int, 2> mine{};
  windrow::multicast<scribble_too>(std::tuple(p), mine);
#elif defined MULTICAST_TOO_FEW_ARGUMENTS
  windrow::multicast<exchange>(std::tuple(p, p));
#elif defined MULTICAST_TOO_MANY_OBJECTS
  windrow::multicast<exchange>(std::tuple(p, p, p, p));
#elif defined NO_SERIALIZE
  space.make<rich>();
#elif defined BASE
  space.make<based>();
#elif defined NO_DEFAULT
  struct made {
    explicit made(int) {}
  };
  space.make<made>(1);
#elif defined NO_DEFAULT_IN_COLLECTION
  struct made {
    explicit made(int) {}
  };
  windrow::collection<made> all(space, 3, [](std::uint64_t) { return made(1); });
#endif
}

} // namespace

int main() {
  windrow::job j;
  windrow::object_space space(j);
  use(space);
}
