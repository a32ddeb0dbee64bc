// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/lower/batches.hpp"

#include <llvm/IR/IRBuilder.h>

#include <map>
#include <optional>

#include "compiler/defer/lower/block_opener.hpp"
#include "compiler/defer/lower/invariance.hpp"
#include "compiler/defer/lower/runs.hpp"

namespace windrow::compiler::defer {

namespace {

const Align word(sizeof(uint64_t));
constexpr uint64_t largest_entry = 512; // a chunk of the runtime is to hold many
constexpr unsigned most_inlined = 200;  // instructions, of a callback in its run

/// An address in the record: `offset` bytes behind its beginning.
struct recorded_place {
  GetElementPtrInst* address;
  uint64_t offset;
};

/// All uses of a record as the base of addresses; empty if there are others than `known`.
std::optional<SmallVector<recorded_place, 16>> places_in(Value& record, const Value* known,
                                                         const DataLayout& layout) {
  SmallVector<recorded_place, 16> places;
  for (auto* user : record.users()) {
    if (user == known) continue;
    auto* address = dyn_cast<GetElementPtrInst>(user);
    APInt offset(64, 0);
    if (!address || !address->accumulateConstantOffset(layout, offset)) return std::nullopt;
    places.push_back({address, offset.getZExtValue()});
  }
  return places;
}

class batcher {
 public:
  explicit batcher(code& callback)
      : callback_(callback),
        open_(*callback.open),
        layout_(callback.function->getParent()->getDataLayout()) {}

  bool run() {
    const invariance around(open_, callback_.outer->lowered.in_batches, callback_.layout.bulk.has_value());
    if (!around.in_loop() && callback_.level > 1) return false;
    if (!find_fields()) return false;
    if (around.in_loop())
      for (auto& [offset, one] : fields_)
        if (common_.size() < most_common && may_be_common(one) &&
            around.is_invariant(*one.capture->getValueOperand()))
          make_common(one);
    if (!lay_out()) return false;
    move();
    return true;
  }

 private:
  struct field {
    StoreInst* capture = nullptr; ///< null: the slot, or something large
    uint64_t offset = 0, bytes = 0;
    SmallVector<GetElementPtrInst*, 4> inside, outside; ///< the callback's addresses in it, and the scope's
    int word = -1;                                      ///< in what is common
    uint64_t new_offset = 0;
  };

  bool find_fields() {
    Value* payload = nullptr;
    for (auto* user : open_.users())
      if (const auto* part = dyn_cast<ExtractValueInst>(user); part && part->getIndices().front() == 0)
        payload = user;
    if (!payload) return false;
    const CallInst* finish = nullptr;
    for (auto* user : payload->users())
      if (const auto* call = dyn_cast<CallInst>(user)) finish = call;
    const auto outside = places_in(*payload, finish, layout_);
    const auto inside = places_in(*callback_.record, nullptr, layout_);
    if (!outside || !inside) return false;
    for (const auto& [offset, bytes] : callback_.layout.fields) {
      fields_[offset].offset = offset;
      fields_[offset].bytes = bytes;
    }
    for (const auto& [address, offset] : *outside) {
      auto* one = field_at(offset);
      if (!one || one->offset != offset) return false;
      add(*one, address);
    }
    return all_of(*inside, [&](const recorded_place& one) {
      auto* in = field_at(one.offset);
      if (in) in->inside.push_back(one.address);
      return in;
    });
  }

  uint64_t number(unsigned argument) const {
    return cast<ConstantInt>(open_.getArgOperand(argument))->getZExtValue();
  }
  void set_number(unsigned argument, uint64_t value) {
    open_.setArgOperand(argument, ConstantInt::get(open_.getArgOperand(argument)->getType(), value));
  }
  bool is_slot(const field& one) const {
    return any_of(callback_.layout.slots, [&](const slot& of) { return number(of.argument) == one.offset; });
  }

  static void add(field& one, GetElementPtrInst* address) {
    one.outside.push_back(address);
    if (address->hasOneUse()) {
      auto* store = dyn_cast<StoreInst>(address->user_back());
      if (store && store->getPointerOperand() == address) one.capture = store;
    }
  }

  field* field_at(uint64_t offset) {
    auto behind = fields_.upper_bound(offset);
    if (behind == fields_.begin()) return nullptr;
    return &std::prev(behind)->second;
  }

  // A word that is only read.
  bool may_be_common(const field& one) const {
    if (!one.capture || is_slot(one) || one.outside.size() != 1) return false;
    const auto* type = one.capture->getValueOperand()->getType();
    if (!type->isPointerTy() && !type->isIntegerTy() && !type->isFloatTy() && !type->isDoubleTy())
      return false;
    return layout_.getTypeStoreSize(const_cast<Type*>(type)) <= sizeof(uint64_t) &&
           all_of(one.inside, [](const GetElementPtrInst* address) {
             return all_of(address->users(),
                           [](const User* user) { return isa<LoadInst>(user) || user->use_empty(); });
           });
  }

  void make_common(field& one) {
    one.word = static_cast<int>(common_.size());
    common_.push_back(&one);
  }

  bool lay_out() {
    for (auto& [offset, one] : fields_) {
      if (one.word >= 0) continue;
      one.new_offset = alignTo(bytes_, commonAlignment(word, offset));
      bytes_ = one.new_offset + one.bytes;
    }
    bytes_ = std::max(alignTo(bytes_, word), word.value());
    return bytes_ <= largest_entry;
  }

  // ---- the change

