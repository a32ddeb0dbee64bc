// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/common/analysis/origins.hpp"

#include <llvm/ADT/StringSet.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Operator.h>

#include "compiler/common/api/calls.hpp"

namespace windrow::compiler {

namespace {

constexpr unsigned deepest_object = 3; // what lies deeper belongs to the object at that depth
constexpr unsigned most_steps = 2000;
constexpr unsigned most_places = 16;

void add(locations& to, const location& one) {
  if (!is_contained(to, one)) to.push_back(one);
}

using place = std::optional<int64_t>; // an offset; none: any

place moved_by(const place& from, const GEPOperator& element, const DataLayout& layout) {
  APInt by(layout.getIndexTypeSizeInBits(element.getType()), 0);
  return from && element.accumulateConstantOffset(layout, by) ? place(*from + by.getSExtValue())
                                                              : std::nullopt;
}

// Of C++, those that a program may replace only by others that do the same.
const StringSet<> allocating{"shmem_malloc",
                             "shmem_calloc",
                             "shmem_align",
                             "shmem_malloc_with_hints",
                             "malloc",
                             "calloc",
                             "aligned_alloc",
                             "_Znwm",
                             "_Znam",
                             "_ZnwmRKSt9nothrow_t",
                             "_ZnamRKSt9nothrow_t",
                             "_ZnwmSt11align_val_t",
                             "_ZnamSt11align_val_t",
                             "_ZnwmSt11align_val_tRKSt9nothrow_t",
                             "_ZnamSt11align_val_tRKSt9nothrow_t"};

// Clang declares of each that its memory is nobody else's, also of the program's own: of an arena, of a
// class.
bool is_operator_new(StringRef name) {
  return name.starts_with("_Z") && StringRef(demangle(name.str())).contains("operator new");
}

bool is_placement_new(StringRef name) {
  return name == "_ZnwmPv" || name == "_ZnamPv";
}

// What may change a variable.
struct changes {
  struct passing {
    const CallBase* call;
    unsigned argument;
    place offset; // of what it is given, in the variable
  };
  SmallVector<const StoreInst*, 4> stores; // to parts of it
  SmallVector<passing, 2> calls;           // that are given its address
  bool others = false;
};

class change_search {
 public:
  change_search(const AllocaInst& local, const DataLayout& layout) : layout_(layout) { look_at(local, 0); }
  changes found;

 private:
  void look_at(const Value& address, const place& offset) {
    if (!seen_.insert(&address).second) return;
    for (const auto& use : address.uses()) look_at_use(use, address, offset);
  }

  void look_at_use(const Use& use, const Value& address, const place& offset) {
    const auto* user = use.getUser();
    const auto* instruction = dyn_cast<Instruction>(user);
    if (const auto* store = dyn_cast<StoreInst>(user)) {
      found.others |= store->getValueOperand() == &address;
      if (store->getPointerOperand() == &address) found.stores.push_back(store);
    } else if (const auto* element = dyn_cast<GEPOperator>(user))
      look_at(*element, moved_by(offset, *element, layout_));
    else if (isa<BitCastOperator>(user))
      look_at(*user, offset);
    else if (isa<PHINode, SelectInst>(user))
      look_at(*user, std::nullopt);
    else if (!instruction || !(isa<LoadInst, ICmpInst>(user) || is_commentary(*instruction)))
      look_at_call(dyn_cast<CallBase>(user), use, offset);
  }

  void look_at_call(const CallBase* call, const Use& use, const place& offset) {
    if (!call || !call->isArgOperand(&use))
      found.others = true;
    else if (!isa<MemTransferInst>(call) || call->getArgOperandNo(&use) == 0) // else it is only read
      found.calls.push_back({call, call->getArgOperandNo(&use), offset});
  }

