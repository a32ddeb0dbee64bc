// SPDX-License-Identifier: BSD-3-Clause
// The routines of OpenSHMEM: what they do to memory and to the order of operations, and which of their
// arguments is what. From the table of the conformance tests (tests/shmem/routines.toml).
#pragma once

#include <array>
#include <optional>

#include "compiler/common/llvm/names.hpp"

namespace windrow::compiler {

/// What a routine does with memory: nothing that is known; tells something that never changes; reads or
/// writes memory of another PE; changes it; changes it and returns what was there; writes and then tells by a
/// word.
enum class verb : uint8_t { none, query, read, write, update, exchange, signal };

/// What a routine does to the order of other operations. A fence, a quiet and a barrier complete or order all
/// operations of their context; `wait` waits for a word that other PEs write, or tests it; a collective waits
/// for PEs without completing anything. Nothing is known of the others, which may do all of that.
enum class order : uint8_t { none, fence, quiet, barrier, wait, collective, unknown };

/// What an argument is. A signal's `value` is what its word is changed by; `block` is the length of blocks.
enum class role : uint8_t {
  context,
  remote,
  local,
  value,
  expected,
  count,
  block,
  remote_stride,
  local_stride,
  signal,
  signal_operation,
  pe
};
inline constexpr size_t number_of_roles = static_cast<size_t>(role::pe) + 1;

struct routine {
  StringLiteral operation; ///< the name without the library, context and type: atomic_fetch_add
  verb does;
  order orders;
  bool with_context;
  bool nonblocking;
  bool atomic;
  std::array<int8_t, number_of_roles> position; ///< of the arguments; negative: it takes none

  bool takes(role what) const { return position[static_cast<size_t>(what)] >= 0; }
  /// What it reads is its result.
  bool returns_value() const { return (does == verb::read || does == verb::exchange) && !takes(role::local); }
};

/// A routine under its name, for one type.
struct named_routine {
  StringLiteral name;
  const routine* form;
  uint64_t element_bytes; ///< on this machine; 0 if it has no elements
};

/// The name of the function that is called directly, or nothing.
StringRef callee_name(const Instruction& instruction);

/// The routine of that name; null if the standard has none.
const named_routine* routine_of(StringRef name);

/// A call that moves data between PEs, with its arguments by their roles.
class remote_access {
 public:
  remote_access(const CallBase& call, const named_routine& called) : call_(call), called_(called) {}

  const routine* operator->() const { return called_.form; }
  uint64_t element_bytes() const { return called_.element_bytes; }
  /// Null if the routine takes nothing of the kind.
  Value* argument(role what) const;

 private:
  const CallBase& call_;
  const named_routine& called_;
};

/// Empty if the call is something else, or of a function of this file under the name of a routine.
std::optional<remote_access> access_of(const Instruction& instruction);

/// Whether the name is one of the library's interface.
bool is_routine(StringRef name);

/// What a function of that name does to the order of operations. Whatever begins as the library's names do,
/// and is no routine of the standard, is unknown; other functions do nothing by themselves.
order order_of(StringRef name);

} // namespace windrow::compiler
