// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/overlap/calls.hpp"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/common/api/calls.hpp"
#include "compiler/overlap/apply.hpp"
#include "compiler/overlap/c_library.hpp"
#include "compiler/overlap/event_of_call.hpp"

namespace windrow::compiler::overlap {

namespace {

// As struct windrow_overlap_call.
StructType* call_type(LLVMContext& context) {
  Type *address = PointerType::get(context, 0), *word = Type::getInt64Ty(context),
       *number = Type::getInt32Ty(context);
  return StructType::get(context,
                         {address, address, address, address, address, address, word,   word, word, word,
                          word,    number,  number,  number,  number,  number,  number, word, word, address});
}

class call_worker {
 public:
  call_worker(Function& function, const TargetLibraryInfo& library, instruments& with)
      : function_(function), library_(library), with_(with), type_(call_type(function.getContext())) {}

  void run() {
    SmallVector<CallBase*, 16> calls;
    for (auto& one : instructions(function_))
      if (auto* call = dyn_cast<CallBase>(&one); call && !isa<IntrinsicInst>(call)) calls.push_back(call);
    for (auto* call : reverse(calls)) {
      if (call->isInlineAsm())
        look_at_assembly(*call);
      else
        instrument(*call);
    }
  }

 private:
  void instrument(CallBase& call) {
    const auto name = callee_name(call);
    if ((name.starts_with("windrow_overlap_") && !begins_strided(name)) || is_instrumentation(call)) return;
    look_at_copies(call);
    library_event event{};
    switch (event_of_call(call, event)) {
      case library_use::event:
        look_at_arrays(call, event);
        return record(call, event);
      case library_use::silent:
        return look_at_written(call);
      case library_use::none:
        return look_at_other(call);
    }
  }

  // The call itself reads what it passes by value in memory.
  void look_at_copies(CallBase& call) {
    const auto& layout = with_.module().getDataLayout();
    for (unsigned i = 0; i < call.arg_size(); ++i) {
      auto* address = call.getArgOperand(i);
      if (!call.isByValArgument(i) || is_private(address)) continue;
      auto* site = with_.site_of(call);
      IRBuilder<> builder(with_.if_anything_is_tracked(&call));
      auto* bytes = builder.getInt64(layout.getTypeAllocSize(call.getParamByValType(i)));
      with_.call(builder, "range", {address, bytes, site, builder.getInt32(false)});
    }
  }

  void look_at_written(CallBase& call) {
    for (const auto& [argument, bytes] : written_by(call)) {
      if (argument >= call.arg_size() || is_private(call.getArgOperand(argument))) continue;
      auto* site = with_.site_of(call);
      IRBuilder<> builder(with_.if_anything_is_tracked(&call));
      with_.call(builder, "range",
                 {call.getArgOperand(argument), builder.getInt64(bytes), site, builder.getInt32(true)});
    }
  }

  void look_at_arrays(CallBase& call, const library_event& event) {
    for (const auto& one : arrays_beside(call, event)) {
      if (!one.begin || !one.begin->getType()->isPointerTy() || is_private(one.begin)) continue;
      auto* site = with_.site_of(call);
      IRBuilder<> builder(with_.if_anything_is_tracked(&call));
      auto* bytes = builder.CreateMul(event.count, builder.getInt64(one.element_bytes));
      with_.call(builder, "range", {one.begin, bytes, site, builder.getInt32(one.is_written)});
    }
  }

  void record(CallBase& call, const library_event& event) {
    const auto* plain = dyn_cast<CallInst>(&call);
    const bool cannot_end = plain && plain->isMustTailCall();
    auto* place = make_place();
    IRBuilder<> before(with_.if_calls_are_followed(&call));
    fill(before, place, call, event, call.getMetadata(silent_put) ? event.flags | silent : event.flags);
    with_.call(before, "begin", {place});
    if (cannot_end || isa<CallBrInst>(call)) return;
    IRBuilder<> after(with_.if_calls_are_followed(behind(call)));
    with_.call(after, "end", {place});
  }

  AllocaInst* make_place() {
    if (place_) return place_;
    IRBuilder<> entry(&*function_.getEntryBlock().getFirstInsertionPt());
    return place_ = entry.CreateAlloca(type_, nullptr, "windrow.call");
  }

