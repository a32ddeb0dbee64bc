// SPDX-License-Identifier: BSD-3-Clause
// Functions that send items to their owner and, there, work on them.
#pragma once

#include "compiler/common/runtime/inline_library.hpp"
#include "compiler/inlined/contract.hpp"

namespace windrow::compiler::defer {

using namespace contract;

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
void begin_route(IRBuilder<>& builder, Value& route, const routes& of, Value& context);
/// The item is sent along that route.
void keep_route(CallInst& item, Value& route, bool same_context, const routes& of);
/// A function for the owner that runs `body` for all items of a message. `operands`: the function that makes
/// the operands (defer/outline/operands.hpp), or null if they travel.
Function* make_owner_run(const CallInst& fetch, Function& body, uint64_t captured_bytes, Value& operands);
/// Where a symmetric object is here: (offset).
Function* symmetric_address(Module& module);

} // namespace windrow::compiler::defer
