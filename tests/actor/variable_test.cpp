// SPDX-License-Identifier: BSD-3-Clause
// Items of any size: whole in a block, in fragments, from bodies and from handlers.
#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "tests/support/pe_test.hpp"
#include "windrow/windrow.hpp"

namespace windrow::test {
namespace {

pe_t next_pe(const job& j) {
  return (j.pe() + 1) % j.pes();
}

// Every item says by its first words what the others must be.
std::vector<std::uint32_t> numbered(std::size_t size, std::uint32_t seed) {
  std::vector<std::uint32_t> words(size);
  for (std::size_t i = 0; i < size; ++i) words[i] = static_cast<std::uint32_t>(i) * 2'654'435'761U + seed;
  return words;
}
bool is_numbered(std::span<const std::uint32_t> words) {
  for (std::size_t i = 1; i < words.size(); ++i)
    if (words[i] - words[i - 1] != 2'654'435'761U) return false;
  return true;
}

TEST(variable, every_size_around_that_of_a_block) {
  auto& j = the_job();
  std::vector<std::uint32_t> sizes(20'000);
  std::uint64_t wrong = 0;
  mailbox<std::string_view> m(j, [&](std::string_view item) {
    ++sizes[item.size()];
    for (const char c : item) wrong += c != static_cast<char>('a' + item.size() % 26);
  });
  const auto some = [](std::size_t size) { return size < 300 || size % 61 == 0 || size > 16'000; };
  m.run([&] {
    for (std::size_t size = 0; size < 17'000; ++size)
      if (some(size)) m.send(next_pe(j), std::string(size, static_cast<char>('a' + size % 26)));
  });
  for (std::size_t size = 0; size < sizes.size(); ++size)
    ASSERT_EQ(sizes[size], size < 17'000 && some(size) ? 1U : 0U) << size;
  EXPECT_EQ(wrong, 0U);
}

template <class T>
void send_spans() {
  auto& j = the_job();
  std::uint64_t elements = 0, misaligned = 0, wrong = 0;
  mailbox<std::span<const T>> m(j, [&](std::span<const T> item, pe_t from) {
    elements += item.size();
    misaligned += reinterpret_cast<std::uintptr_t>(item.data()) % alignof(T) != 0;
    for (const auto& e : item) wrong += e.value != static_cast<decltype(e.value)>(from + 1);
  });
  std::uint64_t sent = 0;
  m.run([&] {
    std::mt19937 random(static_cast<std::uint32_t>(j.pe()));
    for (int i = 0; i < 500; ++i) {
      T element{};
      element.value = static_cast<decltype(T::value)>(j.pe() + 1);
      const std::vector<T> item(random() % (i % 50 == 0 ? 20'000 : 20), element);
      m.send(static_cast<pe_t>(random() % static_cast<unsigned>(j.pes())), item);
      sent += item.size();
    }
  });
  EXPECT_EQ(j.world().sum(elements), j.world().sum(sent));
  EXPECT_EQ(misaligned + wrong, 0U);
}

TEST(variable, elements_of_every_alignment) {
  struct one {
    std::uint8_t value;
  };
  struct three {
    std::uint8_t value, more[2];
  };
  struct eight {
    std::uint64_t value;
  };
  struct alignas(16) sixteen {
    std::uint64_t value;
  };
  send_spans<one>();
  send_spans<three>();
  send_spans<eight>();
  send_spans<sixteen>();
}

TEST(variable, items_of_many_megabytes) {
  auto& j = the_job();
  std::vector<std::size_t> arrived;
  bool right = true;
  mailbox<std::span<const std::uint32_t>> m(j, [&](std::span<const std::uint32_t> item) {
    arrived.push_back(item.size());
    right = right && is_numbered(item);
  });
  const std::size_t largest = std::size_t{16} << 20; // words: 64 MiB
  m.run([&] {
    for (const std::size_t words : {std::size_t{1} << 20, std::size_t{3} << 18, std::size_t{777'777}})
      m.send(next_pe(j), numbered(words, 1));
    if (j.pe() == 0) m.send(j.pes() - 1, numbered(largest, 2));
  });
  EXPECT_TRUE(right);
  std::sort(arrived.begin(), arrived.end());
  std::vector<std::size_t> wanted{777'777, std::size_t{3} << 18, std::size_t{1} << 20};
  if (j.pe() == j.pes() - 1) wanted.push_back(largest);
  EXPECT_EQ(arrived, wanted);
}

// While a body sends a large item its PE handles others', and these handlers send large items through the
// same lane: fragments of many items lie in one another's way, and some leave late, from the spill.
TEST(variable, fragments_of_many_items_in_turn) {
  auto& j = the_job();
  struct tally {
    std::uint64_t items = 0, words = 0;
  } sent, got;
  bool right = true;
  selector<std::span<const std::uint32_t>, std::string_view> s(
      j,
      [&](auto& out, std::span<const std::uint32_t> item, pe_t from) {
        right = right && is_numbered(item);
        ++got.items;
        got.words += item.size();
        if (item.size() % 2 == 0) return;
        const auto half = numbered(item.size() / 2, 5);
        sent.items += 2;
        sent.words += half.size();
        out.send((from + 1) % j.pes(), half);
        out.reply(std::string(item.size() % 30'000, 'r'));
      },
      [&](std::string_view item) {
        right = right && item.find_first_not_of('r') == item.npos;
        ++got.items;
      });
  s.run([&] {
    for (std::size_t i = 0; i < 12; ++i) {
      const auto item = numbered(40'001 + 2 * i * static_cast<std::size_t>(j.pe() + 1), 3);
      s.send(static_cast<pe_t>(i) % j.pes(), item);
      ++sent.items;
      sent.words += item.size();
    }
  });
  EXPECT_TRUE(right);
  EXPECT_EQ(j.world().sum(got.items), j.world().sum(sent.items));
  EXPECT_EQ(j.world().sum(got.words), j.world().sum(sent.words));
}

// A word count by messages: strings to their owner, in place.
TEST(variable, many_small_strings) {
  auto& j = the_job();
  std::uint64_t letters = 0, words = 0;
  mailbox<std::string_view> m(j, [&](std::string_view word) {
    ++words;
    letters += word.size();
  });
  constexpr std::uint64_t each = 50'000;
  const std::string text = "the quick brown fox jumps over the lazy dog";
  const auto before = j.stats().bytes_sent;
  m.run([&] {
    for (std::uint64_t i = 0; i < each; ++i)
      m.send(static_cast<pe_t>(i) % j.pes(), std::string_view(text).substr(i % 40, i % 4));
  });
  EXPECT_EQ(j.world().sum(words), each * static_cast<std::uint64_t>(j.pes()));
  EXPECT_EQ(j.world().sum(letters), each / 4 * 6 * static_cast<std::uint64_t>(j.pes()));
  EXPECT_LT(j.stats().bytes_sent - before, each * 9); // 4 for the length, 4 for up to 4 letters, and headers
}

} // namespace
} // namespace windrow::test
