// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/pass/defer_pass.hpp"

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/pass/batches.hpp"
#include "compiler/pass/calls.hpp"
#include "compiler/pass/debug_info.hpp"
#include "compiler/pass/exceptions.hpp"
#include "compiler/pass/fields.hpp"
#include "compiler/pass/footprints.hpp"
#include "compiler/pass/gets.hpp"
#include "compiler/pass/inlining.hpp"
#include "compiler/pass/marker.hpp"
#include "compiler/pass/normalise.hpp"
#include "compiler/pass/owner_routes.hpp"
#include "compiler/pass/promise.hpp"
#include "compiler/pass/ranges.hpp"
#include "compiler/pass/region.hpp"
#include "compiler/pass/strips.hpp"
#include "compiler/pass/versions.hpp"

namespace windrow::defer {

namespace {

constexpr uint64_t largest_record_bytes = 65'000; // what the runtime can name a slot in

std::string describe(const code& callback) {
  if (!callback.open)
    return "fused at owner: " + std::to_string(callback.statements) + " statement(s) behind " +
           (callback.fetches == 1 ? "1 fetch" : std::to_string(callback.fetches) + " fetches of one PE") +
           ", " + std::to_string(callback.record_bytes) + " bytes travel with it" +
           (callback.operands ? ", its operands are made there" : "");
  const auto behind = callback.bulk          ? "behind 1 vectorised fetch"
                      : callback.fetches > 0 ? "behind " + std::to_string(callback.fetches) + " fetch(es)"
                                             : std::string("in the order of other deferred code");
  auto text = "deferred " + std::to_string(callback.statements) + " statement(s) " + behind + ", captured " +
              std::to_string(callback.record_bytes) + " bytes by value [" + callback.captured + "]";
  if (!callback.shared.empty()) text += ", shared by reference [" + callback.shared + "]";
  if (callback.level > 1) text += ", nesting level " + std::to_string(callback.level);
  return text;
}

// One function with directives.
class function_worker {
 public:
  function_worker(Function& function, FunctionAnalysisManager& analyses, const rules& switches,
                  footprints& known)
      : function_(function), analyses_(analyses), switches_(switches), known_(known), told_(function) {}

  void run() {
    ValueToValueMapTy unused;
    auto* original = CloneFunction(&function_, unused);
    transform();
    if (left_bulk_fetch()) { // none can be, for there is no such function: without them, then
      auto* again = CloneFunction(original, unused);
      put_back(*original);
      original = again;
      told_.forget();
      vectorise_ = false;
      transform();
    }
    const auto wrong = what_is_wrong();
    if (wrong.empty() && made_.empty())
      original->eraseFromParent();
    else if (wrong.empty())
      choose_version(function_, *original, checks_->take(), context_);
    else
      restore(*original, wrong);
    told_.emit();
  }

 private:
  void transform() {
    normalise(function_); // may remove directives, with code that cannot be reached
    auto marks = find_markers(function_);
    fold_nested(function_, marks);
    for (const auto& mark : marks) make_fetches_of_gets(function_, mark);
    hidden_handlers handlers;
    handlers.hide(function_, marks);
    context_ = find_early_context(function_);
    checks_ = std::make_unique<promise_checks>(function_, handlers);
    analyses_.invalidate(function_, PreservedAnalyses::none());
    code body;
    body.checks = checks_.get();
    body.function = &function_;
    body.library = &analyses_.getResult<TargetLibraryAnalysis>(function_);
    body.switches = &switches_;
    body.known = &known_;
    body.vectorise = vectorise_;
    body.vars.add_frame(function_);
    for (const auto& mark : marks)
      if (mark.branch) body.vars.note_escapes(*mark.entry(), known_.addresses());
    for (const auto& mark : marks) {
      body.handler = mark.branch ? handlers.of(*mark.entry()) : nullptr;
      transform_region(body, mark, analyses_, made_, told_);
    }
    for (const auto& mark : marks) erase(mark);
    for (const auto& callback : made_) {
      load_fields_first(*callback);
      load_from_range(*callback);
    }
    for (const auto& callback : made_) {
      put_in_batches(*callback);
      complete(*callback);
    }
    for (const auto& callback : made_) {
      open_in_strips(*callback);
      keep_owner_route(*callback);
    }
    for (const auto& callback : made_)
      if (callback->keeps_exceptions) keep_exceptions(*callback->function, function_);
    handlers.restore(function_);
    drop_foreign_records(function_);
  }

  void complete(code& callback) {
    if (callback.open && !callback.in_batches) set_bytes(callback);
    if (callback.in_place) complete_runs(callback);
    update_in_place(callback);
    told_.deferred(callback.fetched_at, describe(callback));
  }

  // In batches the callback is given what it keeps from one payload to the next.
  static void update_in_place(code& callback) {
    for (auto& instruction : make_early_inc_range(instructions(*callback.function))) {
      auto* call = dyn_cast<CallInst>(&instruction);
      if (!call || !is_unordered_update(callee_name(*call))) continue;
      const bool along = callback.in_batches && callback.routes < most_routes;
      auto* in_place = defer::update_in_place(*call, along);
      if (!in_place) continue;
      if (!along) {
        call->setCalledFunction(in_place);
        continue;
      }
      IRBuilder<> builder(call);
      const bool same = is_in_common(*call->getArgOperand(0), *callback.function);
      SmallVector<Value*, 6> arguments{callback.function->getArg(2), builder.getInt64(callback.routes++),
                                       builder.getInt1(same)};
      append_range(arguments, call->args());
      builder.CreateCall(in_place, arguments);
      call->eraseFromParent();
    }
  }

