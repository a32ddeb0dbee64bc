// SPDX-License-Identifier: BSD-3-Clause
// PEs as threads, for ThreadSanitizer.
#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "tests/mobile/random_multicasts.hpp"
#include "tests/mobile/random_objects.hpp"
#include "tests/tasks/with_workers.hpp"

namespace windrow::test {
namespace {

TEST(mobile_threads, random_programs_keep_every_message_in_order) {
  run_threads(3, [](job& j) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) run_random_objects(j, seed);
  });
}

TEST(mobile_threads, a_collection_outlives_the_end_of_its_job) {
  for (const auto where : {handlers::on_own_thread, handlers::on_all_workers})
    run_threads(3, [&](job& j) {
      struct number {
        std::uint64_t value = 0;
        void add(std::uint64_t more) { value += more; }
      };
      object_space space(j, where);
      collection<number> all(space, 10, [](std::uint64_t i) { return number{i}; });
      for (std::uint64_t i = 0; i < all.size(); ++i) all[i].template send<&number::add>(1);
      j.finalize();
      all.for_each_local([](std::uint64_t i, const number& n) { EXPECT_EQ(n.value, i + 3); });
    });
}

struct refusing {
  std::uint64_t value = 0;
  void add(std::uint64_t more) { value += more; }
  std::uint64_t refuse() const { throw std::range_error("none"); }
};

// What is said of an exception has the collection and the index of its object.
TEST(mobile_threads, exceptions_are_named_while_collections_are_made) {
  run_with_workers(1, 3, [](job& j) {
    object_space space(j, handlers::on_all_workers);
    collection<refusing> all(space, 0, [](std::uint64_t) { return refusing{}; }, 10);
    all.insert(7);
    std::vector<std::unique_ptr<collection<refusing>>> more;
    finish([&] {
      for (int i = 0; i < 200; ++i)
        spawn([&] { EXPECT_THROW(all[7].call<&refusing::refuse>().get(), error); });
      for (int i = 0; i < 200; ++i)
        more.push_back(
            std::make_unique<collection<refusing>>(space, 1, [](std::uint64_t) { return refusing{}; }));
    });
    while (!more.empty()) more.pop_back();
  });
}

class mobile_threads_workers : public testing::TestWithParam<std::tuple<pe_t, int>> {};

TEST_P(mobile_threads_workers, random_programs_keep_every_message_in_order) {
  const auto [pes, workers] = GetParam();
  run_with_workers(pes, workers, [](job& j) {
    for (std::uint64_t seed = 1; seed <= 12; ++seed) run_random_objects(j, seed, handlers::on_all_workers);
  });
}

TEST_P(mobile_threads_workers, multicasts_with_common_objects_come_to_an_end) {
  const auto [pes, workers] = GetParam();
  run_with_workers(pes, workers, [](job& j) {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) run_random_multicasts(j, seed, handlers::on_all_workers);
  });
}

INSTANTIATE_TEST_SUITE_P(mobile, mobile_threads_workers,
                         testing::Values(std::tuple(1, 3), std::tuple(2, 2), std::tuple(3, 1),
                                         std::tuple(2, 8)));

} // namespace
} // namespace windrow::test
