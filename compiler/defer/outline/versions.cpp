// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/outline/versions.hpp"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/common/api/calls.hpp"
#include "compiler/common/api/marker.hpp"
#include "compiler/common/runtime/inline_library.hpp"
#include "compiler/common/transform/transaction.hpp"
#include "compiler/defer/outline/hooks.hpp"
#include "compiler/defer/prepare/gets.hpp"
#include "compiler/defer/prepare/normalise.hpp"

namespace windrow::compiler::defer {

namespace {

// What the ABI wants to know of parameters and result, without what is said of the function.
AttributeList as_call(const Function& function) {
  auto all = function.getAttributes();
  return all.removeFnAttributes(function.getContext());
}

const Argument* argument_in(const Value& address) {
  const auto* variable = dyn_cast<AllocaInst>(&address);
  const Argument* only = nullptr;
  if (!variable) return nullptr;
  for (const auto* user : variable->users()) {
    const auto* store = dyn_cast<StoreInst>(user);
    if (isa<LoadInst>(user) || (isa<Instruction>(user) && is_commentary(*cast<Instruction>(user)))) continue;
    if (!store || only || store->getValueOperand() == variable) return nullptr;
    only = dyn_cast<Argument>(store->getValueOperand());
    if (!only) return nullptr;
  }
  return only;
}

const Argument* as_argument(const Value& value) {
  const auto* load = dyn_cast<LoadInst>(&value);
  return load ? argument_in(*load->getPointerOperand()) : dyn_cast<Argument>(&value);
}

// The argument that an address is computed from, and how far behind it.
std::pair<const Argument*, uint64_t> place_behind(const Value& address, const DataLayout& layout) {
  APInt offset(layout.getIndexTypeSizeInBits(address.getType()), 0);
  const auto* object = address.stripAndAccumulateConstantOffsets(layout, offset, true);
  return {as_argument(*object), offset.getZExtValue()};
}

// Whether the function stores the context itself, or has it made there: `shmem_ctx_create(0, &this->ctx)`.
bool sets(const Function& function, const early_context& context, const DataLayout& layout) {
  const auto is_place = [&](const Value& address) {
    return address.getType()->isPointerTy() &&
           place_behind(address, layout) ==
               std::pair<const Argument*, uint64_t>(context.argument, *context.offset);
  };
  return any_of(instructions(function), [&](const Instruction& one) {
    if (const auto* store = dyn_cast<StoreInst>(&one)) return is_place(*store->getPointerOperand());
    const auto* call = dyn_cast<CallBase>(&one);
    return call && is_context_creation(callee_name(*call)) &&
           any_of(call->args(), [&](const Use& use) { return is_place(*use); });
  });
}

Value* value_of(const early_context& context, IRBuilder<>& builder) {
  if (!context.offset) return context.argument;
  auto* at = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), context.argument, *context.offset);
  return builder.CreateLoad(PointerType::getUnqual(builder.getContext()), at, "ctx");
}

void call_and_return(IRBuilder<>& builder, Function& function, Function& written) {
  SmallVector<Value*, 8> arguments;
  for (auto& argument : function.args()) arguments.push_back(&argument);
  auto* call = builder.CreateCall(&written, arguments);
  call->setCallingConv(written.getCallingConv());
  call->setAttributes(as_call(written));
  if (function.isVarArg()) call->setTailCallKind(CallInst::TCK_MustTail);
  if (call->getType()->isVoidTy())
    builder.CreateRetVoid();
  else
    builder.CreateRet(call);
}

// Two versions in one function would both have their variables on the stack, whichever runs.
bool has_large_frame(const Function& version) {
  constexpr uint64_t large = 1024;
  const auto& layout = version.getParent()->getDataLayout();
  uint64_t bytes = 0;
  for (const auto& instruction : version.getEntryBlock())
    if (const auto* variable = dyn_cast<AllocaInst>(&instruction))
      if (const auto size = variable->getAllocationSize(layout)) bytes += size->getKnownMinValue();
  return bytes > large;
}

void hide(Function& version, const Twine& name) {
  drop_hooks(version);
  version.setName(name);
  version.setLinkage(GlobalValue::InternalLinkage);
  version.setVisibility(GlobalValue::DefaultVisibility);
  version.setComdat(nullptr);
  if (!has_large_frame(version)) return;
  version.removeFnAttr(Attribute::AlwaysInline);
  version.addFnAttr(Attribute::NoInline);
}

// The function becomes one that calls it.
Function& move_to_version(Function& function) {
  ValueToValueMapTy unused;
  auto& version = *CloneFunction(&function, unused);
  drop_body(function);
  return version;
}

DebugLoc begin_of(const Function& function) {
  auto* described = function.getSubprogram();
  if (!described) return {};
  return DILocation::get(function.getContext(), described->getScopeLine(), 0, described);
}

BasicBlock* call_instead(Function& function, Function& version, const Twine& name) {
  hide(version, function.getName() + "." + name);
  auto* block = BasicBlock::Create(function.getContext(), name, &function);
  IRBuilder<> builder(block);
  builder.SetCurrentDebugLocation(begin_of(function));
  call_and_return(builder, function, version);
  return block;
}

} // namespace

std::optional<early_context> early_context_of(const Value& context, const DataLayout& layout) {
  if (const auto* argument = as_argument(context)) return early_context{const_cast<Argument*>(argument), {}};
  const auto* load = dyn_cast<LoadInst>(&context);
  if (!load) return std::nullopt;
  const auto [argument, offset] = place_behind(*load->getPointerOperand(), layout);
  if (!argument || argument->getDereferenceableBytes() < offset + layout.getPointerSize())
    return std::nullopt;
  return early_context{const_cast<Argument*>(argument), offset};
}

std::optional<early_context> find_early_context(Function& function) {
  const auto& layout = function.getParent()->getDataLayout();
  std::optional<early_context> found;
  for (const auto& instruction : instructions(function)) {
    if (!is_fetch(instruction)) continue;
    const auto one = early_context_of(*instruction.getOperand(0), layout);
    if (!one || (found && (found->argument != one->argument || found->offset != one->offset)))
      return std::nullopt;
    found = one;
  }
  if (found && found->offset && sets(function, *found, layout)) return std::nullopt;
  return found;
}

void choose_version(Function& function, Function& written, Function* checked,
                    const std::optional<early_context>& context, bool gets, gain near,
                    const rules& switches) {
  if (gets) show_routines(written, switches);
  const auto marks = find_markers(written);
  for (const auto& mark : marks) make_fetches_of_gets(written, mark, switches); // there they wait
  for (const auto& mark : marks) erase(mark);
  auto& deferred = move_to_version(function);
  auto* entry = BasicBlock::Create(function.getContext(), "version", &function);
  IRBuilder<> builder(entry);
  builder.SetCurrentDebugLocation(begin_of(function));
  auto* pointer = PointerType::getUnqual(function.getContext());
  auto* known = context ? value_of(*context, builder) : ConstantPointerNull::get(pointer);
  auto* choice = builder.CreateCall(runtime_function(*function.getParent(), "windrow_defer_choose",
                                                     builder.getInt32Ty(), {pointer, builder.getInt32Ty()}),
                                    {known, builder.getInt32(static_cast<unsigned>(near))});
  auto* choose = builder.CreateSwitch(choice, call_instead(function, deferred, "deferred"), 2);
  choose->addCase(builder.getInt32(0), call_instead(function, written, "blocking"));
  if (checked) choose->addCase(builder.getInt32(2), call_instead(function, *checked, "checked"));
}

} // namespace windrow::compiler::defer
