// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/outline/operands.hpp"

#include "compiler/common/api/calls.hpp"

namespace windrow::compiler::defer {

namespace {

constexpr unsigned deepest = 6; // expressions

bool is_cheap(const Instruction& instruction) {
  if (const auto* operation = dyn_cast<BinaryOperator>(&instruction))
    return operation->getType()->isIntegerTy() && !operation->isIntDivRem();
  return isa<ZExtInst, SExtInst, TruncInst>(instruction);
}

// What is stored to a variable that is stored to once.
Value* only_stored(const LoadInst& load, const DominatorTree& dominators) {
  const auto* variable = dyn_cast<AllocaInst>(load.getPointerOperand());
  if (!variable || !load.isSimple()) return nullptr;
  const StoreInst* only = nullptr;
  for (const auto* user : variable->users()) {
    const auto* store = dyn_cast<StoreInst>(user);
    if (isa<LoadInst>(user) || is_commentary(*cast<Instruction>(user))) continue;
    if (only || !store || store->getValueOperand() == variable) return nullptr;
    only = store;
  }
  if (!only || only->getValueOperand()->getType() != load.getType() || !dominators.dominates(only, &load))
    return nullptr;
  return const_cast<Value*>(only->getValueOperand());
}

} // namespace

operand_sources::operand_sources(const CallInst& fetch)
    : fetch_(fetch), dominators_(const_cast<Function&>(*fetch.getFunction())) {
  for (const auto& operand : operands()) find_sources(*operand.get(), deepest);
}

// Behind the context and the place, in front of the PE.
ArrayRef<Use> operand_sources::operands() const {
  return ArrayRef<Use>(fetch_.arg_begin(), fetch_.arg_end()).drop_front(2).drop_back();
}

uint64_t operand_sources::bytes_of(const Value& value) const {
  return fetch_.getModule()->getDataLayout().getTypeStoreSize(value.getType()).getFixedValue();
}

uint64_t operand_sources::operand_bytes() const {
  uint64_t bytes = 0;
  for (const auto& operand : operands()) bytes += bytes_of(*operand.get());
  return bytes;
}

Value& operand_sources::stored(Value& value) const {
  const auto* load = dyn_cast<LoadInst>(&value);
  auto* known = load ? only_stored(*load, dominators_) : nullptr;
  return known ? stored(*known) : value;
}

uint64_t operand_sources::least_bytes(Value& value, unsigned depth) const {
  auto& one = stored(value);
  if (isa<ConstantInt, ConstantFP>(one)) return 0;
  return is_computed(one, depth) ? bytes_to_compute(cast<Instruction>(one), depth) : bytes_of(one);
}

uint64_t operand_sources::bytes_to_compute(const Instruction& instruction, unsigned depth) const {
  uint64_t bytes = 0;
  for (const auto& operand : instruction.operands()) bytes += least_bytes(*operand.get(), depth - 1);
  return bytes;
}

bool operand_sources::is_computed(Value& value, unsigned depth) const {
  const auto* instruction = dyn_cast<Instruction>(&value);
  return instruction && depth > 0 && is_cheap(*instruction) &&
         bytes_to_compute(*instruction, depth) < bytes_of(value);
}

void operand_sources::find_sources(Value& value, unsigned depth) {
  auto& one = stored(value);
  if (isa<ConstantInt, ConstantFP>(one)) return;
  if (!is_computed(one, depth)) {
    sources_.insert(&one);
    return;
  }
  for (const auto& operand : cast<Instruction>(one).operands()) find_sources(*operand.get(), depth - 1);
}

Function& operand_sources::make_operands(
    const Twine& name, function_ref<Value*(IRBuilder<>&, Function&, Value&)> arrived) const {
  auto& context = fetch_.getContext();
  auto* pointer = PointerType::getUnqual(context);
  auto* type =
      FunctionType::get(Type::getVoidTy(context), {pointer, Type::getInt64Ty(context), pointer}, false);
  auto& function =
      *Function::Create(type, GlobalValue::InternalLinkage, name, *const_cast<Module*>(fetch_.getModule()));
  function.addFnAttr(Attribute::NoUnwind);
  function.addFnAttr(Attribute::AlwaysInline);
  IRBuilder<> builder(BasicBlock::Create(context, "entry", &function));
  arrivals there;
  for (auto* source : sources_) there[source] = arrived(builder, function, *source);
  uint64_t offset = 0;
  for (const auto& operand : operands()) {
    auto* to = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), function.getArg(2), offset);
    builder.CreateStore(compute(builder, *operand.get(), there), to);
    offset += bytes_of(*operand.get());
  }
  builder.CreateRetVoid();
  return function;
}

Value* operand_sources::compute(IRBuilder<>& builder, Value& value, const arrivals& there) const {
  auto& one = stored(value);
  if (auto* known = there.lookup(&one)) return known;
  if (isa<ConstantInt, ConstantFP>(one)) return &one;
  auto* again = cast<Instruction>(one).clone();
  again->setDebugLoc(DebugLoc());
  for (auto& operand : again->operands()) operand.set(compute(builder, *operand.get(), there));
  return builder.Insert(again);
}

} // namespace windrow::compiler::defer
