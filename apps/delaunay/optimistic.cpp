// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <atomic>
#include <mutex>
#include <optional>
#include <vector>

#include "apps/delaunay/cavity.hpp"
#include "apps/delaunay/refine.hpp"
#include "windrow/task.hpp"

namespace windrow::apps::delaunay {

namespace {

/// A lock for each vertex. Some share one, so there may be a conflict where there need not be one.
class vertex_locks {
 public:
  using holder = const void*;
  std::atomic<holder>& of(point p) { return holders_[edge_hash()({p, p}) % holders_.size()]; }

 private:
  std::vector<std::atomic<holder>> holders_ = std::vector<std::atomic<holder>>(std::size_t{1} << 14);
};

/// What an attempt has locked. It lets go of that at its end.
class claims {
 public:
  explicit claims(vertex_locks& all) : all_(all) {}
  ~claims() {
    for (auto* const lock : held_) lock->store(nullptr, std::memory_order_release);
  }
  claims(const claims&) = delete;
  claims& operator=(const claims&) = delete;

  /// False if a vertex is another attempt's.
  bool take(const triangle& t) {
    for (const auto& p : t.at) {
      auto& lock = all_.of(p);
      vertex_locks::holder before = nullptr;
      if (lock.compare_exchange_strong(before, this, std::memory_order_acquire))
        held_.push_back(&lock);
      else if (before != this)
        return false;
    }
    return true;
  }

 private:
  vertex_locks& all_;
  std::vector<std::atomic<vertex_locks::holder>*> held_;
};

/// Who looks at an edge has locked its vertices, or it has nothing to rely on. So nobody changes the
/// triangles on its two sides meanwhile: that takes a lock of these vertices. Mutexes protect the tables, not
/// the mesh.
class refinement {
 public:
  explicit refinement(const leaves_together& leaves) : leaves_(leaves) {}

  std::uint64_t run() {
    for (auto bad = leaves_.first().bad_triangles(); !bad.empty(); bad = leaves_.first().bad_triangles()) {
      const auto before = splits_.load();
      finish([&] {
        for (const auto& t : bad) async([this, t] { get_rid_of(t); });
      });
      if (splits_ == before) finish([&] { get_rid_of(bad.front()); }); // begins alone, so without conflicts
    }
    return conflicts_;
  }

 private:
  /// The first split may be of an edge of the border, in favour of which the circumcentre was given up.
  void get_rid_of(const triangle& t) {
    while (const auto fresh = attempt(t))
      for (const auto& bad : *fresh) async([this, bad] { get_rid_of(bad); });
  }

  /// Splits a triangle. The new ones that are bad; nothing if it is no more, or in a conflict.
  std::optional<std::vector<triangle>> attempt(const triangle& bad) {
    claims mine(locks_);
    const auto claim = [&](const triangle& t) { return mine.take(t); };
    const auto triangle_at = [&](const edge& e) { return find(e); };
    std::optional<cavity> hole;
    if (claim(bad)) {
      if (find(bad.sides()[0].between) != bad) return {};
      hole = plan_split(leaves_.first().of(), bad, triangle_at, claim);
    }
    ++(hole ? splits_ : conflicts_);
    return hole ? std::optional(replace(*hole)) : std::nullopt;
  }

  std::vector<triangle> replace(const cavity& hole) {
    for (const auto& t : hole.triangles) {
      for (const auto& [e, apex] : t.sides()) {
        const std::lock_guard held(of_part_[leaf::part_of(e)]);
        leaves_.of(t).erase(e);
      }
      const std::lock_guard held(of_work_);
      leaves_.of(t).forget(t);
    }
    std::vector<triangle> bad;
    for (const auto& t : hole.fan()) {
      for (const auto& [e, apex] : t.sides()) {
        const std::lock_guard held(of_part_[leaf::part_of(e)]);
        leaves_.of(t).insert(e, apex);
      }
      const std::lock_guard held(of_work_);
      if (leaves_.of(t).judge(t) && &leaves_.of(t) == &leaves_.first()) bad.push_back(t);
    }
    return bad;
  }

  std::optional<triangle> find(const edge& e) {
    const std::lock_guard held(of_part_[leaf::part_of(e)]);
    return leaves_.find(e);
  }

  const leaves_together& leaves_;
  vertex_locks locks_;
  std::array<std::mutex, leaf::parts> of_part_;
  std::mutex of_work_; ///< what leaves know of bad triangles
  std::atomic<std::uint64_t> conflicts_ = 0, splits_ = 0;
};

} // namespace

std::uint64_t refine_optimistically(const leaves_together& leaves) {
  return refinement(leaves).run();
}

} // namespace windrow::apps::delaunay
