// SPDX-License-Identifier: BSD-3-Clause
// Functions that carry out an update in place of the call.
#pragma once

#include "compiler/common/runtime/inline_library.hpp"
#include "compiler/inlined/contract.hpp"

namespace windrow::compiler::defer {

using namespace contract;

/// A function that does what the called update does, or null. With `along`, its parameters are: what deferred
/// code keeps of its routes from one payload to the next, the number of the place in the code, and the
/// arguments of the update.
Function* update_in_place(const CallInst& update, bool along);

} // namespace windrow::compiler::defer
