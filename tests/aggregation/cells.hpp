// SPDX-License-Identifier: BSD-3-Clause
// A distributed table of one type under random operations of which the outcome is known in advance.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "windrow/windrow.hpp"

namespace windrow::test {

/// What may happen to a cell within one epoch, chosen so that a sequential computation knows the result
/// although the order of operations is open.
enum class rule : std::uint8_t {
  sums,   ///< any number of add and inc, fetching or not
  counts, ///< fetch_inc only: the values before are initial, initial + 1, …
  ands,   ///< bit_and only, fetching or not
  ors,
  xors,
  minima, ///< min only, fetching or not
  maxima,
  swaps,     ///< swaps of different values: each value is seen exactly once
  claims,    ///< compare_swap from the initial value: one wins, the others see the winner's value
  exclusive, ///< one operation by one PE
  reads,     ///< loads only
};

enum class action : std::uint8_t {
  nothing,
  put,
  set,
  add,
  inc,
  bit_and,
  bit_or,
  bit_xor,
  min,
  max,
  get,
  fetch,
  fetch_add,
  fetch_inc,
  fetch_and,
  fetch_or,
  fetch_xor,
  fetch_min,
  fetch_max,
  swap,
  compare_swap,
};

constexpr bool has_result(action a) {
  return a >= action::get;
}

/// One operation of the random program; all PEs generate the whole program, each issues its own part.
struct operation {
  pe_t pe;
  std::uint32_t context;
  std::uint32_t cell;
  action what;
  std::uint64_t operand;
  std::uint64_t expected; ///< of compare_swap
  std::uint32_t result;   ///< index of the result among those of this table, if there is one
};

template <class T>
class cells {
 public:
  using random = std::mt19937_64;

  cells(job& j, std::uint32_t count) : job_(j), table_(j.array<T>(count)), value_(count, T{}) {}
  ~cells() { job_.free(table_); }
  cells(const cells&) = delete;
  cells& operator=(const cells&) = delete;

  /// Chooses rules for all cells and forgets the last epoch. Alike on all PEs.
  void begin_epoch(random& r, std::size_t most_operations) {
    initial_ = value_;
    rules_.assign(value_.size(), rule::reads);
    for (auto& chosen : rules_) chosen = random_rule(r);
    operations_.clear();
    used_.assign(value_.size(), 0);
    results_.assign(most_operations, T{});
  }

  /// Adds a random operation of `pe` to the epoch and computes its effect; the same on all PEs. Returns its
  /// number.
  std::uint32_t plan(random& r, pe_t pe, std::uint32_t context) {
    operation op{pe, context, static_cast<std::uint32_t>(r() % value_.size()), action::get, r() % 100 + 1,
                 0,  0};
    op.result = static_cast<std::uint32_t>(operations_.size());
    choose_action(r, op);
    apply(op);
    operations_.push_back(op);
    ++used_[op.cell];
    return op.result;
  }

  const operation& at(std::uint32_t number) const { return operations_[number]; }

  /// Carries out an operation; the result, if any, is in results_ after completion.
  void issue(const operation& op, context& c) {
    const auto at = table_[op.cell];
    T* out = &results_[op.result];
    const T value = value_as(op.operand);
    switch (op.what) {
      case action::nothing:
        return;
      case action::put:
        return c.put(at, value);
      case action::set:
        return c.atomic_set(at, value);
      case action::add:
        return c.add(at, value);
      case action::inc:
        return c.inc(at);
      case action::get:
        return c.get(at, out);
      case action::fetch:
        return c.atomic_fetch(at, out);
      case action::fetch_add:
        return c.fetch_add(at, value, out);
      case action::fetch_inc:
        return c.fetch_inc(at, out);
      case action::swap:
        return c.swap(at, value, out);
      case action::min:
        return c.min(at, value);
      case action::max:
        return c.max(at, value);
      case action::fetch_min:
        return c.fetch_min(at, value, out);
      case action::fetch_max:
        return c.fetch_max(at, value, out);
      case action::compare_swap:
        return c.compare_swap(at, value_as(op.expected), value, out);
      default:
        issue_bits(op, c, out);
    }
  }

  /// After a barrier: the cells of this PE have the computed values, and all results are possible ones.
  /// Collective.
  void check(const std::string& where) {
    const auto results = job_.array<T>(std::max<std::size_t>(1, operations_.size()));
    for (const auto& op : operations_)
      if (op.pe == job_.pe() && has_result(op.what))
        windrow::put(job_, results[op.result], results_[op.result]);
    job_.barrier();
    finish_claims(results);
    for (std::uint32_t cell = 0; cell < value_.size(); ++cell)
      if (table_.owner(cell) == job_.pe()) check_cell(cell, results, where);
    for (std::uint32_t cell = 0; cell < value_.size(); ++cell)
      value_[cell] = windrow::get(job_, table_[cell]);
    job_.free(results);
  }

