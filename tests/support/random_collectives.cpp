// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/random_collectives.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <random>
#include <vector>

namespace windrow::test {

namespace {

constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// x -> a * x + b. Composition is associative but not commutative, so it shows the order of a reduction.
struct alignas(16) affine {
  std::uint64_t a, b;
  bool operator==(const affine&) const = default;
};

struct compose {
  affine operator()(affine f, affine g) const { return {g.a * f.a, g.a * f.b + g.b}; }
};

/// A size of no round number of bytes.
struct triple {
  std::uint8_t x, y, z;
  bool operator==(const triple&) const = default;
};

/// A team and, independently, the PEs of the world that should be in it.
struct known_team {
  team handle;
  std::vector<pe_t> members;

  bool includes_me() const { return static_cast<bool>(handle); }
};

class random_program {
 public:
  random_program(const team& world, std::uint64_t seed)
      : seed_(seed),
        common_(seed),
        own_(mix(seed ^ static_cast<std::uint64_t>(world.pe() + 1))),
        me_(world.pe()) {
    known_team all{world, {}};
    for (pe_t pe = 0; pe < world.pes(); ++pe) all.members.push_back(pe);
    teams_.push_back(all);
  }

  void run(int steps) {
    for (step_ = 0; step_ < steps; ++step_) {
      const auto& t = teams_[below(teams_.size())];
      switch (below(11)) {
        case 0:
          check_split(t);
          break;
        case 1:
          drop_some();
          break;
        case 2:
          check_barriers(t);
          break;
        case 3:
          check_broadcast<triple>(t, random_count<triple>());
          check_row_of_broadcasts(t);
          break;
        case 4:
          check_allgather<triple>(t);
          break;
        case 5:
          check_alltoall<std::uint64_t>(t);
          break;
        case 6:
          check_reduce<affine>(t, compose{});
          break;
        case 7:
          check_reduce<std::uint64_t>(t, std::plus<>{});
          break;
        case 8:
          check_scans(t);
          break;
        case 9:
          check_allgatherv<triple>(t);
          break;
        case 10:
          check_alltoallv<std::uint64_t>(t);
          break;
      }
    }
  }

 private:
  static constexpr std::size_t max_teams = 7;
  static constexpr std::size_t max_dropped = 3;

  /// Alike on all PEs.
  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(common_() % limit); }

  template <class T>
  std::size_t random_count() {
    constexpr std::size_t bytes[] = {0, 1, 16, 64, 65, 1000, 32 * 1024, 32 * 1024 + 1, 100 * 1000, 1 << 20};
    const auto which = below(64); // mostly small ones: the large ones take long
    const auto chosen = which < 62 ? bytes[which % 7] : bytes[7 + below(3)];
    return (chosen + sizeof(T) - 1) / sizeof(T);
  }

  /// What PE `pe` contributes at `index` in this step.
  template <class T>
  T value(pe_t pe, std::size_t index) const {
    const auto bits = mix(seed_ ^ mix(static_cast<std::uint64_t>(step_ + 1000 * broadcasts_) << 20 ^
                                      static_cast<std::uint64_t>(pe) << 48 ^ index));
    const std::uint64_t words[2] = {bits, mix(bits)};
    T result;
    std::memcpy(&result, words, sizeof result);
    return result;
  }
  template <class T>
  std::vector<T> values(pe_t pe, std::size_t count) const {
    std::vector<T> all(count);
    for (std::size_t i = 0; i < count; ++i) all[i] = value<T>(pe, i);
    return all;
  }

  std::string where(const known_team& t) const {
    return fmt::format("seed {} step {} PE {} team of {}", seed_, step_, me_, t.members.size());
  }

