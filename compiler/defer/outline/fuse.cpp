// SPDX-License-Identifier: BSD-3-Clause
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PatternMatch.h>

#include <map>
#include <set>

#include "compiler/common/api/calls.hpp"
#include "compiler/common/llvm/versions.hpp"
#include "compiler/common/runtime/inline_library.hpp"
#include "compiler/common/transform/debug_info.hpp"
#include "compiler/defer/lower/owner_items.hpp"
#include "compiler/defer/outline/operands.hpp"
#include "compiler/defer/outline/outline.hpp"
#include "compiler/defer/outline/owner_captures.hpp"
#include "compiler/defer/plan/fusion.hpp"

namespace windrow::compiler::defer {

namespace {

// At the owner an update or fetch is one instruction. It is atomic, as the call is.
AtomicRMWInst::BinOp operation_of(StringRef name) {
  if (name.ends_with("_swap")) return AtomicRMWInst::Xchg;
  if (name.ends_with("_add") || name.ends_with("_inc")) return AtomicRMWInst::Add;
  if (name.ends_with("_and")) return AtomicRMWInst::And;
  return name.ends_with("_or") ? AtomicRMWInst::Or : AtomicRMWInst::Xor;
}

class fuser {
 public:
  fuser(owner_part& part, code& outer, unsigned number)
      : scope_(part.scope),
        outer_(outer),
        part_(std::make_unique<code>()),
        read_before_(part.read_before),
        read_straight_(part.read_straight),
        module_(*outer.function->getParent()),
        context_(module_.getContext()),
        pointer_(PointerType::getUnqual(context_)),
        fetch_(*part.scope.fetches.front()),
        at_owner_(context_),
        sent_(fetch_, *part_, at_owner_) {
    part_->function =
        make_part(outer, "owner", number,
                  *FunctionType::get(Type::getVoidTy(context_),
                                     {pointer_, pointer_, pointer_, Type::getInt64Ty(context_)}, false));
    part_->outer = &outer;
    part_->level = outer.level + 1;
    part_->told.fetched_at = fetch_.getDebugLoc();
    part_->told.fetches = 1;
    at_owner_.SetInsertPoint(BasicBlock::Create(context_, "entry", part_->function));
    buffer_ = make_buffer();
    there_[&fetch_] = at_owner_.CreateLoad(fetch_.getType(), part_->function->getArg(1), "value");
  }

  std::unique_ptr<code> run() {
    for (auto& part : scope_.scope.units)
      if (part.deferred) part.compound() ? carry_over(part) : carry_over(*part.instruction);
    at_owner_.CreateRetVoid();
    for (const auto& [copy, original] : copies_) connect(*copy, *original);
    send();
    for (auto& part : reverse(scope_.scope.units))
      if (part.deferred)
        part.compound() ? erase(part) : static_cast<void>(part.instruction->eraseFromParent());
    fetch_.eraseFromParent();
    complete_locations(*part_->function);
    complete_locations(*outer_.function);
    part_->told.statements = static_cast<unsigned>(lines_.size());
    return std::move(part_);
  }

 private:
  static constexpr auto order = AtomicOrdering::Monotonic;

  // ---- at the owner

  void set_place(Instruction& place) {
    place_ = &place;
    sent_.set_place(place);
  }

  void carry_over(Instruction& instruction) {
    set_place(instruction);
    carry_over_one(instruction);
  }

  // A condition: its branch, what is inside, and the phis where it ends.
  void carry_over(unit& part) {
    set_place(*part.at->getTerminator());
    block_there_[part.at] = at_owner_.GetInsertBlock();
    for (auto* block : part.blocks) block_there_[block] = new_block(block->getName());
    auto* join = block_there_[part.join] = new_block(part.join->getName());
    carry_over_one(*place_);
    ReversePostOrderTraversal<Function*> order(outer_.function);
    for (auto* block : order) {
      if (!part.blocks.contains(block)) continue;
      at_owner_.SetInsertPoint(block_there_.lookup(block));
      for (auto& instruction : *block) carry_over_one(instruction);
    }
    at_owner_.SetInsertPoint(join);
    for (auto& phi : part.join->phis()) carry_over_one(phi);
  }

