// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/common/analysis/origins.hpp"

#include <llvm/ADT/StringSet.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Demangle/Demangle.h>

#include "compiler/common/analysis/visible_code.hpp"
#include "compiler/common/api/c_library.hpp"
#include "compiler/common/api/calls.hpp"

namespace windrow::compiler {

namespace {

constexpr unsigned deepest_object = 3;        // what lies deeper belongs to the object at that depth
constexpr uint64_t most_together = 2'000'000; // steps, of one function; some seconds
constexpr unsigned most_steps = 4000, most_beyond = 50;
constexpr unsigned most_places = 16;

void add(locations& to, const location& one) {
  if (!is_contained(to, one)) to.push_back(one);
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

const Constant* initial_value(const Value* object) {
  const auto* global = dyn_cast_or_null<GlobalVariable>(object);
  return global && global->isConstant() && global->hasDefinitiveInitializer() ? global->getInitializer()
                                                                              : nullptr;
}

bool may_be_same(std::optional<int64_t> one, std::optional<int64_t> other) {
  return !one || !other || *one == *other;
}

} // namespace

bool origins::allocates(const CallBase& call) const {
  if (believing_ && (call.returnDoesNotAlias() || callee_name(call).starts_with("_Zn"))) return true;
  // The program's own, even if another may take its place.
  if (call.getCalledFunction() && !call.getCalledFunction()->isDeclaration()) return false;
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

locations origins::held_at(const location& holder) {
  locations found;
  visited seen;
  add_held(holder, seen, found);
  return found;
}

locations origins::of(const Value& address) {
  auto found = followed(address);
  if (found.empty() && !isa<ConstantPointerNull, UndefValue>(address)) add_any(found);
  return found;
}

locations origins::followed(const Value& address) {
  locations found;
  visited seen;
  collect(address, seen, found);
  return found;
}

bool origins::goes_too_far(visited& seen) {
  return ++seen.steps > (++steps_ < most_together ? most_steps : most_beyond);
}

void origins::add_any(locations& to) {
  add(to, {any_object(), std::nullopt});
}

void origins::collect(const Value& address, visited& seen, locations& to) {
  if (isa<ConstantData>(address)) return;
  if (const auto [known, fresh] = seen.on_the_way.try_emplace(&address, seen.loads); !fresh) {
    if (known->second < seen.loads) seen.walked.insert(&address);
    return;
  }
  if (goes_too_far(seen) || to.size() > most_places)
    add_any(to);
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
  const auto* instruction = dyn_cast<Instruction>(&address);
  if (const auto* alias = dyn_cast<GlobalAlias>(&address))
    collect(*alias->getAliasee(), seen, to);
  else if (isa<LoadInst, AtomicRMWInst, AtomicCmpXchgInst>(address))
    collect_loaded(*instruction, seen, to);
  else if (const auto* call = dyn_cast<CallBase>(&address))
    collect_returned(*call, seen, to);
  else if (isa<ConstantAggregate>(address))
    collect_parts(cast<User>(address).operands(), seen, to);
  else if (isa<Argument, GlobalValue, AllocaInst>(address))
    add(to, {object_at(address), 0});
  else if (const auto* operation = dyn_cast<Operator>(&address))
    collect_computed(*operation, seen, to);
  else
    add_any(to);
}

void origins::collect_computed(const Operator& operation, visited& seen, locations& to) {
  if (const auto* element = dyn_cast<GEPOperator>(&operation)) {
    locations base;
    collect(*element->getPointerOperand(), seen, base);
    for (const auto& one : base) add(to, {one.object, moved_by(one.offset, *element, layout_)});
    for (const auto& index : element->indices()) add_distance(*index, seen, to);
  } else if (isa<BitCastOperator, PtrToIntOperator, FreezeInst>(operation) ||
             operation.getOpcode() == Instruction::IntToPtr ||
             operation.getOpcode() == Instruction::AddrSpaceCast)
    collect(*operation.getOperand(0), seen, to);
  else if (isa<SelectInst>(operation))
    collect_parts(drop_begin(operation.operands()), seen, to);
  else if (isa<PHINode, UnaryInstruction, BinaryOperator, ExtractElementInst, InsertElementInst,
               ShuffleVectorInst, InsertValueInst, ConstantExpr>(operation))
    collect_parts(operation.operands(), seen, to);
  else if (!isa<CmpInst>(operation))
    add_any(to); // an exception, one of a list of arguments
}

void origins::collect_parts(iterator_range<const Use*> parts, visited& seen, locations& to) {
  for (const auto& part : parts) {
    locations inner;
    collect(*part, seen, inner);
    for (const auto& one : inner) add(to, {one.object, std::nullopt});
  }
}

// An index that comes from addresses: what it leads to, unless it is a distance in one object.
void origins::add_distance(const Value& index, visited& seen, locations& to) {
  if (!isa<Instruction, ConstantExpr>(index) || !seen.distances.insert(&index).second) return;
  const auto& number = cast<Operator>(index);
  if (const auto* address = dyn_cast<PtrToIntOperator>(&number)) {
    collect_parts(address->operands(), seen, to);
  } else if (number.getOpcode() == Instruction::Sub) {
    locations from, by;
    add_distance(*number.getOperand(0), seen, from);
    add_distance(*number.getOperand(1), seen, by);
    const bool within = any_of(from, [&](const location& one) {
      return any_of(by, [&](const location& other) { return one.object == other.object; });
    });
    if (within) return;
    for (const auto& one : from) add(to, one);
    for (const auto& one : by) add(to, one);
  } else if (Instruction::isCast(number.getOpcode()) || Instruction::isBinaryOp(number.getOpcode()) ||
             isa<PHINode, SelectInst, FreezeInst>(number))
    for (const auto& operand : number.operands()) add_distance(*operand, seen, to);
  else if (const auto* load = dyn_cast<LoadInst>(&number))
    if (const auto* local = dyn_cast<AllocaInst>(getUnderlyingObject(load->getPointerOperand())))
      for (const auto& one : changes_in(*local, seen).changes) add_distance(*one.value, seen, to);
}

void origins::collect_loaded(const Instruction& load, visited& seen, locations& to) {
  locations holders;
  ++seen.loads;
  collect(*(isa<LoadInst>(load) ? cast<LoadInst>(load).getPointerOperand() : load.getOperand(0)), seen,
          holders);
  --seen.loads;
  if (holders.empty()) add_any(to);
  const bool narrow = is_narrow(*load.getType(), layout_);
  for (const auto& holder : holders)
    add_held({holder.object, narrow ? holder.offset : std::nullopt}, seen, to);
}

const local_changes& origins::changes_in(const AllocaInst& local, visited& seen) {
  const auto [known, fresh] = seen.changes.try_emplace(&local);
  if (fresh) known->second = changes_of(local, captures_);
  return known->second;
}

// What a pointer that is read there points to: of a variable, what has been stored in it too.
void origins::add_held(const location& holder, visited& seen, locations& to) {
  if (goes_too_far(seen)) return add_any(to);
  const auto* local = holder.object->parent ? nullptr : dyn_cast_or_null<AllocaInst>(holder.object->root);
  if (const auto* initial = holder.object->parent ? nullptr : initial_value(holder.object->root))
    return add_initial(*initial, holder.offset, seen, to);
  if (!local) return add(to, {behind(holder), 0});
  const auto& made = changes_in(*local, seen);
  if (made.others || !made.calls.empty()) add(to, {behind(holder), 0});
  if (!seen.held.insert(local).second) return;
  if (made.others) add_any(to);
  const bool several = made.changes.size() + made.calls.size() > 1;
  for (const auto& [value, offset] : made.changes) {
    if (!may_overlap(offset, holder.offset)) continue;
    locations stored;
    collect(*value, seen, stored);
    for (const auto& one : stored) add(to, {one.object, several ? std::nullopt : one.offset});
  }
  for (const auto& [call, argument, offset] : made.calls) {
    if (goes_too_far(seen)) {
      add_any(to);
      break;
    }
    const auto within = holder.offset && offset ? place(*holder.offset - *offset) : std::nullopt;
    const auto copy = copied_by(*call);
    if (copy && call->getArgOperand(argument) == copy->to) add_copied(*copy, within, seen, to);
    if (isa<MemTransferInst>(call)) continue;
    if (is_visible(call->getCalledFunction()))
      add_left_by(*call, argument, within, seen, to);
    else
      add_given(*call, argument, seen, to);
  }
  seen.held.erase(local);
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
void origins::add_copied(const memory_copy& copy, const place& within, visited& seen, locations& to) {
  locations sources;
  ++seen.loads;
  collect(*copy.from, seen, sources);
  --seen.loads;
  for (const auto& source : sources)
    add_held({source.object, within && source.offset ? place(*source.offset + *within) : std::nullopt}, seen,
             to);
}

// Of a function that is not here to see: something of its own, what it is given, or what that points to.
void origins::collect_returned(const CallBase& call, visited& seen, locations& to) {
  const auto name = callee_name(call);
  if (name == "shmem_ptr" || name == "shmem_team_ptr")
    return collect(*call.getArgOperand(name == "shmem_ptr" ? 0 : 1), seen, to);
  if (name == "__errno_location") return add(to, {object_at(*call.getCalledFunction()), 0});
  if (allocates(call) || is_fetch(call)) return add(to, {object_at(call), 0});
  if (is_visible(call.getCalledFunction())) return collect_returned_by(call, seen, to);
  if (is_placement_new(name) && call.arg_size() == 2) return collect(*call.getArgOperand(1), seen, to);
  if (isa<IntrinsicInst>(call) && call.doesNotAccessMemory()) return collect_parts(call.args(), seen, to);
  if (returns_what_it_was_given(call)) return add_any(to);
  add(to, {object_at(call), 0});
  for (const auto& argument : call.args()) {
    if (!argument->getType()->isPointerTy()) continue;
    locations given, held;
    collect(*argument, seen, given);
    for (const auto& one : given) add_held({one.object, std::nullopt}, seen, held);
    for (const auto& one : concat<location>(given, held)) add(to, {one.object, std::nullopt});
  }
}

// What the function returns, as it sees that itself.
const locations& origins::returned_by(const Function& function) {
  auto& found = returned_by_[&function];
  const auto look = [&] {
    const auto before = found.size();
    if (before > most_places)
      add_any(found);
    else
      for (const auto& block : function)
        if (const auto* result = dyn_cast<ReturnInst>(block.getTerminator());
            result && result->getReturnValue())
          for (const auto& one : followed(*result->getReturnValue())) add(found, one);
    return found.size() > before;
  };
  questions_.answer(function, look);
  return found;
}

// Memory that is allocated there, and that nobody else knows, is another object of each call.
void origins::collect_returned_by(const CallBase& call, visited& seen, locations& to) {
  const auto& callee = *call.getCalledFunction();
  const auto returned = returned_by(callee);
  for (const auto& one : returned) {
    const auto* made = one.object->parent ? nullptr : dyn_cast_or_null<CallBase>(one.object->root);
    const bool is_new = made && made->getFunction() == &callee && (allocates(*made) || new_.contains(made));
    if (is_new && captures_.follow(*made) != fate::kept) {
      new_.insert(&call);
      add(to, {object_at(call), one.offset});
      continue;
    }
    add_caller(one, call, seen, to);
    if (isa_and_nonnull<Instruction>(one.object->root))
      add_other_names(call, *one.object, nullptr, std::nullopt, seen, to);
  }
}

void origins::add_caller(const location& inner, const CallBase& call, visited& seen, locations& to) {
  if (goes_too_far(seen)) return add_any(to);
  const auto* object = inner.object;
  if (isa_and_nonnull<Instruction>(
          object->root)) // of a list of arguments, it may be any that the caller gives
    return object->parent && call.getCalledFunction()->isVarArg() ? add_any(to) : add(to, inner);
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
  if (parameter->getArgNo() >= call.arg_size()) return add_any(to);
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