  void check_split(const known_team& parent) {
    const auto size = static_cast<pe_t>(parent.members.size());
    const auto start = static_cast<pe_t>(below(parent.members.size()));
    const bool down = below(2) == 1;
    const pe_t stride = (down ? -1 : 1) * static_cast<pe_t>(1 + below(3));
    const pe_t room = down ? start / -stride : (size - 1 - start) / stride;
    const auto count = static_cast<pe_t>(1 + below(static_cast<std::size_t>(room) + 1));
    if (teams_.size() == max_teams) return;

    known_team made;
    for (pe_t i = 0; i < count; ++i)
      made.members.push_back(parent.members[static_cast<std::size_t>(start + i * stride)]);
    const bool inside = std::find(made.members.begin(), made.members.end(), me_) != made.members.end();
    if (parent.includes_me()) {
      made.handle = parent.handle.split_strided(start, stride, count);
      EXPECT_EQ(made.includes_me(), inside) << where(parent);
    }
    if (made.includes_me()) {
      EXPECT_EQ(made.handle.pes(), count) << where(parent);
      EXPECT_EQ(made.members[static_cast<std::size_t>(made.handle.pe())], me_) << where(parent);
    }
    teams_.push_back(made);
  }

  /// Every PE stops using a team here, but keeps the handle for a time of its own.
  void drop_some() {
    if (teams_.size() > 1) {
      const auto which = teams_.begin() + 1 + static_cast<std::ptrdiff_t>(below(teams_.size() - 1));
      dropped_.push_back(which->handle);
      teams_.erase(which);
    }
    while (dropped_.size() > own_() % (max_dropped + 1)) dropped_.erase(dropped_.begin());
  }

  /// Not only that barriers end: a split-phase barrier may have any collective of another team between its
  /// halves.
  void check_barriers(const known_team& t) {
    const auto& other = teams_[below(teams_.size())];
    if (t.includes_me()) t.handle.barrier();
    if (t.includes_me()) t.handle.barrier_notify();
    if (&other != &t) check_allgather<std::uint64_t>(other);
    if (t.includes_me()) t.handle.barrier_wait();
  }

  template <class T>
  void check_broadcast(const known_team& t, std::size_t count) {
    const auto root = below(t.members.size());
    ++broadcasts_;
    if (!t.includes_me()) return;
    auto data = values<T>(me_, count);
    t.handle.broadcast(std::span<T>(data), static_cast<pe_t>(root));
    EXPECT_TRUE(data == values<T>(t.members[root], count)) << where(t) << " broadcast of " << count;
  }

  /// Small ones, of which some let their root go on.
  void check_row_of_broadcasts(const known_team& t) {
    constexpr std::size_t counts[] = {0, 1, 18, 19, 42, 43};
    for (auto left = below(24); left > 0; --left) check_broadcast<triple>(t, counts[below(6)]);
  }

  template <class T>
  void check_allgather(const known_team& t) {
    const auto count = random_count<T>();
    if (!t.includes_me()) return;
    const auto in = values<T>(me_, count);
    std::vector<T> out(count * t.members.size());
    t.handle.allgather(std::span<const T>(in), std::span<T>(out));
    for (std::size_t m = 0; m < t.members.size(); ++m)
      for (std::size_t i = 0; i < count; ++i)
        if (!(out[m * count + i] == value<T>(t.members[m], i)))
          FAIL() << where(t) << " allgather of " << count << ": member " << m << " index " << i;
  }

  template <class T>
  void check_alltoall(const known_team& t) {
    const auto count = random_count<T>() / t.members.size();
    if (!t.includes_me()) return;
    const auto in = values<T>(me_, count * t.members.size());
    std::vector<T> out(in.size());
    t.handle.alltoall(std::span<const T>(in), std::span<T>(out));
    const auto mine = static_cast<std::size_t>(t.handle.pe()) * count;
    for (std::size_t m = 0; m < t.members.size(); ++m)
      for (std::size_t i = 0; i < count; ++i)
        if (!(out[m * count + i] == value<T>(t.members[m], mine + i)))
          FAIL() << where(t) << " alltoall of " << count << ": member " << m << " index " << i;
  }

