// SPDX-License-Identifier: BSD-3-Clause
#include "tests/aggregate/random_operations.hpp"

#include <memory>
#include <tuple>
#include <utility>

#include "tests/aggregate/cells.hpp"

namespace windrow::test {

namespace {

template <class... T>
class tables {
 public:
  tables(job& j, std::uint32_t cells_each) : all_(std::make_unique<cells<T>>(j, cells_each)...) {}

  void begin_epoch(std::mt19937_64& r, std::size_t operations) {
    each([&](auto& table) { table.begin_epoch(r, operations); });
  }
  std::uint32_t plan(std::size_t type, std::mt19937_64& r, pe_t pe, std::uint32_t context) {
    std::uint32_t number = 0;
    one(type, [&](auto& table) { number = table.plan(r, pe, context); });
    return number;
  }
  void issue(std::size_t type, std::uint32_t number, pe_t me, std::vector<context>& contexts) {
    one(type, [&](auto& table) {
      const auto& op = table.at(number);
      if (op.pe == me) table.issue(op, contexts[op.context]);
    });
  }
  void check(const std::string& where) {
    each([&](auto& table) { table.check(where); });
  }

 private:
  template <class Do>
  void each(Do d) {
    std::apply([&](auto&... table) { (d(*table), ...); }, all_);
  }
  template <class Do>
  void one(std::size_t type, Do d) {
    std::size_t i = 0;
    each([&](auto& table) {
      if (i++ == type) d(table);
    });
  }

  std::tuple<std::unique_ptr<cells<T>>...> all_;
};

using all_tables = tables<std::uint8_t, std::int8_t, std::uint16_t, std::int16_t, std::uint32_t, std::int32_t,
                          std::uint64_t, std::int64_t, float, double>;
constexpr std::size_t types = 10;

std::vector<context> make_contexts(job& j) {
  std::vector<context> contexts;
  for (const auto how : {aggregate, aggregate, blocking, nonblocking}) contexts.emplace_back(j, how);
  return contexts;
}

// The whole program's operations, in the order in which each PE issues its own.
void run_epoch(job& j, all_tables& tables, std::mt19937_64& r, std::uint32_t operations,
               std::uint32_t kinds) {
  std::vector<std::pair<std::size_t, std::uint32_t>> program;
  tables.begin_epoch(r, operations);
  auto contexts = make_contexts(j);
  // Few types make long runs of equal operations, many make short ones.
  for (std::uint32_t i = 0; i < operations; ++i) {
    const std::size_t type = r() % kinds;
    const auto pe = static_cast<pe_t>(r() % static_cast<std::uint64_t>(j.pes()));
    program.emplace_back(type, tables.plan(type, r, pe, static_cast<std::uint32_t>(r() % contexts.size())));
  }
  j.barrier();
  for (const auto& [type, number] : program) tables.issue(type, number, j.pe(), contexts);
  for (auto& c : contexts) c.quiet();
}

} // namespace

void run_random_operations(job& j, std::uint64_t seed, int epochs, std::uint32_t most_operations) {
  std::mt19937_64 r(seed);
  all_tables tables(j, static_cast<std::uint32_t>(1 + r() % 40));
  for (int epoch = 0; epoch < epochs; ++epoch) {
    const auto operations = static_cast<std::uint32_t>(r() % most_operations);
    run_epoch(j, tables, r, operations, static_cast<std::uint32_t>(1 + r() % types));
    tables.check(fmt::format("seed {}, epoch {}, {} PEs", seed, epoch, j.pes()));
    if (::testing::Test::HasFailure()) return;
  }
}

} // namespace windrow::test
