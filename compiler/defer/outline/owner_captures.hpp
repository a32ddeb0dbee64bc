// SPDX-License-Identifier: BSD-3-Clause
// Values of a scope that travel to the owner with the code that uses them.
#pragma once

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/IRBuilder.h>

#include "compiler/defer/code.hpp"
#include "compiler/defer/lower/invariance.hpp"

namespace windrow::compiler::defer {

class owner_captures {
 public:
  /// `part`: the code at the owner, which `at_owner` makes; it takes (captured, value, operands, common
  /// word).
  owner_captures(Instruction& fetch, code& part, IRBuilder<>& at_owner)
      : module_(*fetch.getModule()), around_(fetch, false), part_(part), at_owner_(at_owner) {}

  /// Where in the scope what travels next is to be known.
  void set_place(Instruction& place) { place_ = &place; }

  /// What stands for the value at the owner.
  Value* there(Value& value);

  /// What stands for the value in another function for the owner, in which `captured` is what travels with
  /// each item.
  Value* there(IRBuilder<>& builder, Value& captured, Value& value) {
    return load_sent(builder, captured, send_once(value));
  }

  /// Whether the value travels with each item already.
  bool has(Value& value) const { return travelling_.count(&value) > 0; }

  /// Whether it is the one word that travels apart from what each item brings.
  bool is_common_word(const Value& value) const { return common_of_ == &value; }
  Value* common_word() const { return common_; }

  /// Stores what an item brings.
  void store(IRBuilder<>& builder, Value& to) const;

 private:
  using sent_value = std::pair<Value*, uint64_t>; // and where in what is captured

  const sent_value& send_once(Value& value);
  static Value* load_sent(IRBuilder<>& builder, Value& captured, const sent_value& value);
  Value* as_sent(Value& value);
  bool is_common(Value& value);
  Value* common_there(const Value& value);
  Value* offset_of(IRBuilder<>& origin, Value& object);
  Value* address_of(Value& offset);

  Module& module_;
  const invariance around_;
  code& part_;
  IRBuilder<>& at_owner_;
  Instruction* place_ = nullptr;             // of the scope, which is being carried over
  MapVector<Value*, sent_value> travelling_; // and as what
  const Value* common_of_ = nullptr;
  Value* common_ = at_owner_.getInt64(0);
  PointerType* pointer_ = PointerType::getUnqual(module_.getContext());
};

} // namespace windrow::compiler::defer
