// SPDX-License-Identifier: BSD-3-Clause
// How well each pair of proteins can be aligned: a task for each pair, of very different sizes. Gaps cost
// more to open than to continue (Gotoh, 1982).
#include <algorithm>
#include <limits>
#include <utility>

#include "apps/tasks/kernel.hpp"

namespace windrow::apps::tasking {

namespace {

using protein = std::vector<std::uint8_t>; ///< of 20 amino acids

constexpr int open_gap = -11, continue_gap = -1, never = std::numeric_limits<int>::min() / 2;

int score_of(std::uint8_t a, std::uint8_t b) {
  return a == b ? 5 : a / 4 == b / 4 ? 1 : -2;
}

/// Of ends in a pair of acids, or in a gap in either.
struct cell {
  int pair = never, gap_a = never, gap_b = never;

  int best() const { return std::max({pair, gap_a, gap_b}); }
};

/// The score of the best alignment of all of both. Keeps one row.
int align(const protein& a, const protein& b) {
  std::vector<cell> row(b.size() + 1);
  row[0].pair = 0;
  for (std::size_t j = 1; j <= b.size(); ++j) row[j].gap_a = open_gap + static_cast<int>(j) * continue_gap;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    cell diagonal = std::exchange(row[0], {never, never, open_gap + static_cast<int>(i) * continue_gap});
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const cell above = row[j];
      const cell& left = row[j - 1];
      row[j] = {diagonal.best() + score_of(a[i - 1], b[j - 1]),
                std::max(left.best() + open_gap, left.gap_a) + continue_gap,
                std::max(above.best() + open_gap, above.gap_b) + continue_gap};
      diagonal = above;
    }
  }
  return row.back().best();
}

/// The same from the recurrence of three whole tables.
int align_in_tables(const protein& a, const protein& b) {
  const auto width = b.size() + 1;
  std::vector<int> best((a.size() + 1) * width, never), down = best, across = best;
  best[0] = 0;
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      const auto at = i * width + j;
      if (i > 0) down[at] = std::max(best[at - width] + open_gap, down[at - width]) + continue_gap;
      if (j > 0) across[at] = std::max(best[at - 1] + open_gap, across[at - 1]) + continue_gap;
      const int pair = i > 0 && j > 0 ? best[at - width - 1] + score_of(a[i - 1], b[j - 1]) : best[at];
      best[at] = std::max({pair, down[at], across[at]});
    }
  return best.back();
}

class alignment_kernel {
 public:
  explicit alignment_kernel(int proteins) : proteins_(static_cast<std::size_t>(proteins)) {
    random_numbers random(5);
    for (auto& p : proteins_) {
      p.resize(20 + random() % 400);
      for (auto& acid : p) acid = static_cast<std::uint8_t>(random() % 20);
    }
    for (std::size_t i = 0; i < proteins_.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) pairs_.emplace_back(i, j);
  }
  void reset() { scores_.assign(pairs_.size(), never); }
  template <class Style>
  void solve() {
    Style::each(pairs_.size(), [this](std::size_t p) {
      scores_[p] = align(proteins_[pairs_[p].first], proteins_[pairs_[p].second]);
    });
  }
  bool right() const {
    for (std::size_t p = 0; p < pairs_.size(); ++p)
      if (scores_[p] != align_in_tables(proteins_[pairs_[p].first], proteins_[pairs_[p].second]))
        return false;
    return true;
  }

 private:
  std::vector<protein> proteins_;
  std::vector<std::pair<std::size_t, std::size_t>> pairs_;
  std::vector<int> scores_;
};

} // namespace

const kernel alignment{"alignment", "proteins", 40, 8, 10'000, make_problem<alignment_kernel>};

} // namespace windrow::apps::tasking
