// SPDX-License-Identifier: BSD-3-Clause
// What writes variables, parts of them, and other memory.
#pragma once

#include <map>
#include <tuple>

#include "compiler/defer/code.hpp"
#include "compiler/defer/plan/scope.hpp"

namespace windrow::compiler::defer {

/// A variable, or a member or element of one, that is read as a whole.
struct part {
  const variable* var;
  int64_t offset;
  Type* type;

  auto operator<=>(const part&) const = default;
};

/// Of one function; found when asked for.
class writers {
 public:
  writers(const code& body, const shape& structure) : body_(body), structure_(structure) {}

  /// What the address names, if it is a part of a variable that nobody else knows.
  std::optional<part> part_at(const Value& address, Type& type) const;
  /// The variable that it lies in, if nobody else knows that.
  const variable* variable_at(const Value& address) const;

  ArrayRef<const Instruction*> of(const part& what) const;
  bool any_in(const part& what, const Loop& loop) const;
  bool any_in(const variable& var, const Loop& loop) const;
  /// Whether the loop may change the memory that is read there. Of updates that the library carries out, when
  /// is not known, so that nobody counts on them.
  bool change(const Instruction& reader, const Loop& loop) const;

  /// What each round of the loop adds to it, if that is always the same.
  std::optional<int64_t> step(const part& what, const Loop& loop) const;

 private:
  void find_all() const;
  bool may_write(const Instruction& writer, const part& what) const;
  std::optional<int64_t> find_step(const part& what, const Loop& loop) const;
  std::optional<int64_t> step_of(const Instruction& writer, const part& what) const;
  const std::vector<const Instruction*>& in_memory(const Loop& loop) const;

  const code& body_;
  const shape& structure_;
  mutable DenseMap<const variable*, std::vector<const Instruction*>> of_variables_;
  mutable bool found_ = false;
  mutable std::map<part, std::vector<const Instruction*>> known_;
  mutable std::map<std::pair<part, const Loop*>, std::optional<int64_t>> steps_;
  mutable DenseMap<const Loop*, std::vector<const Instruction*>> in_memory_;
  mutable std::map<std::pair<const Instruction*, const Loop*>, bool> changed_;
};

} // namespace windrow::compiler::defer
