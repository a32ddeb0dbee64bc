// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/outline/outline.hpp"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/IRBuilder.h>

#include <map>
#include <optional>
#include <set>

#include "compiler/common/runtime/inline_library.hpp"
#include "compiler/common/transform/debug_info.hpp"
#include "compiler/defer/lower/open_in_place.hpp"

namespace windrow::compiler::defer {

namespace {

constexpr uint64_t largest_plain_copy_bytes = 16;

void append_name(std::string& list, StringRef name) {
  if (!list.empty()) list += ", ";
  list += name;
}

class outliner {
 public:
  outliner(plan& scope, code& outer, const shape& structure, unsigned number)
      : scope_(scope),
        outer_(outer),
        callback_(std::make_unique<code>()),
        context_(outer.function->getContext()),
        pointer_(PointerType::getUnqual(context_)),
        entry_(context_) {
    callback_->function = make_part(outer, "defer" + std::to_string(outer.level + 1), number,
                                    *FunctionType::get(Type::getVoidTy(context_), {pointer_}, false));
    callback_->function->getArg(0)->setName("rec");
    callback_->record = callback_->function->getArg(0);
    callback_->outer = &outer;
    callback_->level = outer.level + 1;
    callback_->library = outer.library;
    callback_->switches = outer.switches;
    callback_->known = outer.known;
    callback_->provable = outer.provable;
    callback_->vectorise = outer.vectorise;
    entry_.SetInsertPoint(BasicBlock::Create(context_, "entry", callback_->function));
    tail_ = first_ = BasicBlock::Create(context_, "body", callback_->function);
    if (callback_->function->hasFnAttribute(Attribute::OptimizeNone)) keep_address_of_record();
    calls_.emplace(scope, outer, *callback_, structure);
    record_ = calls_->record();
  }

  std::unique_ptr<code> run(std::vector<frame_reference>& references) {
    for (auto* var : scope_.in_private) make_private(*var);
    for (auto* var : scope_.by_reference) refer_to(*var, references);
    for (auto& part : scope_.scope.units) take(part);
    finish();
    return std::move(callback_);
  }

 private:
  // ---- the record

  // Only there can the debugger follow it.
  void keep_address_of_record() {
    record_at_ = entry_.CreateAlloca(pointer_, nullptr, "rec.addr");
    entry_.CreateStore(callback_->record, record_at_);
  }

  // `offset` bytes behind the record the callback has the variable, or its address.
  void describe_field(const variable& var, uint64_t offset, bool is_address) {
    if (!record_at_) return;
    SmallVector<uint64_t, 4> path{dwarf::DW_OP_deref, dwarf::DW_OP_plus_uconst, offset};
    if (is_address) path.push_back(dwarf::DW_OP_deref);
    describe_variable(*callback_->function, *record_at_, var.description, path);
  }

  // ---- variables

  void make_private(variable& var) {
    auto* storage = entry_.CreateAlloca(var.type, nullptr, var.name);
    storage->setAlignment(var.alignment);
    mapped_[&var] = storage;
    callback_->vars.add(*storage, *var.type, var.alignment, var.name, storage::frame).description =
        var.description;
    describe_variable(*callback_->function, *storage, var.description, {});
    drop_lifetime_markers(*var.base);
  }

  void refer_to(variable& var, std::vector<frame_reference>& references) {
    if (outer_.level > 0 && var.where == storage::frame) move_to_record(var);
    if (outer_.level == 0) {
      references.push_back({&var, scope_.writes.contains(&var)});
      drop_lifetime_markers(*var.base);
    }
    const auto offset = callback_->add_field(*pointer_);
    IRBuilder<> builder(record_->getNextNode());
    builder.SetCurrentDebugLocation(record_->getDebugLoc());
    builder.CreateStore(var.base, field(builder, *record_, offset));
    auto* address = entry_.CreateLoad(pointer_, field(entry_, *callback_->record, offset), var.name + ".ref");
    mapped_[&var] = address;
    auto& inner = callback_->vars.add(*address, *var.type, var.alignment, var.name, storage::reference);
    inner.in_record = is_in_record(var);
    callback_->holds_parent |= inner.in_record;
    inner.several_places = var.several_places;
    inner.description = var.description;
    describe_field(var, offset, true);
    append_name(callback_->told.shared, var.name);
  }

  // A local of a callback that records refer to lives in the callback's own record, which outlives the
  // callback.
  void move_to_record(variable& var) {
    drop_lifetime_markers(*var.base);
    auto* alloca = cast<Instruction>(var.base);
    IRBuilder<> builder(&*outer_.function->getEntryBlock().getFirstInsertionPt());
    auto* address = field(builder, *outer_.record, outer_.add_field(*var.type, var.alignment));
    outer_.vars.move(var, *address, storage::record);
    alloca->replaceAllUsesWith(address);
    alloca->eraseFromParent();
  }

