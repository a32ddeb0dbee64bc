// SPDX-License-Identifier: BSD-3-Clause
// Accesses to the same memory that are in conflict: which of them have an order?
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "tools/overlap/access_index.hpp"
#include "tools/overlap/model.hpp"
#include "tools/overlap/order.hpp"

namespace windrow::overlap {

/// An access with the time that it lasts: from one event of its PE to another, at which it is known to be
/// over.
struct lasting_access {
  access what;
  int by; ///< the PE that does it
  std::size_t start, end;
  /// A fence behind it, `end` if there is none: signals to `target` from then on come after it.
  std::size_t fenced;
  int target;           ///< where a transfer arrives
  std::uint64_t signal; ///< the word that it tells itself of its arrival; order::any_word: none
  /// A collective does it, which has begun to before others come and may not be over when they leave.
  bool in_meeting;
  std::uint64_t code; ///< its place in the source, what is done there, and the context
};

/// All accesses of the run, without waits. What a transfer touches is complete at `ends`, of each PE and
/// event.
std::vector<lasting_access> accesses_of_run(const model&, const std::vector<std::vector<std::size_t>>& ends);

/// The same with waits, and what code that was not recorded may do to symmetric memory: anything. Of each PE
/// and each part of its run between two barriers or collectives the first such code and the last.
std::vector<lasting_access> accesses_of_all_code(const model&,
                                                 const std::vector<std::vector<std::size_t>>& ends);

/// Whether `a` is over when `b` begins.
bool is_before(const order& by, const lasting_access& a, const lasting_access& b);
bool are_ordered(const order& by, const lasting_access& a, const lasting_access& b);

/// The same accesses, each of which ends where its own PE hears of its arrival by its signal, if that comes
/// first.
std::vector<lasting_access> over_when_heard_of(const order&, std::vector<lasting_access>);

/// Calls `act` with each pair of accesses of one PE that are in conflict and go on at the same time, as
/// indices, in a row of the former the latest first, as far as it says. Pairs of one event are none, and
/// neither are those that would not go on at the same time if accesses ended as in `shorter`.
using pair_function = std::function<further(std::size_t, std::size_t)>;
void for_each_conflict_within(const std::vector<lasting_access>&, const pair_function& act,
                              access_relation in_conflict = conflict,
                              const std::vector<lasting_access>* shorter = nullptr);

/// Accesses by rows: those of one PE to one place in one way, by one code. All pairs of two rows are in
/// conflict, or none. What of a row is over when an access begins, or begins when it is over, is found
/// without a look at each, so that a loop of many rounds costs no more than its rounds.
class access_rows {
 public:
  struct row {
    access what;
    int by;
    bool in_meeting;
    bool tells;                        ///< of their arrival, all by one word
    std::vector<std::size_t> accesses; ///< in their order
    std::vector<std::size_t> over;     ///< for each, when it and all before it are over
  };

  explicit access_rows(const std::vector<lasting_access>&, access_relation in_conflict = conflict);
  /// Those of the same accesses, which may be over at other times.
  access_rows(const access_rows&, const std::vector<lasting_access>&);

  /// Calls `act` with each two rows of different PEs that are in conflict until it returns false; returns
  /// whether it never did.
  bool each_conflict(const std::function<bool(const row&, const row&)>& act) const;

  /// How many accesses of the row, from its first one, are over when an access of another PE begins, fences
  /// aside; and the first of those from which on all begin when it is over.
  std::size_t over_before(const order&, const row&, const lasting_access&) const;
  std::size_t first_behind(const order&, const row&, const lasting_access&) const;

  /// Calls `act` with the indices of each pair of different PEs that is in conflict and not so ordered, in a
  /// row of the former the latest first, as far as it says.
  void each_unordered(const order&, const pair_function& act) const;
  /// The same with those that are so ordered in other rows of the same accesses, which are over earlier, by
  /// another order.
  void each_that_lost_order(const order&, const access_rows& before, const order& before_by,
                            const pair_function& act) const;

 private:
  void note_ends();
  static bool act_on(const row& some, std::size_t first, std::size_t end, std::size_t other,
                     const pair_function& act);

  const std::vector<lasting_access>& all_;
  access_relation in_conflict_;
  std::vector<row> rows_; ///< by the memory and its begin
};

} // namespace windrow::overlap
