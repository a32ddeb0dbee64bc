// SPDX-License-Identifier: BSD-3-Clause
#include <llvm/IR/IRBuilder.h>

#include <set>

#include "compiler/pass/calls.hpp"
#include "compiler/pass/debug_info.hpp"
#include "compiler/pass/fusion.hpp"
#include "compiler/pass/inlining.hpp"
#include "compiler/pass/outline.hpp"

namespace windrow::defer {

namespace {

// At the owner an update is one instruction. It is atomic, as the call is.
AtomicRMWInst::BinOp operation_of(StringRef name) {
  if (name.ends_with("_add")) return AtomicRMWInst::Add;
  if (name.ends_with("_and")) return AtomicRMWInst::And;
  return name.ends_with("_or") ? AtomicRMWInst::Or : AtomicRMWInst::Xor;
}

class fuser {
 public:
  fuser(owner_part& part, code& outer, unsigned number)
      : scope_(part.scope),
        outer_(outer),
        part_(std::make_unique<code>()),
        module_(*outer.function->getParent()),
        context_(module_.getContext()),
        pointer_(PointerType::getUnqual(context_)),
        fetch_(*part.scope.fetches.front()),
        at_owner_(context_) {
    part_->function = make_part(outer, "owner", number,
                                *FunctionType::get(Type::getVoidTy(context_), {pointer_, pointer_}, false));
    part_->level = outer.level + 1;
    part_->fetched_at = fetch_.getDebugLoc();
    at_owner_.SetInsertPoint(BasicBlock::Create(context_, "entry", part_->function));
    buffer_ = make_buffer();
    there_[&fetch_] = at_owner_.CreateLoad(fetch_.getType(), part_->function->getArg(1), "value");
  }

  std::unique_ptr<code> run() {
    SmallVector<Instruction*, 16> moved;
    for (const auto& unit : scope_.scope.units)
      if (unit.deferred) {
        carry_over(*unit.instruction);
        moved.push_back(unit.instruction);
      }
    at_owner_.CreateRetVoid();
    send(*moved.back());
    for (auto* instruction : reverse(moved)) instruction->eraseFromParent();
    fetch_.eraseFromParent();
    complete_locations(*part_->function);
    complete_locations(*outer_.function);
    part_->statements = static_cast<unsigned>(lines_.size());
    return std::move(part_);
  }

 private:
  // ---- at the owner

  void carry_over(Instruction& instruction) {
    if (const auto& location = instruction.getDebugLoc()) lines_.insert(location.getLine());
    if (auto* call = dyn_cast<CallInst>(&instruction)) return update(*call);
    auto* copy = instruction.clone();
    for (auto& operand : copy->operands()) operand.set(there(*operand.get(), instruction));
    at_owner_.Insert(copy, instruction.getName());
    move_debug_info(*copy, *part_->function);
    there_[&instruction] = copy;
  }

  void update(CallInst& call) {
    auto* object = there(*call.getArgOperand(1), call);
    auto* value = there(*call.getArgOperand(2), call);
    const Align alignment(module_.getDataLayout().getTypeStoreSize(value->getType()).getFixedValue());
    const auto name = callee_name(call);
    if (name.ends_with("_p") || name.ends_with("_atomic_set"))
      at_owner_.CreateAlignedStore(value, object, alignment)->setAtomic(AtomicOrdering::Monotonic);
    else
      at_owner_.CreateAtomicRMW(operation_of(name), object, value, alignment, AtomicOrdering::Monotonic);
  }

  // What stands for a value of the scope in the owner's function.
  Value* there(Value& value, Instruction& user) {
    if (!isa<Argument, Instruction>(value)) return &value;
    auto& known = there_[&value];
    if (known) return known;
    if (auto* var = outer_.vars.at(&value)) return known = own_variable(*var);
    return known = travel(value, user);
  }

  Value* own_variable(const variable& var) {
    auto& block = part_->function->getEntryBlock();
    auto* storage =
        new AllocaInst(var.type, 0, nullptr, var.alignment, var.name, block.getFirstInsertionPt());
    drop_lifetime_markers(*var.base);
    return storage;
  }

  // ---- what travels

  AllocaInst* make_buffer() {
    IRBuilder<> entry(&*outer_.function->getEntryBlock().getFirstInsertionPt());
    auto* buffer = entry.CreateAlloca(entry.getInt8Ty(), entry.getInt64(0), "travels");
    buffer->setAlignment(Align(8));
    return buffer;
  }

