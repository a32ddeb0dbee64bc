// SPDX-License-Identifier: BSD-3-Clause
// Functions that carry out an update in place of the call.
#pragma once

#include "compiler/common/runtime/inline_library.hpp"
#include "compiler/inlined/contract.hpp"

namespace windrow::compiler::defer {

using namespace contract;

/// The same as the update that is called, or null. With `along`: of (what deferred code keeps of its routes
/// from one payload to the next, the number of the place in the code, arguments of the update).
Function* update_in_place(const CallInst& update, bool along);

} // namespace windrow::compiler::defer
