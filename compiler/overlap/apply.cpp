// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/overlap/apply.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <map>
#include <set>

#include "compiler/common/api/routines.hpp"
#include "compiler/common/report/diagnostics.hpp"
#include "compiler/overlap/event_of_call.hpp"
#include "compiler/overlap/instrument.hpp"
#include "compiler/overlap/plan.hpp"

namespace windrow::compiler::overlap {

namespace {

StringRef name_of(action what) {
  switch (what) {
    case action::put:
      return "put";
    case action::get:
      return "get";
    case action::put_signal:
      return "put with signal";
    case action::quiet:
      return "quiet";
    default:
      return "";
  }
}

/// Instructions of a module by the place that they stand at.
class code_by_place {
 public:
  explicit code_by_place(Module& module) {
    for (auto& function : module) {
      if (function.isDeclaration() || !function.getSubprogram()) continue;
      const auto& text = *function.getSubprogram();
      functions_[{absolute_file(text.getDirectory(), text.getFilename()), text.getName().str()}].push_back(
          &function);
      for (auto& one : instructions(function))
        if (const auto* where = one.getDebugLoc().get(); where && !isa<DbgInfoIntrinsic>(one))
          at_[innermost_place(*where)].push_back(&one);
    }
  }

  ArrayRef<Instruction*> at(const place& where) const {
    const auto found = at_.find(where);
    return found == at_.end() ? ArrayRef<Instruction*>() : ArrayRef<Instruction*>(found->second);
  }
  /// Those of that name in the file: several, if they are instances of a template.
  ArrayRef<Function*> functions(const planned_place& of) const {
    const auto found = functions_.find({of.where.file, of.function});
    return found == functions_.end() ? ArrayRef<Function*>() : ArrayRef<Function*>(found->second);
  }

 private:
  std::map<place, SmallVector<Instruction*, 4>> at_;
  std::map<std::pair<std::string, std::string>, SmallVector<Function*, 1>> functions_;
};

class plan_applier {
 public:
  plan_applier(Module& module, FunctionAnalysisManager& analyses, const plan& given)
      : module_(module), analyses_(analyses), plan_(given), code_(module), with_(module) {}

  void run() {
    for (const auto& one : plan_.silent_puts) mark_silent(one);
    for (const auto& one : plan_.entries) apply(one);
    complete_at_places();
    for (auto& [call, entry] : calls_) put_off(*call, *entry);
  }

 private:
  bool is_current(const planned_place& one) const {
    return any_of(code_.functions(one), [&](const Function* function) {
      return known_hashes().of(*function->getSubprogram()) == one.hash;
    });
  }
  bool is_here(const planned_place& one) const { return !code_.functions(one).empty(); }

  void mark_silent(const planned_place& one) {
    if (!is_current(one)) return;
    for (auto* at : code_.at(one.where))
      if (isa<CallBase>(at)) at->setMetadata(silent_put, MDNode::get(module_.getContext(), {}));
  }

  void apply(const plan_entry& one) {
    const bool begins_here = is_here(one.site);
    if (!begins_here) say_if_absent(one);
    if (const auto* stale = stale_place(one)) {
      if (!is_other_version(*stale)) refuse(one, *stale);
      return;
    }
    if (!begins_here && none_of(one.complete, [&](const auto& at) { return is_here(at); })) return;
    auto* entry = make_entry(one);
    for (const auto& at : one.complete) note_completion(at, entry);
    if (begins_here) find_calls(one, entry);
  }

  const planned_place* stale_place(const plan_entry& one) const {
    const auto is_stale = [&](const planned_place& at) { return is_here(at) && !is_current(at); };
    if (is_stale(one.site)) return &one.site;
    const auto found = find_if(one.complete, is_stale);
    return found == one.complete.end() ? nullptr : &*found;
  }

  // A file that is compiled several times, with other macros, has several functions of one name and place.
  bool is_other_version(const planned_place& stale) const {
    const auto is_here_now = [&](const planned_place& at) {
      return at.where.file == stale.where.file && at.function == stale.function && is_current(at);
    };
    return any_of(plan_.entries, [&](const plan_entry& one) {
      return is_here_now(one.site) || any_of(one.complete, is_here_now);
    });
  }

