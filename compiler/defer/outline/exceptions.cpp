// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/outline/exceptions.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/common/analysis/footprints.hpp"
#include "compiler/common/analysis/visible_code.hpp"
#include "compiler/common/report/diagnostics.hpp"
#include "compiler/defer/plan/context.hpp"

namespace windrow::compiler::defer {

namespace {

constexpr const char* had_handler = "windrow.unwinds";
constexpr const char* kept_exception = "windrow_defer_exception";

using blocks = SetVector<BasicBlock*>;

blocks dominated_by(BasicBlock* entry) {
  const DominatorTree dominators(*entry->getParent());
  blocks found;
  for (auto& block : *entry->getParent())
    if (dominators.isReachableFromEntry(&block) && dominators.dominates(entry, &block)) found.insert(&block);
  return found;
}

// What can run from there on, without `border` and what only follows that.
blocks reached_from(BasicBlock* from, const BasicBlock* border,
                    function_ref<bool(BasicBlock*, BasicBlock*)> goes) {
  blocks found;
  SmallVector<BasicBlock*, 8> open{from};
  while (!open.empty()) {
    auto* block = open.pop_back_val();
    if (block == border || !found.insert(block)) continue;
    for (auto* next : successors(block))
      if (goes(block, next)) open.push_back(next);
  }
  return found;
}

// One statement, and where its exceptions go.
class handler_search {
 public:
  explicit handler_search(BasicBlock* entry) : entry_(entry), region_(dominated_by(entry)) {
    for (auto* block : region_)
      if (auto* call = dyn_cast<InvokeInst>(block->getTerminator()))
        calls_[call->getUnwindDest()].push_back(call);
  }

  // That of most calls: others are for objects of the statement itself.
  BasicBlock* find() const {
    BasicBlock* found = nullptr;
    for (const auto& [handler, calls] : calls_)
      if ((!found || calls.size() > calls_.find(found)->second.size()) && is_behind(*handler))
        found = handler;
    return found;
  }

  ArrayRef<InvokeInst*> calls_to(BasicBlock* handler) const { return calls_.find(handler)->second; }

 private:
  // Whether the handler can as well be entered from the end of the statement.
  bool is_behind(BasicBlock& handler) const {
    if (!handler.isLandingPad() || !handler.phis().empty()) return false;
    const auto anywhere = [](BasicBlock*, BasicBlock*) { return true; };
    const auto statement = reached_from(
        entry_, nullptr, [&](BasicBlock*, BasicBlock* to) { return to != &handler && region_.contains(to); });
    const auto handling = reached_from(&handler, entry_, anywhere);
    return all_of(handling, [&](BasicBlock* block) {
      return !statement.contains(block) && all_of(*block, [&](const Instruction& one) {
        return uses_nothing_of(statement, handling, one);
      });
    });
  }

  static bool uses_nothing_of(const blocks& statement, const blocks& handling, const Instruction& one) {
    return all_of(one.operands(), [&](const Use& operand) {
      const auto* from = dyn_cast<Instruction>(operand.get());
      if (!from || !statement.contains(const_cast<BasicBlock*>(from->getParent()))) return true;
      const auto* phi = dyn_cast<PHINode>(&one);
      return phi && !handling.contains(phi->getIncomingBlock(operand));
    });
  }

