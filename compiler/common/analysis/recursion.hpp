// SPDX-License-Identifier: BSD-3-Clause
// Questions about functions that may call each other.
#pragma once

#include "compiler/common/llvm/names.hpp"

namespace windrow::compiler {

/// While a question is open, what has been found so far is taken for its answer. If it is asked then, the
/// first question and all that it leads to are looked at again, until nothing more is found.
template <class Question>
class open_questions {
 public:
  /// Calls look(), which says whether there is more than it found the last time, unless the answer is there.
  template <class Look>
  void answer(const Question& one, Look look) {
    if (answered_.contains(&one) || !is_next(one)) return;
    const bool first = open_.empty();
    open_.insert(&one);
    found_more_ |= look();
    if (first) {
      while (asked_while_open_ && found_more_) {
        begin_round();
        last_round_[&one] = round_;
        found_more_ |= look();
      }
      for (const auto& [looked_at, round] : last_round_) answered_.insert(looked_at);
      last_round_.clear();
      begin_round();
    }
    open_.erase(&one);
  }

 private:
  void begin_round() {
    ++round_;
    asked_while_open_ = found_more_ = false;
  }

  // Whether it has not been looked at in this round.
  bool is_next(const Question& one) {
    asked_while_open_ |= open_.contains(&one);
    return std::exchange(last_round_[&one], round_) != round_;
  }

  unsigned round_ = 1;
  bool asked_while_open_ = false, found_more_ = false; ///< in this round
  SmallPtrSet<const Question*, 8> open_, answered_;
  DenseMap<const Question*, unsigned> last_round_; ///< while questions are open
};

} // namespace windrow::compiler
