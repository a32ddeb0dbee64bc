// SPDX-License-Identifier: BSD-3-Clause
// Who refines a leaf borrows the neighbours from their owners, and gives them back before the next colour has
// its turn. So no copy is ever an old one: what a PE does not own it has for one colour only.
#include <chrono>
#include <map>
#include <span>
#include <utility>

#include "apps/delaunay/simulation.hpp"
#include "windrow/selector.hpp"

namespace windrow::apps::delaunay {

namespace {

/// The PE of a leaf, for ever.
pe_t owner(const job& j, const domain& d, std::uint64_t leaf) {
  return static_cast<pe_t>(leaf * static_cast<std::uint64_t>(j.pes()) / d.count());
}

/// A leaf as a message: its index and level, then triangles.
std::vector<std::int32_t> packed(const leaf& l) {
  std::vector<std::int32_t> result{static_cast<std::int32_t>(l.index()), l.level()};
  for (const auto& t : l.triangles())
    for (const auto& p : t.at) result.insert(result.end(), {p.x, p.y});
  return result;
}
leaf unpacked(const domain& d, std::span<const std::int32_t> m) {
  std::vector<triangle> all;
  for (std::size_t i = 2; i < m.size(); i += 6)
    all.push_back({{{{m[i], m[i + 1]}, {m[i + 2], m[i + 3]}, {m[i + 4], m[i + 5]}}}});
  return {d, static_cast<std::uint64_t>(m[0]), m[1], all};
}

/// The leaves of a PE.
class part {
 public:
  part(job& j, const settings& s) : job_(j), settings_(s), domain_(s.where) {
    for (std::uint64_t i = 0; i < domain_.count(); ++i)
      if (is_mine(i)) leaves_.emplace(i, leaf(domain_, i));
  }
  const std::map<std::uint64_t, leaf>& leaves() const { return leaves_; }
  std::uint64_t conflicts() const { return conflicts_; }

  void begin_level(std::int32_t level) {
    for (auto& [i, l] : leaves_) l.begin_level(level);
  }
  /// Collective.
  bool is_work_left() {
    bool is_left = false;
    for (const auto& [i, l] : leaves_) is_left |= l.has_work();
    return job_.world().max(is_left ? 1 : 0) > 0;
  }
  /// Collective.
  void turn(std::uint64_t colour) {
    std::vector<std::uint64_t> turns;
    for (const auto& [i, l] : leaves_)
      if (domain_.colour(i) == colour && l.has_work()) turns.push_back(i);
    borrow(turns);
    for (const auto i : turns) {
      std::vector<leaf*> together{&leaves_.at(i)};
      for (const auto n : domain_.around(i, 1))
        together.push_back(is_mine(n) ? &leaves_.at(n) : &borrowed_.at(n));
      conflicts_ += settings_.refine_leaf(leaves_together(std::move(together)));
    }
    give_back();
  }

 private:
  using index = std::uint64_t;
  using packed_leaf = std::span<const std::int32_t>;

  bool is_mine(std::uint64_t leaf) const { return owner(job_, domain_, leaf) == job_.pe(); }
  // No two of a colour have a neighbour in common, so nobody else wants the same one.
  void borrow(const std::vector<std::uint64_t>& turns) {
    selector<index, packed_leaf> post(
        job_, [&](auto& out, const index& wanted) { out.reply(packed_leaf(packed(leaves_.at(wanted)))); },
        [&](packed_leaf m) {
          borrowed_.insert_or_assign(static_cast<index>(m.front()), unpacked(domain_, m));
        });
    post.run([&] {
      for (const auto i : turns)
        for (const auto n : domain_.around(i, 1))
          if (!is_mine(n)) post.send(owner(job_, domain_, n), n);
    });
  }
  void give_back() {
    selector<packed_leaf> post(
        job_, [&](packed_leaf m) { leaves_.at(static_cast<index>(m.front())) = unpacked(domain_, m); });
    post.run([&] {
      for (const auto& [i, l] : borrowed_) post.send(owner(job_, domain_, i), packed(l));
    });
    borrowed_.clear();
  }

  job& job_;
  const settings& settings_;
  const domain& domain_;
  std::uint64_t conflicts_ = 0;
  std::map<std::uint64_t, leaf> leaves_, borrowed_;
};

} // namespace

outcome run_static(job& j, const settings& s) {
  const auto begin = std::chrono::steady_clock::now();
  part mine(j, s);
  outcome result;
  for (std::int32_t level = 0; level < s.where.levels; ++level) {
    mine.begin_level(level);
    for (; mine.is_work_left(); ++result.rounds)
      for (std::uint64_t colour = 0; colour < colours; ++colour) mine.turn(colour);
  }
  std::vector<triangle> here;
  for (const auto& [i, l] : mine.leaves())
    for (const auto& t : l.triangles()) here.push_back(t);
  result.triangles = j.world().sum(std::uint64_t{here.size()});
  result.checksum = j.world().sum(checksum(here));
  result.conflicts = j.world().sum(mine.conflicts());
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  result.seconds = j.world().max(seconds.count());
  result.mesh = gather(j, here);
  return result;
}

} // namespace windrow::apps::delaunay
