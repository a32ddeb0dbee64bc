// SPDX-License-Identifier: BSD-3-Clause
#include "tests/mobile/random_multicasts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "tests/mobile/accounts.hpp"
#include "windrow/multicast.hpp"
#include "windrow/windrow.hpp"

namespace windrow::test {

void run_random_multicasts(job& j, std::uint64_t seed, handlers where) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  const auto pes = static_cast<std::uint64_t>(j.pes());
  std::mt19937_64 random(seed * 100 + static_cast<std::uint64_t>(j.pe()));
  object_space space(j, where);
  if (where == handlers::on_all_workers && seed % 2 == 0) space.balance_when_idle();
  collection<account> all(space, 6, [](std::uint64_t i) { return account{i}; });
  std::uint64_t seats = 0, notes = 0;
  space.run([&] {
    for (int i = 0; i < 60; ++i) {
      std::vector<std::uint64_t> order{0, 1, 2, 3, 4, 5};
      std::ranges::shuffle(order, random);
      std::vector<mobile_ptr<account>> some;
      for (std::uint64_t k = 0; k < 1 + random() % 5; ++k) some.push_back(all[order[k]]);
      switch (random() % 5) {
        case 0:
          all[order[0]].migrate(static_cast<pe_t>(random() % pes));
          break;
        case 1:
          all[order[0]].send<&account::note>();
          ++notes;
          break;
        case 2:
          multicast<transfer>(std::tuple(all[order[0]], all[order[1]]), std::int64_t(random() % 50),
                              "a transfer");
          seats += 2;
          break;
        case 3:
          multicast<collect>(some, order[0], 3);
          seats += some.size();
          break;
        default:
          if (i % 10 == 0)
            all.for_each_local([](account& a) {
              const auto before = a.meetings;
              yield();
              a.wrong += a.meetings != before;
            });
      }
    }
  });
  std::uint64_t seen[] = {0, 0, 0};
  std::int64_t money = 0;
  all.for_each_local([&](const account& a) {
    seen[0] += a.meetings, seen[1] += a.notes, seen[2] += a.wrong;
    money += a.balance;
  });
  EXPECT_EQ(j.world().sum(seen[0]), j.world().sum(seats));
  EXPECT_EQ(j.world().sum(seen[1]), j.world().sum(notes));
  EXPECT_EQ(j.world().sum(seen[2]), 0U);
  EXPECT_EQ(j.world().sum(money), 6000);
}

} // namespace windrow::test
