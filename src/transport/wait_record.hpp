// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "os/image.hpp"
#include "windrow/types.hpp"

namespace windrow::transport {

/// Something that a PE may wait for. Who waits has one constant for each, of static storage, so that a report
/// finds it in every process of the same program.
struct wait_kind {
  const char* text;              ///< what follows "waits for"; {pe} and {object} are those of the wait
  bool needs_all_pes = true;     ///< it cannot end once a PE has left the job
  bool in_continuations = false; ///< deferred code may wait so
  bool rings = true;             ///< who ends it rings the bell of who waits
  bool suspends = false;         ///< a light thread leaves its worker to others meanwhile
  bool runs_tasks = suspends;    ///< who waits so runs tasks that other PEs may wait for
};

/// An amount that helps to understand a wait, as "lanes open 3" or "blocks in flight 7 (most at PE 1)".
struct wait_detail {
  std::atomic<std::uint64_t> what; ///< a text, by os::image_offset; 0: this one and those behind are not used
  std::atomic<std::uint32_t> amount;
  std::atomic<std::int32_t> most_at; ///< the PE that has the most of it, or -1
};

/// A PE's current wait, written only once a wait turns out to be long, so that a stalled job can say who
/// waits for what. Single writer; readers in other processes may see a mixture of two waits, which is good
/// enough for a diagnosis. The counts are exact.
struct alignas(64) wait_record {
  std::atomic<std::uint64_t> kind;   ///< a wait_kind, by os::image_offset; 0: none
  std::atomic<std::int32_t> target;  ///< the PE waited for, or -1
  std::atomic<std::uint32_t> object; ///< number of the team, context, stream or mailbox
  std::atomic<std::uint64_t> since_ns;
  std::atomic<std::uint64_t> call; ///< the call's name, by os::image_offset; 0: not known
  std::atomic<std::uint64_t> site; ///< where the call returns to, likewise
  std::array<wait_detail, 6> details;

  std::atomic<std::uint32_t> waiting; ///< threads of the PE that are in long waits
  std::atomic<std::uint32_t> unrung;  ///< of these, those for which nobody rings
};

/// Fills in the details of a record. More than it has room for are left out.
class wait_details {
 public:
  explicit wait_details(wait_record& record) : details_(record.details) {}
  ~wait_details() {
    if (used_ < details_.size()) details_[used_].what.store(0, std::memory_order_relaxed);
  }
  wait_details(const wait_details&) = delete;
  wait_details& operator=(const wait_details&) = delete;

  /// `what` is a literal.
  void add(const char* what, std::uint64_t amount, pe_t most_at = -1) {
    if (used_ == details_.size()) return;
    auto& next = details_[used_++];
    next.amount.store(static_cast<std::uint32_t>(amount), std::memory_order_relaxed);
    next.most_at.store(most_at, std::memory_order_relaxed);
    next.what.store(os::image_offset(what), std::memory_order_relaxed);
  }

 private:
  std::array<wait_detail, 6>& details_;
  std::size_t used_ = 0;
};

} // namespace windrow::transport
