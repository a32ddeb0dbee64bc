// SPDX-License-Identifier: BSD-3-Clause
#include "tests/deferral/random_deferral.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "windrow/windrow.hpp"

namespace windrow::test {

namespace {

std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/// A piece of deferred code: what it does follows from its name alone.
struct node {
  std::uint64_t name;
  int depth;

  std::uint64_t random(std::uint64_t salt) const { return mix(name + salt * 0x9e3779b97f4a7c15); }
  unsigned form() const { return static_cast<unsigned>(random(1) % 8); }
  unsigned children() const { return depth >= 4 ? 0 : static_cast<unsigned>(random(2) % 3); }
  node child(unsigned i) const { return {random(100 + i), depth + 1}; }
};

constexpr std::uint32_t cells = 41;

std::int32_t constant_int(std::uint64_t i) {
  return static_cast<std::int32_t>(mix(i) % 2001) - 1000;
}
double constant_double(std::uint64_t i) {
  return static_cast<double>(mix(i + 7) % 1000) / 4;
}

/// What a program leaves in memory, and what should be there. Sums are modulo 2^64, so the order does not
/// matter.
struct effects {
  std::vector<std::uint64_t> ints = std::vector<std::uint64_t>(cells); ///< sums of fetched constants
  std::vector<double> doubles = std::vector<double>(cells);            ///< the same
  std::vector<std::uint64_t> swapped =
      std::vector<std::uint64_t>(cells); ///< all that was ever stored, added up
  std::vector<std::vector<std::uint64_t>> lists = std::vector<std::vector<std::uint64_t>>(cells);
  std::vector<std::uint32_t> bits = std::vector<std::uint32_t>(cells);
  std::uint64_t nodes = 0;

  void expect(const node& n) {
    ++nodes;
    const auto cell = n.random(3) % cells, other = n.random(4) % cells;
    switch (n.form()) {
      case 0:
      case 1:
        lists[cell].push_back(n.name);
        break;
      case 2:
      case 3:
        ints[cell] += static_cast<std::uint64_t>(static_cast<std::int64_t>(constant_int(other)));
        break;
      case 4:
        ints[cell] += static_cast<std::uint64_t>(static_cast<std::int64_t>(constant_int(other)));
        doubles[cell] += constant_double(cell);
        bits[cell] ^= static_cast<std::uint32_t>(n.name);
        break;
      case 5:
        doubles[cell] += constant_double(other);
        lists[cell].push_back(n.name);
        break;
      case 6:
        swapped[cell] += n.name;
        break;
      default:
        bits[cell] ^= static_cast<std::uint32_t>(n.name);
    }
    for (unsigned i = 0; i < n.children(); ++i) expect(n.child(i));
  }
};

class program {
 public:
  program(job& j, std::uint64_t seed, std::uint32_t roots)
      : job_(j), seed_(seed), roots_(roots), expected_(), capacity_(1) {
    for (pe_t pe = 0; pe < j.pes(); ++pe)
      for (std::uint32_t i = 0; i < roots; ++i) expected_.expect(root(pe, i));
    for (auto& list : expected_.lists) {
      std::sort(list.begin(), list.end());
      capacity_ = std::max<std::uint64_t>(capacity_, list.size());
    }
    int_table_ = j.array<std::int32_t>(cells);
    double_table_ = j.array<double>(cells, cyclic);
    ints_ = j.array<std::uint64_t>(cells, cyclic);
    doubles_ = j.array<double>(cells);
    values_ = j.array<std::uint64_t>(cells, cyclic);
    swapped_ = j.array<std::uint64_t>(cells, cyclic);
    bits_ = j.array<std::uint32_t>(cells);
    next_ = j.array<std::uint16_t>(cells, cyclic);
    lists_ = j.array<std::uint64_t>(cells * capacity_);
    for (std::uint64_t k = 0; k < int_table_.local().size(); ++k)
      int_table_.local()[k] = constant_int(int_table_.global_index(k));
    for (std::uint64_t k = 0; k < double_table_.local().size(); ++k)
      double_table_.local()[k] = constant_double(double_table_.global_index(k));
    j.barrier();
  }
  ~program() {
    job_.free(int_table_), job_.free(double_table_), job_.free(ints_), job_.free(doubles_),
        job_.free(values_);
    job_.free(swapped_), job_.free(bits_), job_.free(next_), job_.free(lists_);
  }

  void run(std::span<const style> styles) {
    std::vector<context> contexts;
    for (const auto how : styles) contexts.emplace_back(job_, how);
    contexts_ = &contexts;
    for (std::uint32_t i = 0; i < roots_; ++i) issue(root(job_.pe(), i));
    for (auto& ctx : contexts) ctx.barrier();
  }