  static Instruction* behind(CallBase& call) {
    auto* invoke = dyn_cast<InvokeInst>(&call);
    if (!invoke) return call.getNextNode();
    auto* normal = invoke->getNormalDest();
    if (!normal->getSinglePredecessor()) normal = SplitEdge(call.getParent(), normal);
    return &*normal->getFirstInsertionPt();
  }

  void fill(IRBuilder<>& builder, AllocaInst* place, const CallBase& call, const library_event& event,
            uint32_t flags) {
    auto* none = ConstantPointerNull::get(PointerType::get(function_.getContext(), 0));
    const auto address = [&](Value* given) -> Value* { return given ? given : none; };
    const auto word = [&](Value* given, uint64_t otherwise) -> Value* {
      return given ? builder.CreateSExtOrTrunc(given, builder.getInt64Ty()) : builder.getInt64(otherwise);
    };
    const auto number = [&](Value* given, int otherwise) -> Value* {
      return given ? builder.CreateSExtOrTrunc(given, builder.getInt32Ty())
                   : builder.getInt32(static_cast<uint32_t>(otherwise));
    };
    Value* const fields[] = {with_.site_of(call),
                             address(event.context),
                             address(event.team),
                             address(event.remote),
                             address(event.local),
                             address(event.signal),
                             builder.getInt64(event.element_bytes),
                             word(event.count, 1),
                             word(event.block, 1),
                             stride(builder, event.remote_stride, event.block),
                             stride(builder, event.local_stride, event.block),
                             builder.getInt32(static_cast<uint32_t>(event.what)),
                             builder.getInt32(flags),
                             number(event.pe, -1),
                             number(event.first, 0),
                             number(event.log2_stride, 0),
                             number(event.members, 0),
                             builder.getInt64(0),
                             builder.getInt64(0),
                             none};
    for (unsigned i = 0; i < std::size(fields); ++i)
      builder.CreateStore(fields[i], builder.CreateStructGEP(type_, place, i));
  }

  static Value* stride(IRBuilder<>& builder, Value* given, Value* block) {
    if (!given) given = block;
    return given ? builder.CreateSExtOrTrunc(given, builder.getInt64Ty()) : builder.getInt64(1);
  }

  // Nobody knows what it uses.
  void look_at_assembly(CallBase& call) {
    if (call.mayReadOrWriteMemory()) with_.conflict_with_all(call);
  }

  // Most functions of this module have checks of their own, unless the linker takes another copy; of others
  // the runtime knows whether they do.
  void look_at_other(CallBase& call) {
    const auto* callee = call.getCalledFunction();
    const bool is_checked = callee && callee->hasExactDefinition() && has_checks(*callee);
    if (is_checked || call.doesNotAccessMemory()) return;
    const auto name = callee ? callee->getName() : StringRef();
    switch (reach_of(call, library_)) {
      case reach::heap:
        return look_at_heap(call, name);
      case reach::arguments:
        if (uses_descriptor(name)) look_at_file(call, name.contains("write") ? "written" : "read");
        return look_at_arguments(call, name);
      case reach::stream:
        look_at_stream(call);
        return look_at_arguments(call, name, stream_of(call).argument);
      case reach::unknown:
        return look_at_unknown(call, name);
    }
  }

  // What does not come back may end the lives of variables.
  void look_at_unknown(CallBase& call, StringRef name) {
    LibFunc which{};
    const auto* callee = call.getCalledFunction();
    const bool keeps_more =
        callee && library_.getLibFunc(*callee, which); // whatever the optimiser says of it
    if (!call.doesNotReturn() && !keeps_more) {
      if (call.onlyAccessesInaccessibleMemory()) return;
      if (call.onlyAccessesArgMemory() || call.onlyAccessesInaccessibleMemOrArgMem())
        return look_at_arguments(call, "");
    }
    auto* site = with_.site_of(call);
    auto* function = call.getCalledOperand();
    if (begins_threads(name)) {
      IRBuilder<> builder(&call);
      with_.call(builder, "threads", {});
    }
    IRBuilder<> builder(with_.if_anything_has_begun(&call));
    with_.call(builder, "foreign", {function, site});
    if (name == "clock_gettime" || name == "time") look_at_arguments(call, name);
  }