  BasicBlock* entry_;
  blocks region_;
  MapVector<BasicBlock*, SmallVector<InvokeInst*, 4>> calls_;
};

void end_block(CallInst& call) {
  auto* way = call.getParent()->getTerminator();
  for (auto* successor : successors(way)) successor->removePredecessor(call.getParent());
  new UnreachableInst(call.getContext(), way);
  way->eraseFromParent();
}

// Whether the variable may be read from there on before it is written.
bool is_read_behind(const BasicBlock& begin, const variable& var, const code& body) {
  auto* const searched = const_cast<variable*>(&var);
  SmallPtrSet<const BasicBlock*, 16> seen;
  SmallVector<const BasicBlock*, 8> open{&begin};
  while (!open.empty()) {
    const auto* block = open.pop_back_val();
    if (!seen.insert(block).second) continue;
    bool written = false;
    for (const auto& instruction : *block) {
      const auto touched = body.effects_of(const_cast<Instruction&>(instruction));
      if (touched.reads.contains(searched)) return true;
      const auto* store = dyn_cast<StoreInst>(&instruction);
      if ((written = store && store->getPointerOperand() == var.base)) break;
      if (touched.writes.contains(searched)) return true; // a part of it
    }
    if (!written) append_range(open, successors(block));
  }
  return false;
}

// Of C++'s library, when memory or room for more elements is missing.
bool is_for_want_of_memory(StringRef name) {
  return name.starts_with("_Zn") || name == "__cxa_throw_bad_array_new_length" ||
         (name.starts_with("_ZSt") &&
          (name.contains("__throw_bad_alloc") || name.contains("__throw_length_error") ||
           name.contains("__throw_bad_array_new_length")));
}

// Whether all that it throws is. Handlers may throw it anew.
bool throws_for_want_of_memory(const Instruction& thrower) {
  return holds_for(thrower, [](const Instruction& one) -> std::optional<bool> {
    const auto* call = dyn_cast<CallBase>(&one);
    if (!call || call->doesNotThrow() || isa<IntrinsicInst>(call)) return true;
    const auto name = callee_name(*call);
    if (is_for_want_of_memory(name) || name == "__cxa_begin_catch" || name == "__cxa_end_catch" ||
        name == "__cxa_rethrow")
      return true;
    return std::nullopt;
  });
}

class thrown_check {
 public:
  thrown_check(plan& one, ArrayRef<plan*> plans, const code& body, const shape& structure,
               const hazards& seen)
      : one_(one), plans_(plans), body_(body), structure_(structure), seen_(seen) {
    for (const auto& part : one.scope.units)
      if (part.deferred)
        part.for_each([&](const Instruction& instruction) {
          if (at_will_ || !may_unwind(body, instruction)) return;
          at_will_ = !throws_for_want_of_memory(instruction);
          if (!thrown_ || at_will_) thrown_ = &instruction;
        });
  }

  void run(const SetVector<BasicBlock*>& region) {
    if (!thrown_) return;
    if (at_will_) return refuse("the rounds behind would have fetched by then");
    if (body_.level > 0) return refuse("it depends on another fetch");
    check_loops(region);
    for (const auto* other : plans_)
      if (other->active()) check_plan(*other);
    const auto* first = first_of_record(one_)->place();
    for (auto* block : region)
      for (const auto& other : *block)
        if (seen_.stays(other) && !is_contained(one_.fetches, &other) && seen_.reaches(*first, other))
          check_staying(other);
  }

 private:
  void refuse(const Twine& why) {
    one_.refuse(thrown_, "dependent code may throw (" + told_callee(*thrown_) + "), but " + why);
  }

  // A loop that only an exception ends would go on.
  void check_loops(const SetVector<BasicBlock*>& region) {
    for (const auto* loop = structure_.loops.getLoopFor(one_.start);
         loop && region.contains(loop->getHeader()); loop = loop->getParentLoop()) {
      SmallVector<BasicBlock*, 4> exits;
      loop->getExitBlocks(exits);
      if (all_of(exits, [](const BasicBlock* exit) { return isa<UnreachableInst>(exit->getTerminator()); }))
        return refuse("the loop around it has no other end");
    }
  }

  void check_plan(const plan& other) {
    for (const auto* fetch : other.fetches)
      if (!only_reads(*fetch)) return refuse("fetches behind it change what they fetch" + at_line(*fetch));
    for (const auto* deferred : other.deferred)
      if (is_fetch(*deferred)) return refuse("other dependent code fetches" + at_line(*deferred));
  }

  void check_staying(const Instruction& other) {
    const auto& print = body_.known->of(other);
    const auto* call = dyn_cast<CallBase>(&other);
    if (call && (call->doesNotReturn() || completes_deferred_code(callee_name(*call)))) return;
    if (!print.unknown.empty() || print.output || print.frees ||
        any_of(print.accesses, [](const access& one) { return one.writes; }))
      return refuse("code that does not wait for the fetch has effects" + at_line(other) +
                    ", which would come first; put it in a loop of its own");
    if (!body_.handler) return;
    for (const auto* var : body_.effects_of(const_cast<Instruction&>(other)).writes)
      if (is_read_behind(*body_.handler, *var, body_))
        return refuse("the handler uses '" + var->name +
                      "', which code that does not wait for the fetch changes" + at_line(other));
  }

