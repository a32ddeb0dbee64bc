// SPDX-License-Identifier: BSD-3-Clause
// Cells of one type on all PEs under random OpenSHMEM operations of which the outcome is known in advance, as
// far as the standard fixes it.
#pragma once

#include <shmem.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <type_traits>
#include <vector>

namespace fuzz {

using random = std::mt19937_64;

/// The typed routines under one name each. Fetching ones write to `out`: at once, or with `later` at quiet.
template <class T>
struct api;

#define FUZZ_FETCH(verb, out, later, type, ...)                  \
  if (later)                                                     \
    shmem_ctx_##type##_atomic_##verb##_nbi(c, out, __VA_ARGS__); \
  else                                                           \
    *(out) = shmem_ctx_##type##_atomic_##verb(c, __VA_ARGS__);

#define FUZZ_EXTENDED(T, type)                                              \
  static void p(shmem_ctx_t c, T* at, T v, int pe) {                        \
    shmem_ctx_##type##_p(c, at, v, pe);                                     \
  }                                                                         \
  static void put(shmem_ctx_t c, T* at, const T* v, int pe) {               \
    shmem_ctx_##type##_put_nbi(c, at, v, 1, pe);                            \
  }                                                                         \
  static void g(shmem_ctx_t c, bool later, T* out, T* at, int pe) {         \
    if (later)                                                              \
      shmem_ctx_##type##_get_nbi(c, out, at, 1, pe);                        \
    else                                                                    \
      *out = shmem_ctx_##type##_g(c, at, pe);                               \
  }                                                                         \
  static void set(shmem_ctx_t c, T* at, T v, int pe) {                      \
    shmem_ctx_##type##_atomic_set(c, at, v, pe);                            \
  }                                                                         \
  static void fetch(shmem_ctx_t c, bool later, T* out, T* at, int pe) {     \
    FUZZ_FETCH(fetch, out, later, type, at, pe)                             \
  }                                                                         \
  static void swap(shmem_ctx_t c, bool later, T* out, T* at, T v, int pe) { \
    FUZZ_FETCH(swap, out, later, type, at, v, pe)                           \
  }

#define FUZZ_INTEGER(T, type)                                                                     \
  template <>                                                                                     \
  struct api<T> {                                                                                 \
    FUZZ_EXTENDED(T, type)                                                                        \
    static void compare_swap(shmem_ctx_t c, bool later, T* out, T* at, T expected, T v, int pe) { \
      FUZZ_FETCH(compare_swap, out, later, type, at, expected, v, pe)                             \
    }                                                                                             \
    static void inc(shmem_ctx_t c, T* at, int pe) {                                               \
      shmem_ctx_##type##_atomic_inc(c, at, pe);                                                   \
    }                                                                                             \
    static void add(shmem_ctx_t c, T* at, T v, int pe) {                                          \
      shmem_ctx_##type##_atomic_add(c, at, v, pe);                                                \
    }                                                                                             \
    static void bit_and(shmem_ctx_t c, T* at, T v, int pe) {                                      \
      shmem_ctx_##type##_atomic_and(c, at, v, pe);                                                \
    }                                                                                             \
    static void bit_or(shmem_ctx_t c, T* at, T v, int pe) {                                       \
      shmem_ctx_##type##_atomic_or(c, at, v, pe);                                                 \
    }                                                                                             \
    static void bit_xor(shmem_ctx_t c, T* at, T v, int pe) {                                      \
      shmem_ctx_##type##_atomic_xor(c, at, v, pe);                                                \
    }                                                                                             \
    static void fetch_inc(shmem_ctx_t c, bool later, T* out, T* at, int pe) {                     \
      FUZZ_FETCH(fetch_inc, out, later, type, at, pe)                                             \
    }                                                                                             \
    static void fetch_add(shmem_ctx_t c, bool later, T* out, T* at, T v, int pe) {                \
      FUZZ_FETCH(fetch_add, out, later, type, at, v, pe)                                          \
    }                                                                                             \
    static void fetch_and(shmem_ctx_t c, bool later, T* out, T* at, T v, int pe) {                \
      FUZZ_FETCH(fetch_and, out, later, type, at, v, pe)                                          \
    }                                                                                             \
    static void fetch_or(shmem_ctx_t c, bool later, T* out, T* at, T v, int pe) {                 \
      FUZZ_FETCH(fetch_or, out, later, type, at, v, pe)                                           \
    }                                                                                             \
    static void fetch_xor(shmem_ctx_t c, bool later, T* out, T* at, T v, int pe) {                \
      FUZZ_FETCH(fetch_xor, out, later, type, at, v, pe)                                          \
    }                                                                                             \
  };
FUZZ_INTEGER(std::int32_t, int32)
FUZZ_INTEGER(std::uint32_t, uint32)
FUZZ_INTEGER(std::int64_t, int64)
FUZZ_INTEGER(std::uint64_t, uint64)
template <>
struct api<float> {
  FUZZ_EXTENDED(float, float)
};
template <>
struct api<double> {
  FUZZ_EXTENDED(double, double)
};

/// What may happen to a cell within one epoch.
enum class rule : std::uint8_t {
  reads,   ///< only loads: all see the initial value
  ordered, ///< stores by one PE through one context: ordered by fence and quiet, otherwise the last one is
           ///< open
  swaps,   ///< swaps of different values: each value is seen exactly once
  claims,  ///< compare_swap from the initial value: one wins, the others see the winner's value
  sums,    ///< add and inc, fetching or not
  counts,  ///< fetch_inc only: the values before are initial, initial + 1, …
  ands,
  ors,
  xors,
};

enum class verb : std::uint8_t { store, fence, quiet, load, change, fetch_change };

struct operation {
  int pe, context;
  verb what;
  std::uint32_t cell, number; ///< number among the operations of the table: where its result goes
  std::uint64_t operand;
  bool variant, later;
};

template <class T>
class cells {
 public:
  static constexpr std::uint32_t each = 5;      ///< cells of a PE
  static constexpr std::uint32_t most = 1 << 9; ///< operations in an epoch

