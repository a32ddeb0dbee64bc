// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/comm/promises.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>

#include "compiler/comm/accesses.hpp"
#include "compiler/comm/late_writes.hpp"
#include "compiler/comm/options.hpp"
#include "compiler/common/api/c_library.hpp"
#include "compiler/common/api/calls.hpp"
#include "compiler/common/api/marker.hpp"
#include "compiler/common/api/routines.hpp"

namespace windrow::compiler::comm {

namespace {

struct promise {
  IntrinsicInst* annotation;
  BasicBlock* entry; ///< of the statement; null if no compiler makes such code of the directive
  bool relaxed;
};

SmallVector<promise, 4> promises_of(Function& function) {
  SmallVector<promise, 4> found;
  for (auto& instruction : instructions(function))
    if (const auto word = annotation_text(instruction, promise_text)) {
      auto* annotation = cast<IntrinsicInst>(&instruction);
      auto* branch = branch_of(*annotation);
      found.push_back({annotation, branch ? branch->getSuccessor(0) : nullptr, *word == "relaxed"});
    }
  return found;
}

// What clang makes of a statement of OpenMP.
bool is_outlined(const Function& function) {
  const auto name = function.getName();
  return name.contains(".omp_") || name.contains("__omp_offloading") || name.contains("__captured_stmt");
}

// Functions that are strict in whole, whatever stands in them: those that the list begins with, and what has
// been outlined of them or of a strict statement.
class strict_functions {
 public:
  explicit strict_functions(SmallVector<Function*, 4> first) : pending_(std::move(first)) {}

  void add(Function& function) { pending_.push_back(&function); }

  void add_outlined(const CallBase& call) {
    for (const auto& operand : call.operands())
      if (auto* function = dyn_cast<Function>(operand.get()->stripPointerCasts());
          function && is_outlined(*function))
        add(*function);
  }

  void tell_accesses() {
    SmallPtrSet<Function*, 8> seen;
    while (!pending_.empty()) {
      auto* function = pending_.pop_back_val();
      if (!seen.insert(function).second) continue;
      for (auto& instruction : instructions(*function)) {
        if (access_of(instruction)) set_promise(cast<CallBase>(instruction), false);
        if (const auto* call = dyn_cast<CallBase>(&instruction)) add_outlined(*call);
      }
    }
  }

 private:
  SmallVector<Function*, 4> pending_;
};

// Of several around a call the innermost one counts: its entry is behind those of the others.
const promise* innermost_around(const Instruction& instruction, ArrayRef<promise> promises,
                                const DominatorTree& dominators) {
  const promise* innermost = nullptr;
  for (const auto& one : promises)
    if (one.entry && dominators.dominates(one.entry, instruction.getParent()) &&
        (!innermost || dominators.dominates(innermost->entry, one.entry)))
      innermost = &one;
  return innermost;
}

void tell_accesses(Function& function, ArrayRef<promise> promises, strict_functions& strict) {
  const DominatorTree dominators(function);
  for (auto& instruction : instructions(function)) {
    auto* call = dyn_cast<CallBase>(&instruction);
    const auto* around = call ? innermost_around(instruction, promises, dominators) : nullptr;
    if (!around) continue;
    if (access_of(instruction)) set_promise(*call, around->relaxed);
    if (!around->relaxed) strict.add_outlined(*call);
  }
  for (const auto& one : promises) // where it ends is not known
    if (!one.relaxed && (!one.entry || !dominators.isReachableFromEntry(one.entry))) strict.add(function);
}

// What other files may run. Roots are what the linker keeps one file's copy of, and what C declares inline
// and one file defines for all. From there it goes on to the file's own functions: by calls, tables and
// variables. Each is told so by an attribute, which all has that LLVM makes of a function: specialised
// copies, parts of coroutines, outlined blocks.
class shared_code {
 public:
  explicit shared_code(Module& module) {
    for (auto& one : module.global_values())
      if (may_be_replaced(one)) add(one);
    if (active_options().hold("shared-inline"))
      for (auto* function : annotated_functions(module, inline_text))
        if (function->hasExternalLinkage()) add(*function);
  }