  void check() {
    const auto where = fmt::format("seed {}, {} PEs", seed_, job_.pes());
    EXPECT_EQ(job_.world().sum(ran_), expected_.nodes) << where;
    for (std::uint64_t cell = 0; cell < cells; ++cell) {
      const auto at = fmt::format("{}, cell {}", where, cell);
      EXPECT_EQ(windrow::get(job_, ints_[cell]), expected_.ints[cell]) << at;
      EXPECT_EQ(windrow::get(job_, doubles_[cell]), expected_.doubles[cell]) << at;
      EXPECT_EQ(windrow::get(job_, swapped_[cell]) + windrow::get(job_, values_[cell]),
                expected_.swapped[cell])
          << at;
      EXPECT_EQ(windrow::get(job_, bits_[cell]), expected_.bits[cell]) << at;
      std::vector<std::uint64_t> list(windrow::get(job_, next_[cell]));
      ASSERT_EQ(list.size(), expected_.lists[cell].size()) << at;
      for (std::uint64_t k = 0; k < list.size(); ++k)
        list[k] = windrow::get(job_, lists_[cell * capacity_ + k]);
      std::sort(list.begin(), list.end());
      EXPECT_EQ(list, expected_.lists[cell]) << at;
    }
    job_.barrier();
  }

 private:
  node root(pe_t pe, std::uint32_t i) const {
    return {mix(seed_) + (static_cast<std::uint64_t>(pe) << 32) + i, static_cast<int>(i % 3)};
  }
  context& context_for(const node& n) { return (*contexts_)[n.random(5) % contexts_->size()]; }

  /// A closure that is large and cannot be copied.
  struct counted_add {
    program* self;
    node n;
    std::uint64_t cell;
    std::unique_ptr<int> unique;
    std::uint64_t padding[70];

    void operator()(std::int32_t value) {
      self->context_for(n).add(self->ints_[cell],
                               static_cast<std::uint64_t>(static_cast<std::int64_t>(value)));
      self->done(n);
    }
  };

  void issue(const node& n) {
    auto& ctx = context_for(n);
    const auto cell = n.random(3) % cells, other = n.random(4) % cells;
    switch (n.form()) {
      case 0:
        ctx.fetch_add(next_[cell], 1).then([this, n, cell](std::uint16_t place) {
          EXPECT_LT(place, capacity_);
          windrow::context& to = context_for(n);
          to.put(lists_[cell * capacity_ + place], n.name);
          done(n);
        });
        break;
      case 1:
        append(ctx, n, cell);
        break;
      case 2:
        ctx.get(int_table_[other]).then([this, n, cell, other](std::int32_t value) {
          EXPECT_EQ(value, constant_int(other));
          context_for(n).add(ints_[cell], static_cast<std::uint64_t>(static_cast<std::int64_t>(value)));
          done(n);
        });
        break;
      case 3:
        ctx.atomic_fetch(int_table_[other]).then(counted_add{this, n, cell, std::make_unique<int>(1), {}});
        break;
      case 4:
        when_all(ctx.get(int_table_[other]), context_for({n.name + 1, 0}).get(double_table_[cell]),
                 ctx.fetch_xor(bits_[cell], static_cast<std::uint32_t>(n.name)))
            .then([this, n, cell](std::int32_t a, double b, std::uint32_t) {
              context_for(n).add(ints_[cell], static_cast<std::uint64_t>(static_cast<std::int64_t>(a)));
              context_for(n).add(doubles_[cell], b);
              done(n);
            });
        break;
      case 5:
        add_and_append(ctx, n, cell, other);
        break;
      case 6:
        ctx.swap(values_[cell], n.name).then([this, n, cell](std::uint64_t before) {
          context_for(n).add(swapped_[cell], before);
          done(n);
        });
        break;
      default:
        ctx.fetch_xor(bits_[cell], static_cast<std::uint32_t>(n.name)).then([this, n](std::uint32_t) {
          done(n);
        });
    }
  }

  deferred append(context& ctx, node n, std::uint64_t cell) {
    const auto place = co_await ctx.fetch_inc(next_[cell]);
    EXPECT_LT(place, capacity_);
    ctx.put(lists_[cell * capacity_ + place], n.name);
    goes_on(n);
  }
  deferred add_and_append(context& ctx, node n, std::uint64_t cell, std::uint64_t other) {
    const auto [value, place] = co_await when_all(ctx.get(double_table_[other]), ctx.fetch_inc(next_[cell]));
    EXPECT_EQ(value, constant_double(other));
    const auto again = co_await ctx.get(double_table_[other]);
    ctx.add(doubles_[cell], again);
    ctx.put(lists_[cell * capacity_ + place], n.name);
    goes_on(n);
  }

  void done(const node& n) {
    EXPECT_FALSE(inside_) << "a continuation ran inside another";
    inside_ = true;
    goes_on(n);
    inside_ = false;
  }
  /// Also for coroutines, which go on in whoever calls them if a value is there at once.
  void goes_on(const node& n) {
    ++ran_;
    for (unsigned i = 0; i < n.children(); ++i) issue(n.child(i));
  }

  job& job_;
  std::uint64_t seed_;
  std::uint32_t roots_;
  effects expected_;
  std::uint64_t capacity_;
  array<std::int32_t> int_table_;
  array<double, cyclic_distribution> double_table_;
  array<std::uint64_t, cyclic_distribution> ints_, values_, swapped_;
  array<double> doubles_;
  array<std::uint32_t> bits_;
  array<std::uint16_t, cyclic_distribution> next_;
  array<std::uint64_t> lists_;
  std::vector<context>* contexts_ = nullptr;
  std::uint64_t ran_ = 0;
  bool inside_ = false;
};

} // namespace

void run_random_deferral(job& j, std::uint64_t seed, std::span<const style> styles, std::uint32_t roots) {
  program p(j, seed, roots);
  p.run(styles);
  p.check();
}

} // namespace windrow::test