  void move() {
    auto& body = with_common();
    pass_common();
    for (auto& [offset, one] : fields_) {
      auto* base = one.word < 0 ? body.getArg(0) : body.getArg(1);
      const auto at = one.word < 0 ? one.new_offset : static_cast<uint64_t>(one.word) * word.value();
      for (auto* address : one.inside) rebase(*address, *base, at, one.offset);
      if (one.word < 0)
        for (auto* address : one.outside) rebase(*address, *address->getPointerOperand(), at, one.offset);
    }
    set_number(block_bytes, bytes_);
    for (const auto& one : callback_.layout.slots)
      set_number(one.argument, fields_.at(number(one.argument)).new_offset);
    open_.setArgOperand(block_body, single(body));
    callback_.lowered.in_batches = true;
  }

  void rebase(GetElementPtrInst& address, Value& base, uint64_t to, uint64_t from) {
    APInt offset(64, 0);
    address.accumulateConstantOffset(layout_, offset);
    IRBuilder<> builder(&address);
    auto* moved =
        builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), &base, to + offset.getZExtValue() - from);
    moved->takeName(&address);
    address.replaceAllUsesWith(moved);
    address.eraseFromParent();
  }

  void pass_common() {
    IRBuilder<> builder(&open_);
    open_.setArgOperand(block_batch, builder.getTrue());
    open_.setArgOperand(block_words, builder.getInt32(static_cast<uint32_t>(common_.size())));
    for (auto* one : common_) {
      open_.setArgOperand(block_common + static_cast<unsigned>(one->word),
                          as_word(builder, *one->capture->getValueOperand()));
      one->capture->eraseFromParent();
      one->outside.front()->eraseFromParent();
    }
  }

  // It is compared with that of other rounds, although a variable that is not set yet has no one value.
  Value* as_word(IRBuilder<>& builder, Value& captured) const {
    auto* value = builder.CreateFreeze(&captured);
    auto* type = value->getType();
    auto* bits =
        builder.getIntNTy(static_cast<unsigned>(layout_.getTypeStoreSizeInBits(type).getFixedValue()));
    auto* number = type->isPointerTy()   ? builder.CreatePtrToInt(value, bits)
                   : type->isIntegerTy() ? builder.CreateZExt(value, bits)
                                         : builder.CreateBitCast(value, bits);
    return builder.CreateZExt(number, builder.getInt64Ty());
  }

  // The callback, which takes the payload, what is common, and what it keeps of where updates and items go.
  Function& with_common() {
    auto& old = *callback_.function;
    auto* pointer = old.getArg(0)->getType();
    auto* body = Function::Create(FunctionType::get(old.getReturnType(), {pointer, pointer, pointer}, false),
                                  old.getLinkage(), "", old.getParent());
    body->copyAttributesFrom(&old);
    body->takeName(&old);
    body->splice(body->begin(), &old);
    body->setSubprogram(old.getSubprogram());
    old.setSubprogram(nullptr);
    old.getArg(0)->replaceAllUsesWith(body->getArg(0));
    body->getArg(0)->setName("rec");
    body->getArg(1)->setName("common");
    body->getArg(2)->setName("routes");
    body->addParamAttr(2, Attribute::NoAlias);
    for (const auto known : {Attribute::NoAlias, Attribute::ReadOnly}) body->addParamAttr(1, known);
    if (!body->hasFnAttribute(Attribute::NoInline))
      body->addFnAttr(body->getInstructionCount() <= most_inlined
                          ? Attribute::AlwaysInline
                          : Attribute::InlineHint); // into the run's loop
    old.replaceAllUsesWith(body);
    old.eraseFromParent();
    callback_.function = body;
    callback_.record = body->getArg(0);
    return *body;
  }

  // For a record that is opened by a call: what is common follows the payload.
  Function* single(Function& body) {
    auto& context = body.getContext();
    auto* pointer = body.getArg(0)->getType();
    auto* function =
        Function::Create(FunctionType::get(body.getReturnType(), {pointer}, false),
                         GlobalValue::InternalLinkage, body.getName() + ".single", body.getParent());
    function->addFnAttr(Attribute::NoUnwind);
    function->addFnAttr(Attribute::Cold);
    IRBuilder<> builder(BasicBlock::Create(context, "entry", function));
    auto* payload = function->getArg(0);
    auto* common = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), payload, bytes_);
    builder.CreateCall(&body, {payload, common, Constant::getNullValue(pointer)})
        ->addFnAttr(Attribute::NoInline);
    builder.CreateRetVoid();
    callback_.helpers.push_back(function);
    return function;
  }

  code& callback_;
  CallInst& open_;
  const DataLayout& layout_;
  std::map<uint64_t, field> fields_; // by offset
  SmallVector<field*, most_common> common_;
  uint64_t bytes_ = 0; // of the payload
};

} // namespace

void put_in_batches(code& callback) {
  const bool debugged =
      callback.function->hasFnAttribute(Attribute::OptimizeNone); // where records are described
  if (callback.lowered.in_place && !debugged && callback.layout.alignment <= word) batcher(callback).run();
}

void complete_runs(code& callback, bool leads_to_others) {
  const auto number = [&](unsigned argument) {
    return cast<ConstantInt>(callback.open->getArgOperand(argument))->getZExtValue();
  };
  const auto bytes = number(block_bytes);
  std::optional<uint64_t> common;
  if (callback.lowered.in_batches) common = number(block_words) * word.value();
  complete_run(*callback.lowered.run, *callback.function, bytes, common, leads_to_others);
  if (callback.lowered.loading_run == callback.lowered.run) return;
  SmallVector<near_load, 2> loads;
  for (const auto& one : callback.layout.slots)
    if (one.may_load_later) loads.push_back({one.type, number(one.argument)});
  auto* body = load_first(*callback.function, loads);
  callback.helpers.push_back(body);
  complete_run(*callback.lowered.loading_run, *body, bytes, common, leads_to_others);
}

} // namespace windrow::compiler::defer
