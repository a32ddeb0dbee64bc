// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/common/api/calls.hpp"

#include <llvm/ADT/StringSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Demangle/Demangle.h>

#include <cstdlib>
#include <memory>

#include "compiler/common/analysis/visible_code.hpp"

namespace windrow::compiler {

namespace {

constexpr StringRef bulk_fetch_prefix = "windrow_defer_bulk_fetch.";

const StringSet<> aborting{"abort",           "__assert_fail",          "__assert",
                           "_ZSt9terminatev", "__clang_call_terminate", "llvm.trap",
                           "llvm.ubsantrap",  "__cxa_pure_virtual",     "__stack_chk_fail"};

bool is_default_context(const Value* context) {
  const auto* variable = dyn_cast<GlobalVariable>(context->stripPointerCasts());
  return variable && variable->getName() == "shmem_ctx_object_default";
}

// One that waits for what it fetches.
std::optional<remote_access> fetching(const Instruction& instruction) {
  const auto access = access_of(instruction);
  return isa<CallInst>(instruction) && access && (*access)->returns_value() ? access : std::nullopt;
}

bool is_own(const Value* address) {
  return isa<AllocaInst>(getUnderlyingObject(address));
}

std::optional<bool> touches_only_variables(const Instruction& instruction) {
  if (instruction.isVolatile() || instruction.isAtomic()) return false;
  if (const auto* load = dyn_cast<LoadInst>(&instruction)) return is_own(load->getPointerOperand());
  if (const auto* store = dyn_cast<StoreInst>(&instruction)) return is_own(store->getPointerOperand());
  const auto* call = dyn_cast<CallBase>(&instruction);
  if (!call) return !instruction.mayReadOrWriteMemory();
  if (call->doesNotAccessMemory() || is_instrumentation(instruction) || is_commentary(instruction))
    return true;
  return isa<IntrinsicInst>(call) ? std::optional(false) : std::nullopt;
}

} // namespace

std::string bulk_fetch_name(uint64_t element_bytes) {
  return (bulk_fetch_prefix + Twine(element_bytes)).str();
}

bool is_bulk_fetch(const Instruction& instruction) {
  return callee_name(instruction).starts_with(bulk_fetch_prefix);
}

uint64_t bulk_fetch_bytes(const Instruction& instruction) {
  uint64_t bytes = 0;
  callee_name(instruction).drop_front(bulk_fetch_prefix.size()).getAsInteger(10, bytes);
  return bytes;
}

bool is_fetch(const Instruction& instruction) {
  if (is_bulk_fetch(instruction)) return true;
  const auto access = fetching(instruction);
  const auto* context = access ? access->argument(role::context) : nullptr;
  return context && !is_default_context(context);
}

bool is_fetch_on_default_context(const Instruction& instruction) {
  return fetching(instruction) && !is_fetch(instruction);
}

bool is_on_default_context(const CallBase& call) {
  return !call.arg_empty() && is_default_context(call.getArgOperand(0));
}

bool is_unordered_update(StringRef name) {
  const auto* known = routine_of(name);
  return known && (known->form->does == verb::write || known->form->does == verb::update) &&
         !known->form->takes(role::remote_stride);
}

bool reads_its_source(StringRef name) {
  return is_unordered_update(name) && routine_of(name)->form->takes(role::local);
}

const Type* updated_type(const CallBase& call) {
  const auto access = access_of(call);
  if (!access) return nullptr;
  if (const auto* value = access->argument(role::value)) return value->getType();
  const auto bits = static_cast<unsigned>(8 * access->element_bytes());
  return (*access)->does == verb::update ? IntegerType::get(call.getContext(), bits) : nullptr;
}

bool is_scalar_update(const CallBase& call) {
  const auto access = access_of(call);
  if (!access || !(*access)->with_context || !is_unordered_update(callee_name(call))) return false;
  const auto* type = updated_type(call);
  if (!type || (*access)->does == verb::update) return type && type->isIntegerTy();
  return type->isIntegerTy() || type->isFloatTy() || type->isDoubleTy();
}

bool is_scalar_fetch(const CallBase& call) {
  const auto* type = call.getType();
  return is_fetch(call) && (type->isFloatTy() || type->isDoubleTy() ||
                            (type->isIntegerTy() && type->getIntegerBitWidth() <= 64));
}

bool is_query(StringRef name) {
  const auto* known = routine_of(name);
  return known && known->form->does == verb::query;
}

bool completes_deferred_code(StringRef name) {
  const auto how = order_of(name);
  return how == order::fence || how == order::quiet || how == order::barrier ||
         name == "windrow_defer_drain" || name == "windrow_defer_drain_and_throw";
}

bool is_synchronisation(StringRef name) {
  return order_of(name) != order::none;
}

bool is_context_creation(StringRef name) {
  return name == "shmem_ctx_create" || name == "shmem_team_create_ctx";
}

bool is_instrumentation(const Instruction& instruction) {
  const auto name = callee_name(instruction); // in LLVM 16 every intrinsic is an InstrProfInstBase
  return name.starts_with("llvm.instrprof.") || name.starts_with("__ubsan_");
}

bool asks_where_it_runs(const Instruction& instruction) {
  const auto* intrinsic = dyn_cast<IntrinsicInst>(&instruction);
  if (!intrinsic) return false;
  switch (intrinsic->getIntrinsicID()) {
    case Intrinsic::returnaddress:
    case Intrinsic::frameaddress:
    case Intrinsic::addressofreturnaddress:
      return true;
    default:
      return false;
  }
}

bool is_commentary(const Instruction& instruction) {
  return instruction.isLifetimeStartOrEnd() || isa<DbgInfoIntrinsic>(instruction);
}

std::string told_callee(const Instruction& call) {
  const auto* callee = cast<CallBase>(call).getCalledFunction();
  if (callee) return told_name(*callee);
  return cast<CallBase>(call).isInlineAsm() ? "inline assembly" : "a function called by a pointer";
}

std::string told_name(const Function& function) {
  const auto mangled = function.getName().str();
  ItaniumPartialDemangler name;
  if (name.partialDemangle(mangled.c_str())) return "'" + mangled + "'";
  const std::unique_ptr<char, decltype(&std::free)> text(name.getFunctionName(nullptr, nullptr), std::free);
  return "'" + (text ? text.get() : mangled) + "'";
}

bool is_runtime_call(StringRef name) {
  return name.starts_with("windrow_defer_");
}

bool aborts(const CallBase& call) {
  return call.doesNotReturn() &&
         (aborting.contains(callee_name(call)) || is_instrumentation(call) || call.isInlineAsm());
}

bool is_throw(const CallBase& call) {
  const auto name = callee_name(call);
  return call.doesNotReturn() &&
         (name.starts_with("__cxa_throw") || name.starts_with("__cxa_bad_") || name == "__cxa_rethrow" ||
          (name.starts_with("_ZSt") && name.contains("__throw_")));
}

bool touches_only_own_frame(const CallBase& call) {
  return call.getCalledFunction() && holds_in(*call.getCalledFunction(), touches_only_variables);
}

} // namespace windrow::compiler
