// SPDX-License-Identifier: BSD-3-Clause
// Sums of constants and of what is not known. Numbers of the program may overflow, which means nothing here.
#pragma once

#include <llvm/IR/Operator.h>

#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "compiler/common/llvm/names.hpp"

namespace windrow::compiler::defer {

/// Something that is not known, so many times.
using term = std::pair<unsigned, int64_t>;

/// Further than any two addresses are apart.
constexpr int64_t far = int64_t{1} << 60;

/// Of numbers of more than 64 bits, the lower 64.
struct number {
  std::vector<term> unknowns; ///< in order
  int64_t constant = 0;
  int64_t spread = 0;  ///< so much more it may be
  bool counts = false; ///< made of what the loops change; not compared
  bool bends = false;  ///< and not by the same in each round, perhaps; not compared

  bool is_exact() const { return spread == 0; }
  bool is_known() const { return unknowns.empty() && is_exact(); }
  auto operator<=>(const number& other) const {
    return std::tie(unknowns, constant, spread) <=> std::tie(other.unknowns, other.constant, other.spread);
  }
  bool operator==(const number& other) const { return (*this <=> other) == 0; }
};

/// Nothing is known of it but what it is added to.
inline number anything() {
  return {{}, -far, 2 * far, true};
}
/// One of the two, which differ by a constant.
std::optional<number> either(const number& one, const number& other);

number difference(const number& one, const number& other);
number added(const number& one, const number& other, int64_t times);
number multiplied(const number& one, int64_t factor);
/// What is made of a number by anything but sums and constant factors.
number bent(number value);
int64_t sum_of(int64_t one, int64_t other, int64_t times);
int64_t wrapped(uint64_t value);

/// Numbers of fewer bits are kept with their sign.
number fitted(number value, const Type& type);
uint64_t without_sign(int64_t value, unsigned bits);

/// Of two constants; nothing if it is not known.
std::optional<int64_t> of_constants(unsigned how, int64_t left, int64_t right, unsigned bits);

/// Whether it holds between two numbers of that type; nothing if that is not known. Signed numbers and
/// pointers are taken not to overflow.
std::optional<bool> compares(CmpInst::Predicate predicate, const number& left, const number& right,
                             const Type& type);

/// The value of a constant; nothing if it is none.
std::optional<int64_t> constant_of(const Value& value);

struct arithmetic {
  unsigned how; ///< opcode
  const Value *left, *right;
};
/// What is computed of two numbers, also as sanitizers have it checked.
std::optional<arithmetic> arithmetic_of(const Value& value);

} // namespace windrow::compiler::defer