  plan& one_;
  ArrayRef<plan*> plans_;
  const code& body_;
  const shape& structure_;
  const hazards& seen_;
  const Instruction* thrown_ = nullptr;
  bool at_will_ = false; // for other reasons than that memory is missing: a program may count on it
};

void skip_behind_exception(Function& callback) {
  auto& context = callback.getContext();
  auto* pointer = PointerType::getUnqual(context);
  auto& begin = callback.getEntryBlock();
  auto* entry = BasicBlock::Create(context, "check", &callback, &begin);
  auto* skip = BasicBlock::Create(context, "skip", &callback);
  ReturnInst::Create(context, skip);
  IRBuilder<> builder(entry);
  auto* kept = builder.CreateLoad(pointer, callback.getParent()->getOrInsertGlobal(kept_exception, pointer));
  builder.CreateCondBr(builder.CreateIsNull(kept), &begin, skip);
  for (auto& instruction : make_early_inc_range(begin))
    if (auto* local = dyn_cast<AllocaInst>(&instruction); local && isa<ConstantInt>(local->getArraySize()))
      local->moveBefore(&*entry->getFirstInsertionPt());
}

BasicBlock* make_keeper(Function& callback) {
  auto& context = callback.getContext();
  auto* pointer = PointerType::getUnqual(context);
  auto* keeper = BasicBlock::Create(context, "thrown", &callback);
  IRBuilder<> builder(keeper);
  auto* caught = builder.CreateLandingPad(StructType::get(pointer, builder.getInt32Ty()), 1);
  caught->addClause(ConstantPointerNull::get(pointer));
  builder.CreateStore(builder.CreateExtractValue(caught, 0),
                      callback.getParent()->getOrInsertGlobal(kept_exception, pointer));
  builder.CreateRetVoid();
  return keeper;
}

bool throws_in_callback(const CallInst& call) {
  const auto name = callee_name(call);
  return !call.doesNotThrow() && !isa<IntrinsicInst>(call) && !call.isInlineAsm() && !is_runtime_call(name) &&
         !routine_of(name);
}

} // namespace

void hidden_handlers::hide(Function& function, ArrayRef<marker> marks) {
  handlers_.clear();
  calls_.clear();
  if (none_of(function, [](const BasicBlock& block) { return block.isLandingPad(); })) return;
  for (const auto& mark : marks) {
    if (!mark.branch) continue;
    const handler_search search(mark.entry());
    auto* handler = search.find();
    if (!handler) continue;
    handlers_[mark.entry()] = handler;
    for (auto* one : search.calls_to(handler)) {
      auto* call = changeToCall(one);
      if (call->doesNotReturn()) end_block(*call);
      call->setMetadata(had_handler, MDNode::get(call->getContext(), {}));
      calls_.emplace_back(call, handler);
    }
  }
}

void hidden_handlers::restore(const Function& function) {
  for (const auto& [handle, handler] : calls_) {
    auto* call = dyn_cast_or_null<CallInst>(static_cast<Value*>(handle));
    if (!call) continue;
    call->setMetadata(had_handler, nullptr);
    if (call->getFunction() == &function) changeToInvokeAndSplitBasicBlock(call, handler);
  }
  calls_.clear();
}

bool has_hidden_handler(const Instruction& call) {
  return call.getMetadata(had_handler) != nullptr;
}

bool may_unwind(const code& body, const Instruction& instruction) {
  const auto* call = dyn_cast<CallBase>(&instruction);
  return call && (body.handler || !body.function->doesNotThrow()) && body.known->of(*call).throws;
}

bool may_unwind(const code& body, const plan& one) {
  return one.active() &&
         any_of(one.deferred, [&](const Instruction* instruction) { return may_unwind(body, *instruction); });
}

void check_thrown(plan& one, ArrayRef<plan*> plans, const code& body, const SetVector<BasicBlock*>& region,
                  const shape& structure, const hazards& seen) {
  thrown_check(one, plans, body, structure, seen).run(region);
}

std::vector<completion> ways_out(BasicBlock* entry) {
  constexpr const char* why = "dependent code may throw";
  std::vector<completion> found;
  const auto region = dominated_by(entry);
  for (auto* block : region) {
    if (isa<ReturnInst, ResumeInst>(block->getTerminator())) found.push_back({block, nullptr, why});
    for (auto* successor : successors(block))
      if (!region.contains(successor)) found.push_back({block, successor, why});
  }
  return found;
}

void keep_exceptions(Function& callback, const Function& outer) {
  SmallVector<CallInst*, 8> calls;
  for (auto& instruction : instructions(callback))
    if (auto* call = dyn_cast<CallInst>(&instruction); call && throws_in_callback(*call))
      calls.push_back(call);
  if (!calls.empty()) {
    auto& module = *callback.getParent();
    auto* type = FunctionType::get(Type::getInt32Ty(module.getContext()), true);
    callback.setPersonalityFn(
        outer.hasPersonalityFn()
            ? outer.getPersonalityFn()
            : cast<Constant>(module.getOrInsertFunction("__gxx_personality_v0", type).getCallee()));
    auto* keeper = make_keeper(callback);
    for (auto* call : calls) changeToInvokeAndSplitBasicBlock(call, keeper);
  }
  skip_behind_exception(callback);
}

} // namespace windrow::compiler::defer