  void tell() {
    while (!pending_.empty()) {
      auto* one = pending_.pop_back_val();
      reach_operands(*one);
      if (auto* function = dyn_cast<Function>(one)) {
        if (active_options().hold("shared-copies") || !may_be_replaced(*function)) set_shared(*function);
        for (auto& instruction : instructions(*function)) reach_operands(instruction);
      }
      if (auto* variable = dyn_cast<GlobalVariable>(one)) reach_initialisers(*variable);
    }
  }

 private:
  static bool may_be_replaced(const GlobalValue& one) {
    return !one.isDeclaration() && one.isWeakForLinker();
  }

  // Strong ones of this file are its own, whoever calls them.
  static bool is_followed(const Constant& one) {
    if (isa<ConstantData>(one) || (!isa<Function>(one) && !active_options().hold("shared-tables")))
      return false;
    const auto* named = dyn_cast<GlobalValue>(&one);
    return !named ||
           (!named->isDeclaration() && (named->hasLocalLinkage() || named->hasAvailableExternallyLinkage()));
  }

  void add(User& one) {
    if (seen_.insert(&one).second) pending_.push_back(&one);
  }

  void reach_operands(User& user) {
    for (auto* operand : user.operand_values())
      if (auto* one = dyn_cast<Constant>(operand); one && is_followed(*one)) add(*one);
  }

  // What C++ stores there as the program begins.
  void reach_initialisers(GlobalVariable& variable) {
    SmallVector<User*, 8> users(variable.users());
    while (!users.empty()) {
      auto* user = users.pop_back_val();
      if (const auto* instruction = dyn_cast<Instruction>(user)) {
        auto* function = const_cast<Function*>(instruction->getFunction());
        if (function->hasLocalLinkage() && function->getSection() == startup_section) add(*function);
      } else if (isa<ConstantExpr>(user))
        append_range(users, user->users());
    }
  }

  static constexpr StringRef startup_section = ".text.startup";

  SmallPtrSet<const User*, 32> seen_;
  SmallVector<User*, 16> pending_;
};

// Products and quotients of complex numbers, by the compiler's own library, as clang declares them.
bool is_complex_arithmetic(const CallBase& call) {
  auto name = callee_name(call);
  const auto* callee = call.getCalledFunction();
  if (!callee || !callee->isDeclaration() || call.isStrictFP()) return false;
  return (name.consume_front("__mul") || name.consume_front("__div")) && name.consume_back("c3") &&
         (name == "h" || name == "s" || name == "d" || name == "x" || name == "t");
}

// Of the C library: what they go on from is nobody else's.
bool is_random_number(const CallBase& call) {
  return is_contained<StringRef>({"rand", "drand48", "lrand48", "mrand48"}, callee_name(call)) &&
         effects_of_c_function(call);
}

// Without that, each access could be the end of a loop, and has a handler in functions of C++.
void tell_what_is_known(Function& function) {
  for (auto& instruction : instructions(function))
    if (is_blocking_access(instruction) || is_update(instruction)) {
      cast<CallBase>(instruction).setDoesNotThrow();
      cast<CallBase>(instruction).addFnAttr(Attribute::WillReturn);
    } else if (auto* call = dyn_cast<CallBase>(&instruction); call && is_complex_arithmetic(*call)) {
      call->setDoesNotAccessMemory();
      call->setDoesNotThrow();
      call->addFnAttr(Attribute::WillReturn);
    } else if (call && is_random_number(*call)) {
      call->setOnlyAccessesInaccessibleMemory();
      call->setDoesNotThrow();
      call->addFnAttr(Attribute::WillReturn);
    }
}

} // namespace

PreservedAnalyses promise_pass::run(Module& module, ModuleAnalysisManager&) {
  bool found = active_options().is_on();
  if (active_options().relaxed()) shared_code(module).tell();
  strict_functions strict(annotated_functions(module, std::string(promise_text) + "strict"));
  for (auto& function : module) {
    if (active_options().is_on()) tell_what_is_known(function);
    const auto promises = promises_of(function);
    if (promises.empty()) continue;
    tell_accesses(function, promises, strict);
    for (const auto& one : promises) {
      one.annotation->replaceAllUsesWith(ConstantInt::get(one.annotation->getType(), 1));
      one.annotation->eraseFromParent();
    }
    found = true;
  }
  strict.tell_accesses();
  return found ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace windrow::compiler::comm
