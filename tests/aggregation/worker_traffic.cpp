// SPDX-License-Identifier: BSD-3-Clause
#include "tests/aggregation/worker_traffic.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "windrow/windrow.hpp"

namespace windrow::test {

void send_in_order_of_tasks(job& j, int tasks, std::uint32_t items) {
  struct numbered {
    std::uint32_t task, number;
  };
  const auto pes = static_cast<std::size_t>(j.pes()), count = static_cast<std::size_t>(tasks);
  std::vector<std::uint32_t> next(pes * count); // of each task of each PE
  stream<numbered> s(j, [&](std::span<const numbered> batch, pe_t from) {
    for (const auto& item : batch) {
      auto& expected = next[static_cast<std::size_t>(from) * count + item.task];
      ASSERT_EQ(item.number, expected) << "task " << item.task << " of PE " << from;
      ++expected;
    }
  });
  for (std::uint32_t t = 0; t < count; ++t)
    async([&, t] {
      for (std::uint32_t i = 0; i < items; ++i)
        for (pe_t to = 0; to < j.pes(); ++to) s.send(to, {t, i});
    });
  s.barrier();
  for (const auto arrived : next) ASSERT_EQ(arrived, items);
  finish([&] {
    for (std::uint32_t t = 0; t < count; ++t) async([&, t] { s.send(j.pe(), {t, items}); });
  });
  s.drain();
  for (std::size_t t = 0; t < count; ++t)
    ASSERT_EQ(next[static_cast<std::size_t>(j.pe()) * count + t], items + 1) << "drain has missed a worker";
}

void send_items_of_any_size(job& j, std::uint64_t seed, int tasks) {
  std::uint64_t texts = 0, bytes = 0;
  mailbox<std::string_view> m(j, [&](std::string_view text) {
    ++texts;
    bytes += text.size();
    ASSERT_EQ(text.find_first_not_of(text.empty() ? 'a' : text[0]), std::string_view::npos);
  });
  std::atomic<std::uint64_t> sent_texts = 0, sent_bytes = 0;
  m.run([&] {
    finish([&] {
      for (int t = 0; t < tasks; ++t)
        async([&, t] {
          std::mt19937_64 r(seed + static_cast<std::uint64_t>(t));
          for (int i = 0; i < 20; ++i) {
            const std::string text(r() % (i % 5 == 0 ? 60'000 : 100), static_cast<char>('a' + t % 26));
            m.send(static_cast<pe_t>(r() % static_cast<unsigned>(j.pes())), text);
            ++sent_texts, sent_bytes += text.size();
          }
        });
    });
  });
  EXPECT_EQ(j.world().sum(texts), j.world().sum(sent_texts.load())) << "seed " << seed;
  EXPECT_EQ(j.world().sum(bytes), j.world().sum(sent_bytes.load())) << "seed " << seed;
}

void send_from_tasks_of_handlers(job& j, int messages, bool light) {
  constexpr std::uint64_t each = 5000;
  std::uint64_t arrived = 0;
  stream<std::uint64_t> last(j, [&](std::span<const std::uint64_t> batch, pe_t) { arrived += batch.size(); });
  stream<int> first(j, [&](std::span<const int> batch, pe_t from) {
    for ([[maybe_unused]] const int item : batch)
      finish([&] {
        for (int w = 0; w < workers(); ++w)
          async_at(w, [&] {
            for (std::uint64_t i = 0; i < each; ++i) last.send((from + 1) % j.pes(), i);
          });
      });
  });
  // These are in the middle of sending, on all workers, when the handlers need them.
  const auto send_much = [&] {
    for (int i = 0; i < messages; ++i) {
      first.send(i % j.pes(), i);
      for (std::uint64_t k = 0; k < each; ++k) last.send(i % j.pes(), k);
    }
  };
  for (int w = 0; w < workers(); ++w)
    async_at(w, [&] {
      if (light)
        spawn(send_much);
      else
        send_much();
    });
  first.barrier();
  const auto workers_in_all = j.world().sum(static_cast<std::uint64_t>(workers()));
  const auto mine = static_cast<std::uint64_t>(workers());
  EXPECT_EQ(j.world().sum(arrived),
            static_cast<std::uint64_t>(messages) * each * (workers_in_all + workers_in_all * mine));
}

void complete_in_tasks(job& j, int tasks) {
  const auto count = static_cast<std::uint64_t>(tasks);
  auto table = j.array<std::uint64_t>(count * static_cast<std::uint64_t>(j.pes()));
  context ctx(j, aggregate);
  finish([&] {
    for (std::uint64_t t = 0; t < count; ++t)
      async([&, t] {
        const auto mine = count * static_cast<std::uint64_t>(j.pe()) + t;
        for (std::uint64_t step = 0; step < 5; ++step) {
          std::uint64_t before = ~std::uint64_t{0}, now = ~std::uint64_t{0};
          ctx.fetch_add(table[mine], t + 1, &before);
          ctx.complete_own();
          ctx.get(table[mine], &now);
          ctx.complete_own();
          ASSERT_EQ(before, step * (t + 1));
          ASSERT_EQ(now, (step + 1) * (t + 1));
        }
      });
  });
  ctx.barrier();
  j.free(table);
}

} // namespace windrow::test
