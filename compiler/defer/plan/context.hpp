// SPDX-License-Identifier: BSD-3-Clause
// The context of a scope's fetches: a record belongs to one context, and is opened before the first fetch.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "compiler/defer/plan/plan.hpp"

namespace windrow::compiler::defer {

/// The two are computed in the same way from the same variables (which may have changed in between).
bool same_expression(const Value* one, const Value* other);

/// Whether it computes something from its operands, and does nothing else.
bool computes(const Instruction& instruction);

/// Whether it computes the absolute value of its first operand.
bool is_absolute_value(const Instruction& instruction);

/// Whether a store or copy may change the context that is kept there. It is a pointer: stores of other types,
/// but of bytes, do if they are to that very place, as another member of a union.
bool may_store_context(const Instruction& one, const location& where, const footprint& print);

/// Whether `value` is the same at all fetches of the scope and can be had where the record is opened.
bool available_at_open(const plan& scope, const code& body, const DominatorTree& dominators,
                       const Value* value);

/// The value, computed again by `builder` where it does not dominate the place that builder stands at.
Value* compute_at_open(Value* value, const DominatorTree& dominators, IRBuilder<>& builder);

/// The first and the last unit that is deferred or fetches: the record is open from the one to the other.
const unit* first_of_record(const plan& scope);
const unit* last_of_record(const plan& scope);

} // namespace windrow::compiler::defer
