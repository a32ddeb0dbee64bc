// SPDX-License-Identifier: BSD-3-Clause
// Which blocking gets and puts are begun only, and where the program waits for them.
#pragma once

#include <string>
#include <vector>

#include "compiler/comm/conflicts.hpp"

namespace windrow::compiler::comm {

/// In front of an instruction that may use memory that a transfer is not done with.
struct look {
  Instruction* before;
  SmallVector<used_memory, 2> at;
};

/// A transfer that is begun where the call stands.
struct begun_transfer {
  bulk_access access;
  SmallVector<Instruction*, 2> used_by; ///< what it is waited for at last
  Loop* loop; ///< which begins gets, and does nothing else: they may begin together behind it; or null
};

struct wait_plan {
  std::vector<begun_transfer> begun;
  SmallVector<Instruction*, 8> waits; ///< in front of these, for all that is under way
  std::vector<look> looks;
  /// Those that block as they did, and why.
  std::vector<std::pair<CallInst*, std::string>> refused;
};

/// What a transfer is waited for at last, for messages: "by shmem_quiet at line 7, at the end of the
/// function".
std::string described(ArrayRef<Instruction*> users);

/// Of such for which `may_begin` holds. The loops are in LLVM's simplified form.
wait_plan plan_waits(Function& function, known_facts& facts, function_ref<bool(const CallInst&)> may_begin);

} // namespace windrow::compiler::comm
