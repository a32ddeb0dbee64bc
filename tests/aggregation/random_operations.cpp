// SPDX-License-Identifier: BSD-3-Clause
#include "tests/aggregation/random_operations.hpp"

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>

#include "tests/aggregation/cells.hpp"

namespace windrow::test {

namespace {

/// Which contexts a piece of code issues for. No template: what issues an operation takes long to compile,
/// and is compiled once.
using wanted_contexts = bool (*)(const context&);

bool any(const context&) {
  return true;
}
bool aggregates(const context& c) {
  return c.how() == aggregate;
}
bool is_direct(const context& c) {
  return !aggregates(c);
}

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
  /// If it is of PE `me`, and through a context that is wanted.
  void issue(std::size_t type, std::uint32_t number, pe_t me, std::vector<context>& contexts,
             wanted_contexts wanted) {
    one(type, [&](auto& table) {
      const auto& op = table.at(number);
      auto& c = contexts[op.context];
      if (op.pe == me && wanted(c)) table.issue(op, c);
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

using operations_in_order = std::vector<std::pair<std::size_t, std::uint32_t>>;

/// How a PE issues its part of a program.
using issuer = void (*)(job&, all_tables&, const operations_in_order&, std::vector<context>&, std::uint64_t);

void issue_in_order(job& j, all_tables& tables, const operations_in_order& program,
                    std::vector<context>& contexts, std::uint64_t) {
  for (const auto& [type, number] : program) tables.issue(type, number, j.pe(), contexts, any);
}

// Pieces of the program are tasks, but for what is direct, which is the main code's; and so are some pieces.
void issue_in_tasks(job& j, all_tables& tables, const operations_in_order& program,
                    std::vector<context>& contexts, std::uint64_t seed) {
  std::mt19937_64 r(seed + static_cast<std::uint64_t>(j.pe()));
  const auto issue_piece = [&](std::size_t from, std::size_t to, wanted_contexts wanted) {
    for (auto i = from; i < to; ++i)
      tables.issue(program[i].first, program[i].second, j.pe(), contexts, wanted);
  };
  const auto all = [&, issue_piece] {
    for (std::size_t at = 0; at < program.size();) {
      const auto end = std::min(program.size(), at + 1 + r() % 200);
      const auto piece = [=] { issue_piece(at, end, aggregates); };
      issue_piece(at, end, is_direct);
      if (r() % 4 == 0)
        piece();
      else if (r() % 2 == 0)
        async(piece);
      else
        async_at(static_cast<int>(r() % static_cast<unsigned>(workers())), piece);
      at = end;
    }
  };
  if (seed % 2 == 0) return finish(all);
  all(); // barrier waits for the tasks
  for (auto& c : contexts) c.barrier();
}

// The whole program's operations, in the order in which each PE issues its own.
void run_epoch(job& j, all_tables& tables, std::mt19937_64& r, std::uint32_t operations, std::uint32_t kinds,
               issuer issue) {
  operations_in_order program;
  tables.begin_epoch(r, operations);
  auto contexts = make_contexts(j);
  // Few types make long runs of equal operations, many make short ones.
  for (std::uint32_t i = 0; i < operations; ++i) {
    const std::size_t type = r() % kinds;
    const auto pe = static_cast<pe_t>(r() % static_cast<std::uint64_t>(j.pes()));
    program.emplace_back(type, tables.plan(type, r, pe, static_cast<std::uint32_t>(r() % contexts.size())));
  }
  j.barrier();
  issue(j, tables, program, contexts, r());
  for (auto& c : contexts) c.barrier();
}

void run(job& j, std::uint64_t seed, int epochs, std::uint32_t most_operations, issuer issue) {
  std::mt19937_64 r(seed);
  all_tables tables(j, static_cast<std::uint32_t>(1 + r() % 40));
  for (int epoch = 0; epoch < epochs; ++epoch) {
    const auto operations = static_cast<std::uint32_t>(r() % most_operations);
    run_epoch(j, tables, r, operations, static_cast<std::uint32_t>(1 + r() % types), issue);
    tables.check(fmt::format("seed {}, epoch {}, {} PEs", seed, epoch, j.pes()));
    if (::testing::Test::HasFailure()) return;
  }
}

} // namespace

void run_random_operations(job& j, std::uint64_t seed, int epochs, std::uint32_t most_operations) {
  run(j, seed, epochs, most_operations, issue_in_order);
}

void run_random_operations_in_tasks(job& j, std::uint64_t seed, int epochs, std::uint32_t most_operations) {
  run(j, seed, epochs, most_operations, issue_in_tasks);
}

} // namespace windrow::test