  /// Mostly none, or alike; now and then one part is large.
  template <class T>
  std::vector<std::size_t> random_counts(std::size_t parts) {
    const auto usual = 1 + std::min<std::size_t>(random_count<T>(), 5000);
    std::vector<std::size_t> counts(parts);
    for (auto& c : counts) c = below(3) == 0 ? 0 : below(usual);
    if (below(4) == 0) counts[below(parts)] = random_count<T>();
    return counts;
  }

  template <class T>
  void check_allgatherv(const known_team& t) {
    const auto counts = random_counts<T>(t.members.size());
    if (!t.includes_me()) return;
    const auto all = t.handle.allgatherv(values<T>(me_, counts[static_cast<std::size_t>(t.handle.pe())]));
    ASSERT_EQ(all.size(), t.members.size()) << where(t);
    for (std::size_t m = 0; m < t.members.size(); ++m)
      EXPECT_TRUE(std::ranges::equal(all[m], values<T>(t.members[m], counts[m])))
          << where(t) << " allgatherv, member " << m << " of " << counts[m];
  }

  template <class T>
  void check_alltoallv(const known_team& t) {
    const auto members = t.members.size();
    std::vector<std::vector<std::size_t>> counts(members); // of each sender
    for (auto& row : counts) row = random_counts<T>(members);
    if (!t.includes_me()) return;
    const auto sent = [&](std::size_t from) { // the parts of `from` are pieces of one row of values
      ragged_array<T> parts{std::span<const std::size_t>(counts[from])};
      const auto row = values<T>(t.members[from], parts.elements().size());
      std::ranges::copy(row, parts.elements().begin());
      return parts;
    };
    const auto me = static_cast<std::size_t>(t.handle.pe());
    const auto got = t.handle.alltoallv(sent(me));
    ASSERT_EQ(got.size(), members) << where(t);
    for (std::size_t m = 0; m < members; ++m) {
      const auto parts = sent(m);
      EXPECT_TRUE(std::ranges::equal(got[m], parts[me]))
          << where(t) << " alltoallv, from member " << m << ": " << counts[m][me];
    }
  }

  /// Members 0 … `count` - 1 of `t`, combined in order.
  template <class T, class Op>
  T combined(const known_team& t, std::size_t count, std::size_t index, Op op) const {
    auto result = value<T>(t.members[0], index);
    for (std::size_t m = 1; m < count; ++m) result = op(result, value<T>(t.members[m], index));
    return result;
  }

  template <class T, class Op>
  void check_reduce(const known_team& t, Op op) {
    const auto count = random_count<T>();
    const bool in_place = below(2) == 1;
    if (!t.includes_me()) return;
    auto in = values<T>(me_, count);
    std::vector<T> separate(count);
    auto& out = in_place ? in : separate;
    t.handle.reduce(std::span<const T>(in), std::span<T>(out), op);
    for (std::size_t i = 0; i < count; ++i)
      if (!(out[i] == combined<T>(t, t.members.size(), i, op)))
        FAIL() << where(t) << " reduce of " << count << (in_place ? " in place" : "") << ": index " << i;
  }

  void check_scans(const known_team& t) {
    if (!t.includes_me()) return;
    const auto mine = value<affine>(me_, 0);
    const auto before = static_cast<std::size_t>(t.handle.pe());
    const affine identity{1, 0};
    EXPECT_EQ(t.handle.scan(mine, compose{}), combined<affine>(t, before + 1, 0, compose{})) << where(t);
    const auto expected = before == 0 ? identity : combined<affine>(t, before, 0, compose{});
    EXPECT_EQ(t.handle.exclusive_scan(mine, identity, compose{}), expected) << where(t);
  }

  std::uint64_t seed_;
  std::mt19937_64 common_, own_;
  pe_t me_;
  int step_ = 0, broadcasts_ = 0;
  std::vector<known_team> teams_;
  std::vector<team> dropped_;
};

} // namespace

void run_random_collectives(const team& world, std::uint64_t seed, int steps) {
  random_program(world, seed).run(steps);
}

} // namespace windrow::test
