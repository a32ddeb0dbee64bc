// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/comm/accesses.hpp"

#include <llvm/IR/Constants.h>

#include "compiler/comm/options.hpp"
#include "compiler/common/api/calls.hpp"

namespace windrow::compiler::comm {

namespace {

constexpr StringRef promise_attribute = "windrow-comm-promise";
constexpr StringRef shared_attribute = "windrow-comm-shared";
constexpr StringRef settled_attribute = "windrow-comm-settled";
constexpr StringRef copy_attribute = "windrow-comm-copy";
constexpr StringRef whole_attribute = "windrow-comm-whole";
constexpr uint64_t most_elements = 1 << 20; // so that products of them fit

// 0: not known.
uint64_t elements_of(const remote_access& access) {
  const auto* count = access.argument(role::count);
  if (!count) return 1;
  const auto* constant = dyn_cast<ConstantInt>(count);
  return constant ? constant->getValue().getLimitedValue(most_elements + 1) : 0;
}

} // namespace

bool is_blocking_access(const Instruction& instruction) {
  const auto* call = dyn_cast<CallInst>(&instruction);
  if (call && call->isMustTailCall()) return false;
  const auto access = access_of(instruction);
  if (!access || (*access)->nonblocking || (*access)->atomic) return false;
  const auto& operation = (*access)->operation;
  if (operation == "iget") return is_whole(cast<CallBase>(instruction));
  return (operation == "g" || operation == "p" || operation == "get" || operation == "put") &&
         (!(*access)->with_context || is_on_default_context(cast<CallBase>(instruction)));
}

std::optional<plain_access> plain_access_of(Instruction& instruction) {
  auto* call = dyn_cast<CallInst>(&instruction);
  if (!call || !is_blocking_access(*call)) return std::nullopt;
  const auto access = access_of(*call);
  if (access->argument(role::remote_stride)) return std::nullopt;
  const auto elements = elements_of(*access);
  if (elements == 0 || elements > most_elements) return std::nullopt;
  return plain_access{call,
                      (*access)->does == verb::read,
                      access->argument(role::remote),
                      access->argument(role::pe),
                      access->argument(role::local),
                      access->argument(role::value),
                      elements * access->element_bytes()};
}

bool is_relaxed(const CallInst& call) {
  const auto said = call.getFnAttr(promise_attribute);
  return said.isValid() ? said.getValueAsString() == "relaxed"
                        : active_options().relaxed() && !may_be_shared(*call.getFunction());
}

std::string promise_for(const CallInst& call) {
  const bool is_of_file = active_options().relaxed() && !is_strict(call);
  if (!is_of_file) return "#pragma shmem relaxed promises that they do not";
  return "#pragma shmem relaxed in this function promises that they do not, and -fcomm=relaxed promises "
         "nothing of functions that files share";
}

bool may_be_shared(const Function& function) {
  return function.isWeakForLinker() || function.hasFnAttribute(shared_attribute);
}

void set_shared(Function& function) {
  function.addFnAttr(shared_attribute);
}

bool is_strict(const CallInst& call) {
  const auto said = call.getFnAttr(promise_attribute);
  return said.isValid() && said.getValueAsString() == "strict";
}

void set_promise(CallBase& call, bool relaxed) {
  call.addFnAttr(Attribute::get(call.getContext(), promise_attribute, relaxed ? "relaxed" : "strict"));
}

bool is_settled(const CallInst& call) {
  return call.getFnAttr(settled_attribute).isValid();
}

void settle(CallInst& call) {
  call.addFnAttr(Attribute::get(call.getContext(), settled_attribute));
}

bool is_copy(const CallInst& call) {
  return call.getFnAttr(copy_attribute).isValid();
}

void mark_copy(CallInst& call) {
  call.addFnAttr(Attribute::get(call.getContext(), copy_attribute));
}

bool is_whole(const CallBase& call) {
  return call.getFnAttr(whole_attribute).isValid();
}

void mark_whole(CallInst& call) {
  call.addFnAttr(Attribute::get(call.getContext(), whole_attribute));
}

} // namespace windrow::compiler::comm