  BasicBlock* new_block(const Twine& name) { return BasicBlock::Create(context_, name, part_->function); }

  void carry_over_one(Instruction& instruction) {
    if (is_commentary(instruction)) return;
    if (const auto location = place_of(instruction.getDebugLoc())) lines_.insert(location.getLine());
    if (auto* call = dyn_cast<CallInst>(&instruction)) return access(*call);
    if (read_before_.count(&instruction) > 0) return read_before(instruction);
    auto* copy = instruction.clone();
    at_owner_.Insert(copy, instruction.getName());
    move_debug_info(*copy, *part_->function);
    there_[&instruction] = copy;
    if (isa<PHINode>(instruction) || instruction.isTerminator())
      return copies_.push_back({copy, &instruction});
    at_owner_.SetInsertPoint(copy);
    for (auto& operand : copy->operands()) operand.set(there(*operand.get()));
    at_owner_.SetInsertPoint(copy->getParent());
  }

  // Branches and phis: what they name may come later.
  void connect(Instruction& copy, Instruction& original) {
    if (auto* phi = dyn_cast<PHINode>(&copy)) return connect_phi(*phi, cast<PHINode>(original));
    at_owner_.SetInsertPoint(&copy);
    for (auto& operand : copy.operands())
      if (auto* block = dyn_cast<BasicBlock>(operand.get()))
        operand.set(block_there_.lookup(block));
      else
        operand.set(there(*operand.get()));
  }

  void connect_phi(PHINode& copy, PHINode& original) {
    for (unsigned i = 0; i < copy.getNumIncomingValues(); ++i) {
      auto* from = block_there_.lookup(original.getIncomingBlock(i));
      at_owner_.SetInsertPoint(from->getTerminator());
      copy.setIncomingBlock(i, from);
      copy.setIncomingValue(i, there(*original.getIncomingValue(i)));
    }
  }

  void read_before(Instruction& load) {
    const auto what = read_before_.lookup(&load);
    auto& value = read_[{what, load.getType()}];
    if (!value) {
      IRBuilder<> origin(place_);
      auto* address = field(origin, *what.var->base, static_cast<uint64_t>(what.offset));
      value =
          origin.CreateAlignedLoad(load.getType(), address, cast<LoadInst>(load).getAlign(), what.var->name);
    }
    stands_for_[&load] = value;
  }

  // What has been read twice travels once.
  Value& first_read(Value& value) {
    const auto known = read_straight_.find(dyn_cast<Instruction>(&value));
    if (known == read_straight_.end()) return value;
    return *read_.try_emplace({known->second, value.getType()}, &value).first->second;
  }

  void erase(unit& part) {
    SmallVector<Instruction*, 32> all;
    for (auto& phi : part.join->phis()) all.push_back(&phi);
    for (auto* block : part.blocks)
      for (auto& instruction : *block) all.push_back(&instruction);
    pass_by(*part.at->getTerminator(), *part.join);
    for (auto* instruction : all) {
      drop_records(*instruction);
      instruction->dropAllReferences();
    }
    for (auto* instruction : all) instruction->eraseFromParent();
    for (auto* block : part.blocks) block->eraseFromParent();
  }

  void access(CallInst& call) {
    if (call.getType()->isVoidTy()) return update(call);
    ++part_->told.fetches;
    there_[&call] = fetched(call);
  }

  void update(CallInst& call) {
    auto* object = there(*call.getArgOperand(1));
    const auto name = callee_name(call);
    auto& type = *const_cast<Type*>(updated_type(call));
    auto* value = name.ends_with("_inc") ? ConstantInt::get(&type, 1) : there(*call.getArgOperand(2));
    const auto alignment = alignment_of(type);
    if (name.ends_with("_p") || name.ends_with("_atomic_set"))
      at_owner_.CreateAlignedStore(value, object, alignment)->setAtomic(order);
    else
      at_owner_.CreateAtomicRMW(operation_of(name), object, value, alignment, order);
  }

