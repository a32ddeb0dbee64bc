// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/overlap/pass.hpp"

#include <llvm/Transforms/Utils/ModuleUtils.h>

#include "compiler/common/api/routines.hpp"
#include "compiler/overlap/accesses.hpp"
#include "compiler/overlap/apply.hpp"
#include "compiler/overlap/borders.hpp"
#include "compiler/overlap/calls.hpp"
#include "compiler/overlap/event_of_call.hpp"
#include "compiler/overlap/plan.hpp"
#include "compiler/overlap/versions.hpp"

namespace windrow::compiler::overlap {

namespace {

constexpr int before_programs = 0; // priority of constructors; those from 101 on are the programs' by right
constexpr uint64_t mark_of_checks = 0x776f72646e697721; // as in src/overlap/compiled_code.cpp
constexpr StringLiteral teller = "windrow.overlap.module";

GlobalVariable* table_of(ArrayRef<Constant*> all, Module& module) {
  auto* list = ConstantArray::get(ArrayType::get(PointerType::get(module.getContext(), 0), all.size()), all);
  return new GlobalVariable(module, list->getType(), true, GlobalValue::PrivateLinkage, list,
                            "windrow.table");
}

SmallVector<Constant*, 8> entries_of(Module& module) {
  SmallVector<Constant*, 8> entries;
  if (const auto* planned = module.getNamedMetadata(entries_of_plan))
    for (const auto* one : planned->operands())
      if (auto* entry = mdconst::dyn_extract_or_null<Constant>(one->getOperand(0))) entries.push_back(entry);
  return entries;
}

// What a plan puts off has been inlined into code that must not have checks: it is not put off there.
void keep_as_it_is(Function& function) {
  for (auto& one : instructions(function))
    if (callee_name(one).starts_with("windrow_overlap_puts_off"))
      one.replaceAllUsesWith(Constant::getNullValue(one.getType()));
}

// The linker may take another module's copy of these, which may have no checks: what has them says so in
// front.
void mark(Function& function) {
  auto* word = Type::getInt64Ty(function.getContext());
  auto* text = ConstantInt::get(word, mark_of_checks);
  function.setPrefixData(
      ConstantArray::get(ArrayType::get(word, 2), {text, text})); // as long as alignment is
}

// By which loads and stores reach memory of other PEs.
bool asks_for_pointers(const Module& module) {
  constexpr StringLiteral names[] = {"shmem_ptr", "shmem_team_ptr", "pshmem_ptr", "pshmem_team_ptr"};
  return any_of(names, [&](StringRef name) { return module.getFunction(name) != nullptr; });
}

// void constructor() { windrow_overlap_instrumented(functions, count); }
void tell_runtime(ArrayRef<Function*> functions, instruments& with) {
  auto& module = with.module();
  auto& context = module.getContext();
  SmallVector<Constant*, 32> own, shared;
  for (auto* one : functions) (one->hasExactDefinition() ? own : shared).push_back(one);
  auto* type = FunctionType::get(Type::getVoidTy(context), false);
  auto* tells = Function::Create(type, GlobalValue::InternalLinkage, teller, module);
  IRBuilder<> builder(BasicBlock::Create(context, "entry", tells));
  with.call(builder, "instrumented", {table_of(own, module), builder.getInt64(own.size())});
  with.call(builder, "marked", {table_of(shared, module), builder.getInt64(shared.size())});
  if (asks_for_pointers(module)) with.call(builder, "pointers", {});
  if (active_plan()) {
    const auto entries = entries_of(module);
    with.call(builder, "plan", {table_of(entries, module), builder.getInt64(entries.size())});
  }
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
    if (has_checks(function))
      functions.push_back(&function);
    else
      keep_as_it_is(function);
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
    if (!function->hasExactDefinition() && !function->hasPrefixData()) mark(*function);
    function->removeFnAttr(Attribute::Memory); // what was found of its code before
  }
  tell_runtime(functions, with);
  return PreservedAnalyses::none();
}

PreservedAnalyses keep_calls_pass::run(Module& module, ModuleAnalysisManager&) {
  for (auto& function : module)
    for (auto& one : instructions(function)) {
      auto* call = dyn_cast<CallBase>(&one);
      library_event event{};
      if (call && event_of_call(*call, event) == library_use::event) call->addFnAttr(Attribute::NoMerge);
    }
  return PreservedAnalyses::all();
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
