// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/common/analysis/footprints.hpp"

#include "compiler/common/analysis/visible_code.hpp"
#include "compiler/common/api/c_library.hpp"
#include "compiler/common/api/copies.hpp"
#include "compiler/common/api/cxx_library.hpp"
#include "compiler/common/api/marker.hpp"

namespace windrow::compiler {

namespace {

constexpr unsigned most_accesses = 64, most_stored = 256; // of one function; beyond, nothing is known of it

// Gets, blocking or not, and strided puts.
bool moves_to_or_from_here(const remote_access& access) {
  return (access->does == verb::read || access->does == verb::write) && access->takes(role::local) &&
         !access->atomic;
}

std::optional<uint64_t> bytes_of(const Instruction& at, const Type& type) {
  const auto bytes = at.getModule()->getDataLayout().getTypeStoreSize(const_cast<Type*>(&type));
  return bytes.isScalable() ? std::nullopt : std::optional<uint64_t>(bytes.getFixedValue());
}

// Tells the optimiser something; or computes by the rounding mode, which nobody changes while code waits.
bool does_nothing_outside(const IntrinsicInst& call) {
  switch (call.getIntrinsicID()) {
    case Intrinsic::assume:
    case Intrinsic::donothing:
    case Intrinsic::experimental_noalias_scope_decl:
    case Intrinsic::launder_invariant_group:
    case Intrinsic::pseudoprobe:
    case Intrinsic::ptr_annotation:
    case Intrinsic::sideeffect:
    case Intrinsic::strip_invariant_group:
    case Intrinsic::var_annotation:
      return true;
    default:
      return isa<ConstrainedFPIntrinsic>(call);
  }
}

// Changes or tells what is no memory: how floating-point numbers are rounded, and what has happened to them;
// the time; or an instruction of one kind of processor of which only that knows.
bool uses_processor(const IntrinsicInst& call) {
  const auto name = call.getCalledFunction()->getName();
  if (call.onlyAccessesInaccessibleMemory() || name == "llvm.x86.sse.stmxcsr" ||
      name.starts_with("llvm.read"))
    return true;
  return call.mayReadFromMemory() && call.mayWriteToMemory() && !call.onlyAccessesInaccessibleMemOrArgMem() &&
         call.getCalledFunction()->isTargetIntrinsic();
}

// As longjmp and exit: code of the caller may never be come to.
bool does_not_come_back(const Instruction& instruction) {
  const auto* call = dyn_cast<CallBase>(&instruction);
  return call && call->doesNotReturn() && !aborts(*call) && !is_throw(*call);
}

// Summaries only grow from one round to the next.
bool same_extent(const footprint& one, const footprint& other) {
  const auto extent = [](const footprint& all) {
    return std::tuple(all.accesses.size(), all.stored.size(), all.unknown, all.output, all.ends, all.frees,
                      all.default_context, all.sets_errno, all.throws, all.defers, all.waits, all.too_large);
  };
  return extent(one) == extent(other);
}

std::optional<argument_write> write_at_argument(const access& one) {
  const auto& [object, offset] = one.where;
  const auto* parameter = object->parent ? nullptr : dyn_cast_or_null<Argument>(object->root);
  if (!one.writes || !parameter || !offset || !one.bytes) return std::nullopt;
  return argument_write{parameter->getArgNo(), *offset, *one.bytes};
}

bool operator==(const access& one, const access& other) {
  return one.where == other.where && one.bytes == other.bytes && one.reads == other.reads &&
         one.writes == other.writes;
}

} // namespace

bool conflict(const footprint& one, const footprint& other) {
  return any_of(one.accesses, [&](const access& first) {
    return any_of(other.accesses, [&](const access& second) {
      return (first.writes || second.writes) &&
             may_meet(first.where, first.bytes, second.where, second.bytes);
    });
  });
}

bool are_seen_in_order(const footprint& one, const footprint& other) {
  return (one.output && (other.output || other.ends)) || (one.ends && other.output);
}

bool only_reads(const Instruction& fetch) {
  const auto access = access_of(fetch);
  return access ? (*access)->does == verb::read : is_bulk_fetch(fetch);
}

bool is_errno(const origin& object) {
  const auto* function = object.parent ? nullptr : dyn_cast_or_null<Function>(object.root);
  return function && function->getName() == "__errno_location";
}

bool footprints::errno_is_used() const {
  return prints_errno_ || any_of(ArrayRef<const char*>{"__errno_location", "perror"}, [&](const char* name) {
           const auto* function = module_.getFunction(name);
           return function && !function->use_empty();
         });
}

// Whether memory at the address is the function's own, and nobody else knows it.
bool footprints::is_private(const origin& object) {
  const auto* alloca = object.parent ? nullptr : dyn_cast_or_null<AllocaInst>(object.root);
  return alloca && alloca->isStaticAlloca() && !captures_.escapes(*alloca);
}

std::shared_ptr<const footprint> footprints::kept(const Instruction& instruction) {
  if (const auto known = known_.find(&instruction); known != known_.end()) return known->second;
  auto found = std::make_shared<footprint>(find(instruction));
  known_.insert({&instruction, found});
  return found;
}

footprint footprints::find(const Instruction& instruction) {
  footprint found;
  if (const auto* load = dyn_cast<LoadInst>(&instruction))
    touch(*load->getPointerOperand(), bytes_of(*load, *load->getType()), true, false, found);
  else if (const auto* store = dyn_cast<StoreInst>(&instruction)) {
    touch(*store->getPointerOperand(), bytes_of(*store, *store->getValueOperand()->getType()), false, true,
          found);
    add_stored(*store->getValueOperand(), *store->getPointerOperand(), found);
  } else if (const auto* call = dyn_cast<CallBase>(&instruction))
    add_call(*call, found);
  else if (isa<AtomicRMWInst, AtomicCmpXchgInst>(instruction))
    touch(*instruction.getOperand(0), std::nullopt, true, true, found);
  else if (isa<ResumeInst>(instruction))
    found.throws = true;
  // Others may wait for it, or be told by it.
  if (isa<FenceInst>(instruction) ||
      ((instruction.isVolatile() || instruction.isAtomic()) && !found.accesses.empty()))
    found.unknown = "a volatile or atomic access";
  return found;
}

void footprints::touch(const Value& address, std::optional<uint64_t> bytes, bool reads, bool writes,
                       footprint& to) {
  for (const auto& where : origins_.of(address))
    if (!is_private(*where.object)) to.accesses.push_back({where, bytes, reads, writes});
}

void footprints::add_pointed_to(const CallBase& call, bool writes, footprint& to, unsigned first) {
  for (const auto& argument : drop_begin(call.args(), std::min(first, call.arg_size())))
    if (argument->getType()->isPointerTy()) touch(*argument, std::nullopt, true, writes, to);
}

void footprints::add_call(const CallBase& call, footprint& to) {
  const auto name = callee_name(call);
  if (is_marker(call) || is_instrumentation(call) || is_query(name) || isa<DbgInfoIntrinsic>(call)) return;
  to.ends = aborts(call);
  if (to.ends || (is_runtime_call(name) && !is_bulk_fetch(call))) return;
  if (const auto* memory = dyn_cast<MemIntrinsic>(&call)) {
    const auto* length = dyn_cast<ConstantInt>(memory->getLength());
    const auto bytes = length ? std::optional(length->getZExtValue()) : std::nullopt;
    touch(*memory->getRawDest(), bytes, false, true, to);
    if (const auto copy = copied_by(call)) {
      touch(*copy->from, bytes, true, false, to);
      add_copied(*copy, to);
    }
    return;
  }
  if (const auto* intrinsic = dyn_cast<IntrinsicInst>(&call)) return add_intrinsic(*intrinsic, to);
  const auto* callee = call.getCalledFunction();
  if (is_visible(callee)) return add_callee(call, to);
  if (is_routine(name) || is_bulk_fetch(call)) return add_routine(call, to);
  if (name == "__errno_location" || call.doesNotReturn()) {
    to.throws = call.doesNotReturn() && !call.doesNotThrow();
    return;
  }
  if (add_library_function(call, to) || add_cxx_function(call, to)) return;
  to.unknown = told_callee(call);
  to.throws = !call.doesNotThrow();
  to.waits = certainty::perhaps;
}

// What LLVM says of its own intrinsics is true.
void footprints::add_intrinsic(const IntrinsicInst& call, footprint& to) {
  const auto which = call.getIntrinsicID();
  if (which == Intrinsic::stackrestore) to.frees = true;
  if (which == Intrinsic::lifetime_end) touch(*call.getArgOperand(1), std::nullopt, false, true, to);
  if (which == Intrinsic::stackrestore || which == Intrinsic::stacksave || is_commentary(call) ||
      call.doesNotAccessMemory() || does_nothing_outside(call))
    return;
  if (which == Intrinsic::coro_resume || which == Intrinsic::coro_destroy) {
    to.unknown = "a coroutine";
    to.throws = true;
    to.waits = certainty::perhaps;
    return;
  }
  if (uses_processor(call)) {
    to.unknown = told_callee(call);
    return;
  }
  if (call.onlyAccessesInaccessibleMemOrArgMem() && none_of(call.args(), [](const Use& one) {
        return one->getType()->isVectorTy() && one->getType()->isPtrOrPtrVectorTy();
      })) {
    each_stored_by(call, [&](const Value& value, const Value& address) { add_stored(value, address, to); });
    return add_pointed_to(call, !call.onlyReadsMemory(), to);
  }
  to.accesses.push_back({{origins_.any_object(), std::nullopt}, std::nullopt, true, !call.onlyReadsMemory()});
}

void footprints::add_routine(const CallBase& call, footprint& to) {
  const auto name = callee_name(call);
  const bool with_context = name.starts_with("shmem_ctx_") || is_bulk_fetch(call);
  const unsigned object = with_context ? 1 : 0;
  if (with_context) to.context = origins_.of(*call.getArgOperand(0));
  to.default_context = !with_context || is_on_default_context(call);
  if (is_fetch(call) || is_fetch_on_default_context(call)) {
    const auto bytes = is_bulk_fetch(call) ? std::nullopt : bytes_of(call, *call.getType());
    return touch(*call.getArgOperand(object), bytes, true, !only_reads(call), to);
  }
  if (is_unordered_update(name)) {
    const auto* type = reads_its_source(name) ? nullptr : updated_type(call);
    touch(*call.getArgOperand(object), type ? bytes_of(call, *type) : std::nullopt, false, true, to);
    if (reads_its_source(name)) touch(*call.getArgOperand(object + 1), std::nullopt, true, false, to);
    return;
  }
  if (const auto access = access_of(call); access && moves_to_or_from_here(*access)) {
    const bool reads = (*access)->does == verb::read;
    touch(*access->argument(reads ? role::local : role::remote), std::nullopt, false, true, to);
    return touch(*access->argument(reads ? role::remote : role::local), std::nullopt, true, false, to);
  }
  if (is_synchronisation(name) || completes_deferred_code(name)) to.waits = certainty::yes;
  to.unknown = told_callee(call);
  to.throws = !routine_of(name) && !call.doesNotThrow(); // the program's own, perhaps
}

bool footprints::add_library_function(const CallBase& call, footprint& to) {
  const auto effects = effects_of_c_function(call);
  if (!effects || (effects->output && library_calls_back_)) return false;
  to.throws = effects->throws;
  to.sets_errno = effects->sets_errno;
  to.frees = effects->frees;
  to.output = effects->output;
  add_pointed_to(call, effects->writes, to);
  if (const auto copy = copied_by(call)) add_copied(*copy, to);
  if (const auto* cursor = place_of_cursor(call))
    for (const auto& holder : origins_.of(*cursor))
      for (const auto& where : origins_.held_at(holder))
        to.accesses.push_back({{where.object, std::nullopt}, std::nullopt, true, true});
  if (effects->output)
    for (const auto* object : library_memory_known_in(*call.getFunction(), origins_))
      to.accesses.push_back({{object, std::nullopt}, std::nullopt, true, true});
  if (effects->reads_environment)
    to.accesses.push_back({{origins_.any_object(), std::nullopt}, std::nullopt, true, false});
  return true;
}

bool footprints::add_cxx_function(const CallBase& call, footprint& to) {
  const auto effect = effect_of_cxx_function(callee_name(call));
  if (effect == cxx_effect::unknown) return false;
  to.throws = !call.doesNotThrow();
  if (effect == cxx_effect::none) return true;
  add_pointed_to(call, true, to);
  for (const auto& argument : call.args()) // nodes of nodes
    if (argument->getType()->isPointerTy())
      for (auto held : origins_.of(*argument))
        for (const auto* object = held.object; object != (held = {origins_.behind({object, {}}), {}}).object;
             object = held.object)
          to.accesses.push_back({held, std::nullopt, true, true});
  return true;
}

void footprints::add_callee(const CallBase& call, footprint& to) {
  const auto known = functions_.find(call.getCalledFunction());
  if (known == functions_.end()) { // not in the module at first
    to.unknown = told_callee(call);
    return;
  }
  const auto& inner = *known->second;
  // What it finds by va_arg, or hands on as a list.
  if (call.getFunctionType()->isVarArg())
    add_pointed_to(call, true, to, call.getFunctionType()->getNumParams());
  for (const auto& one : inner.accesses)
    for (const auto& where : origins_.in_caller(one.where, call))
      if (!is_private(*where.object)) to.accesses.push_back({where, one.bytes, one.reads, one.writes});
  for (const auto& one : inner.stored)
    for (const auto& at : origins_.in_caller(one.at, call))
      for (const auto& what : origins_.in_caller({one.of, std::nullopt}, call))
        add_stored({at, what.object}, to);
  to.unknown = inner.unknown;
  to.leaves = inner.leaves;
  to.too_large = inner.too_large;
  to.output |= inner.output;
  to.ends |= inner.ends;
  to.sets_errno |= inner.sets_errno;
  to.frees |= inner.frees;
  to.default_context |= inner.default_context;
  to.throws |= inner.throws;
  to.defers |= inner.defers;
  to.waits = std::max(to.waits, inner.waits);
}

bool footprints::writes_somewhere(const CallBase& call, const footprint& other) {
  const auto known = functions_.find(call.getCalledFunction());
  if (known == functions_.end()) return false;
  return any_of(known->second->accesses, [&](const access& one) {
    return one.writes && !write_at_argument(one) &&
           any_of(origins_.in_caller(one.where, call), [&](const location& where) {
             return any_of(other.accesses, [&](const access& its) {
               return may_meet(where, one.bytes, its.where, its.bytes);
             });
           });
  });
}

SmallVector<argument_write, 2> footprints::writes_at_arguments(const CallBase& call) const {
  SmallVector<argument_write, 2> found;
  const auto known = functions_.find(call.getCalledFunction());
  if (known == functions_.end()) return found;
  for (const auto& one : known->second->accesses)
    if (const auto write = write_at_argument(one); write && write->argument < call.arg_size())
      found.push_back(*write);
  return found;
}

footprint footprints::summary_of(const Function& function) {
  footprint all;
  for (const auto& instruction : instructions(function)) {
    if (is_marker(instruction)) all.defers = true;
    const auto one = find(instruction);
    for (const auto& access : one.accesses)
      if (none_of(all.accesses, [&](const auto& other) { return other == access; }))
        all.accesses.push_back(access);
    for (const auto& stored : one.stored)
      if (!is_contained(all.stored, stored)) all.stored.push_back(stored);
    if (all.unknown.empty()) {
      all.unknown = one.unknown;
      all.leaves = one.leaves;
    }
    if (all.unknown.empty() && does_not_come_back(instruction)) {
      all.unknown = told_callee(instruction);
      all.leaves = true;
    }
    all.too_large |= one.too_large;
    all.output |= one.output;
    all.ends |= one.ends;
    all.frees |= one.frees;
    all.default_context |= one.default_context || !one.context.empty(); // which one is not followed
    all.sets_errno |= one.sets_errno;
    all.throws |= one.throws;
    all.defers |= one.defers;
    all.waits = std::max(all.waits, one.waits);
  }
  all.too_large |= all.accesses.size() > most_accesses || all.stored.size() > most_stored;
  if (!all.too_large) return all;
  // The function that is called, not the one inside it: which one is too large may depend on the level.
  all.accesses.clear();
  all.stored.clear();
  all.unknown = told_name(function);
  all.leaves = false;
  return all;
}

void footprints::look_at_callees(const Function& function) {
  SetVector<const Function*> found;
  const auto add = [&](const Function& caller) {
    for (const auto& instruction : instructions(caller))
      if (const auto* call = dyn_cast<CallBase>(&instruction))
        if (const auto* callee = call->getCalledFunction();
            is_visible(callee) && functions_.count(callee) == 0)
          found.insert(callee);
  };
  add(function);
  for (size_t i = 0; i < found.size(); ++i) add(*found[i]);
  for (const auto* callee : found) functions_[callee] = std::make_shared<footprint>();
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto* callee : reverse(found)) {
      auto now = std::make_shared<footprint>(summary_of(*callee));
      auto& before = functions_[callee];
      changed |= !same_extent(*now, *before);
      before = std::move(now);
    }
  }
}

} // namespace windrow::compiler