  /// `table` and `results` are symmetric, of `each` and `most` elements.
  cells(T* table, T* results, int me, int pes)
      : table_(table), results_(results), me_(me), value_(each * static_cast<std::size_t>(pes)) {}

  void begin(random& r, int pes, int contexts) {
    for (std::uint32_t i = 0; i < value_.size(); ++i) {
      value_[i] = cell_state{};
      value_[i].how = static_cast<rule>(r() % (std::is_integral_v<T> ? 9 : 3));
      value_[i].initial = value_[i].now = static_cast<T>(r() % 1000);
      value_[i].pe = static_cast<int>(r() % static_cast<unsigned>(pes));
      value_[i].context = static_cast<int>(r() % static_cast<unsigned>(contexts));
      if (owner(i) == me_) table_[i % each] = value_[i].initial;
    }
    operations_.clear();
  }

  /// The next operation of the program, the same on all PEs; its effect is computed here.
  operation plan(random& r, int pe, int context) {
    operation op{pe,
                 context,
                 verb::load,
                 static_cast<std::uint32_t>(r() % value_.size()),
                 static_cast<std::uint32_t>(operations_.size()),
                 r() % 1000 + 1,
                 r() % 2 == 0,
                 r() % 2 == 0};
    cell_state& cell = value_[op.cell];
    if (cell.how == rule::ordered) op.pe = cell.pe, op.context = cell.context;
    if (cell.how != rule::reads) op.what = r() % 2 ? verb::change : verb::fetch_change;
    if (cell.how == rule::ordered) op.what = verb::store;
    if (cell.how == rule::swaps || cell.how == rule::claims || cell.how == rule::counts)
      op.what = verb::fetch_change;
    // Values that nobody else writes, so that each one tells where it came from.
    if (cell.how <= rule::claims) op.operand = 1000 + op.number;
    apply(op, cell);
    operations_.push_back(op);
    return op;
  }

  /// The PE has called fence or quiet on the context: what it stored there before is ordered before the rest.
  void order(int pe, int context) {
    for (auto& cell : value_)
      if (cell.how == rule::ordered && cell.pe == pe && cell.context == context && !cell.open.empty())
        cell.settled = cell.open, cell.open.clear();
  }

  void issue(const operation& op, shmem_ctx_t c) {
    const rule how = value_[op.cell].how;
    const int to = owner(op.cell);
    T *const at = &table_[op.cell % each], *const out = &results_[op.number];
    const T operand = static_cast<T>(op.operand);
    if (how == rule::reads)
      return op.variant ? api<T>::g(c, op.later, out, at, to) : api<T>::fetch(c, op.later, out, at, to);
    if (how == rule::ordered) return store(op, c, at, out, operand, to);
    if (how == rule::swaps) return api<T>::swap(c, op.later, out, at, operand, to);
    if constexpr (std::is_integral_v<T>) change(op, how, c, at, out, operand, to);
  }

  /// After quiet and a barrier: this PE's cells and what all PEs saw in them. Returns the number of errors.
  int check(std::uint64_t seed) {
    int errors = 0;
    for (std::uint32_t i = 0; i < value_.size(); ++i) {
      if (owner(i) != me_ || right(i)) continue;
      std::fprintf(
          stderr, "seed %llu: cell %u of PE %d (%zu bytes, rule %d) is %.0f, initially %.0f, expected %.0f\n",
          static_cast<unsigned long long>(seed), i % each, me_, sizeof(T), static_cast<int>(value_[i].how),
          static_cast<double>(table_[i % each]), static_cast<double>(value_[i].initial),
          static_cast<double>(value_[i].now));
      ++errors;
    }
    return errors;
  }

 private:
  struct cell_state {
    rule how = rule::reads;
    T initial{}, now{};
    int pe = 0, context = 0;      ///< of rule::ordered
    std::vector<T> settled, open; ///< stores before and after the last fence: one of `open` is last, if any
  };

  static int owner(std::uint32_t cell) { return static_cast<int>(cell / each); }