  // Of the file that is compiled itself; headers may have more functions than each file uses.
  void say_if_absent(const plan_entry& one) {
    const auto found = find_if(module_, [](const Function& each) { return each.getSubprogram() != nullptr; });
    if (found == module_.end()) return;
    const auto& unit = *found->getSubprogram()->getUnit();
    if (absolute_file(unit.getDirectory(), unit.getFilename()) != one.site.where.file) return;
    refuse(one, *found, "there is no function '" + one.site.function + "' in " + one.site.where.file);
  }

  void refuse(const plan_entry& one, const planned_place& stale) {
    auto& function = *code_.functions(stale).front();
    refuse(one, function, "function '" + stale.function + "' has changed since the run was recorded");
  }

  static void refuse(const plan_entry& one, Function& function, const std::string& why) {
    diagnostics told("windrow-overlap", function);
    const auto* text = function.getSubprogram();
    told.refused(DILocation::get(function.getContext(), text->getLine(), 0, function.getSubprogram()),
                 "entry " + one.id + " of the plan is not carried out: " + why, false);
    told.emit();
  }

  // struct windrow_overlap_entry
  GlobalVariable* make_entry(const plan_entry& one) {
    auto& context = module_.getContext();
    auto* text = ConstantDataArray::getString(context, one.id);
    auto* name =
        new GlobalVariable(module_, text->getType(), true, GlobalValue::PrivateLinkage, text, "windrow.id");
    auto* zero = ConstantInt::get(Type::getInt32Ty(context), 0);
    auto* entry = ConstantStruct::getAnon({name, zero, zero});
    auto* made = new GlobalVariable(module_, entry->getType(), false, GlobalValue::PrivateLinkage, entry,
                                    "windrow.entry");
    module_.getNamedMetadata(entries_of_plan)
        ->addOperand(MDNode::get(context, {ConstantAsMetadata::get(made)}));
    return made;
  }

  void find_calls(const plan_entry& one, GlobalVariable* entry) {
    SmallVector<CallBase*, 2> found;
    for (auto* at : code_.at(one.site.where)) {
      auto* call = dyn_cast<CallBase>(at);
      library_event event{};
      if (call && !call->isMustTailCall() && event_of_call(*call, event) == library_use::event &&
          name_of(event.what) == one.call && !(event.flags & implied))
        found.push_back(call);
    }
    auto& function = *code_.functions(one.site).front();
    if (found.empty()) return refuse(one, function, "there is no such call that can be put off");
    // A macro may have several in one place: those that have no other form stay as they are.
    const auto stays = [&](const CallBase* call) {
      return one.call != "quiet" && !nonblocking_form(*call) && !is_strided(*call);
    };
    if (all_of(found, stays))
      return refuse(one, function, callee_name(*found.front()).str() + " has no nonblocking form");
    for (auto* call : found)
      if (!stays(call)) calls_.emplace_back(call, entry);
  }

  static bool is_strided(const CallBase& call) {
    const auto access = access_of(call);
    return access && (*access)->takes(role::remote_stride);
  }

  // The nonblocking routine with the same arguments: its name has _nbi behind it. shmem_put has one,
  // shmem_iput has none; that of a routine that returns a value takes other arguments.
  static std::optional<std::string> nonblocking_form(const CallBase& call) {
    const auto name = callee_name(call).str() + "_nbi";
    const auto* known =
        routine_of(StringRef(name).starts_with("p") ? StringRef(name).drop_front() : StringRef(name));
    if (!known || !known->form->nonblocking || !call.getType()->isVoidTy()) return std::nullopt;
    return name;
  }

  // A place may have several accesses, with calls between that begin more: `x = f()` calls, then copies.
  void note_completion(const planned_place& at, GlobalVariable* entry) {
    SmallDenseMap<const BasicBlock*, Instruction*, 4> noted;
    for (auto* one : code_.at(at.where)) {
      const auto& text = *one->getFunction()->getSubprogram();
      auto*& before = noted[one->getParent()];
      if (text.getName() != at.function || (before && !may_begin_between(*before, *one))) continue;
      before = one;
      auto* copies = in_front_of_copies(*one);
      completions_.emplace_back(copies, entry);
      if (copies != one && has_calls(*copies, *one)) completions_.emplace_back(one, entry);
    }
  }

