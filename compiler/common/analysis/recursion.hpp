// SPDX-License-Identifier: BSD-3-Clause
// Questions about functions that may call each other.
#pragma once

#include "compiler/common/llvm/names.hpp"

namespace windrow::compiler {

/// While a question is open, its answer is taken for what has been found so far. If it was asked then, and
/// more is found, all that has been found since is forgotten, and looked for again.
template <class Question>
class open_questions {
 public:
  /// It is asked again.
  void note(const Question& one) {
    if (open_.contains(&one)) asked_.insert(&one);
  }

  /// Calls look(), which says whether it has found more, as often as needed.
  template <class Look, class Forget>
  void answer(const Question& one, Look look, Forget forget) {
    open_.insert(&one);
    const auto before = found_.size();
    while (look() && asked_.erase(&one))
      while (found_.size() > before) forget(*found_.pop_back_val());
    asked_.erase(&one);
    open_.erase(&one);
    if (open_.empty())
      found_.clear();
    else
      found_.push_back(&one);
  }

 private:
  SmallPtrSet<const Question*, 8> open_, asked_;
  SmallVector<const Question*, 8> found_; ///< while others are open
};

} // namespace windrow::compiler
