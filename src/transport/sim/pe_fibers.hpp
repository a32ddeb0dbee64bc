// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "windrow/types.hpp"

namespace windrow::transport {

/// PEs that take turns on one thread, each on a stack of its own. Who runs next is for `turns` to say.
class pe_fibers {
 public:
  /// Calls `body(pe)` for each PE, the first ones first, and returns when all have returned. An exception
  /// that leaves `body` terminates the program. Throws windrow::error if there is no memory for the stacks.
  static void run(pe_t pes, const std::function<void(pe_t)>& body);
  /// Those of which the caller is one, or null.
  static pe_fibers* current() { return of_thread; }

  /// Names the PE that runs when the caller leaves or ends.
  void name_next(pe_t pe) { next_ = pe; }
  /// In one: returns when it has been named.
  void leave();
  /// In one that takes no turns any more: the others have theirs first.
  void let_others_run();

 private:
  struct one;

  pe_fibers(pe_t pes, const std::function<void(pe_t)>& body);
  ~pe_fibers();
  void run_all();
  void go_on_with(one&);

  static inline constinit thread_local pe_fibers* of_thread = nullptr;

  const std::function<void(pe_t)>& body_;
  std::size_t stack_bytes_;
  std::byte* stacks_;
  std::vector<std::unique_ptr<one>> all_;
  one* runs_ = nullptr;
  pe_t next_ = -1;          ///< negative: nobody has been named
  std::deque<one*> beside_; ///< who takes no turns and has not ended
  std::size_t ended_ = 0;
};

} // namespace windrow::transport