 private:
  static constexpr bool integral = std::is_integral_v<T>;

  static rule random_rule(random& r) {
    constexpr rule all[] = {rule::sums,      rule::sums,  rule::swaps,  rule::claims,
                            rule::exclusive, rule::reads, rule::minima, rule::maxima,
                            rule::counts,    rule::ands,  rule::ors,    rule::xors};
    return all[r() % (integral ? std::size(all) : 8)];
  }

  void choose_action(random& r, operation& op) const {
    const auto one_of = [&](std::initializer_list<action> choices) {
      return choices.begin()[r() % choices.size()];
    };
    switch (rules_[op.cell]) {
      case rule::sums:
        op.what = one_of({action::add, action::add, action::inc, action::fetch_add, action::fetch_inc});
        if (r() % 2) op.operand = 1;
        return;
      case rule::counts:
        op.what = used_[op.cell] < 100 ? action::fetch_inc : action::inc;
        return;
      case rule::ands:
        op.what = one_of({action::bit_and, action::fetch_and});
        op.operand = ~op.operand;
        return;
      case rule::ors:
        op.what = one_of({action::bit_or, action::fetch_or});
        return;
      case rule::xors:
        op.what = one_of({action::bit_xor, action::fetch_xor});
        return;
      case rule::minima:
        op.what = one_of({action::min, action::fetch_min});
        op.operand = any_sign(r);
        return;
      case rule::maxima:
        op.what = one_of({action::max, action::fetch_max});
        op.operand = any_sign(r);
        return;
      case rule::swaps:
        op.what = action::swap;
        return;
      case rule::claims:
        op.what = action::compare_swap;
        op.expected = number_of(initial_[op.cell]);
        op.operand = op.expected + 1 + r() % 50;
        return;
      case rule::exclusive:
        op.what = used_[op.cell] > 0 ? action::nothing
                                     : one_of({action::put, action::set, action::get, action::fetch,
                                               action::swap, action::compare_swap, action::fetch_add});
        if (r() % 2) op.expected = number_of(initial_[op.cell]);
        return;
      case rule::reads:
        op.what = one_of({action::get, action::fetch});
        return;
    }
  }

  /// A number of 7 bits on either side of 0; of unsigned types, at either end.
  static std::uint64_t any_sign(random& r) { return r() % 200 - 100; }
  // Through signed numbers, as conversions from and to floating point are to see it.
  static T value_as(std::uint64_t number) { return static_cast<T>(static_cast<std::int64_t>(number)); }
  static std::uint64_t number_of(T value) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
  }

  // The effect on the oracle's copy. Operations on one cell commute by their rule, or their order is checked
  // afterwards.
  void apply(const operation& op) {
    T& value = value_[op.cell];
    const T operand = value_as(op.operand);
    switch (op.what) {
      case action::put:
      case action::set:
      case action::swap:
        value = operand;
        return;
      case action::add:
      case action::fetch_add:
        value = static_cast<T>(value + operand);
        return;
      case action::inc:
      case action::fetch_inc:
        value = static_cast<T>(value + 1);
        return;
      case action::compare_swap:
        if (value == value_as(op.expected)) value = operand;
        return;
      case action::min:
      case action::fetch_min:
        value = std::min(value, operand);
        return;
      case action::max:
      case action::fetch_max:
        value = std::max(value, operand);
        return;
      default:
        apply_bits(op);
    }
  }

  void apply_bits(const operation& op) {
    if constexpr (integral) {
      T& value = value_[op.cell];
      const T operand = value_as(op.operand);
      if (op.what == action::bit_and || op.what == action::fetch_and) value = static_cast<T>(value & operand);
      if (op.what == action::bit_or || op.what == action::fetch_or) value = static_cast<T>(value | operand);
      if (op.what == action::bit_xor || op.what == action::fetch_xor) value = static_cast<T>(value ^ operand);
    }
  }

  void issue_bits(const operation& op, context& c, T* out) {
    if constexpr (integral) {
      const auto at = table_[op.cell];
      const T value = value_as(op.operand);
      switch (op.what) {
        case action::bit_and:
          return c.bit_and(at, value);
        case action::bit_or:
          return c.bit_or(at, value);
        case action::bit_xor:
          return c.bit_xor(at, value);
        case action::fetch_and:
          return c.fetch_and(at, value, out);
        case action::fetch_or:
          return c.fetch_or(at, value, out);
        default:
          return c.fetch_xor(at, value, out);
      }
    }
  }

