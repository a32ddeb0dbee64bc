// SPDX-License-Identifier: BSD-3-Clause
// Functions that do in place what otherwise takes calls to the runtime: the bitcode of inlined/, and around
// it what is done where that declines. They are made once per module, and inlined at every level.
#pragma once

#include "compiler/pass/llvm.hpp"

namespace windrow::defer {

/// Whether modules for this target can have such functions at all.
bool can_inline(const Module& module);

/// Opens a record for a body whose only fetch is `fetch`, and issues that. Null if there is nothing of the
/// kind.
///
///   { payload, complete } (context, body, bytes, parent, level, slot, run, loading run,
///                          in batch, number of common words, common words (most_common),
///                          arguments of the fetch but the context)
///
/// Records in a batch have values in common, which the payloads do not have; in a record that is opened by a
/// call, they follow the payload.
///
/// What is captured has to be stored right behind it, and then `finish_block(payload, complete)` called. The
/// runs are what `make_run` makes; the second is for values that are near, of which the address is in the
/// slot.
Function* open_block(const CallInst& fetch);
enum block_argument : unsigned {
  block_body = 1,
  block_bytes,
  block_slot = 5,
  block_batch = 8,
  block_words,
  block_common
};
inline constexpr unsigned most_common = 6; // as in inlined/inlined_calls.cpp
/// The arguments about batches of a record that is in none.
SmallVector<Value*, 8> no_batch(LLVMContext& context);
Function* finish_block(Module& module);
/// A function that runs records of the body one after the other. Where their size is known later, it is the
/// third argument of the call in it.
Function* make_run(Function& body);
Function* make_loading_run(Function& body, const CallInst& fetch, uint64_t slot);
/// Makes a run, with or without loading, one of batches, whose body takes the payload and what is common.
void make_batch_run(Function& run, Function& body, uint64_t bytes, uint64_t common_bytes, uint64_t slot);

/// Whether there is a loading run: `fetch` only reads.
bool may_load_later(const CallInst& fetch);

/// The same as the update that is called, or null.
Function* update_in_place(const CallInst& update);

/// For what is sent to the owner: where the captured bytes belong, or null: (site, context, bytes, arguments
/// of the fetch but the context). And what sends them from `captured` in that case: (item, site, context,
/// captured, bytes, arguments). Null if there is nothing of the kind.
Function* open_owner_item(const CallInst& fetch);
Function* finish_owner_item(const CallInst& fetch);
/// A function for the owner that runs `body` for all items of a message.
Function* make_owner_run(const CallInst& fetch, Function& body, uint64_t captured_bytes);
/// Where a symmetric object is here: (offset).
Function* symmetric_address(Module& module);

/// A runtime function.
FunctionCallee runtime_function(Module& module, StringRef name, Type* result, ArrayRef<Type*> parameters);
/// How small integers are passed is said at the call. `first`: where the arguments of the fetch behind its
/// context begin.
void copy_extensions(const CallInst& fetch, CallInst& call, unsigned first);

/// Takes what has been used of the bitcode into the module.
void link_inlined_calls(Module& module);

} // namespace windrow::defer