  void look_at_stream(CallBase& call) {
    auto* site = with_.site_of(call);
    const auto used = stream_of(call);
    auto* address = PointerType::get(function_.getContext(), 0);
    IRBuilder<> builder(with_.if_anything_has_begun(&call));
    auto* stream =
        used.argument ? call.getArgOperand(*used.argument)
                      : builder.CreateLoad(address, with_.module().getOrInsertGlobal(used.variable, address));
    with_.call(builder, "stream", {call.getCalledOperand(), stream, site});
    with_.call(builder, used.is_written ? "printed" : "scanned", {stream, site});
  }

  // Others may read what is written, and learn by that what is done.
  void look_at_file(CallBase& call, StringRef how) {
    auto* site = with_.site_of(call);
    IRBuilder<> builder(with_.if_anything_has_begun(&call));
    with_.call(builder, how, {call.getArgOperand(0), site});
  }

  // The program may have a heap of its own, which keeps in its blocks what it likes.
  void look_at_heap(CallBase& call, StringRef name) {
    auto* site = with_.site_of(call);
    Value* freed = ConstantPointerNull::get(PointerType::get(function_.getContext(), 0));
    if (frees(name) && call.arg_size() > 0) freed = call.getArgOperand(0);
    IRBuilder<> builder(with_.if_anything_is_tracked(&call));
    with_.call(builder, "heap", {call.getCalledOperand(), freed, site});
  }

  static bool begins_threads(StringRef name) {
    return name == "pthread_create" || name == "thrd_create" || name.starts_with("__kmpc_fork") ||
           name.starts_with("GOMP_parallel") || name.contains("thread15_M_start_thread");
  }

  void look_at_arguments(CallBase& call, StringRef name, std::optional<unsigned> except = std::nullopt) {
    const auto texts = name.empty() ? SmallVector<used_text, 2>() : texts_of(call);
    for (const auto& one : texts) look_at_text(call, one);
    for (unsigned i = 0; i < call.arg_size(); ++i) {
      const auto is_done = [&](const used_text& one) { return i == one.argument || i == one.copy; };
      if (i == except || any_of(texts, is_done)) continue;
      auto* address = call.getArgOperand(i);
      if (!address->getType()->isPointerTy() || is_private(address)) continue;
      const bool store = !call.onlyReadsMemory(i);
      auto* site = with_.site_of(call);
      auto* bytes = bytes_of(call, name);
      IRBuilder<> builder(with_.if_anything_is_tracked(&call));
      with_.call(builder, "range", {address, bytes, site, builder.getInt32(store)});
    }
  }

  // How long it is, only the runtime can tell, and only if nothing under way changes that.
  void look_at_text(CallBase& call, const used_text& one) {
    auto* text = call.getArgOperand(one.argument);
    if (is_private(text) && !one.copy) return;
    auto* site = with_.site_of(call);
    IRBuilder<> builder(with_.if_anything_is_tracked(&call));
    Value* most = builder.getInt64(one.most);
    if (one.limit) most = builder.CreateSExtOrTrunc(call.getArgOperand(*one.limit), builder.getInt64Ty());
    const auto touch = [&](Value* memory, bool store) {
      if (!is_private(memory))
        with_.call(builder, "text", {memory, text, most, site, builder.getInt32(store)});
    };
    touch(text, false);
    if (one.copy) touch(call.getArgOperand(*one.copy), true);
  }

  // How much the C library touches from a pointer on; all that is there if its arguments do not say.
  Value* bytes_of(CallBase& call, StringRef name) const {
    IRBuilder<> builder(&call);
    const auto word = [&](unsigned i) {
      return builder.CreateZExtOrTrunc(call.getArgOperand(i), builder.getInt64Ty());
    };
    const bool third = StringSwitch<bool>(name)
                           .Cases("memcpy", "memmove", "memset", "memcmp", "bcmp", true)
                           .Cases("memchr", "read", "write", "pread", "pwrite", true)
                           .Cases("__memcpy_chk", "__memmove_chk", "__memset_chk", true)
                           .Default(false);
    if (third) return word(2);
    if (name == "fread" || name == "fwrite") return builder.CreateMul(word(1), word(2));
    return builder.getInt64(UINT64_MAX);
  }

  Function& function_;
  const TargetLibraryInfo& library_;
  instruments& with_;
  StructType* type_;
  AllocaInst* place_ = nullptr;
};

} // namespace

void instrument_calls(Function& function, const TargetLibraryInfo& library, instruments& with) {
  call_worker(function, library, with).run();
}

} // namespace windrow::compiler::overlap