  // Which of several competing operations came last is open: the memory decides, and check_cell proves that
  // it was one.
  template <class Results>
  void finish_claims(const Results&) {
    for (std::uint32_t cell = 0; cell < value_.size(); ++cell)
      if (rules_[cell] == rule::claims || rules_[cell] == rule::swaps)
        value_[cell] = windrow::get(job_, table_[cell]);
  }

  template <class Results>
  void check_cell(std::uint32_t cell, const Results& results, const std::string& where) {
    const auto what = fmt::format("{}, type of {} bytes, cell {}, rule {}", where, sizeof(T), cell,
                                  static_cast<int>(rules_[cell]));
    ASSERT_EQ(windrow::get(job_, table_[cell]), value_[cell]) << what;
    std::vector<operation> mine;
    std::copy_if(operations_.begin(), operations_.end(), std::back_inserter(mine),
                 [&](const operation& o) { return o.cell == cell; });
    std::vector<T> seen;
    for (const auto& op : mine)
      if (has_result(op.what)) seen.push_back(windrow::get(job_, results[op.result]));
    check_results(cell, mine, seen, what);
  }

  void check_results(std::uint32_t cell, const std::vector<operation>& mine, std::vector<T> seen,
                     const std::string& what) {
    switch (rules_[cell]) {
      case rule::reads:
      case rule::exclusive:
        for (const T value : seen) ASSERT_EQ(value, initial_[cell]) << what;
        return;
      case rule::counts:
        return check_counts(cell, seen, what);
      case rule::swaps:
        return check_swaps(cell, mine, seen, what);
      case rule::claims:
        return check_claims(cell, mine, seen, what);
      case rule::minima:
      case rule::maxima:
        return check_between(cell, seen, what);
      case rule::ands:
      case rule::ors:
        return check_monotone(cell, seen, what);
      default:
        return;
    }
  }

  void check_counts(std::uint32_t cell, std::vector<T> seen, const std::string& what) {
    std::vector<T> wanted;
    for (std::size_t i = 0; i < seen.size(); ++i)
      wanted.push_back(static_cast<T>(initial_[cell] + static_cast<T>(i)));
    if (used_[cell] > 100) return; // plain increments were among them
    std::sort(wanted.begin(), wanted.end());
    std::sort(seen.begin(), seen.end());
    ASSERT_EQ(seen, wanted) << what;
  }

  // Every value that was ever there was seen once: by the next swap, or at the end.
  void check_swaps(std::uint32_t cell, const std::vector<operation>& mine, std::vector<T> seen,
                   const std::string& what) {
    std::vector<T> there{initial_[cell]};
    for (const auto& op : mine) there.push_back(value_as(op.operand));
    seen.push_back(value_[cell]);
    std::sort(there.begin(), there.end());
    std::sort(seen.begin(), seen.end());
    ASSERT_EQ(seen, there) << what;
  }

  void check_claims(std::uint32_t cell, const std::vector<operation>& mine, const std::vector<T>& seen,
                    const std::string& what) {
    if (mine.empty()) return;
    ASSERT_EQ(std::count(seen.begin(), seen.end(), initial_[cell]), 1) << what;
    ASSERT_EQ(std::count(seen.begin(), seen.end(), value_[cell]),
              static_cast<std::ptrdiff_t>(seen.size()) - 1)
        << what;
    ASSERT_TRUE(std::any_of(mine.begin(), mine.end(), [&](const operation& o) {
      return value_as(o.operand) == value_[cell];
    })) << what;
  }

  void check_between(std::uint32_t cell, const std::vector<T>& seen, const std::string& what) {
    const auto [least, greatest] = std::minmax(initial_[cell], value_[cell]);
    for (const T value : seen) {
      ASSERT_LE(least, value) << what;
      ASSERT_LE(value, greatest) << what;
    }
  }

  // Bits only ever go one way, so every value seen lies between the first and the last.
  void check_monotone(std::uint32_t cell, const std::vector<T>& seen, const std::string& what) {
    if constexpr (integral) {
      for (const T value : seen) {
        const T both = static_cast<T>(initial_[cell] & value_[cell]),
                any = static_cast<T>(initial_[cell] | value_[cell]);
        ASSERT_EQ(static_cast<T>(value & both), both) << what;
        ASSERT_EQ(static_cast<T>(value | any), any) << what;
      }
    }
  }

  job& job_;
  array<T> table_;
  std::vector<T> value_, initial_; ///< by cell: now, and at the beginning of the epoch
  std::vector<rule> rules_;
  std::vector<std::uint32_t> used_; ///< operations on each cell in this epoch
  std::vector<operation> operations_;
  std::vector<T> results_; ///< this PE's, by operation
};

} // namespace windrow::test
