// SPDX-License-Identifier: BSD-3-Clause
// Merge sort whose merges are parallel, too: the middle of the longer part has its place in the other one,
// which makes two merges that do not depend on each other.
#include <algorithm>
#include <iterator>
#include <span>

#include "apps/tasks/kernel.hpp"

namespace windrow::apps::tasking {

namespace {

using numbers = std::span<std::uint32_t>;

class sort_kernel {
 public:
  explicit sort_kernel(int thousands) : input_(static_cast<std::size_t>(thousands) * 1000) {
    random_numbers random(1);
    for (auto& x : input_) x = static_cast<std::uint32_t>(random());
    scratch_.resize(input_.size());
  }
  void reset() { sorted_ = input_; }
  template <class Style>
  void solve() {
    sort<Style>(sorted_, scratch_);
  }
  bool right() const {
    auto expected = input_;
    std::sort(expected.begin(), expected.end());
    return sorted_ == expected;
  }

 private:
  static constexpr std::size_t fine = 2048;

  template <class Style>
  static void sort(numbers a, numbers scratch) {
    if (a.size() <= fine) return std::sort(a.begin(), a.end());
    const auto half = a.size() / 2;
    Style::both([=] { sort<Style>(a.first(half), scratch.first(half)); },
                [=] { sort<Style>(a.subspan(half), scratch.subspan(half)); });
    merge<Style>(a.first(half), a.subspan(half), scratch);
    copy<Style>(scratch, a);
  }

  template <class Style>
  static void merge(numbers a, numbers b, numbers to) {
    if (a.size() < b.size()) std::swap(a, b);
    if (to.size() <= fine) {
      std::merge(a.begin(), a.end(), b.begin(), b.end(), to.begin());
      return;
    }
    const auto middle = a.size() / 2;
    const auto below = static_cast<std::size_t>(std::lower_bound(b.begin(), b.end(), a[middle]) - b.begin());
    Style::both([=] { merge<Style>(a.first(middle), b.first(below), to.first(middle + below)); },
                [=] { merge<Style>(a.subspan(middle), b.subspan(below), to.subspan(middle + below)); });
  }

  template <class Style>
  static void copy(numbers from, numbers to) {
    if (from.size() <= 8 * fine) {
      std::copy(from.begin(), from.end(), to.begin());
      return;
    }
    const auto half = from.size() / 2;
    Style::both([=] { copy<Style>(from.first(half), to.first(half)); },
                [=] { copy<Style>(from.subspan(half), to.subspan(half)); });
  }

  std::vector<std::uint32_t> input_, sorted_, scratch_;
};

} // namespace

const kernel sort{"sort", "thousands of numbers", 4000, 50, 1'000'000, make_problem<sort_kernel>};

} // namespace windrow::apps::tasking