  // Whether all payloads of a batch have the value in common.
  static bool is_in_common(const Value& value, const Function& body) {
    const auto* load = dyn_cast<LoadInst>(&value);
    return load && load->getPointerOperand()->stripInBoundsOffsets() == body.getArg(1);
  }

  static void set_bytes(const code& callback) {
    IRBuilder<> builder(callback.open);
    if (!callback.bulk)
      return callback.open->setArgOperand(block_bytes, builder.getInt64(callback.record_bytes));
    auto* fixed = builder.getInt64(alignTo(callback.record_bytes, 8));
    if (callback.in_place) return callback.open->setArgOperand(block_bytes, fixed);
    const auto& bulk = *callback.bulk;
    bulk.outside->setOperand(1, fixed);
    bulk.inside->setOperand(1, fixed);
    auto* values = builder.CreateMul(bulk.count, builder.getInt64(bulk.element_bytes));
    callback.open->setArgOperand(block_bytes, builder.CreateAdd(fixed, values));
  }

  // No invalid code leaves this pass: better the slow program than a wrong one.
  std::string what_is_wrong() const {
    std::string text;
    raw_string_ostream stream(text);
    bool broken = verifyFunction(function_, &stream);
    for (const auto& callback : made_) {
      broken |= verifyFunction(*callback->function, &stream);
      broken |=
          any_of(callback->helpers, [&](const Function* helper) { return verifyFunction(*helper, &stream); });
      if (callback->record_bytes > largest_record_bytes)
        return "a record would take " + std::to_string(callback->record_bytes) + " bytes, more than the " +
               std::to_string(largest_record_bytes) + " there are";
    }
    return broken ? "internal error, please report it: " + text.substr(0, text.find('\n')) : "";
  }

  bool left_bulk_fetch() const {
    return any_of(instructions(function_), is_bulk_fetch) || any_of(made_, [](const auto& callback) {
             return any_of(instructions(*callback->function), is_bulk_fetch);
           });
  }

  // Puts the original in the place of what has become of the function.
  void put_back(Function& original) {
    for (const auto& callback : made_) {
      callback->function->deleteBody();
      for (auto* helper : callback->helpers) helper->deleteBody();
    }
    const auto linkage = function_.getLinkage();
    auto* comdat = function_.getComdat();
    function_.deleteBody();
    function_.setLinkage(linkage);
    function_.setComdat(comdat);
    for (auto [to, from] : zip(function_.args(), original.args())) from.replaceAllUsesWith(&to);
    function_.splice(function_.end(), &original);
    function_.copyMetadata(&original, 0);
    if (original.hasPersonalityFn()) function_.setPersonalityFn(original.getPersonalityFn());
    original.eraseFromParent();
    for (const auto& callback : made_) remove(*callback);
    made_.clear();
  }

  void restore(Function& original, const std::string& why) {
    put_back(original);
    told_.withdraw();
    const auto marks = find_markers(function_);
    told_.refused(marks.front().annotation->getDebugLoc(), "region not deferred: " + why,
                  any_of(marks, [](const marker& mark) { return mark.strict; }));
    for (const auto& mark : marks) erase(mark);
  }

  static void remove(const code& callback) {
    if (callback.site) callback.site->eraseFromParent();
    for (auto* helper : callback.helpers) helper->eraseFromParent();
    callback.function->eraseFromParent();
  }

  Function& function_;
  FunctionAnalysisManager& analyses_;
  const rules& switches_;
  footprints& known_;
  diagnostics told_;
  callbacks made_;
  std::unique_ptr<promise_checks> checks_;
  std::optional<early_context> context_;
  bool vectorise_ = active_rules().vectorise;
};

} // namespace

PreservedAnalyses defer_pass::run(Module& module, ModuleAnalysisManager& analyses) {
  auto& functions = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  SmallVector<Function*, 8> marked;
  for (auto& function : module)
    if (any_of(instructions(function), is_marker)) marked.push_back(&function);
  footprints known(module, functions);
  for (auto* function : marked) known.look_at_callees(*function);
  for (auto* function : marked) function_worker(*function, functions, active_rules(), known).run();
  link_inlined_calls(module);
  return marked.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

rules& active_rules() {
  static rules active;
  return active;
}

void register_passes(PassBuilder& builder) {
  builder.registerPipelineStartEPCallback(
      [](ModulePassManager& manager, OptimizationLevel) { manager.addPass(defer_pass()); });
  builder.registerPipelineParsingCallback(
      [](StringRef name, ModulePassManager& manager, ArrayRef<PassBuilder::PipelineElement>) {
        if (name != pass_name) return false;
        manager.addPass(defer_pass());
        return true;
      });
}

} // namespace windrow::defer
