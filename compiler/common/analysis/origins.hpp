// SPDX-License-Identifier: BSD-3-Clause
// Where pointers come from. Two pointers may meet only if they have an origin in common: a global variable, a
// parameter, an allocation, or what is stored at one location of an object that both start from. That others
// do not meet is the programmer's promise (docs/defer-pragma.md).
#pragma once

#include <llvm/IR/Operator.h>
#include <map>
#include <memory>
#include <optional>
#include <tuple>

#include "compiler/common/analysis/captures.hpp"
#include "compiler/common/analysis/local_changes.hpp"
#include "compiler/common/analysis/recursion.hpp"
#include "compiler/common/api/copies.hpp"

namespace windrow::compiler {

/// An object: a value that is its address; or what the pointer stored at `offset` of `parent` points to.
/// Without both: any object.
struct origin {
  const Value* root;
  const origin* parent;
  std::optional<int64_t> offset; ///< none: somewhere in it
  unsigned depth;
};

/// A part of an object.
struct location {
  const origin* object;
  std::optional<int64_t> offset;
  bool operator==(const location&) const = default;
};
using locations = SmallVector<location, 2>;

/// For one module. Answers are kept, so that they are those of the program as it was when asked first.
class origins {
 public:
  /// `believing`: what functions are declared to return is believed, also of those that are here to see; for
  /// tests.
  explicit origins(const DataLayout& layout, bool believing = false)
      : layout_(layout), believing_(believing) {}

  /// What the address points to: if that is not found, any object; nothing for null.
  locations of(const Value& address);
  /// From now on it is asked about another function: what that may take is bounded.
  void begin_function() { steps_ = 0; }

  const origin* object_at(const Value& root);
  const origin* any_object();
  /// What a pointer stored at that location points to.
  const origin* behind(const location& holder);
  /// What such a pointer may point to: that, and what has been stored there, as far as that is here to see.
  locations held_at(const location& holder);
  /// The location as the caller sees it that a function of that call names.
  locations in_caller(const location& inner, const CallBase& call);

  /// Whether the call returns memory of its own, as the function's name or declaration says; of functions
  /// that are here to see, their code does.
  bool allocates(const CallBase& call) const;

 private:
  struct visited {
    DenseMap<const Value*, unsigned> on_the_way; ///< and behind how many loads
    SmallPtrSet<const Value*, 4> walked;         ///< met again behind a load, as in p = p->next
    SmallPtrSet<const Value*, 4> held;           ///< variables whose contents are being looked at
    SmallPtrSet<const Value*, 4> distances;      ///< indices that have been looked at
    std::map<const AllocaInst*, local_changes> changes;
    unsigned steps = 0, loads = 0;
  };

  /// What is stored at that offset of an object.
  struct kept_pointer {
    std::optional<int64_t> offset;
    location pointer;
    bool operator==(const kept_pointer&) const = default;
  };

  bool goes_too_far(visited& seen);
  const local_changes& changes_in(const AllocaInst& local, visited& seen);
  locations followed(const Value& address);
  void collect(const Value& address, visited& seen, locations& to);
  void add_any(locations& to);
  void add_all_behind(locations& to);
  void add_distance(const Value& index, visited& seen, locations& to);
  void collect_from(const Value& address, visited& seen, locations& to);
  void collect_computed(const Operator& operation, visited& seen, locations& to);
  void collect_parts(iterator_range<const Use*> parts, visited& seen, locations& to);
  void collect_loaded(const Instruction& load, visited& seen, locations& to);
  void collect_returned(const CallBase& call, visited& seen, locations& to);
  const locations& returned_by(const Function& function);
  void collect_returned_by(const CallBase& call, visited& seen, locations& to);
  void add_held(const location& holder, visited& seen, locations& to);
  void add_initial(const Constant& initial, const std::optional<int64_t>& offset, visited& seen,
                   locations& to);
  void add_copied(const memory_copy& copy, const std::optional<int64_t>& within, visited& seen,
                  locations& to);
  void add_left_by(const CallBase& call, unsigned argument, const std::optional<int64_t>& within,
                   visited& seen, locations& to);
  void add_given(const CallBase& call, unsigned argument, visited& seen, locations& to);
  void keep_copies(const memory_copy& copy, const std::optional<int64_t>& at, const location& source,
                   SmallVectorImpl<kept_pointer>& found);
  const SmallVector<kept_pointer, 2>& stored_at(const Argument& parameter);
  void find_stored(const Argument& parameter, SmallVectorImpl<kept_pointer>& found);
  void add_other_names(const CallBase& call, const origin& made, const Argument* parameter,
                       const std::optional<int64_t>& at, visited& seen, locations& to);
  const origin* made_in(const CallBase& call, const origin& object);
  void add_caller(const location& inner, const CallBase& call, visited& seen, locations& to);

  const DataLayout& layout_;
  const bool believing_;
  uint64_t steps_ = 0;
  captures captures_;
  std::map<std::tuple<const Value*, const origin*, std::optional<int64_t>>, std::unique_ptr<origin>> known_;
  SmallPtrSet<const CallBase*, 4> new_; // of functions that are here to see, and return memory of their own
  std::map<const Argument*, SmallVector<kept_pointer, 2>> stored_at_;
  std::map<const Function*, locations> returned_by_;
  open_questions<Value> questions_; // of what functions return, and leave at their parameters
};

/// The places of pointers that are copied, and where each comes from; of a stretch that is long, whose length
/// is not known, or where pointers may lie anywhere, one for all.
void each_copied_pointer(const memory_copy& copy, const location& to, const location& from,
                         function_ref<void(const location& to, const location& from)> take);

/// Whether the two may be one object.
bool may_be_same(const origin& one, const origin& other);
/// Whether `bytes` at the one location and as many at the other may overlap; nothing: of any size.
bool may_meet(const location& one, std::optional<uint64_t> bytes, const location& other,
              std::optional<uint64_t> other_bytes);

} // namespace windrow::compiler