  // What a call passes by value has been copied before, but for copies that the optimiser left out of the run
  // that was recorded: there the call itself read it.
  static Instruction* in_front_of_copies(Instruction& at) {
    auto* first = &at;
    const auto* call = dyn_cast<CallBase>(&at);
    if (!call) return first;
    const auto is_passed = [&](const Value* memory) {
      return any_of(call->args(), [&](const Use& one) {
        return call->isByValArgument(call->getArgOperandNo(&one)) && one.get() == memory;
      });
    };
    for (auto* before = at.getPrevNode(); before; before = before->getPrevNode())
      if (const auto* copy = dyn_cast<MemTransferInst>(before); copy && is_passed(copy->getRawDest()))
        first = before;
    return first;
  }

  // Nothing stands between a call that takes the place of its function and the return.
  static bool may_begin_between(const Instruction& from, const Instruction& until) {
    const auto* last = dyn_cast_or_null<CallInst>(until.getPrevNode());
    return !(last && last->isMustTailCall()) && has_calls(from, until);
  }
  static bool has_calls(const Instruction& from, const Instruction& until) {
    return any_of(make_range(from.getIterator(), until.getIterator()), is_call);
  }
  static bool is_call(const Instruction& one) { return isa<CallBase>(one) && !isa<IntrinsicInst>(one); }

  // A loop without calls cannot begin anything: in front of it is early enough, and leaves it as fast as it
  // is.
  void complete_at_places() {
    SmallVector<std::pair<Instruction*, GlobalVariable*>, 16> places;
    for (auto [at, entry] : completions_)
      for (auto* before : in_front_of_loops(*at)) places.emplace_back(before, entry);
    std::set<std::pair<Instruction*, GlobalVariable*>> done;
    for (auto& one : places)
      if (done.insert(one).second) reach(one.first, one.second);
  }

  SmallVector<Instruction*, 2> in_front_of_loops(Instruction& at) {
    auto& loops = analyses_.getResult<LoopAnalysis>(*at.getFunction());
    Loop* outermost = nullptr;
    for (auto* loop = loops.getLoopFor(at.getParent()); loop && !has_calls(*loop);
         loop = loop->getParentLoop())
      outermost = loop;
    SmallVector<Instruction*, 2> places;
    if (!outermost) {
      places.push_back(isa<PHINode>(at) || at.isEHPad() ? &*at.getParent()->getFirstInsertionPt() : &at);
      return places;
    }
    for (auto* before : predecessors(outermost->getHeader()))
      if (!outermost->contains(before)) places.push_back(before->getTerminator());
    return places;
  }

  static bool has_calls(const Loop& loop) {
    return any_of(loop.blocks(), [](const BasicBlock* block) { return any_of(*block, is_call); });
  }

  void reach(Instruction* before, GlobalVariable* entry) {
    auto* then = with_.if_anything_is_tracked(before);
    IRBuilder<> builder(then);
    builder.SetCurrentDebugLocation(before->getDebugLoc());
    with_.call(builder, "reach", {entry});
  }

  // if (windrow_overlap_follows && windrow_overlap_puts_off(&entry, context)) shmem_put_nbi(...); else
  // shmem_put(...);
  void put_off(CallBase& call, GlobalVariable& entry) {
    library_event event{};
    event_of_call(call, event);
    auto* behind = block_behind(call);
    auto* before = call.getParent();
    auto* now = before->splitBasicBlock(&call);
    auto* asks = BasicBlock::Create(call.getContext(), "windrow.asks", before->getParent(), now);
    auto* later = BasicBlock::Create(call.getContext(), "windrow.later", before->getParent(), now);
    before->getTerminator()->eraseFromParent();
    IRBuilder<> builder(before);
    builder.SetCurrentDebugLocation(call.getDebugLoc());
    builder.CreateCondBr(with_.are_calls_followed(builder), asks, now);
    builder.SetInsertPoint(asks);
    builder.CreateCondBr(ask(builder, event, entry), later, now);
    builder.SetInsertPoint(later);
    if (is_strided(call))
      begin_strided(builder, call, event);
    else if (event.what != action::quiet)
      begin(builder, call);
    builder.CreateBr(behind);
  }

  static BasicBlock* block_behind(CallBase& call) {
    auto* invoke = dyn_cast<InvokeInst>(&call);
    if (invoke) return SplitEdge(call.getParent(), invoke->getNormalDest());
    return call.getParent()->splitBasicBlock(call.getNextNode());
  }

