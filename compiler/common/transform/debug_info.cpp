// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/common/transform/debug_info.hpp"

#include <llvm/IR/DIBuilder.h>

#include "compiler/common/llvm/versions.hpp"

namespace windrow::compiler {

namespace {

DebugLoc location_in(const Function& callback, const DILocation* location) {
  auto* subprogram = callback.getSubprogram();
  location = place_of(location);
  if (!location || !subprogram) return {};
  return DILocation::get(callback.getContext(), location->getLine(), location->getColumn(), subprogram);
}

bool is_foreign(const Value* value, const Function& function) {
  const auto* instruction = dyn_cast_or_null<Instruction>(value);
  return instruction && instruction->getFunction() != &function;
}

} // namespace

void describe_callback(Function& callback, const Function& outer) {
  auto* subprogram = outer.getSubprogram();
  if (!subprogram) return;
  DIBuilder builder(*callback.getParent(), false, subprogram->getUnit());
  auto* type = builder.createSubroutineType(builder.getOrCreateTypeArray({}));
  auto flags = DISubprogram::SPFlagDefinition | DISubprogram::SPFlagLocalToUnit;
  if (subprogram->isOptimized()) flags |= DISubprogram::SPFlagOptimized;
  auto* description =
      builder.createFunction(subprogram->getUnit(), callback.getName(), callback.getName(),
                             subprogram->getFile(), 0, type, 0, DINode::FlagArtificial, flags);
  callback.setSubprogram(description);
  builder.finalizeSubprogram(description);
}

Instruction* pass_by(Instruction& branch, BasicBlock& join) {
  auto* past = BranchInst::Create(&join, &branch);
  past->setDebugLoc(branch.getDebugLoc());
  move_records(branch, *past); // behind the end of a block they would turn up in another one
  branch.eraseFromParent();
  return past;
}

void describe_variable(Function& callback, AllocaInst& base, const DILocalVariable* description,
                       ArrayRef<uint64_t> path) {
  auto* subprogram = callback.getSubprogram();
  if (!description || !subprogram) return;
  DIBuilder builder(*callback.getParent(), false, subprogram->getUnit());
  auto* variable = builder.createAutoVariable(subprogram, description->getName(), description->getFile(),
                                              description->getLine(), description->getType());
  builder.insertDeclare(&base, variable, builder.createExpression(path),
                        DILocation::get(callback.getContext(), description->getLine(), 0, subprogram),
                        &callback.getEntryBlock());
}

void move_debug_info(Instruction& instruction, Function& callback) {
  drop_records(instruction);
  instruction.setMetadata(LLVMContext::MD_DIAssignID, nullptr);
  instruction.setDebugLoc(location_in(callback, instruction.getDebugLoc()));
  if (!instruction.getMetadata(LLVMContext::MD_loop)) return;
  updateLoopMetadataDebugLocations(instruction, [&](Metadata* entry) -> Metadata* {
    const auto* location = dyn_cast_or_null<DILocation>(entry);
    return location ? location_in(callback, location).getAsMDNode() : entry;
  });
}

void complete_locations(Function& function) {
  if (!function.getSubprogram()) return;
  for (auto& instruction : instructions(function))
    if (isa<CallBase>(instruction) && !instruction.getDebugLoc())
      instruction.setDebugLoc(DILocation::get(function.getContext(), 0, 0, function.getSubprogram()));
}

void drop_foreign_records(Function& function) {
  drop_records_about(function, [&](ArrayRef<const Value*> values) {
    return any_of(values, [&](const Value* value) { return is_foreign(value, function); });
  });
}

} // namespace windrow::compiler
