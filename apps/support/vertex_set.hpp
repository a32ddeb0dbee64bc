// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>
#include <cstdint>
#include <utility>

#include "apps/support/ownership.hpp"
#include "windrow/deferred.hpp"
#include "windrow/job.hpp"

namespace windrow::apps {

/// A set of vertices that any PE adds to by a one-sided operation, and that each PE takes its own part from:
/// a bit for every vertex, at its owner. Construction and destruction are collective.
class vertex_set {
 public:
  vertex_set(job& j, const ownership& own)
      : job_(j), own_(own), words_(j.allocate<std::uint64_t>(own.vertices() / 64 + 1)) {}
  ~vertex_set() { job_.free(words_); }
  vertex_set(const vertex_set&) = delete;
  vertex_set& operator=(const vertex_set&) = delete;

  /// To add v: `bit_or(word(v), bit(v))`, direct or on a context.
  global_ref<std::uint64_t> word(graph::vertex v) const {
    return words_.on(own_.owner(v))[static_cast<std::int64_t>(own_.index(v) / 64)];
  }
  std::uint64_t bit(graph::vertex v) const { return std::uint64_t{1} << own_.index(v) % 64; }
  /// To add v where it is: what may travel there with an operation.
  auto adding(graph::vertex v) const {
    return [words = symmetric(words_), k = own_.index(v)](const owner& here) {
      here.local(words)[k / 64] |= std::uint64_t{1} << k % 64;
    };
  }

  /// Calls `visit` with the number of each own vertex in the set, and removes it. To be called while nobody
  /// adds.
  template <class Visit>
  void take(Visit visit) {
    auto* words = job_.local(words_);
    for (std::uint64_t w = 0; w * 64 < own_.count(); ++w) {
      for (auto bits = std::exchange(words[w], 0); bits != 0; bits &= bits - 1)
        visit(w * 64 + static_cast<std::uint64_t>(std::countr_zero(bits)));
    }
  }

 private:
  job& job_;
  ownership own_;
  global_ptr<std::uint64_t> words_;
};

} // namespace windrow::apps