  // Addresses mean something on their own PE only: they travel as places in symmetric memory.
  Value* travel(Value& value, Instruction& user) {
    IRBuilder<> origin(&user);
    auto* type = value.getType();
    auto* sent = type->isPointerTy() ? offset_of(origin, value) : &value;
    const auto offset = part_->add_field(*sent->getType());
    travelling_.push_back({sent, offset});
    const Align alignment = commonAlignment(Align(8), offset);
    auto* arrived = at_owner_.CreateAlignedLoad(
        sent->getType(), field(at_owner_, *part_->function->getArg(0), offset), alignment, "captured");
    return type->isPointerTy() ? address_of(*arrived) : arrived;
  }

  static Value* field(IRBuilder<>& builder, Value& base, uint64_t offset) {
    return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), &base, offset);
  }

  Value* offset_of(IRBuilder<>& origin, Value& object) {
    auto* call = origin.CreateCall(
        runtime_function(module_, "windrow_defer_symmetric_offset", origin.getInt64Ty(), {pointer_}),
        {&object});
    call->setDoesNotThrow();
    call->setDoesNotAccessMemory(); // a function of its argument: once per loop is enough
    call->addFnAttr(Attribute::WillReturn);
    return call;
  }

  Value* address_of(Value& offset) {
    if (can_inline(module_)) return at_owner_.CreateCall(symmetric_address(module_), {&offset});
    return at_owner_.CreateCall(
        runtime_function(module_, "windrow_defer_symmetric_address", pointer_, {offset.getType()}),
        {&offset});
  }

  void send(Instruction& last) {
    IRBuilder<> builder(last.getNextNode());
    builder.SetCurrentDebugLocation(fetch_.getDebugLoc());
    const auto bytes = part_->record_bytes;
    buffer_->setOperand(0, builder.getInt64(std::max<uint64_t>(bytes, 1)));
    auto* open = open_owner_item(fetch_);
    part_->site = make_site(open != nullptr);
    Value* item = ConstantPointerNull::get(pointer_);
    if (open) {
      SmallVector<Value*, 8> arguments{part_->site, fetch_.getArgOperand(0), builder.getInt64(bytes)};
      append_range(arguments, drop_begin(fetch_.args()));
      item = builder.CreateCall(open, arguments, "item");
    }
    auto* to = builder.CreateSelect(builder.CreateIsNotNull(item), item, buffer_);
    for (const auto& [value, offset] : travelling_)
      builder.CreateAlignedStore(value, field(builder, *to, offset), Align(1));
    SmallVector<Value*, 8> arguments{item, part_->site, fetch_.getArgOperand(0), buffer_,
                                     builder.getInt64(bytes)};
    append_range(arguments, drop_begin(fetch_.args()));
    builder.CreateCall(finish_owner_item(fetch_), arguments);
  }

  // struct windrow_defer_owner_site
  GlobalVariable* make_site(bool runs_items) {
    auto* word = Type::getInt32Ty(context_);
    auto* wide = Type::getInt64Ty(context_);
    Constant* run = ConstantPointerNull::get(pointer_);
    if (runs_items) {
      if (!part_->function->hasFnAttribute(Attribute::NoInline))
        part_->function->addFnAttr(Attribute::AlwaysInline);
      part_->helpers.push_back(make_owner_run(fetch_, *part_->function, part_->record_bytes));
      run = part_->helpers.back();
    }
    auto* type = StructType::get(context_, {word, word, wide, wide, pointer_, pointer_});
    auto* content = ConstantStruct::get(
        type, {ConstantInt::getAllOnesValue(word), ConstantInt::get(word, 0), ConstantInt::get(wide, 0),
               ConstantInt::get(wide, 0), part_->function, run});
    return new GlobalVariable(module_, type, false, GlobalValue::InternalLinkage, content,
                              part_->function->getName() + ".site");
  }

  plan& scope_;
  code& outer_;
  std::unique_ptr<code> part_;
  Module& module_;
  LLVMContext& context_;
  PointerType* pointer_;
  CallInst& fetch_;
  IRBuilder<> at_owner_;
  AllocaInst* buffer_;
  SmallVector<std::pair<Value*, uint64_t>, 8> travelling_; // and where in what is captured
  DenseMap<Value*, Value*> there_;                         // values of the scope -> of the owner's function
  std::set<unsigned> lines_;
};

} // namespace

std::unique_ptr<code> fuse(owner_part& part, code& outer, unsigned number) {
  return fuser(part, outer, number).run();
}

} // namespace windrow::defer
