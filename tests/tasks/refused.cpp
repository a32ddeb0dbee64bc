// SPDX-License-Identifier: BSD-3-Clause
// Each of these must not compile, for the reason that CMakeLists.txt names. Without a case it must.
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "windrow/windrow.hpp"

namespace {

[[maybe_unused]] int doubled(int n) {
  return 2 * n;
}

void use(windrow::job& j) {
  int local = 1;
  windrow::context ctx(j, windrow::aggregate);
  const auto table = j.array<std::uint64_t>(10);
#if defined CALL_WITH_CAPTURES
  windrow::call(0, [local] { return local; });
#elif defined CALL_OF_A_NAMED_FUNCTION
  windrow::call(0, doubled, 21);
#elif defined PORTABLE_WITH_CAPTURES
  windrow::async_portable([local] { (void)local; });
#elif defined PORTABLE_THAT_IS_TOO_LARGE
  windrow::async_portable([](const std::array<int, 24>&) {}, std::array<int, 24>{});
#elif defined CALL_WITH_POINTER
  windrow::call(0, [](int* p) { return *p; }, &local);
#elif defined CALL_THAT_RETURNS_A_POINTER
  windrow::call(0, [] { return static_cast<int*>(nullptr); });
#elif defined CALL_OF_ANOTHER_FUNCTION
  windrow::call(0, [](windrow::job&) { return 1; }, 5);
#elif defined OWNER_WITH_CAPTURES
  ctx.fetch_inc(table[0]).then_at_owner([&local](std::uint64_t, int) { ++local; }, 1);
#elif defined OWNER_WITH_POINTER
  ctx.fetch_inc(table[0]).then_at_owner([](std::uint64_t, int* p) { ++*p; }, &local);
#elif defined FUTURE_OF_ANOTHER_TYPE
  windrow::future<float> wrong = ctx.get(table[0]);
#elif defined CALL_WITH_VIEW_IN_STRUCTURE
  struct named {
    int number;
    std::string_view name;
  };
  windrow::call(0, [](named n) { return n.number; }, named{1, "one"});
#elif defined BROADCAST_OF_A_FIXED_SPAN
  std::array<char, 8> text{};
  j.world().broadcast(std::span(text), 0);
#elif defined CONTINUATION_OF_ANOTHER_TYPE
  windrow::async_future([] { return 1; }).then([](int* p) { ++*p; });
#elif defined CONTINUATION_OF_ONE_RESULT
  windrow::when_all(windrow::async_future([] { return 1; }), ctx.get(table[0])).then([](int) {});
#elif defined INDICES_THAT_ARE_NONE
  const double wrong[] = {0.5};
  table.add(wrong, 1);
#else
  windrow::call(0, [](int n) { return n; }, local);
  ctx.fetch_inc(table[0]).then_at_owner([](std::uint64_t, int) {}, local);
#endif
}

} // namespace

int main() {
  windrow::job j;
  use(j);
}
