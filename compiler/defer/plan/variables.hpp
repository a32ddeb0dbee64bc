// SPDX-License-Identifier: BSD-3-Clause
// The variables of one function. At the start of the pipeline every C local is still one alloca, so that what
// code depends on can be said, and told to the user, in terms of variables.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compiler/common/analysis/captures.hpp"

namespace windrow::compiler::defer {

/// Where the storage of a variable is.
enum class storage {
  frame,     ///< an alloca, or memory that the caller made for this call (byval, sret)
  record,    ///< a field of the record that the running callback belongs to
  reference, ///< elsewhere: the record has its address
};

struct variable {
  Value* base; ///< its address in this function
  Type* type;
  Align alignment;
  std::string name;
  storage where;
  bool escapes = false;        ///< its address is known to others
  bool escapes_behind = false; ///< only behind the statement that is looked at, by a use of its name
  bool in_record = false;      ///< its storage is part of some record
  bool several_places = false; ///< deferred code of more than one scope uses it
  const DILocalVariable* description = nullptr; ///< for the debugger
};

class variables {
 public:
  /// Adds the frame of `function`: its allocas of constant size and what it is passed or returns in memory.
  void add_frame(Function& function);
  variable& add(Value& base, Type& type, Align alignment, StringRef name, storage where);

  /// The variable that the address lies in, or null.
  variable* of_address(const Value* address) const;

  /// The variable whose address is `base`, or null.
  variable* at(const Value* base) const { return by_base_.lookup(base); }

  /// The storage of `var` is at `base` from now on.
  void move(variable& var, Value& base, storage where);

  /// Looks anew at whose addresses escape.
  void find_escapes(captures& known);

  /// Finds out whose addresses matter to a statement, before anything is transformed; and says from then on
  /// what was found.
  void note_escapes(const BasicBlock& statement, captures& known);
  void look_at(const BasicBlock& statement);

  const std::vector<std::unique_ptr<variable>>& all() const { return all_; }

 private:
  struct escape {
    bool before, ever;
  };

  std::vector<std::unique_ptr<variable>> all_;
  DenseMap<const BasicBlock*, SmallVector<escape, 0>> noted_;
  DenseMap<const Value*, variable*> by_base_;
};

/// Gives each use of an address inside a variable an address computation of its own, so that one may be
/// deferred while another is not; of a variable of the function's frame right in front of the use, so that it
/// is deferred with that.
void separate_address_computations(Function& function);

/// Removes the lifetime markers of an alloca that is used by deferred code: it lives as long as the frame.
void drop_lifetime_markers(Value& base);

} // namespace windrow::compiler::defer