  // A further fetch: context, object, operands, PE.
  Value* fetched(CallInst& call) {
    auto& type = *call.getType();
    const auto alignment = alignment_of(type);
    const auto name = callee_name(call);
    auto* object = there(*call.getArgOperand(1));
    if (name.ends_with("_g") || name.ends_with("_atomic_fetch")) {
      auto* load = at_owner_.CreateAlignedLoad(&type, object, alignment, "fetched");
      load->setAtomic(order);
      return load;
    }
    if (name.ends_with("_compare_swap")) {
      auto *expected = there(*call.getArgOperand(2)), *desired = there(*call.getArgOperand(3));
      auto* both = at_owner_.CreateAtomicCmpXchg(object, expected, desired, alignment, order, order);
      return at_owner_.CreateExtractValue(both, 0, "fetched");
    }
    auto* value = name.ends_with("_inc") ? ConstantInt::get(&type, 1) : there(*call.getArgOperand(2));
    return at_owner_.CreateAtomicRMW(operation_of(name), object, value, alignment, order);
  }

  Align alignment_of(Type& type) const {
    return Align(module_.getDataLayout().getTypeStoreSize(&type).getFixedValue());
  }

  // What stands for a value of the scope in the owner's function.
  Value* there(Value& value) {
    if (!isa<Argument, Instruction>(value)) return &value;
    if (auto* known = there_.lookup(&value)) return known;
    if (auto* var = outer_.vars.at(&value)) return there_[&value] = own_variable(*var);
    auto* sent = stands_for_.lookup(&value);
    auto& source = sent ? *sent : first_read(value);
    if (auto* operand = among_operands(source)) return operand;
    return sent_.there(source);
  }

  // What the operation itself takes along, or the negative of it.
  Value* among_operands(const Value& value) {
    const auto is_value = [&](Value& operand) {
      return &operand == &value || &first_read(operand) == &value;
    };
    for (unsigned i = 2; i + 1 < fetch_.arg_size(); ++i) {
      auto& operand = *fetch_.getArgOperand(i);
      if (operand.getType() != value.getType()) continue;
      if (is_value(operand)) return operand_there(i - 2);
      const auto* negative = dyn_cast<BinaryOperator>(&operand);
      if (negative && PatternMatch::match(negative->getOperand(0), PatternMatch::m_ZeroInt()) &&
          negative->getOpcode() == Instruction::Sub && is_value(*negative->getOperand(1)))
        return at_owner_.CreateNeg(operand_there(i - 2), "captured");
    }
    return nullptr;
  }

  Value* operand_there(unsigned i) {
    auto& type = *fetch_.getType();
    const auto alignment = alignment_of(type);
    return at_owner_.CreateAlignedLoad(
        &type, field(at_owner_, *part_->function->getArg(2), i * alignment.value()), alignment, "operand");
  }

  Value* own_variable(const variable& var) {
    auto& block = part_->function->getEntryBlock();
    auto* storage =
        IRBuilder<>(&block, block.getFirstInsertionPt()).CreateAlloca(var.type, nullptr, var.name);
    storage->setAlignment(var.alignment);
    drop_lifetime_markers(*var.base);
    return storage;
  }

  // ---- how it gets there

  AllocaInst* make_buffer() {
    IRBuilder<> entry(&*outer_.function->getEntryBlock().getFirstInsertionPt());
    auto* buffer = entry.CreateAlloca(entry.getInt8Ty(), entry.getInt64(0), "travels");
    buffer->setAlignment(Align(8));
    return buffer;
  }

