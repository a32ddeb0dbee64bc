// SPDX-License-Identifier: BSD-3-Clause
// Which of the neighbours after v are in row v is seen where row v is: they travel with the read that finds
// it.
#include <algorithm>
#include <array>
#include <limits>

#include "apps/kernels/triangles/triangles.hpp"
#include "windrow/deferred.hpp"

namespace windrow::apps {

namespace {

/// As many as travel together, in half the bytes: how far they are from the first.
class some_vertices {
 public:
  /// Takes them from the front of an ascending list.
  explicit some_vertices(std::span<const std::uint64_t>& list) : first_(list.front()) {
    for (; count_ < std::min(away_.size(), list.size()); ++count_) {
      const auto away = list[count_] - first_;
      if (away > std::numeric_limits<std::uint32_t>::max()) break;
      away_[count_] = static_cast<std::uint32_t>(away);
    }
    list = list.subspan(count_);
  }

  /// How many of them are in an ascending row.
  std::uint64_t in(std::span<const std::uint64_t> row) const {
    auto at = std::ranges::lower_bound(row, first_);
    std::uint64_t found = 0;
    for (const auto away : std::span(away_).first(count_)) {
      while (at != row.end() && *at < first_ + away) ++at;
      if (at == row.end()) break;
      found += *at == first_ + away;
    }
    return found;
  }

 private:
  std::uint64_t first_;
  std::array<std::uint32_t, 16> away_{};
  std::uint32_t count_ = 0;
};

} // namespace

void triangles::run_deferred() {
  context ctx(job_, aggregate);
  const symmetric entries(upper_.place(job_.pe(), 0)), found(found_here_.storage());
  for (auto& [after_v, v, row] : outgoing_edges(upper_)) {
    while (!after_v.empty())
      ctx.get(upper_.extent_of(v))
          .then_at_owner([=, some = some_vertices(after_v)](sparse_matrix<>::extent at, const owner& here) {
            *here.local(found) += some.in({here.local(entries) + at.first, at.size});
          });
  }
  ctx.barrier();
}

} // namespace windrow::apps
