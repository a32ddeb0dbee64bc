// SPDX-License-Identifier: BSD-3-Clause
// What the pass knows of calls, by their names: which fetch, which only update, which wait.
#pragma once

#include <llvm/Analysis/TargetLibraryInfo.h>

#include <string>

#include "compiler/common/api/routines.hpp"

namespace windrow::compiler {

/// A call that returns a value from another PE, on a context that may aggregate: what can be deferred.
bool is_fetch(const Instruction& instruction);

/// The fetch of many elements at once that vectorisation makes: (context, address, number, PE), and its value
/// is where the elements are. It is to be deferred, for there is no such function.
std::string bulk_fetch_name(uint64_t element_bytes);
bool is_bulk_fetch(const Instruction& instruction);
/// The bytes of an element.
uint64_t bulk_fetch_bytes(const Instruction& instruction);

/// A call that returns a value from another PE, as above, on the default context, which never aggregates.
bool is_fetch_on_default_context(const Instruction& instruction);

/// Whether the first argument of the routine is the default context.
bool is_on_default_context(const CallBase& call);

/// p, put and atomics that fetch nothing: unordered until the next fence or quiet, in any program.
bool is_unordered_update(StringRef name);

/// An unordered update that reads memory of this PE at the call.
bool reads_its_source(StringRef name);

/// The type of the value that an update of one is about, or null.
const Type* updated_type(const CallBase& call);
/// An update of one value of up to 8 bytes that its owner can carry out with an instruction.
bool is_scalar_update(const CallBase& call);

/// A fetch of one value of up to 8 bytes, which its owner can carry out with an instruction.
bool is_scalar_fetch(const CallBase& call);

/// Tells something that never changes, as shmem_my_pe does.
bool is_query(StringRef name);

/// Returns when all deferred code has run: shmem_ctx_quiet and its like.
bool completes_deferred_code(StringRef name);

/// Waits for other PEs, or may: every routine of the library that is not known to do something else.
bool is_synchronisation(StringRef name);

/// shmem_ctx_create and shmem_team_create_ctx: they write the handle and do not keep its address.
bool is_context_creation(StringRef name);

/// A check that a sanitizer or coverage has put into the code: no statement of the program.
bool is_instrumentation(const Instruction& instruction);

/// Whether it asks for the return address or the frame of its function, which no copy of that has in common.
bool asks_where_it_runs(const Instruction& instruction);

/// Marks where a variable's life begins or ends, or tells the debugger about it.
bool is_commentary(const Instruction& instruction);

/// What is called, as messages say it: the function's name in the program, in quotes, or that a pointer leads
/// to it.
std::string told_callee(const Instruction& call);
std::string told_name(const Function& function);

/// A call to our own runtime.
bool is_runtime_call(StringRef name);

/// Whether the callee is here to see and touches nothing but its own variables.
bool touches_only_own_frame(const CallBase& call);

/// Whether the call ends the program at once: nobody sees what was to come.
bool aborts(const CallBase& call);

/// Whether the call only throws an exception: its own, or one of C++'s library.
bool is_throw(const CallBase& call);

enum class certainty { no, perhaps, yes };

} // namespace windrow::compiler
