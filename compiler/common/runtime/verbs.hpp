// SPDX-License-Identifier: BSD-3-Clause
// How the bitcode of inlined/ names what a routine of the library does.
#pragma once

#include <string>

#include "compiler/common/llvm/names.hpp"

namespace windrow::compiler {

/// The verb of the aggregation engine; empty if it has none.
StringRef verb_of(StringRef name);

/// Which there are, is the same rule as in inlined/inlined_calls.cpp.
bool exists(StringRef verb, const Type& type);

std::string inlined_name(StringRef kind, StringRef verb, const Type& type);

/// The name of the type that carries values; empty if there is none.
std::string carrier_of(const Type& type);

/// Whether there is need of a loading run: `fetch` only reads.
bool may_load_later(const CallInst& fetch);

SmallVector<Type*, 8> types_behind_context(const CallInst& call);

/// How small integers are passed is said at the call. `first`: where the arguments of the fetch behind its
/// context begin.
void copy_extensions(const CallInst& fetch, CallInst& call, unsigned first);

} // namespace windrow::compiler
