// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/pass/calls.hpp"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/Analysis/ValueTracking.h>

namespace windrow::defer {

namespace {

constexpr StringRef bulk_fetch_prefix = "windrow_defer_bulk_fetch.";

const StringSet<> fetches{"g",
                          "atomic_fetch",
                          "atomic_fetch_inc",
                          "atomic_fetch_add",
                          "atomic_fetch_and",
                          "atomic_fetch_or",
                          "atomic_fetch_xor",
                          "atomic_swap",
                          "atomic_compare_swap"};
const StringSet<> updates{"p",          "put",        "put_nbi",   "atomic_set", "atomic_inc",
                          "atomic_add", "atomic_and", "atomic_or", "atomic_xor"};
const StringSet<> queries{"shmem_my_pe",         "shmem_n_pes",           "shmem_ptr",
                          "shmem_team_my_pe",    "shmem_team_n_pes",      "shmem_team_translate_pe",
                          "shmem_pe_accessible", "shmem_addr_accessible", "shmem_team_ptr"};
const StringSet<> completions{"shmem_quiet",         "shmem_ctx_quiet",
                              "shmem_fence",         "shmem_ctx_fence",
                              "shmem_barrier",       "shmem_barrier_all",
                              "shmem_ctx_destroy",   "shmem_finalize",
                              "windrow_defer_drain", "windrow_defer_drain_and_throw"};

const StringSet<> aborting{"abort",     "__assert_fail",  "__assert",           "_exit",
                           "_Exit",     "quick_exit",     "_ZSt9terminatev",    "__clang_call_terminate",
                           "llvm.trap", "llvm.ubsantrap", "__cxa_pure_virtual", "__stack_chk_fail"};

// The routine's name behind the type, and whether it has a context: shmem_ctx_long_atomic_swap ->
// atomic_swap.
struct typed_routine {
  StringRef operation;
  bool with_context;
};

typed_routine split(StringRef name) {
  if (!name.consume_front("shmem_")) return {};
  const bool with_context = name.consume_front("ctx_");
  return {name.split('_').second, with_context};
}

bool is_default_context(const Value* context) {
  const auto* variable = dyn_cast<GlobalVariable>(context->stripPointerCasts());
  return variable && variable->getName() == "shmem_ctx_object_default";
}

// put8 ... put128, putmem, with _nbi: untyped, so that the size stands where typed routines have the type.
bool is_untyped_put(StringRef name) {
  if (!name.consume_front("shmem_")) return false;
  name.consume_front("ctx_");
  name.consume_back("_nbi");
  return name.consume_front("put") && (name == "mem" || (!name.empty() && all_of(name, isDigit)));
}

// Everything that moves data and waits for nobody but the owner of the data.
bool is_transfer(StringRef name) {
  if (is_unordered_update(name)) return true;
  const auto operation = split(name).operation;
  if (fetches.contains(operation)) return true;
  if (name.contains("signal_wait")) return false;
  for (const char* part : {"_get", "_put", "_iget", "_iput", "_ibget", "_ibput", "_signal_", "_atomic_",
                           "_fadd", "_finc", "_swap", "_cswap"})
    if (name.contains(part)) return !name.contains("_get_team") && !name.contains("_get_config");
  return false;
}

class effects_search {
 public:
  bool none_in(const Function& function) {
    if (function.isDeclaration() || function.isInterposable()) return false;
    if (!seen_.insert(&function).second) return true;
    return all_of(instructions(function),
                  [&](const Instruction& instruction) { return is_harmless(instruction); });
  }

 private:
  bool is_harmless(const Instruction& instruction) {
    if (instruction.isVolatile() || instruction.isAtomic()) return false;
    if (const auto* load = dyn_cast<LoadInst>(&instruction)) return is_own(load->getPointerOperand());
    if (const auto* store = dyn_cast<StoreInst>(&instruction)) return is_own(store->getPointerOperand());
    const auto* call = dyn_cast<CallBase>(&instruction);
    if (!call) return !instruction.mayReadOrWriteMemory();
    if (call->doesNotAccessMemory() || is_instrumentation(instruction) || is_commentary(instruction))
      return true;
    if (isa<IntrinsicInst>(call)) return false;
    return call->getCalledFunction() && none_in(*call->getCalledFunction());
  }

  static bool is_own(const Value* address) { return isa<AllocaInst>(getUnderlyingObject(address)); }

