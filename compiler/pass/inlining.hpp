// SPDX-License-Identifier: BSD-3-Clause
// Functions that do in place what otherwise takes calls to the runtime: the bitcode of inlined/, and around
// it what is done where that declines. They are made once per module, and inlined at every level.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>

#include <optional>

#include "compiler/pass/llvm.hpp"

namespace windrow::defer {

/// Whether modules for this target can have such functions at all.
bool can_inline(const Module& module);

/// Opens a record for a body and issues its fetches. Null if there is nothing of the kind.
///
///   { payload, complete } (context, body, bytes, parent, level, run, loading run,
///                          in batch, number of common words, common words (most_common),
///                          strip, what differs in it,
///                          for each fetch: slot, its arguments but the context)
///
/// Records in a batch have values in common, which the payloads do not have; in a record that is opened by a
/// call, they follow the payload.
///
/// What is captured has to be stored right behind it, and then `finish_block(payload, complete)` called. The
/// runs are what `make_run` makes; the second is for values that are near, of which the addresses are in the
/// slots.
Function* open_block(ArrayRef<const CallInst*> fetches);
enum block_argument : unsigned {
  block_body = 1,
  block_bytes,
  block_parent,
  block_level,
  block_run,
  block_loading_run,
  block_batch,
  block_words,
  block_common,
  block_strip = block_common + 10,
  block_differs,
  block_fetches
};
inline constexpr unsigned most_common = block_strip - block_common; // as in inlined/inlined_calls.cpp
inline constexpr unsigned most_fetches = 4;                         // each takes some 40 instructions of code
/// The arguments about batches, and strips, of a record that is in none.
SmallVector<Value*, 12> no_batch(LLVMContext& context);
Function* finish_block(Module& module);
/// Whether it is that function.
bool is_finish_block(const Function* function);

/// Opens a record behind a range of `element_bytes` each.
///
/// The same arguments as those of `open_block`, but for the strip: there is none. The slot is for the address
/// of the values, which are near, or follow what is common in a record that is opened by a call.
Function* open_range(Module& module, uint64_t element_bytes);

/// What a loop that opens blocks keeps in registers (inlined/strips.hpp): none yet; and back to the library,
/// before something else is done with that. For the block that `open` opens.
inline constexpr unsigned strip_words = 34;
enum strip_difference : unsigned { context_differs = 1, parent_differs = 2, common_differs = 4 };
void begin_without_strip(IRBuilder<>& builder, Value& strip);
void end_strip(IRBuilder<>& builder, Value& strip, const CallInst& open, uint32_t fetches, uint32_t loads);
/// A function that will run records of the body one after the other, and what gives it its code, when the
/// size of the records is known: with what they have in common, if they are in batches.
Function* make_run(const Function& body, const Twine& suffix);
void complete_run(Function& run, Function& body, uint64_t bytes, std::optional<uint64_t> common_bytes);
/// The body, for a payload in which values of such types are to be loaded first, from addresses in slots.
struct near_load {
  Type* type;
  uint64_t slot;
};
Function* load_first(Function& body, ArrayRef<near_load> loads);

/// Whether there is need of a loading run: `fetch` only reads.
bool may_load_later(const CallInst& fetch);

/// The same as the update that is called, or null. With `along`: of (what deferred code keeps of its routes
/// from one payload to the next, the number of the place in the code, arguments of the update).
Function* update_in_place(const CallInst& update, bool along);
inline constexpr unsigned most_routes = 4; // as in inlined/strips.hpp

/// For what is sent to the owner: where the captured bytes belong, or null: (kept route, whether it is of the
/// same context each time, routes and number of `routes`, site, context, bytes, common word,
/// whether operands travel, arguments of the fetch but the context). And what sends them from `captured` in
/// that case: (item, site, context, captured, bytes, common word, arguments). Null if there is nothing of the
/// kind.
Function* open_owner_item(const CallInst& fetch);
Function* finish_owner_item(const CallInst& fetch);
enum item_argument : unsigned {
  item_kept_route,
  item_same_context,
  item_routes,
  item_route_number,
  item_site,
  item_context
};
/// Where a callback keeps its routes from one payload to the next, or null, and which of them.
struct routes {
  Value* all;
  unsigned number;
};
/// What is kept in registers of where items go (inlined/strips.hpp): as known from earlier payloads with that
/// context, if there are any.
inline constexpr unsigned route_words = 7;
void begin_route(IRBuilder<>& builder, Value& route, const routes& of, Value& context);
/// The item is sent along that route.
void keep_route(CallInst& item, Value& route, bool same_context, const routes& of);
/// A function for the owner that runs `body` for all items of a message. `operands`: the function that makes
/// the operands (pass/operands.hpp), or null if they travel.
Function* make_owner_run(const CallInst& fetch, Function& body, uint64_t captured_bytes, Value& operands);
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
