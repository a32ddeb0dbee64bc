// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/overlap/pass.hpp"

#include <llvm/Transforms/Utils/ModuleUtils.h>

#include "compiler/overlap/accesses.hpp"
#include "compiler/overlap/borders.hpp"
#include "compiler/overlap/calls.hpp"
#include "compiler/overlap/plan.hpp"
#include "compiler/overlap/versions.hpp"

namespace windrow::compiler::overlap {

namespace {

constexpr int before_programs = 100; // priority of constructors: programs have those from 101 on
constexpr StringLiteral teller = "windrow.overlap.module";

bool is_ours(const Function& function) {
  return !function.isDeclaration() && !function.hasAvailableExternallyLinkage() &&
         !function.hasFnAttribute(Attribute::DisableSanitizerInstrumentation) &&
         !function.hasFnAttribute(Attribute::Naked);
}

// void constructor() { windrow_overlap_instrumented(functions, count); }
void tell_runtime(ArrayRef<Function*> functions, instruments& with) {
  auto& module = with.module();
  auto& context = module.getContext();
  auto* address = PointerType::get(context, 0);
  SmallVector<Constant*, 32> all(functions.begin(), functions.end());
  auto* list = ConstantArray::get(ArrayType::get(address, all.size()), all);
  auto* table = new GlobalVariable(module, list->getType(), true, GlobalValue::PrivateLinkage, list,
                                   "windrow.functions");
  auto* type = FunctionType::get(Type::getVoidTy(context), false);
  auto* tells = Function::Create(type, GlobalValue::InternalLinkage, teller, module);
  IRBuilder<> builder(BasicBlock::Create(context, "entry", tells));
  with.call(builder, "instrumented", {table, builder.getInt64(all.size())});
  if (active_plan()) with.call(builder, "plan", {});
  builder.CreateRetVoid();
  appendToGlobalCtors(module, tells, before_programs);
}

} // namespace

// Clang may have the pass twice, by -fplugin= and -fpass-plugin=. Calls come last: what is put around them is
// no access of the program.
PreservedAnalyses overlap_pass::run(Module& module, ModuleAnalysisManager& analyses) {
  if (module.getFunction(teller)) return PreservedAnalyses::all();
  auto& manager = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  SmallVector<Function*, 32> functions;
  for (auto& function : module)
    if (is_ours(function)) functions.push_back(&function);
  if (functions.empty()) return PreservedAnalyses::all();
  instruments with(module);
  for (auto* function : functions) {
    const auto& library = manager.getResult<TargetLibraryAnalysis>(*function);
    if (has_guards()) {
      instrument_accesses(*function, make_versions_of_loops(*function, with), with);
      instrument_ends_of_life(*function, with);
    }
    instrument_calls(*function, library, with);
    if (active_plan()) guard_borders(*function, with);
  }
  tell_runtime(functions, with);
  return PreservedAnalyses::none();
}

bool& is_wanted() {
  static bool wanted = false;
  return wanted;
}

bool& has_guards() {
  static bool guards = true;
  return guards;
}

} // namespace windrow::compiler::overlap