  SmallPtrSet<const Function*, 8> seen_;
};

} // namespace

StringRef callee_name(const Instruction& instruction) {
  const auto* call = dyn_cast<CallBase>(&instruction);
  const auto* callee = call ? call->getCalledFunction() : nullptr;
  return callee ? callee->getName() : StringRef();
}

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
  const auto* call = dyn_cast<CallInst>(&instruction);
  if (!call || call->getType()->isVoidTy() || call->arg_empty()) return false;
  const auto [operation, with_context] = split(callee_name(instruction));
  return with_context && fetches.contains(operation) && !is_default_context(call->getArgOperand(0));
}

bool is_fetch_on_default_context(const Instruction& instruction) {
  const auto* call = dyn_cast<CallInst>(&instruction);
  if (!call || call->getType()->isVoidTy() || call->arg_empty()) return false;
  return fetches.contains(split(callee_name(instruction)).operation) && !is_fetch(instruction);
}

bool is_on_default_context(const CallBase& call) {
  return !call.arg_empty() && is_default_context(call.getArgOperand(0));
}

bool is_unordered_update(StringRef name) {
  return updates.contains(split(name).operation) || is_untyped_put(name);
}

bool reads_its_source(StringRef name) {
  return is_unordered_update(name) && name.contains("put");
}

const Type* updated_type(const CallBase& call) {
  if (call.arg_size() == 4) return call.getArgOperand(2)->getType();
  const auto name = callee_name(call).drop_front(StringRef("shmem_ctx_").size()).split('_').first;
  const auto bits =
      StringSwitch<unsigned>(name)
          .Cases("int", "uint", "int32", "uint32", 32)
          .Cases("long", "ulong", "longlong", "ulonglong", "int64", "uint64", "size", "ptrdiff", 64)
          .Default(0);
  return bits == 0 ? nullptr : IntegerType::get(call.getContext(), bits);
}

bool is_scalar_update(const CallBase& call) {
  const auto [operation, with_context] = split(callee_name(call));
  if (!with_context) return false;
  if (call.arg_size() == 3) return operation == "atomic_inc" && updated_type(call); // context, object, PE
  if (call.arg_size() != 4) return false; // context, object, value, PE
  const auto* type = updated_type(call);
  if (!type->isIntegerTy() && !type->isFloatTy() && !type->isDoubleTy()) return false;
  return operation == "p" || operation == "atomic_set" ||
         (type->isIntegerTy() && (operation == "atomic_add" || operation == "atomic_and" ||
                                  operation == "atomic_or" || operation == "atomic_xor"));
}

bool is_scalar_fetch(const CallBase& call) {
  const auto* type = call.getType();
  return is_fetch(call) && (type->isFloatTy() || type->isDoubleTy() ||
                            (type->isIntegerTy() && type->getIntegerBitWidth() <= 64));
}

bool is_query(StringRef name) {
  return queries.contains(name);
}

bool completes_deferred_code(StringRef name) {
  return completions.contains(name);
}

bool is_synchronisation(StringRef name) {
  if (!name.starts_with("shmem_") && !name.starts_with("pshmem_") && !name.starts_with("shmemx_"))
    return false;
  return !is_transfer(name) && !is_query(name);
}

bool is_context_creation(StringRef name) {
  return name == "shmem_ctx_create" || name == "shmem_team_create_ctx";
}

bool is_instrumentation(const Instruction& instruction) {
  const auto name = callee_name(instruction); // in LLVM 16 every intrinsic is an InstrProfInstBase
  return name.starts_with("llvm.instrprof.") || name.starts_with("__ubsan_") || name.starts_with("__asan_") ||
         name.starts_with("__tsan_") || name.starts_with("__sanitizer_") || name.starts_with("__msan_");
}

bool is_commentary(const Instruction& instruction) {
  return instruction.isLifetimeStartOrEnd() || isa<DbgInfoIntrinsic>(instruction);
}

bool is_runtime_call(StringRef name) {
  return name.starts_with("windrow_defer_");
}

bool aborts(const CallBase& call) {
  return call.doesNotReturn() &&
         (aborting.contains(callee_name(call)) || is_instrumentation(call) || call.isInlineAsm());
}

bool touches_only_own_frame(const CallBase& call) {
  return call.getCalledFunction() && effects_search().none_in(*call.getCalledFunction());
}

} // namespace windrow::defer