  // ---- the record of the code that opens this one

  bool is_in_record(const variable& var) const {
    return outer_.level > 0 && (var.where != storage::reference || var.in_record);
  }

  // Whether the value may be an address in the opening code's record, or in one that this holds.
  bool may_lie_in_record(const Value& value) const {
    if (outer_.level == 0 || value.getType()->isIntegerTy() || value.getType()->isFloatingPointTy())
      return false;
    if (const auto* var = outer_.vars.of_address(&value)) return is_in_record(*var);
    if (isa<LoadInst, CallBase>(value.stripInBoundsOffsets())) return outer_.holds_parent;
    return true;
  }

  void hold_parent() {
    if (!callback_->holds_parent || !outer_.switches->hold("parents")) return;
    record_->setArgOperand(scope_.fetches.empty() ? 0 : 3, outer_.record);
  }

  // ---- units

  void take(unit& part) {
    if (!part.deferred) {
      for (auto* var : part.touched.writes) ++version_[var];
      if (part.fetch) issue(*cast<CallInst>(part.instruction));
    } else if (part.compound())
      move_compound(part);
    else
      move_instruction(*part.instruction);
  }

  void issue(CallInst& fetch) {
    captured_[&fetch] = calls_->issue(fetch, entry_);
    end_ = calls_->issued().back().call->getNextNode();
  }

  void move_instruction(Instruction& instruction) {
    auto* next = instruction.getNextNode();
    remap(instruction, &instruction);
    instruction.removeFromParent();
    instruction.insertInto(tail_, tail_->end());
    adopt(instruction);
    end_ = next;
  }

  void move_compound(unit& part) {
    auto* join = BasicBlock::Create(context_, "join", callback_->function);
    auto* branch = part.at->getTerminator();
    for (auto* block : part.blocks)
      for (auto& instruction : *block) remap(instruction, branch);
    for (auto& phi : part.join->phis()) remap(phi, branch);
    enter_compound(part, *branch, *join);
    for (auto& phi : make_early_inc_range(part.join->phis())) {
      phi.removeFromParent();
      phi.insertInto(join, join->end());
      adopt(phi);
    }
    for (auto* block : part.blocks) move_block(*block, part.join, join);
    end_ = pass_by(*branch, *part.join);
    tail_ = join;
  }

  // The callback takes the branch of the condition, or goes to the head of the loop.
  void enter_compound(unit& part, Instruction& branch, BasicBlock& join) {
    if (part.header) {
      BranchInst::Create(part.header, tail_);
      part.header->replacePhiUsesWith(part.at, tail_);
      return;
    }
    auto* copy = branch.clone();
    copy->insertInto(tail_, tail_->end());
    remap(*copy, &branch);
    adopt(*copy);
    copy->replaceSuccessorWith(part.join, &join);
    for (auto* block : part.blocks) block->replacePhiUsesWith(part.at, tail_);
    for (auto& phi : part.join->phis()) phi.replaceIncomingBlockWith(part.at, tail_);
  }

  void move_block(BasicBlock& block, BasicBlock* old_join, BasicBlock* join) {
    block.removeFromParent();
    block.insertInto(callback_->function);
    for (auto& instruction : make_early_inc_range(block)) {
      if (isa<DbgInfoIntrinsic>(instruction))
        instruction.eraseFromParent();
      else
        adopt(instruction);
    }
    block.getTerminator()->replaceSuccessorWith(old_join, join);
  }

  void adopt(Instruction& instruction) { move_debug_info(instruction, *callback_->function); }

  // ---- operands

  // What the instruction uses, as the callback sees it. Captures are made in front of `place`.
  void remap(Instruction& instruction, Instruction* place) {
    if (isa<DbgInfoIntrinsic>(instruction)) return;
    if (const auto location = place_of(instruction.getDebugLoc())) lines_.insert(location.getLine());
    for (auto& operand : instruction.operands()) {
      auto* value = operand.get();
      if (!isa<Argument, Instruction>(value)) continue;
      if (auto* var = outer_.vars.at(value))
        operand.set(address_of(*var, place));
      else if (auto* inside = dyn_cast<Instruction>(value); !inside || !scope_.deferred.contains(inside))
        operand.set(capture(*value, place));
    }
  }

  Value* address_of(variable& var, Instruction* place) {
    if (auto* address = mapped_.lookup(&var)) return address;
    const auto version = outer_.switches->hold("versions") ? version_.lookup(&var) : 0;
    auto& copy = copies_[{&var, version}];
    if (!copy) copy = make_copy(var, version, place);
    return copy;
  }

