// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

namespace windrow::os {

/// Called in every process that this one forks while the object lives (not by vfork or posix_spawn, whose
/// children run another program), in the order in which the objects were made. Other threads do not exist
/// there, and locks that they held stay locked: the function may write to memory, and do little else.
class in_forked_children {
 public:
  explicit in_forked_children(std::function<void()> call);
  ~in_forked_children();
  in_forked_children(const in_forked_children&) = delete;
  in_forked_children& operator=(const in_forked_children&) = delete;

 private:
  friend void call_in_child();

  std::function<void()> call_;
  in_forked_children* next_ = nullptr;
};

} // namespace windrow::os
