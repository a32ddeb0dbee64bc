// SPDX-License-Identifier: BSD-3-Clause
// Functions that open a record and issue its fetches in place of calls to the runtime, and around that what
// is done where it declines.
#pragma once

#include "compiler/common/runtime/inline_library.hpp"
#include "compiler/inlined/contract.hpp"

namespace windrow::compiler::defer {

using namespace contract;

/// Opens a record for a body and issues its fetches, if there are any. Null if there is nothing of the kind.
///
///   { payload, complete } (context, body, bytes, parent, level, run, loading run,
///                          in batch, number of common words, common words (most_common),
///                          strip, what differs in it,
///                          for each fetch: slot, its arguments but the context)
///
/// Records in a batch have values in common, which the payloads do not have; in a record that is opened by a
/// call, they follow the payload.
///
/// Without fetches the context is null.
///
/// What is captured has to be stored right behind it, and then `finish_block(payload, complete)` called. The
/// runs are what `make_run` makes; the second is for values that are near, of which the addresses are in the
/// slots.
Function* open_block(Module& module, ArrayRef<const CallInst*> fetches);
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
  block_strip = block_common + most_common,
  block_differs,
  block_fetches
};
/// The arguments about batches, and strips, of a record that is in none.
SmallVector<Value*, 12> no_batch(LLVMContext& context);
Function* finish_block(Module& module);
/// Whether it is that function.
bool is_finish_block(const Function* function);

/// Opens a record behind a range of `element_bytes` each.
///
/// Its arguments are those of `open_block`, without the strip. The slot is for the address of the values,
/// which are near, or follow what is common in a record that is opened by a call.
Function* open_range(Module& module, uint64_t element_bytes);

/// What a loop that opens blocks keeps in registers (inlined/strips.hpp): none yet; and back to the library,
/// before something else is done with that. For the block that `open` opens.
void begin_without_strip(IRBuilder<>& builder, Value& strip);
void end_strip(IRBuilder<>& builder, Value& strip, const CallInst& open, uint32_t fetches, uint32_t loads);

} // namespace windrow::compiler::defer