  const DataLayout& layout_;
  SmallPtrSet<const Value*, 8> seen_;
};

bool is_visible(const Function* function) {
  return function && !function->isDeclaration() && !function->isInterposable();
}

const Constant* initial_value(const Value* object) {
  const auto* global = dyn_cast_or_null<GlobalVariable>(object);
  return global && global->isConstant() && global->hasDefinitiveInitializer() ? global->getInitializer()
                                                                              : nullptr;
}

bool may_be_same(std::optional<int64_t> one, std::optional<int64_t> other) {
  return !one || !other || *one == *other;
}

} // namespace

bool may_hold_address(const Type& type) {
  return !type.isFloatingPointTy() && !(type.isIntegerTy() && type.getIntegerBitWidth() < 64);
}

void each_copied_pointer(const MemTransferInst& copy, const location& to, const location& from,
                         function_ref<void(const location& to, const location& from)> take) {
  const auto* length = dyn_cast<ConstantInt>(copy.getLength());
  constexpr int64_t step = sizeof(void*), largest = 16 * step;
  if (!to.offset || !from.offset || !length || length->getValue().ugt(largest))
    return take({to.object, std::nullopt}, {from.object, std::nullopt});
  for (int64_t offset = 0; offset + step <= length->getSExtValue(); offset += step)
    take({to.object, *to.offset + offset}, {from.object, *from.offset + offset});
}

bool origins::allocates(const CallBase& call) const {
  if (believing_ && (call.returnDoesNotAlias() || callee_name(call).starts_with("_Zn"))) return true;
  if (is_visible(call.getCalledFunction())) return false;
  const auto name = callee_name(call);
  if (allocating.contains(name)) return true;
  return call.returnDoesNotAlias() && !is_operator_new(name);
}

bool may_be_same(const origin& one, const origin& other) {
  const auto is_any = [](const origin& object) { return !object.root; };
  if (&one == &other || is_any(one) || is_any(other)) return true;
  if (one.root != other.root || !one.parent != !other.parent) return false;
  return one.parent && may_be_same(one.offset, other.offset) && may_be_same(*one.parent, *other.parent);
}

bool may_meet(const location& one, std::optional<uint64_t> bytes, const location& other,
              std::optional<uint64_t> other_bytes) {
  if (!may_be_same(*one.object, *other.object)) return false;
  if (!one.offset || !other.offset) return true;
  const auto ends_before = [](const location& first, std::optional<uint64_t> size, const location& second) {
    return size && *first.offset + static_cast<int64_t>(*size) <= *second.offset;
  };
  return !ends_before(one, bytes, other) && !ends_before(other, other_bytes, one);
}

const origin* origins::object_at(const Value& root) {
  auto& made = known_[{&root, nullptr, std::nullopt}];
  if (!made) made = std::make_unique<origin>(origin{&root, nullptr, std::nullopt, 0});
  return made.get();
}

const origin* origins::any_object() {
  auto& made = known_[{nullptr, nullptr, std::nullopt}];
  if (!made) made = std::make_unique<origin>(origin{nullptr, nullptr, std::nullopt, deepest_object});
  return made.get();
}

const origin* origins::behind(const location& holder) {
  if (holder.object->depth >= deepest_object) return holder.object;
  const auto* root = holder.object->root;
  auto& made = known_[{root, holder.object, holder.offset}];
  if (!made)
    made = std::make_unique<origin>(origin{root, holder.object, holder.offset, holder.object->depth + 1});
  return made.get();
}

locations origins::of(const Value& address) {
  locations found;
  visited seen;
  collect(address, seen, found);
  return found;
}

std::optional<int64_t> origins::moved(std::optional<int64_t> offset, const User& element) const {
  return moved_by(offset, cast<GEPOperator>(element), layout_);
}

void origins::collect(const Value& address, visited& seen, locations& to) {
  if (isa<ConstantData>(address)) return;
  if (const auto [known, fresh] = seen.on_the_way.try_emplace(&address, seen.loads); !fresh) {
    if (known->second < seen.loads) seen.walked.insert(&address);
    return;
  }
  if (++seen.steps > most_steps || to.size() > most_places)
    add(to, {any_object(), std::nullopt});
  else
    collect_from(address, seen, to);
  seen.on_the_way.erase(&address);
  if (seen.walked.erase(&address)) add_all_behind(to);
}

// However many steps a walk takes.
void origins::add_all_behind(locations& to) {
  for (size_t at = 0; at < to.size() && at < most_places; ++at) {
    const auto* object = to[at].object;
    if (object->depth < deepest_object) add(to, {behind({object, std::nullopt}), std::nullopt});
  }
}

void origins::collect_from(const Value& address, visited& seen, locations& to) {
  const auto each = [&](const Value& from, auto change) {
    locations inner;
    collect(from, seen, inner);
    for (const auto& one : inner) add(to, change(one));
  };
  if (const auto* alias = dyn_cast<GlobalAlias>(&address)) return collect(*alias->getAliasee(), seen, to);
  const auto* operation = dyn_cast<Operator>(&address);
  const auto code = operation ? operation->getOpcode() : 0;
  const auto any_of_operands = [&](const auto& operands) {
    for (const auto& operand : operands)
      if (may_hold_address(*operand->getType()))
        each(*operand, [](const location& one) { return location{one.object, std::nullopt}; });
  };
  const auto* call = dyn_cast<CallBase>(&address);
  if (isa<GEPOperator>(address)) {
    locations base;
    collect(*operation->getOperand(0), seen, base);
    for (const auto& one : base) add(to, {one.object, moved(one.offset, *operation)});
    if (base.empty()) any_of_operands(drop_begin(operation->operands())); // from null: a number
  } else if (operation && (Instruction::isCast(code) || isa<FreezeInst>(address)))
    each(*operation->getOperand(0), [](const location& one) { return one; });
  else if (isa<PHINode, SelectInst>(address) || (operation && Instruction::isBinaryOp(code)))
    any_of_operands(operation->operands());
  else if (isa<IntrinsicInst>(address) && call->doesNotAccessMemory())
    any_of_operands(call->args());
  else if (isa<ExtractValueInst, InsertValueInst, ExtractElementInst, InsertElementInst>(address)) {
    for (const auto& operand : operation->operands())
      each(*operand, [](const location& one) { return location{one.object, std::nullopt}; });
  } else if (const auto* load = dyn_cast<LoadInst>(&address))
    collect_loaded(*load, seen, to);
  else if (call)
    collect_returned(*call, seen, to);
  else
    add(to, {object_at(address), 0});
}

void origins::collect_loaded(const LoadInst& load, visited& seen, locations& to) {
  locations holders;
  ++seen.loads;
  collect(*load.getPointerOperand(), seen, holders);
  --seen.loads;
  for (const auto& holder : holders) add_held(holder, seen, to);
}

// What a pointer that is read there points to: of a variable, what has been stored in it too.
void origins::add_held(const location& holder, visited& seen, locations& to) {
  const auto* local = holder.object->parent ? nullptr : dyn_cast_or_null<AllocaInst>(holder.object->root);
  if (const auto* initial = holder.object->parent ? nullptr : initial_value(holder.object->root))
    return add_initial(*initial, holder.offset, seen, to);
  const auto made = local ? change_search(*local, layout_).found : changes();
  if (!local || made.others || !made.calls.empty()) add(to, {behind(holder), 0});
  if (!local || !seen.held.insert(local).second) return;
  const bool several = made.stores.size() + made.calls.size() > 1;
  for (const auto* store : made.stores) {
    if (!may_hold_address(*store->getValueOperand()->getType())) continue;
    locations stored;
    collect(*store->getValueOperand(), seen, stored);
    for (const auto& one : stored) add(to, {one.object, several ? std::nullopt : one.offset});
  }
  for (const auto& [call, argument, offset] : made.calls) {
    const auto within = holder.offset && offset ? place(*holder.offset - *offset) : std::nullopt;
    if (const auto* copy = dyn_cast<MemTransferInst>(call))
      add_copied(*copy, within, seen, to);
    else
      add_left_by(*call, argument, within, seen, to);
  }
  seen.held.erase(local);
}

locations origins::held_at(const location& holder) {
  locations found;
  visited seen;
  add_held(holder, seen, found);
  return found;
}

// What a constant object holds: clang makes them of initialisers.
void origins::add_initial(const Constant& initial, const place& offset, visited& seen, locations& to) {
  auto* pointer = PointerType::getUnqual(initial.getContext());
  const auto bits = layout_.getIndexTypeSizeInBits(pointer);
  if (offset)
    if (const auto* held = ConstantFoldLoadFromConst(const_cast<Constant*>(&initial), pointer,
                                                     APInt(bits, static_cast<uint64_t>(*offset)), layout_))
      return collect(*held, seen, to);
  if (!isa<ConstantAggregate>(initial)) return collect(initial, seen, to);
  for (const auto& part : initial.operands())
    add_initial(*cast<Constant>(part.get()), std::nullopt, seen, to);
}

// With a structure from elsewhere.
void origins::add_copied(const MemTransferInst& copy, const place& within, visited& seen, locations& to) {
  locations sources;
  ++seen.loads;
  collect(*copy.getRawSource(), seen, sources);
  --seen.loads;
  for (const auto& source : sources)
    add_held({source.object, within && source.offset ? place(*source.offset + *within) : std::nullopt}, seen,
             to);
}

// By a function that is here to see, in a variable whose address it is given. Memory of its own is another
// each time.
void origins::add_left_by(const CallBase& call, unsigned argument, const place& within, visited& seen,
                          locations& to) {
  if (!is_visible(call.getCalledFunction()) || argument >= call.getCalledFunction()->arg_size()) return;
  const auto stored = stored_at(*call.getCalledFunction()->getArg(argument));
  for (const auto& one : stored)
    if (may_be_same(one.offset, within) && !isa_and_nonnull<Instruction>(one.pointer.object->root))
      add_caller(one.pointer, call, seen, to);
}

// What the function may store where the parameter points to.
const SmallVector<origins::kept_pointer, 2>& origins::stored_at(const Argument& parameter) {
  const auto [known, fresh] = stored_at_.try_emplace(&parameter);
  auto& found = known->second;
  if (!fresh) return found;
  const auto keep = [&](const place& at, const location& pointer) {
    const kept_pointer one{at, pointer};
    if (!is_contained(found, one)) found.push_back(one);
  };
  const auto each_place = [&](const Value& address, auto take) {
    for (const auto& one : of(address))
      if (one.object == object_at(parameter)) take(one.offset);
  };
  for (const auto& instruction : instructions(parameter.getParent())) {
    if (const auto* store = dyn_cast<StoreInst>(&instruction)) {
      const auto& value = *store->getValueOperand();
      if (!value.getType()->isIntegerTy() && may_hold_address(*value.getType()))
        each_place(*store->getPointerOperand(), [&](const place& at) {
          for (const auto& one : of(value)) keep(value.getType()->isPointerTy() ? at : std::nullopt, one);
        });
      continue;
    }
    if (const auto* copy = dyn_cast<MemTransferInst>(&instruction)) {
      each_place(*copy->getRawDest(), [&](const place& at) {
        for (const auto& source : of(*copy->getRawSource())) keep_copies(*copy, at, source, found);
      });
      continue;
    }
    const auto* call = dyn_cast<CallBase>(&instruction);
    if (!call || !is_visible(call->getCalledFunction())) continue;
    for (const auto& inner : call->getCalledFunction()->args())
      if (inner.getType()->isPointerTy() && inner.getArgNo() < call->arg_size())
        each_place(*call->getArgOperand(inner.getArgNo()), [&](const place& at) {
          const auto left = stored_at(inner);
          for (const auto& one : left)
            for (const auto& where : in_caller(one.pointer, *call))
              keep(at && one.offset ? place(*at + *one.offset) : std::nullopt, where);
        });
  }
  return found;
}

// What a structure holds that is copied: at each place where a pointer may be.
void origins::keep_copies(const MemTransferInst& copy, const place& at, const location& source,
                          SmallVectorImpl<kept_pointer>& found) {
  each_copied_pointer(copy, {nullptr, at}, source, [&](const location& to, const location& from) {
    for (const auto& one : held_at(from))
      if (const kept_pointer pointer{to.offset, one}; !is_contained(found, pointer)) found.push_back(pointer);
  });
}

// Of a function that is not here to see: something of its own, what it is given, or what that points to.
void origins::collect_returned(const CallBase& call, visited& seen, locations& to) {
  const auto name = callee_name(call);
  if (name == "shmem_ptr" || name == "shmem_team_ptr")
    return collect(*call.getArgOperand(name == "shmem_ptr" ? 0 : 1), seen, to);
  const auto* callee = call.getCalledFunction();
  if (name == "__errno_location") return add(to, {object_at(*call.getCalledFunction()), 0});
  if (allocates(call) || is_fetch(call)) return add(to, {object_at(call), 0});
  if (is_visible(callee) && returning_.insert(callee).second) {
    collect_returned_by(*callee, call, seen, to);
    returning_.erase(callee);
    return;
  }
  if (is_placement_new(name) && call.arg_size() == 2) return collect(*call.getArgOperand(1), seen, to);
  add(to, {object_at(call), 0});
  for (const auto& argument : call.args()) {
    if (!argument->getType()->isPointerTy()) continue;
    locations given;
    collect(*argument, seen, given);
    for (const auto& one : given) {
      add(to, {one.object, std::nullopt});
      add(to, {behind({one.object, std::nullopt}), std::nullopt});
    }
  }
}

// Memory that is allocated there, and that nobody else knows, is another object of each call.
void origins::collect_returned_by(const Function& callee, const CallBase& call, visited& seen,
                                  locations& to) {
  locations returned;
  for (const auto& block : callee)
    if (const auto* result = dyn_cast<ReturnInst>(block.getTerminator()); result && result->getReturnValue())
      for (const auto& one : of(*result->getReturnValue())) add(returned, one);
  for (const auto& one : returned) {
    const auto* made = one.object->parent ? nullptr : dyn_cast_or_null<CallBase>(one.object->root);
    const bool is_new = made && made->getFunction() == &callee && (allocates(*made) || new_.contains(made));
    if (is_new && captures_.follow(*made) != fate::kept) {
      new_.insert(&call);
      add(to, {object_at(call), one.offset});
    } else
      add_caller(one, call, seen, to);
  }
}

void origins::add_caller(const location& inner, const CallBase& call, visited& seen, locations& to) {
  const auto* object = inner.object;
  if (object->parent) {
    locations holders;
    add_caller({object->parent, object->offset}, call, seen, holders);
    for (const auto& holder : holders) {
      locations held;
      add_held(holder, seen, held);
      for (const auto& one : held)
        add(to, {one.object,
                 one.offset && inner.offset ? std::optional(*one.offset + *inner.offset) : std::nullopt});
    }
    return;
  }
  const auto* parameter = dyn_cast_or_null<Argument>(object->root); // null: any object
  if (!parameter || parameter->getParent() != call.getCalledFunction()) return add(to, inner);
  if (parameter->getArgNo() >= call.arg_size()) return;
  locations given;
  collect(*call.getArgOperand(parameter->getArgNo()), seen, given);
  for (const auto& one : given)
    add(to,
        {one.object, one.offset && inner.offset ? std::optional(*one.offset + *inner.offset) : std::nullopt});
}

locations origins::in_caller(const location& inner, const CallBase& call) {
  locations found;
  visited seen;
  add_caller(inner, call, seen, found);
  return found;
}

} // namespace windrow::compiler
