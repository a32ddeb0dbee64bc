// SPDX-License-Identifier: BSD-3-Clause
// Exceptions of dependent code. It runs in calls of the library, which no exception may leave: the callback
// keeps what it throws, code that would run behind it does not, and the statement throws it anew where it is
// complete. So the program goes on as without the directive, if what the rounds behind have done by then
// shows nowhere; otherwise the fetch is not deferred.
#pragma once

#include "compiler/common/api/marker.hpp"
#include "compiler/defer/plan/drains.hpp"
#include "compiler/defer/plan/hazards.hpp"

namespace windrow::compiler::defer {

/// Calls of statements that unwind to a handler behind the statement, as calls without one, so that a
/// statement has one end while it is looked at.
class hidden_handlers {
 public:
  void hide(Function& function, ArrayRef<marker> marks);
  /// Where exceptions of the statement that begins there go; null if they leave the function.
  BasicBlock* of(const BasicBlock& statement) const { return handlers_.lookup(&statement); }
  /// Calls f(call, handler) for all of these calls.
  template <class Function2>
  void for_each(Function2 f) const {
    for (const auto& [call, handler] : calls_)
      if (call) f(*cast<CallInst>(static_cast<Value*>(call)), *handler);
  }
  /// Calls that are still in the function have their handler again.
  void restore(const Function& function);

 private:
  DenseMap<const BasicBlock*, BasicBlock*> handlers_;
  std::vector<std::pair<WeakVH, BasicBlock*>> calls_;
};

/// Whether the call has had a handler.
bool has_hidden_handler(const Instruction& call);

/// Whether the instruction may throw out of the statement.
bool may_unwind(const code& body, const Instruction& instruction);
/// Whether what is deferred may.
bool may_unwind(const code& body, const plan& one);

/// Refuses the plan if it may throw, and somebody could see that it throws late.
void check_thrown(plan& one, ArrayRef<plan*> plans, const code& body, const SetVector<BasicBlock*>& region,
                  const shape& structure, const hazards& seen);

/// Where the statement is left: there it throws what was kept.
std::vector<completion> ways_out(BasicBlock* entry);

/// The callback keeps what it throws, and does nothing if an earlier one has thrown.
void keep_exceptions(Function& callback, const Function& outer);

} // namespace windrow::compiler::defer
