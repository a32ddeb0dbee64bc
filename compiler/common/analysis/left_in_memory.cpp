// SPDX-License-Identifier: BSD-3-Clause
// Of origins: the addresses that functions leave in memory whose address they are given.
#include "compiler/common/analysis/origins.hpp"
#include "compiler/common/analysis/visible_code.hpp"
#include "compiler/common/api/c_library.hpp"
#include "compiler/common/api/calls.hpp"

namespace windrow::compiler {

namespace {

constexpr unsigned most_kept = 100; // by functions that call each other; beyond, it may be anything

// Memory that the function makes; what it finds in a list of arguments is the caller's.
bool is_of_its_own(const location& pointer, const Function& function) {
  return isa_and_nonnull<Instruction>(pointer.object->root) &&
         !(pointer.object->parent && function.isVarArg());
}

place sum_of(const place& one, const place& other) {
  return one && other ? place(*one + *other) : std::nullopt;
}

void add_location(const location& one, locations& to) {
  if (!is_contained(to, one)) to.push_back(one);
}

// Anywhere in the same objects.
void add_somewhere_in(const locations& some, locations& to) {
  for (const auto& one : some) add_location({one.object, std::nullopt}, to);
}

} // namespace

// By a function that is here to see, in a variable whose address it is given.
void origins::add_left_by(const CallBase& call, unsigned argument, const place& within, visited& seen,
                          locations& to) {
  if (argument >= call.getCalledFunction()->arg_size()) return add_any(to);
  const auto* parameter = call.getCalledFunction()->getArg(argument);
  const auto stored = stored_at(*parameter);
  SmallDenseMap<const origin*, place, 4> left_at; // the first place of an object of the function's own
  SmallPtrSet<const origin*, 4> at_several;
  for (const auto& one : stored) {
    if (!may_overlap(one.offset, within)) continue;
    const auto* object = one.pointer.object;
    if (!is_of_its_own(one.pointer, *call.getCalledFunction())) {
      add_caller(one.pointer, call, seen, to);
      continue;
    }
    const auto [known, fresh] = left_at.try_emplace(object, one.offset);
    if (fresh)
      add_other_names(call, *object, parameter, one.offset, seen, to);
    else if (known->second != one.offset && at_several.insert(object).second)
      add_other_names(call, *object, nullptr, std::nullopt, seen, to);
  }
}

// Memory of the function's own is another each time: what tells it is where the call leaves it. There may be
// several such places.
void origins::add_other_names(const CallBase& call, const origin& made, const Argument* parameter,
                              const place& at, visited& seen, locations& to) {
  for (const auto& other : call.getCalledFunction()->args()) {
    if (!other.getType()->isPointerTy() || other.getArgNo() >= call.arg_size()) continue;
    SmallVector<kept_pointer, 2> stored;
    copy_if(stored_at(other), std::back_inserter(stored), [&](const kept_pointer& one) {
      return one.pointer.object == &made && !(&other == parameter && one.offset == at);
    });
    if (stored.empty()) continue;
    locations holders;
    collect(*call.getArgOperand(other.getArgNo()), seen, holders);
    for (const auto& [offset, pointer] : stored)
      for (const auto& holder : holders)
        add_location({behind({holder.object, sum_of(holder.offset, offset)}), std::nullopt}, to);
  }
}

// As the caller sees it, to whom it is another object for each call.
const origin* origins::made_in(const CallBase& call, const origin& object) {
  for (const auto* part = &object; part; part = part->parent)
    if (part->root == &call) return &object;
  auto& made = known_[{&call, &object, std::nullopt}];
  if (!made) made = std::make_unique<origin>(origin{&call, &object, std::nullopt, object.depth});
  return made.get();
}

// By a function that is not here to see: another address that it is given, or one that this leads to.
void origins::add_given(const CallBase& call, unsigned argument, visited& seen, locations& to) {
  if (is_commentary(call) || isa<MemSetInst>(call) || is_routine(callee_name(call))) return;
  for (const auto& other : call.args()) {
    if (call.getArgOperandNo(&other) == argument) continue;
    locations given, held;
    if (isa<IntrinsicInst>(call) || other->getType()->isPointerTy()) collect(*other, seen, given);
    if (!isa<IntrinsicInst>(call))
      for (const auto& one : given) add_held({one.object, std::nullopt}, seen, held);
    add_somewhere_in(given, to);
    add_somewhere_in(held, to);
  }
}

// What the function may store where the parameter points to.
const SmallVector<origins::kept_pointer, 2>& origins::stored_at(const Argument& parameter) {
  auto& found = stored_at_[&parameter];
  const auto look = [&] {
    const auto before = found.size();
    const kept_pointer any{std::nullopt, {any_object(), std::nullopt}};
    if (before <= most_kept)
      find_stored(parameter, found);
    else if (!is_contained(found, any))
      found.push_back(any);
    return found.size() > before;
  };
  questions_.answer(parameter, look);
  return found;
}

void origins::find_stored(const Argument& parameter, SmallVectorImpl<kept_pointer>& found) {
  const auto keep = [&](const place& at, const location& pointer) {
    const kept_pointer one{at, pointer};
    if (!is_contained(found, one)) found.push_back(one);
  };
  const auto each_place = [&](const Value& address, auto take) {
    for (const auto& one : of(address))
      if (one.object == object_at(parameter) || one.object == any_object()) take(one.offset);
  };
  for (const auto& instruction : instructions(parameter.getParent())) {
    if (const auto write = written_by(instruction, layout_)) {
      if (!isa<ConstantData>(write->value))
        each_place(*write->address, [&](const place& at) {
          for (const auto& one : followed(*write->value)) keep(write->narrow ? at : std::nullopt, one);
        });
      continue;
    }
    const auto* call = dyn_cast<CallBase>(&instruction);
    if (!call || is_commentary(*call)) continue;
    if (const auto copy = copied_by(*call)) {
      each_place(*copy->to, [&](const place& at) {
        for (const auto& source : of(*copy->from)) keep_copies(*copy, at, source, found);
      });
      continue;
    }
    if (const auto* intrinsic = dyn_cast<IntrinsicInst>(call))
      each_stored_by(*intrinsic, [&](const Value& value, const Value& address) {
        each_place(address, [&](const place&) {
          for (const auto& one : followed(value)) keep(std::nullopt, {one.object, std::nullopt});
        });
      });
    for (unsigned holder = 0; holder < call->arg_size(); ++holder)
      if (const auto left = argument_left_in(*call, holder))
        each_place(*call->getArgOperand(holder), [&](const place& at) {
          for (const auto& one : of(*call->getArgOperand(*left))) keep(at, {one.object, std::nullopt});
        });
    if (!is_visible(call->getCalledFunction())) continue;
    for (const auto& inner : call->getCalledFunction()->args())
      if (inner.getType()->isPointerTy() && inner.getArgNo() < call->arg_size())
        each_place(*call->getArgOperand(inner.getArgNo()), [&](const place& at) {
          const auto left = stored_at(inner);
          for (const auto& one : left)
            if (is_of_its_own(one.pointer, *call->getCalledFunction()))
              keep(sum_of(at, one.offset), {made_in(*call, *one.pointer.object), one.pointer.offset});
            else
              for (const auto& where : in_caller(one.pointer, *call)) keep(sum_of(at, one.offset), where);
        });
  }
}

// What a structure holds that is copied: at each place where a pointer may be.
void origins::keep_copies(const memory_copy& copy, const place& at, const location& source,
                          SmallVectorImpl<kept_pointer>& found) {
  each_copied_pointer(copy, {nullptr, at}, source, [&](const location& to, const location& from) {
    for (const auto& one : held_at(from))
      if (const kept_pointer pointer{to.offset, one}; !is_contained(found, pointer)) found.push_back(pointer);
  });
}

void each_copied_pointer(const memory_copy& copy, const location& to, const location& from,
                         function_ref<void(const location& to, const location& from)> take) {
  constexpr uint64_t step = sizeof(void*), largest = 16 * step;
  if (!to.offset || !from.offset || !copy.aligned || !copy.bytes || *copy.bytes > largest)
    return take({to.object, std::nullopt}, {from.object, std::nullopt});
  for (uint64_t offset = 0; offset + step <= *copy.bytes; offset += step)
    take({to.object, *to.offset + static_cast<int64_t>(offset)},
         {from.object, *from.offset + static_cast<int64_t>(offset)});
}

} // namespace windrow::compiler