  Value* ask(IRBuilder<>& builder, const library_event& event, GlobalVariable& entry) {
    auto* address = PointerType::get(module_.getContext(), 0);
    Value* context = event.context ? event.context : ConstantPointerNull::get(address);
    auto* type = FunctionType::get(builder.getInt32Ty(), {address, address}, false);
    auto asks = module_.getOrInsertFunction(
        event.what == action::quiet ? "windrow_overlap_puts_off_quiet" : "windrow_overlap_puts_off", type);
    return builder.CreateICmpNE(builder.CreateCall(asks, {&entry, context}), builder.getInt32(0));
  }

  // Strides and blocks in bytes, since the optimiser may make one call of two of different types.
  void begin_strided(IRBuilder<>& builder, CallBase& call, const library_event& event) {
    Type *address = PointerType::get(module_.getContext(), 0), *word = builder.getInt64Ty();
    const auto in_bytes = [&](Value* elements) {
      auto* count = elements ? builder.CreateSExtOrTrunc(elements, word) : builder.getInt64(1);
      return builder.CreateMul(count, builder.getInt64(event.element_bytes));
    };
    const bool writes = event.what == action::put;
    auto* remote_stride = in_bytes(event.remote_stride);
    auto* local_stride = in_bytes(event.local_stride);
    auto* context = event.context
                        ? event.context
                        : module_.getOrInsertGlobal("shmem_ctx_object_default", builder.getInt8Ty());
    Value* const arguments[] = {context,
                                writes ? event.remote : event.local,
                                writes ? event.local : event.remote,
                                writes ? remote_stride : local_stride,
                                writes ? local_stride : remote_stride,
                                in_bytes(event.block),
                                builder.CreateZExtOrTrunc(event.count, word),
                                builder.CreateSExtOrTrunc(event.pe, builder.getInt32Ty())};
    auto* type =
        FunctionType::get(builder.getVoidTy(),
                          {address, address, address, word, word, word, word, builder.getInt32Ty()}, false);
    auto* begins =
        builder.CreateCall(module_.getOrInsertFunction(writes ? begin_iput : begin_iget, type), arguments);
    mark_as(*begins, call);
  }

  static void mark_as(CallBase& begins, const CallBase& call) {
    if (auto* silent = call.getMetadata(silent_put)) begins.setMetadata(silent_put, silent);
  }

  // No routine of the library throws.
  void begin(IRBuilder<>& builder, CallBase& call) {
    auto callee = module_.getOrInsertFunction(*nonblocking_form(call), call.getFunctionType());
    SmallVector<Value*, 8> arguments(call.args());
    auto* begins = builder.CreateCall(callee, arguments);
    begins->setAttributes(call.getAttributes());
    mark_as(*begins, call);
  }

  Module& module_;
  FunctionAnalysisManager& analyses_;
  const plan& plan_;
  code_by_place code_;
  instruments with_;
  std::vector<std::pair<Instruction*, GlobalVariable*>> completions_;
  std::vector<std::pair<CallBase*, GlobalVariable*>> calls_;
};

void say_if_of_another_program(Module& module, const plan& given) {
  for (auto& function : module) {
    if (function.isDeclaration() || !function.getSubprogram()) continue;
    const auto& text = *function.getSubprogram();
    if (given.files.count(absolute_file(text.getDirectory(), text.getFilename())) != 0) return;
  }
  for (auto& function : module)
    for (auto& one : instructions(function))
      if (access_of(one)) {
        diagnostics told("windrow-overlap", function);
        told.refused(one.getDebugLoc(),
                     "the plan says nothing of this file: it is of another program, or the run that was "
                     "recorded has not come here",
                     false);
        return told.emit();
      }
}

} // namespace

PreservedAnalyses apply_pass::run(Module& module, ModuleAnalysisManager& analyses) {
  const auto* given = active_plan();
  if (!given || module.getNamedMetadata(entries_of_plan)) return PreservedAnalyses::all();
  module.getOrInsertNamedMetadata(entries_of_plan);
  say_if_of_another_program(module, *given);
  auto& manager = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  plan_applier(module, manager, *given).run();
  return PreservedAnalyses::none();
}

} // namespace windrow::compiler::overlap
