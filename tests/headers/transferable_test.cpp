// SPDX-License-Identifier: BSD-3-Clause
// Which types may travel.
#include <array>
#include <chrono>
#include <complex>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "windrow/detail/owner_call.hpp"
#include "windrow/types.hpp"

namespace windrow::transferable_test {

enum class colour : std::uint8_t { red };
struct empty {};
struct numbers {
  std::int32_t x;
  double y;
  colour c;
};
struct nested {
  numbers one;
  numbers many[3];
  std::array<std::array<numbers, 2>, 5> more;
  std::complex<float> z;
  global_ptr<numbers> at;
  symmetric<int> here;
  local_ptr<int> mine;
};
struct bit_fields {
  unsigned a : 3;
  unsigned : 5;
  unsigned b : 24;
  bool c : 1;
};
struct initialized {
  const int x = 3;
  char text[500] = "";
};
struct of_16 {
  int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p;
};
static_assert(transferable<int> && transferable<const double> && transferable<bool> && transferable<colour>);
static_assert(transferable<int[2][3]> && transferable<std::byte>);
static_assert(transferable<empty> && transferable<numbers> && transferable<nested> &&
              transferable<bit_fields>);
static_assert(transferable<initialized> && transferable<of_16> && transferable<std::array<empty, 0>>);
static_assert(transferable<global_ptr<nested>> && transferable<std::complex<double>>);

struct with_pointer {
  int a;
  const char* name;
};
struct with_array_of_pointers {
  int* all[2];
};
struct with_function {
  void (*f)();
};
struct with_member_pointer {
  int numbers::* which;
};
struct with_span {
  std::span<const int> values;
  int n;
};
struct with_text {
  int n;
  std::string_view text;
};
struct with_reference {
  int& x;
};
struct with_reference_of_its_own {
  static inline int other;
  int& x = other;
};
struct with_rvalue_reference {
  int&& x;
};
struct deep {
  int a;
  std::array<nested, 2> b;
  struct {
    with_pointer p[2];
  } c;
};
struct with_optional_pointer {
  std::optional<int*> p;
};
struct with_wrapper {
  std::reference_wrapper<int> r;
};
static_assert(!transferable<int*> && !transferable<void (*)()> && !transferable<int numbers::*>);
static_assert(!transferable<std::nullptr_t> && !transferable<int* [3]> &&
              !transferable<std::array<char*, 2>>);
static_assert(!transferable<with_pointer> && !transferable<with_array_of_pointers> &&
              !transferable<with_function>);
static_assert(!transferable<with_member_pointer> && !transferable<with_span> && !transferable<with_text>);
static_assert(!transferable<with_reference> && !transferable<with_reference_of_its_own>);
static_assert(!transferable<with_rvalue_reference> && !transferable<deep>);
static_assert(!transferable<with_optional_pointer> && !transferable<with_wrapper>);
static_assert(!transferable<std::span<int>> && !transferable<std::string_view>);

// Those whose members are not seen.
struct derived : numbers {
  int z;
};
struct derived_from_empty : empty {
  int z;
};
union either {
  int i;
  float f;
};
struct with_union {
  int kind;
  either value;
};
class hidden {
 public:
  explicit hidden(int x) : x_(x) {}
  int x() const { return x_; }

 private:
  int x_;
};
struct of_17 {
  int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q;
};
static_assert(!transferable<derived> && !transferable<derived_from_empty> && !transferable<either>);
static_assert(!transferable<with_union> && !transferable<hidden> && !transferable<of_17>);
static_assert(!transferable<std::chrono::nanoseconds> && !transferable<std::optional<int>>);

// Those that say so.
class declared {
 public:
  declared() = default;
  int x() const { return x_; }

 private:
  int x_ = 0;
};
struct anonymous_union {
  int kind;
  union {
    int i;
    float f;
  };
};
struct holds_declared {
  declared one;
  anonymous_union other;
};
class owning {
 public:
  ~owning() {} // NOLINT(modernize-use-equals-default)
};

} // namespace windrow::transferable_test

template <>
inline constexpr bool windrow::is_transferable<windrow::transferable_test::declared> = true;
template <>
inline constexpr bool windrow::is_transferable<windrow::transferable_test::anonymous_union> = true;
template <>
inline constexpr bool windrow::is_transferable<windrow::transferable_test::owning> = true;

namespace windrow::transferable_test {

static_assert(transferable<declared> && transferable<anonymous_union> && transferable<holds_declared>);
static_assert(!transferable<owning>, "what is said of a type that is not trivially copyable means nothing");

} // namespace windrow::transferable_test
