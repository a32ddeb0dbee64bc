// SPDX-License-Identifier: BSD-3-Clause
// Transfers that a plan completes later than the program says. Whatever needs one complete says so first, and
// all are completed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "os/thread_watch.hpp"
#include "overlap/compiled_view.hpp"
#include "overlap/plan_switch.hpp"
#include "overlap/range_index.hpp"
#include "overlap/tracked.hpp"
#include "windrow/detail/overlap_calls.h"

namespace windrow::overlap {

/// For the thread that calls OpenSHMEM, while the program has no others.
class tracker {
 public:
  /// `checks`: a transfer that the plan has not completed where it is needed is an error. Throws
  /// windrow::error for a WINDROW_OVERLAP that means nothing.
  tracker(compiled_view view, bool checks) : view_(view), checks_(checks), tracked_(view.pages) {}

  /// Where all PEs are reached by load and store, an operation is over when it returns.
  static bool can_put_off();
  /// An entry of the program; no other one is carried out.
  void add(windrow_overlap_entry&);
  /// Whether the transfer of that entry, which is called next, is only to begin.
  bool puts_off(windrow_overlap_entry&, const void* context);
  /// Whether a quiet may come later.
  bool puts_off_quiet(windrow_overlap_entry&, const void* context);
  /// The plan has the entry complete here.
  void reach(windrow_overlap_entry&);
  void complete_all();

  /// Around a call of the library.
  void begin(windrow_overlap_call&);
  void end(const windrow_overlap_call&);
  /// Of the program itself. Bytes: UINT64_MAX if nobody knows where the memory ends.
  void access(const void* at, std::uint64_t bytes, const windrow_overlap_site&, bool store, const char* what);
  /// The program has other threads from now on: nothing more is put off.
  void stop();

  std::uint64_t times_put_off() const { return times_put_off_; }
  const plan_switch& switches() const { return switch_; }

 private:
  /// What has begun, and is not known to be complete.
  struct transfer {
    const windrow_overlap_entry* entry = nullptr; ///< that puts it off; null: the program says when it ends
    const char* text = nullptr;                   ///< of its place
    int pe = 0;
    range local, remote; ///< `remote` by the address of this PE's own
    bool writes_local = false, writes_remote = false;
  };

  static bool is_on(const windrow_overlap_entry&);
  bool may_begin(windrow_overlap_entry&, const void* context);
  static transfer transfer_of(const windrow_overlap_call&);
  static bool meet(const transfer&, const transfer&);
  bool meets_what_is_put_off(const transfer&) const;
  bool may_pass(const windrow_overlap_call&) const;
  void put_off(const transfer&);
  void track(const transfer&);
  const transfer& met_by(const transfer&) const;
  [[noreturn]] void say_too_late(const char* what, const windrow_overlap_site&, const transfer& next) const;
  void show_open();
  void forget();

  compiled_view view_;
  bool checks_, stopped_ = false;
  os::thread_watch threads_;
  plan_switch switch_;
  tracked_memory tracked_;
  std::unordered_map<int, range_index> remote_; ///< by PE, what loads and stores here do not reach
  std::vector<transfer> begun_;                 ///< since all was complete
  std::vector<std::size_t> put_off_of_;         ///< how many of each entry are, by number
  std::size_t put_off_ = 0;                     ///< of these
  bool owes_quiet_ = false;
  bool others_may_change_ = false; ///< what is put off reads: memory of other PEs, or symmetric memory here
  const windrow_overlap_entry* quiet_ = nullptr; ///< that owes it
  windrow_overlap_entry* next_ = nullptr;        ///< whose call comes next
  std::uint64_t seen_ = 0;                       ///< operations begun that are in begun_, or complete
  bool all_seen_ = true;
  std::uint64_t times_put_off_ = 0;
};

} // namespace windrow::overlap
