// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/plan/variables.hpp"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/Operator.h>

#include "compiler/common/analysis/captures.hpp"
#include "compiler/common/api/calls.hpp"
#include "compiler/common/llvm/versions.hpp"

namespace windrow::compiler::defer {

namespace {

std::string name_of(Value& base) {
  if (const auto* description = declared_at(base)) return description->getName().str();
  auto name = base.getName();
  name.consume_back(".addr"); // where clang keeps a parameter
  const bool temporary =
      name.empty() || name.starts_with("ref.tmp") || name.starts_with("agg.tmp") || name == "tmp";
  return temporary ? "a temporary" : name.str();
}

// An argument that is memory of this call: a structure passed or returned by value.
Type* memory_type(const Argument& argument) {
  if (argument.hasByValAttr()) return argument.getParamByValType();
  return argument.hasStructRetAttr() ? argument.getParamStructRetType() : nullptr;
}

// The blocks that may run before the statement ends, or before it begins anew.
SmallPtrSet<const BasicBlock*, 32> around(const BasicBlock& statement) {
  SmallPtrSet<const BasicBlock*, 32> found;
  const DominatorTree dominators(*const_cast<Function*>(statement.getParent()));
  SmallVector<const BasicBlock*, 8> open;
  for (const auto& block : *statement.getParent())
    if (!dominators.isReachableFromEntry(&block) || dominators.dominates(&statement, &block))
      found.insert(&block);
  append_range(open, predecessors(&statement));
  while (!open.empty()) {
    const auto* block = open.pop_back_val();
    if (found.insert(block).second) append_range(open, predecessors(block));
  }
  return found;
}

// Uses of the variable itself: what comes of the address comes behind them.
bool is_use_by_name(const Instruction& instruction) {
  return isa<StoreInst, CallBase>(instruction);
}

// A copy of the address for the use alone, computed in front of `place`.
void copy_for(Use& use, Instruction& address, Instruction& place) {
  auto* own = address.clone();
  own->insertBefore(&place);
  own->setName(address.getName());
  use.set(own);
}

// What the address is computed of; null if it is not.
const Value* computed_of(const Value& address) {
  if (const auto* element = dyn_cast<GEPOperator>(&address)) return element->getPointerOperand();
  if (const auto* cast = dyn_cast<BitCastOperator>(&address)) return cast->getOperand(0);
  return nullptr;
}

bool is_of_frame(const Instruction& address) {
  const Value* base = &address;
  while (const auto* inner = computed_of(*base)) base = inner;
  if (const auto* argument = dyn_cast<Argument>(base)) return memory_type(*argument) != nullptr;
  return isa<AllocaInst>(base);
}

// Where a use is, its address is computed: code that is deferred computes it of the variable as it has it.
void move_to_users(Instruction& address) {
  while (!address.use_empty()) {
    auto& use = *address.use_begin();
    auto* user = cast<Instruction>(use.getUser());
    if (const auto* phi = dyn_cast<PHINode>(user)) user = phi->getIncomingBlock(use)->getTerminator();
    copy_for(use, address, *user);
  }
  address.eraseFromParent();
}

} // namespace

void variables::add_frame(Function& function) {
  for (auto& argument : function.args())
    if (auto* type = memory_type(argument))
      add(argument, *type, argument.getParamAlign().valueOrOne(), name_of(argument), storage::frame);
  for (auto& instruction : function.getEntryBlock())
    if (auto* alloca = dyn_cast<AllocaInst>(&instruction);
        alloca && alloca->isStaticAlloca() && !at(alloca)) {
      auto* type = alloca->getAllocatedType();
      if (alloca->isArrayAllocation()) // of constant size, or it were not static
        type = ArrayType::get(type, cast<ConstantInt>(alloca->getArraySize())->getZExtValue());
      add(*alloca, *type, alloca->getAlign(), name_of(*alloca), storage::frame).description =
          declared_at(*alloca);
    }
}

variable& variables::add(Value& base, Type& type, Align alignment, StringRef name, storage where) {
  all_.push_back(std::make_unique<variable>(variable{&base, &type, alignment, name.str(), where}));
  return *(by_base_[&base] = all_.back().get());
}

variable* variables::of_address(const Value* address) const {
  for (; address; address = computed_of(*address))
    if (auto* found = at(address)) return found;
  return nullptr;
}

void variables::move(variable& var, Value& base, storage where) {
  by_base_.erase(var.base);
  var.base = &base;
  var.where = where;
  by_base_[&base] = &var;
}

void variables::find_escapes(captures& known) {
  for (auto& var : all_) var->escapes = known.escapes(*var->base);
}

void variables::note_escapes(const BasicBlock& statement, captures& known) {
  const auto before = around(statement);
  const auto matters = [&](const Instruction& use) {
    return before.contains(use.getParent()) || !is_use_by_name(use);
  };
  auto& noted = noted_[&statement];
  for (auto& var : all_) noted.push_back({known.escapes(*var->base, matters), known.escapes(*var->base)});
}

void variables::look_at(const BasicBlock& statement) {
  for (auto [var, noted] : zip(all_, noted_[&statement])) {
    var->escapes = noted.before;
    var->escapes_behind = noted.ever && !noted.before;
  }
}

void separate_address_computations(Function& function) {
  SmallVector<Instruction*, 32> addresses;
  for (auto& instruction : instructions(function))
    if (isa<GetElementPtrInst, BitCastInst>(instruction)) addresses.push_back(&instruction);
  for (auto* address : reverse(addresses))
    if (is_of_frame(*address))
      move_to_users(*address);
    else
      while (address->hasNUsesOrMore(2)) copy_for(*address->use_begin(), *address, *address);
}

void drop_lifetime_markers(Value& base) {
  SmallVector<Instruction*, 4> markers;
  for (auto* user : base.users())
    if (auto* intrinsic = dyn_cast<IntrinsicInst>(user); intrinsic && intrinsic->isLifetimeStartOrEnd())
      markers.push_back(intrinsic);
  for (auto* marker : markers) marker->eraseFromParent();
}

} // namespace windrow::compiler::defer