  Value* make_copy(variable& var, unsigned version, Instruction* place) {
    const auto offset = callback_->add_field(*var.type, var.alignment);
    IRBuilder<> builder(place);
    builder.SetCurrentDebugLocation(record_->getDebugLoc());
    auto* to = field(builder, *record_, offset);
    const auto bytes = outer_.function->getParent()->getDataLayout().getTypeAllocSize(var.type);
    if (bytes <= largest_plain_copy_bytes && var.type->isSingleValueType())
      builder.CreateAlignedStore(builder.CreateAlignedLoad(var.type, var.base, var.alignment), to,
                                 var.alignment);
    else {
      builder.CreateMemCpy(to, var.alignment, var.base, var.alignment, bytes);
      memory_copies_.push_back({&var, version_.lookup(&var)});
    }
    auto* copy = field(entry_, *callback_->record, offset);
    copy->setName(var.name + ".val");
    callback_->vars.add(*copy, *var.type, var.alignment, var.name, storage::record).description =
        var.description;
    if (version == 0) describe_field(var, offset, false);
    append_name(callback_->told.captured, var.name);
    return copy;
  }

  Value* capture(Value& value, Instruction* place) {
    auto& inner = captured_[&value];
    if (inner) return inner;
    callback_->holds_parent |= may_lie_in_record(value);
    const auto offset = callback_->add_field(*value.getType());
    const auto& layout = outer_.function->getParent()->getDataLayout();
    const auto alignment = std::min(layout.getABITypeAlign(value.getType()), payload_alignment);
    IRBuilder<> builder(place);
    builder.SetCurrentDebugLocation(record_->getDebugLoc());
    builder.CreateAlignedStore(&value, field(builder, *record_, offset), alignment);
    inner = entry_.CreateAlignedLoad(value.getType(), field(entry_, *callback_->record, offset), alignment,
                                     "captured");
    append_name(callback_->told.captured, "an expression");
    return inner;
  }

  // ---- the end

  void finish() {
    ReturnInst::Create(context_, tail_);
    entry_.CreateBr(first_);
    hold_parent();
    if (!may_be_in_place() ||
        !open_in_place(*calls_, scope_.scope.units, outer_, *callback_, *end_, !memory_copies_.empty()))
      calls_->commit(*end_);
    for (const auto& one : calls_->issued()) one.fetch->eraseFromParent();
    complete_locations(*callback_->function);
    complete_locations(*outer_.function);
    callback_->told.statements = static_cast<unsigned>(lines_.size());
    callback_->told.fetches = static_cast<unsigned>(calls_->issued().size());
  }

  // Copies are of variables that code which stays has not written since.
  bool may_be_in_place() const {
    return none_of(memory_copies_,
                   [&](const auto& copy) { return version_.lookup(copy.first) != copy.second; });
  }

  plan& scope_;
  code& outer_;
  std::unique_ptr<code> callback_;
  LLVMContext& context_;
  PointerType* pointer_;
  IRBuilder<> entry_;                             // of the callback: where it unpacks its record
  AllocaInst* record_at_ = nullptr;               // of the callback, for the debugger
  BasicBlock *first_ = nullptr, *tail_ = nullptr; // of the callback's body
  std::optional<record_calls> calls_;
  CallInst* record_ = nullptr;
  Instruction* end_ = nullptr;                                   // the record is complete in front of it
  SmallVector<std::pair<variable*, unsigned>, 4> memory_copies_; // and the version
  std::set<unsigned> lines_;
  DenseMap<variable*, Value*> mapped_;    // private ones and references
  DenseMap<variable*, unsigned> version_; // how often code that stays has written it
  std::map<std::pair<variable*, unsigned>, Value*> copies_;
  DenseMap<Value*, Value*> captured_;
};

} // namespace

Function* make_part(const code& outer, StringRef kind, unsigned number, FunctionType& type) {
  const auto name = outer.function->getName();
  const auto base = outer.level > 0 ? name.substr(0, name.rfind(".defer")) : name;
  auto* part = Function::Create(&type, GlobalValue::InternalLinkage, base + "." + kind + "." + Twine(number),
                                outer.function->getParent());
  AttrBuilder attributes(part->getContext(), outer.function->getAttributes().getFnAttrs());
  for (const auto attribute : {Attribute::NoReturn, Attribute::AlwaysInline, Attribute::Memory,
                               Attribute::WillReturn, Attribute::MustProgress, Attribute::NoRecurse})
    attributes.removeAttribute(attribute);
  part->setAttributes(AttributeList::get(part->getContext(), AttributeList::FunctionIndex, attributes));
  describe_callback(*part, *outer.function);
  return part;
}

std::unique_ptr<code> outline(plan& scope, code& outer, const shape& structure, unsigned number,
                              std::vector<frame_reference>& references) {
  return outliner(scope, outer, structure, number).run(references);
}

} // namespace windrow::compiler::defer