  static void apply(const operation& op, cell_state& cell) {
    const T operand = static_cast<T>(op.operand);
    if (cell.how == rule::ordered) return cell.open.push_back(operand);
    if constexpr (std::is_integral_v<T>) {
      if (cell.how == rule::sums) cell.now = static_cast<T>(cell.now + (op.variant ? T{1} : operand));
      if (cell.how == rule::counts) cell.now = static_cast<T>(cell.now + 1);
      if (cell.how == rule::ands) cell.now = static_cast<T>(cell.now & operand);
      if (cell.how == rule::ors) cell.now = static_cast<T>(cell.now | operand);
      if (cell.how == rule::xors) cell.now = static_cast<T>(cell.now ^ operand);
    }
  }

  static void store(const operation& op, shmem_ctx_t c, T* at, T* out, T operand, int to) {
    *out = operand; // stays until quiet
    if (op.later) return api<T>::put(c, at, out, to);
    return op.variant ? api<T>::p(c, at, operand, to) : api<T>::set(c, at, operand, to);
  }

  void change(const operation& op, rule how, shmem_ctx_t c, T* at, T* out, T operand, int to) {
    using a = api<T>;
    const bool fetch = op.what == verb::fetch_change;
    switch (how) {
      case rule::claims:
        return a::compare_swap(c, op.later, out, at, value_[op.cell].initial, operand, to);
      case rule::counts:
        return a::fetch_inc(c, op.later, out, at, to);
      case rule::sums:
        if (op.variant) return fetch ? a::fetch_inc(c, op.later, out, at, to) : a::inc(c, at, to);
        return fetch ? a::fetch_add(c, op.later, out, at, operand, to) : a::add(c, at, operand, to);
      case rule::ands:
        return fetch ? a::fetch_and(c, op.later, out, at, operand, to) : a::bit_and(c, at, operand, to);
      case rule::ors:
        return fetch ? a::fetch_or(c, op.later, out, at, operand, to) : a::bit_or(c, at, operand, to);
      default:
        return fetch ? a::fetch_xor(c, op.later, out, at, operand, to) : a::bit_xor(c, at, operand, to);
    }
  }

  // Results and operands of the operations on a cell, in the order of the program.
  void collect(std::uint32_t i, std::vector<T>& seen, std::vector<T>& operands) const {
    for (const auto& op : operations_) {
      if (op.cell != i) continue;
      operands.push_back(static_cast<T>(op.operand));
      if (op.what != verb::load && op.what != verb::fetch_change) continue;
      T value;
      shmem_getmem(&value, &results_[op.number], sizeof value, op.pe);
      seen.push_back(value);
    }
  }

  bool right(std::uint32_t i) const {
    const cell_state& cell = value_[i];
    const T last = table_[i % each];
    std::vector<T> seen, operands;
    collect(i, seen, operands);
    switch (cell.how) {
      case rule::reads:
        return last == cell.initial && std::count(seen.begin(), seen.end(), cell.initial) == std::ssize(seen);
      case rule::ordered:
        return right_order(cell, last);
      case rule::swaps:
        seen.push_back(last);
        operands.push_back(cell.initial);
        return std::is_permutation(seen.begin(), seen.end(), operands.begin(), operands.end());
      case rule::claims:
        return right_claims(cell, last, seen, operands);
      case rule::counts:
        return last == cell.now && right_counts(cell, seen);
      case rule::ands:
      case rule::ors:
        return last == cell.now && between(cell, seen);
      default:
        return last == cell.now;
    }
  }

  static bool right_order(const cell_state& cell, T last) {
    const auto& possible = cell.open.empty() ? cell.settled : cell.open;
    if (possible.empty()) return last == cell.initial;
    return std::count(possible.begin(), possible.end(), last) > 0;
  }

  static bool right_claims(const cell_state& cell, T last, const std::vector<T>& seen,
                           const std::vector<T>& operands) {
    if (operands.empty()) return last == cell.initial;
    return std::count(operands.begin(), operands.end(), last) == 1 &&
           std::count(seen.begin(), seen.end(), cell.initial) == 1 &&
           std::count(seen.begin(), seen.end(), last) == std::ssize(seen) - 1;
  }

  static bool right_counts(const cell_state& cell, std::vector<T> seen) {
    std::sort(seen.begin(), seen.end());
    for (std::size_t i = 0; i < seen.size(); ++i)
      if (seen[i] != static_cast<T>(cell.initial + static_cast<T>(i))) return false;
    return true;
  }

  // Bits only ever go one way.
  static bool between(const cell_state& cell, const std::vector<T>& seen) {
    if constexpr (std::is_integral_v<T>)
      return std::all_of(seen.begin(), seen.end(), [&](T value) {
        const T both = cell.initial & cell.now, any = cell.initial | cell.now;
        return (value & both) == both && (value | any) == any;
      });
    return true;
  }

  T *table_, *results_;
  int me_;
  std::vector<cell_state> value_;
  std::vector<operation> operations_;
};

} // namespace fuzz