  // Behind the last of the deferred units.
  void send() {
    const auto last = find_if(reverse(scope_.scope.units), [](const unit& part) { return part.deferred; });
    IRBuilder<> builder(last->compound() ? last->at->getTerminator() : last->instruction->getNextNode());
    builder.SetCurrentDebugLocation(fetch_.getDebugLoc());
    auto* open = open_owner_item(fetch_);
    if (open) part_->at_owner.operands = make_operands();
    const auto bytes = part_->layout.bytes;
    buffer_->setOperand(0, builder.getInt64(std::max<uint64_t>(bytes, 1)));
    part_->at_owner.site = make_site(open != nullptr);
    Value* item = ConstantPointerNull::get(pointer_);
    if (open) {
      SmallVector<Value*, 12> arguments{ConstantPointerNull::get(pointer_),
                                        builder.getFalse(),
                                        ConstantPointerNull::get(pointer_),
                                        builder.getInt64(0),
                                        part_->at_owner.site,
                                        fetch_.getArgOperand(0),
                                        builder.getInt64(bytes),
                                        sent_.common_word(),
                                        builder.getInt1(part_->at_owner.operands == nullptr)};
      append_range(arguments, drop_begin(fetch_.args()));
      part_->at_owner.item = builder.CreateCall(open, arguments, "item");
      item = part_->at_owner.item;
    }
    auto* to = builder.CreateSelect(builder.CreateIsNotNull(item), item, buffer_);
    sent_.store(builder, *to);
    SmallVector<Value*, 8> arguments{item,    part_->at_owner.site,    fetch_.getArgOperand(0),
                                     buffer_, builder.getInt64(bytes), sent_.common_word()};
    append_range(arguments, drop_begin(fetch_.args()));
    builder.CreateCall(finish_owner_item(fetch_), arguments);
  }

  // At the owner, of what takes less room in the message than they do; or null.
  Function* make_operands() {
    const operand_sources sources(fetch_);
    uint64_t bytes = 0;
    for (auto* source : sources.all()) bytes += travels_anyway(*source) ? 0 : sources.bytes_of(*source);
    if (bytes >= sources.operand_bytes()) return nullptr;
    auto& made =
        sources.make_operands(part_->function->getName() + ".operands",
                              [&](IRBuilder<>& builder, Function& function, Value& source) -> Value* {
                                if (sent_.is_common_word(source)) return function.getArg(1);
                                return sent_.there(builder, *function.getArg(0), first_read(source));
                              });
    return &made;
  }
  bool travels_anyway(Value& value) { return sent_.is_common_word(value) || sent_.has(first_read(value)); }

  // struct windrow_defer_owner_site
  GlobalVariable* make_site(bool runs_items) {
    auto* word = Type::getInt32Ty(context_);
    auto* wide = Type::getInt64Ty(context_);
    Constant *run = ConstantPointerNull::get(pointer_), *operands = run;
    if (part_->at_owner.operands) {
      operands = part_->at_owner.operands;
      part_->helpers.push_back(part_->at_owner.operands);
    }
    if (runs_items) {
      if (!part_->function->hasFnAttribute(Attribute::NoInline))
        part_->function->addFnAttr(Attribute::AlwaysInline);
      part_->helpers.push_back(make_owner_run(fetch_, *part_->function, part_->layout.bytes, *operands));
      run = part_->helpers.back();
    }
    auto* none = ConstantStruct::getAnon({ConstantInt::getAllOnesValue(word), ConstantInt::get(word, 0),
                                          ConstantInt::get(wide, 0), ConstantInt::get(wide, 0)});
    auto* type = StructType::get(context_, {none->getType(), none->getType(), pointer_, pointer_, pointer_});
    auto* content = ConstantStruct::get(type, {none, none, part_->function, run, operands});
    return new GlobalVariable(module_, type, false, GlobalValue::InternalLinkage, content,
                              part_->function->getName() + ".site");
  }

  plan& scope_;
  code& outer_;
  std::unique_ptr<code> part_;
  const DenseMap<const Instruction*, owner_part::part_of_variable>&read_before_, &read_straight_;
  Module& module_;
  LLVMContext& context_;
  PointerType* pointer_;
  CallInst& fetch_;
  IRBuilder<> at_owner_;
  owner_captures sent_;
  AllocaInst* buffer_;
  Instruction* place_ = nullptr;   // of the scope, which is being carried over
  DenseMap<Value*, Value*> there_; // values of the scope -> of the owner's function
  DenseMap<BasicBlock*, BasicBlock*> block_there_;
  SmallVector<std::pair<Instruction*, Instruction*>, 8> copies_; // of branches and phis, and their originals
  std::map<std::pair<owner_part::part_of_variable, Type*>, Value*> read_; // once, or in front of conditions
  DenseMap<Value*, Value*> stands_for_;                                   // by loads in conditions
  std::set<unsigned> lines_;
};

} // namespace

std::unique_ptr<code> fuse(owner_part& part, code& outer, unsigned number) {
  return fuser(part, outer, number).run();
}

} // namespace windrow::compiler::defer
