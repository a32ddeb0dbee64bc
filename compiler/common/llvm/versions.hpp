// SPDX-License-Identifier: BSD-3-Clause
// The one difference between the releases of LLVM that the plug-in is built for, 16 and 19: what the debugger
// is told about variables stands among the instructions as calls of intrinsics, and since 19 beside them as
// records. Both are called records here.
#pragma once

#include <llvm/Config/llvm-config.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include "compiler/common/llvm/names.hpp"

namespace windrow::compiler {

#if LLVM_VERSION_MAJOR >= 19

/// The variable whose memory `base` is, if that is known.
inline const DILocalVariable* declared_at(Value& base) {
  for (auto* declare : findDVRDeclares(&base)) return declare->getVariable();
  for (auto* declare : findDbgDeclares(&base)) return declare->getVariable(); // opt can be told to have them
  // With -g and optimisation clang tells of assignments in place of the declaration.
  if (const auto* alloca = dyn_cast<AllocaInst>(&base))
    for (auto* assignment : at::getDVRAssignmentMarkers(alloca)) return assignment->getVariable();
  return nullptr;
}

/// What stands beside the instruction.
inline void drop_records(Instruction& instruction) {
  instruction.dropDbgRecords();
}

inline void move_records(Instruction& from, Instruction& to) {
  to.cloneDebugInfoFrom(&from);
  from.dropDbgRecords();
}

/// The instruction, and what stands beside it.
inline void remap(Instruction& instruction, ValueToValueMapTy& mapped, RemapFlags flags) {
  RemapInstruction(&instruction, mapped, flags);
  RemapDbgRecordRange(instruction.getModule(), instruction.getDbgRecordRange(), mapped, flags);
}

/// Drops the records of which `unwanted`, called with all that one is about, holds.
template <typename Unwanted>
void drop_records_about(Function& function, Unwanted unwanted) {
  for (auto& instruction : instructions(function))
    for (DbgVariableRecord& record : make_early_inc_range(filterDbgVars(instruction.getDbgRecordRange()))) {
      SmallVector<const Value*, 4> about(record.location_ops());
      if (record.isDbgAssign()) {
        about.push_back(record.getAddress());
        append_range(about, at::getAssignmentInsts(&record));
      }
      if (unwanted(about)) record.eraseFromParent();
    }
}

#else

inline const DILocalVariable* declared_at(Value& base) {
#if LLVM_VERSION_MAJOR >= 18
  for (auto* declare : findDbgDeclares(&base)) return declare->getVariable();
#else
  for (auto* declare : FindDbgDeclareUses(&base)) return declare->getVariable();
#endif
  return nullptr;
}

inline void drop_records(Instruction&) {}

inline void move_records(Instruction&, Instruction&) {}

inline void remap(Instruction& instruction, ValueToValueMapTy& mapped, RemapFlags flags) {
  RemapInstruction(&instruction, mapped, flags);
}

template <typename Unwanted>
void drop_records_about(Function& function, Unwanted unwanted) {
  for (auto& instruction : make_early_inc_range(instructions(function)))
    if (auto* record = dyn_cast<DbgVariableIntrinsic>(&instruction)) {
      const SmallVector<const Value*, 4> about(record->location_ops());
      if (unwanted(about)) record->eraseFromParent();
    }
}

#endif

} // namespace windrow::compiler
