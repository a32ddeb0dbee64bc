// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/prepare/counted_loop.hpp"

#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Operator.h>

#include "compiler/common/analysis/footprints.hpp"
#include "compiler/common/api/calls.hpp"
#include "compiler/defer/plan/hazards.hpp"

namespace windrow::compiler::defer {

counted_loop::counted_loop(CallInst& fetch, const code& body, const plan& scope,
                           const SetVector<BasicBlock*>& region, const shape& structure)
    : fetch_(fetch), body_(body), loop_(structure.loops.getLoopFor(fetch.getParent())), scope_(scope) {
  has_shape_ = loop_ && has_shape(region) && scope_.active() && scope_.fetches.size() == 1 &&
               scope_.fetches.front() == &fetch && scope_.scope.end->getParent() == loop_->getLoopLatch() &&
               find_counter();
}

std::string counted_loop::obstacle() {
  if (!has_shape_ || !reads_consecutive(*fetch_.getArgOperand(1))) return "no such loop";
  if (scope_.writes.contains(counter_) || !is_invariant(*bound_)) return "the loop's end may change in it";
  if (!is_invariant(*fetch_.getArgOperand(2))) return "the PE may change in the loop";
  if (!is_invariant(*fetch_.getArgOperand(0))) return "the context may change in the loop";
  for (const auto& part : scope_.scope.units)
    if (!part.deferred && !part.fetch && !may_run_later(part))
      return "other code of the loop writes memory, calls something, or changes outer variables";
  if (writes_what_it_fetches()) return "dependent code writes the object that is fetched from";
  return is_counted_once() ? "" : "the loop's counter is changed elsewhere";
}

Value* counted_loop::compute_before(IRBuilder<>& builder, const Value& value, Value* count) const {
  const auto* instruction = dyn_cast<Instruction>(&value);
  if (!instruction || !loop_->contains(instruction)) return const_cast<Value*>(&value);
  if (const auto* load = dyn_cast<LoadInst>(instruction)) {
    const auto* var = body_.vars.of_address(load->getPointerOperand());
    if (var == counter_ && is_load_of_counter(value)) return count;
    if (const auto* store = only_store(*load, var))
      return compute_before(builder, *store->getValueOperand(), count);
  }
  auto* again = instruction->clone();
  for (auto& operand : again->operands()) operand.set(compute_before(builder, *operand.get(), count));
  return builder.Insert(again, instruction->getName());
}

// ---- the loop

bool counted_loop::has_shape(const SetVector<BasicBlock*>& region) const {
  auto* header = loop_->getHeader();
  return region.contains(header) && loop_->getLoopPreheader() && loop_->getLoopLatch() &&
         loop_->getLoopLatch() != header && leaves_at_head() &&
         scope_.start->getSinglePredecessor() == header && header->phis().empty() &&
         isa<BranchInst>(header->getTerminator()) &&
         cast<BranchInst>(header->getTerminator())->getSuccessor(0) == scope_.start &&
         all_of(*header, [&](const Instruction& instruction) { return belongs_to_test(instruction); });
}

// Or for the end of the program.
bool counted_loop::leaves_at_head() const {
  SmallVector<BasicBlock*, 4> leaving;
  loop_->getExitingBlocks(leaving);
  return all_of(leaving, [&](const BasicBlock* block) {
    return block == loop_->getHeader() || all_of(successors(block), [&](const BasicBlock* next) {
             return loop_->contains(next) || ends_program(*next);
           });
  });
}

// As a failed assertion does, with nothing but constants.
bool counted_loop::ends_program(const BasicBlock& block) {
  return isa<UnreachableInst>(block.getTerminator()) && only_aborts(block) &&
         none_of(block, [](const Instruction& one) { return isa<LoadInst>(one); });
}

bool counted_loop::belongs_to_test(const Instruction& instruction) const {
  if (instruction.isTerminator() || is_commentary(instruction)) return true;
  const auto* load = dyn_cast<LoadInst>(&instruction);
  if (load ? !load->isSimple() : !is_pure(instruction)) return false;
  return all_of(instruction.users(),
                [&](const User* user) { return cast<Instruction>(user)->getParent() == loop_->getHeader(); });
}

// counter < bound
bool counted_loop::find_counter() {
  auto* branch = cast<BranchInst>(loop_->getHeader()->getTerminator());
  const auto* test = dyn_cast<ICmpInst>(branch->getCondition());
  if (!test) return false;
  predicate_ = test->getPredicate();
  auto *left = test->getOperand(0), *right = test->getOperand(1);
  if (predicate_ == CmpInst::ICMP_SGT || predicate_ == CmpInst::ICMP_UGT) {
    std::swap(left, right);
    predicate_ = CmpInst::getSwappedPredicate(predicate_);
  }
  if (predicate_ != CmpInst::ICMP_SLT && predicate_ != CmpInst::ICMP_ULT) return false;
  const auto* load = dyn_cast<LoadInst>(left);
  counter_ = load ? body_.vars.at(load->getPointerOperand()) : nullptr;
  bound_ = right;
  return counter_ && !counter_->escapes && counter_->type == load->getType() &&
         load->getType()->isIntegerTy() && load->getType()->getIntegerBitWidth() <= 64;
}

bool counted_loop::is_load_of_counter(const Value& value) const {
  const auto* load = dyn_cast<LoadInst>(&value);
  return load && load->isSimple() && load->getPointerOperand() == counter_->base &&
         load->getType() == counter_->type;
}

// Once, behind everything else: all see the value with which the loop's test was made.
bool counted_loop::is_counted_once() const {
  const StoreInst* count = nullptr;
  for (const auto& part : scope_.scope.units) {
    if (count && part.touched.touch(counter_)) return false;
    if (part.touched.writes.contains(counter_)) count = dyn_cast_or_null<StoreInst>(part.instruction);
  }
  const auto* sum = count ? dyn_cast<BinaryOperator>(count->getValueOperand()) : nullptr;
  if (!sum || sum->getOpcode() != Instruction::Add || count->getPointerOperand() != counter_->base)
    return false;
  const auto* step = dyn_cast<ConstantInt>(sum->getOperand(1));
  return step && step->isOne() && is_load_of_counter(*sum->getOperand(0));
}

// Another time around an outer loop; and on a context that does not aggregate, updates are seen at once.
bool counted_loop::writes_what_it_fetches() const {
  const auto& fetched = body_.known->of(fetch_);
  return any_of(scope_.deferred,
                [&](const Instruction* one) { return conflict(fetched, body_.known->of(*one)); });
}

// ---- the address

// &base[counter + something]
bool counted_loop::reads_consecutive(const Value& address) const {
  const auto* element = dyn_cast<GetElementPtrInst>(&address);
  if (!element || element->getNumIndices() == 0) return false;
  const auto& layout = element->getModule()->getDataLayout();
  auto last = gep_type_begin(element);
  for (unsigned i = 1; i < element->getNumIndices(); ++i) ++last;
  if (last.isStruct()) return false;
  if (layout.getTypeAllocSize(last.getIndexedType()) != layout.getTypeStoreSize(fetch_.getType()))
    return false;
  const auto* index = element->getOperand(element->getNumOperands() - 1);
  return follows_counter(*index) && all_of(drop_end(element->operands()),
                                           [&](const Use& operand) { return is_invariant(*operand.get()); });
}

// One more in each round, as a number of 64 bits.
bool counted_loop::follows_counter(const Value& index) const {
  if (index.getType()->isIntegerTy(64)) {
    if (const auto* sum = dyn_cast<BinaryOperator>(&index))
      return is_shifted_counter(*sum, [](auto&) { return true; });
    if (const auto* wide = dyn_cast<SExtInst>(&index))
      return is_narrow_counter(*wide->getOperand(0), CmpInst::ICMP_SLT,
                               [](const BinaryOperator& sum) { return sum.hasNoSignedWrap(); });
    if (const auto* wide = dyn_cast<ZExtInst>(&index))
      return is_narrow_counter(*wide->getOperand(0), CmpInst::ICMP_ULT,
                               [](const BinaryOperator& sum) { return sum.hasNoUnsignedWrap(); });
    return is_load_of_counter(index);
  }
  // Such an index is extended with its sign.
  return predicate_ == CmpInst::ICMP_SLT && is_load_of_counter(index);
}

template <class Fits>
bool counted_loop::is_narrow_counter(const Value& value, CmpInst::Predicate test, Fits fits) const {
  if (predicate_ != test) return false;
  if (const auto* sum = dyn_cast<BinaryOperator>(&value)) return fits(*sum) && is_shifted_counter(*sum, fits);
  return is_load_of_counter(value);
}

// counter + something, something + counter, counter - something
template <class Fits>
bool counted_loop::is_shifted_counter(const BinaryOperator& sum, Fits fits) const {
  auto part = [&](const Value& value) {
    if (const auto* inner = dyn_cast<BinaryOperator>(&value))
      return fits(*inner) && is_shifted_counter(*inner, fits);
    return is_load_of_counter(value) ||
           (value.getType()->isIntegerTy(64) && isa<CastInst>(value) && follows_counter(value));
  };
  const auto &left = *sum.getOperand(0), &right = *sum.getOperand(1);
  if (sum.getOpcode() == Instruction::Sub) return part(left) && is_invariant(right);
  return sum.getOpcode() == Instruction::Add &&
         ((is_invariant(right) && part(left)) || (is_invariant(left) && part(right)));
}

// ---- other code

bool counted_loop::is_pure(const Instruction& instruction) {
  return isa<BinaryOperator, CastInst, CmpInst, SelectInst, GetElementPtrInst, UnaryOperator, FreezeInst>(
      instruction);
}

// Whether the value is the same in each round, and can be had in front of the loop's body. The code of the
// loop that stays does not write memory, and deferred code does not write what such code reads.
bool counted_loop::is_invariant(const Value& value) const {
  const auto* instruction = dyn_cast<Instruction>(&value);
  if (!instruction || !loop_->contains(instruction)) return true;
  if (scope_.deferred.contains(instruction)) return false;
  const auto operands = [&] {
    return all_of(instruction->operands(), [&](const Use& operand) { return is_invariant(*operand.get()); });
  };
  const auto* load = dyn_cast<LoadInst>(instruction);
  if (!load) return is_pure(*instruction) && operands();
  if (!load->isSimple()) return false;
  const auto* var = body_.vars.of_address(load->getPointerOperand());
  if (!var || var->escapes) return operands();
  if (const auto* store = only_store(*load, var)) return is_invariant(*store->getValueOperand());
  return operands() && !is_written(*var);
}

bool counted_loop::is_written(const variable& var) const {
  return var_touched(loop_->blocks(), [&](const effects& touched) {
    return touched.writes.contains(const_cast<variable*>(&var));
  });
}

template <class Blocks, class Test>
bool counted_loop::var_touched(Blocks blocks, Test test) const {
  return any_of(blocks, [&](const BasicBlock* block) {
    return any_of(*const_cast<BasicBlock*>(block),
                  [&](Instruction& instruction) { return test(body_.effects_of(instruction)); });
  });
}

// The store of straight code in front of the load, if it is the only one and the variable belongs to the
// loop.
const StoreInst* counted_loop::only_store(const LoadInst& load, const variable* var) const {
  if (!var || load.getPointerOperand() != var->base || !belongs_to_body(*var)) return nullptr;
  const StoreInst* only = nullptr;
  bool passed = false;
  for (const auto& part : scope_.scope.units) {
    passed |= part.instruction == &load;
    if (!part.touched.writes.contains(const_cast<variable*>(var))) continue;
    const auto* store = dyn_cast_or_null<StoreInst>(part.instruction);
    if (only || passed || part.deferred || !store || store->getPointerOperand() != var->base) return nullptr;
    only = store;
  }
  return passed && only && only->getValueOperand()->getType() == load.getType() ? only : nullptr;
}

// Nothing outside of the body uses it.
bool counted_loop::belongs_to_body(const variable& var) const {
  if (const auto known = var_belongs_.find(&var); known != var_belongs_.end()) return known->second;
  const bool belongs = var.where == storage::frame && !var.escapes && uses_are_inside(*var.base);
  return var_belongs_[&var] = belongs;
}

bool counted_loop::uses_are_inside(const Value& base) const {
  return all_of(base.users(), [&](const User* user) {
    const auto* instruction = dyn_cast<Instruction>(user);
    if (!instruction || is_commentary(*instruction)) return instruction != nullptr;
    return loop_->contains(instruction) && instruction->getParent() != loop_->getHeader() &&
           (!isa<GetElementPtrInst>(instruction) || uses_are_inside(*instruction));
  });
}

// It makes no difference whether it runs when its round is come to, or with what depends on the fetch.
bool counted_loop::may_run_later(const unit& part) {
  if (!part.compound()) return may_run_later(*part.instruction);
  return !part.header && all_of(part.blocks, [&](BasicBlock* block) {
    return ends_program(*block) || all_of(*block, [&](Instruction& one) {
             return isa<PHINode, BranchInst>(one) ||
                    (body_.effects_of(one).memory.empty() && may_run_later(one));
           });
  });
}

bool counted_loop::may_run_later(Instruction& instruction) {
  if (is_commentary(instruction) || is_pure(instruction) || is_query(callee_name(instruction))) return true;
  if (auto* load = dyn_cast<LoadInst>(&instruction)) {
    if (!load->isSimple()) return false;
    if (body_.effects_of(instruction).memory.empty()) return true;
    if (!is_invariant(*load)) return false;
    hoisted_.push_back(load);
    return true;
  }
  const auto* store = dyn_cast<StoreInst>(&instruction);
  const auto* var = store && store->isSimple() ? body_.vars.of_address(store->getPointerOperand()) : nullptr;
  return var && (var == counter_ || belongs_to_body(*var));
}

} // namespace windrow::compiler::defer
