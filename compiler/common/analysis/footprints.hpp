// SPDX-License-Identifier: BSD-3-Clause
// What an instruction does that other code can see, the functions that it calls included: which memory it
// reads and writes, by where the pointers come from; whether it has effects outside of memory; whether it
// waits for other PEs.
#pragma once

#include <llvm/IR/ValueMap.h>

#include "compiler/common/analysis/captures.hpp"
#include "compiler/common/analysis/formats.hpp"
#include "compiler/common/analysis/library_memory.hpp"
#include "compiler/common/analysis/origins.hpp"
#include "compiler/common/api/calls.hpp"

namespace windrow::compiler {

struct access {
  location where;
  std::optional<uint64_t> bytes;
  bool reads = false, writes = false;
};

/// An address in memory.
struct stored_address {
  location at;
  const origin* of;
  bool operator==(const stored_address&) const = default;
};

struct footprint {
  SmallVector<access, 2> accesses;
  std::string unknown;          ///< the routine or callee of which nothing is known; empty if there is none
  bool leaves = false;          ///< that one does not come back to its caller, as longjmp and exit
  bool too_large = false;       ///< nothing is known because a function accesses too much
  bool output = false;          ///< effects outside of memory, which keep their order
  bool ends = false;            ///< may end the program at once, as a failed assertion does
  bool frees = false;           ///< ends the life of memory
  bool default_context = false; ///< operates on it, or on other contexts in a callee
  bool sets_errno = false;
  locations context;                     ///< that an operation names
  SmallVector<stored_address, 0> stored; ///< that it stores, others' variables copied included
  bool throws = false;
  bool defers = false;             ///< there is a directive in a callee
  certainty waits = certainty::no; ///< for other PEs

  bool touches_nothing() const {
    return accesses.empty() && unknown.empty() && !output && !ends && !frees && !default_context &&
           !sets_errno;
  }
};

/// What a function writes at a constant distance from an address that it is given.
struct argument_write {
  unsigned argument;
  int64_t offset;
  uint64_t bytes;
};

/// Of a module as it is before anything is transformed.
class footprints {
 public:
  explicit footprints(const Module& module, bool believing = false)
      : module_(module),
        prints_errno_(may_print_errno(module)),
        library_calls_back_(library_calls_back(module)),
        origins_(module.getDataLayout(), believing) {}

  /// The answer for an instruction is that of the first time.
  const footprint& of(const Instruction& instruction) { return *kept(instruction); }
  std::shared_ptr<const footprint> kept(const Instruction& instruction);
  /// Looks at all that the function calls.
  void look_at_callees(const Function& function);
  /// Whether a function that is called writes what the other accesses, and not just at a constant distance
  /// from an address that it is given.
  bool writes_somewhere(const CallBase& call, const footprint& other);
  /// The writes that do go to such places.
  SmallVector<argument_write, 2> writes_at_arguments(const CallBase& call) const;
  captures& addresses() { return captures_; }
  origins& pointers() { return origins_; }
  /// Whether any code of the module looks at errno: otherwise it does not matter who has set it last.
  bool errno_is_used() const;

 private:
  struct keep_own : ValueMapConfig<const Instruction*> {
    enum { FollowRAUW = false };
  };

  footprint find(const Instruction& instruction);
  void add_call(const CallBase& call, footprint& to);
  void add_intrinsic(const IntrinsicInst& call, footprint& to);
  void add_routine(const CallBase& call, footprint& to);
  bool add_library_function(const CallBase& call, footprint& to);
  bool add_cxx_function(const CallBase& call, footprint& to);
  void add_callee(const CallBase& call, footprint& to);
  void add_pointed_to(const CallBase& call, bool writes, footprint& to, unsigned first = 0);
  void touch(const Value& address, std::optional<uint64_t> bytes, bool reads, bool writes, footprint& to);
  void add_stored(const Value& value, const Value& to_address, footprint& to);
  void add_stored(const stored_address& one, footprint& to);
  void add_copied(const memory_copy& copy, footprint& to);
  bool is_private(const origin& object);
  footprint summary_of(const Function& function);

  const Module& module_;
  const bool prints_errno_; // perhaps
  const bool library_calls_back_;
  origins origins_;
  captures captures_;
  ValueMap<const Instruction*, std::shared_ptr<footprint>, keep_own> known_;
  DenseMap<const Function*, std::shared_ptr<footprint>> functions_;
};

/// One of them writes what the other touches, perhaps.
bool conflict(const footprint& one, const footprint& other);

/// Both do something that is seen outside of memory, where the end of the program is the last that is.
bool are_seen_in_order(const footprint& one, const footprint& other);

/// Whether the fetch does not write what it fetches.
bool only_reads(const Instruction& fetch);

/// Whether the object is what __errno_location() returns.
bool is_errno(const origin& object);

} // namespace windrow::compiler
