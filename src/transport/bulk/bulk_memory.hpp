// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "transport/bulk/bulk_parts.hpp"
#include "transport/bulk/reads_ahead.hpp"
#include "transport/collected_writes.hpp"
#include "transport/remote_memory.hpp"
#include "windrow/stats.hpp"

namespace windrow::transport {

/// Stands in front of another `remote_memory` and keeps writes, to let them leave later and together, and
/// makes reads ahead. README.md has the rules.
class bulk_memory final : public remote_memory {
 public:
  /// `far`, by PE: not reached by load and store.
  bulk_memory(std::unique_ptr<remote_memory> inner, bulk_parts, std::vector<bool> far, counters&);

  bool put(pe_t, std::uint64_t offset, const void* from, std::size_t bytes, until) override;
  bool get(pe_t, std::uint64_t offset, void* to, std::size_t bytes, until) override;
  bool put_strided(pe_t, std::uint64_t offset, const void* from, const detail::strides&, until) override;
  bool get_strided(pe_t, std::uint64_t offset, void* to, const detail::strides&, until) override;
  std::uint64_t change(pe_t, std::uint64_t offset, const detail::atomic_change&) override;
  bool begin_change(pe_t, std::uint64_t offset, const detail::atomic_change&, void* before,
                    std::size_t bytes) override;
  bool change_many(pe_t, std::span<const detail::placed_change>) override;
  bool write_together(std::span<const write_batch>) override;
  bool begins_puts(pe_t pe) const override { return inner_->begins_puts(pe); }
  void fence() override;
  bool complete() override;
  bool settle() override;
  bool has_phases() const override { return parts_.gets; }
  bool begin_phase(const void* site) override;
  bool progress() override;

  /// What was kept leaves, as by `settle`, but what was read ahead still counts: this PE tells others
  /// something, and has not been told anything.
  void settle_writes();
  /// A message has come: what was read ahead counts no more.
  void hear();

  /// From now on it is that. While no other thread of the PE uses it.
  void set_parts(bulk_parts);

 private:
  /// What is kept for a PE lies between these.
  struct extent {
    std::uint64_t low, end;
  };
  /// A put that has been kept as it is.
  struct kept_put {
    pe_t to;
    std::uint64_t offset;
    std::size_t bytes, at; ///< where its source is in `sources_`
  };

  /// That of blocks so many bytes behind one another.
  static extent extent_of(std::uint64_t offset, std::ptrdiff_t step, const detail::strides&);
  bool is_far(pe_t pe) const { return far_[static_cast<std::size_t>(pe)]; }
  bool is_small(pe_t to, std::size_t bytes) const;
  bool is_kept_whole(pe_t to, std::size_t bytes) const;
  bool keeps_words(pe_t to, const detail::strides&) const;

  void keep(pe_t to, const detail::placed_change&, std::size_t bytes);
  void keep_words(pe_t to, std::uint64_t offset, const std::byte* from, std::size_t bytes);
  void keep_whole(pe_t to, std::uint64_t offset, const void* from, std::size_t bytes);
  void note_put(until when);
  void widen(pe_t to, std::uint64_t offset, std::size_t bytes);

  bool may_touch(pe_t, extent) const;
  bool may_touch_words(pe_t, extent) const;
  bool touches_whole(pe_t, extent) const;
  void before_result(pe_t of, extent);

  bool get_now(pe_t of, std::uint64_t offset, void* to, std::size_t bytes);

  until before_put(pe_t to, extent, until when);
  void before_changes(pe_t of, std::span<const detail::placed_change>);
  void send();
  void add_batches(pe_t to, std::span<const detail::placed_change>);
  void forget();
  bool sent(bool under_way);
  void settle_locked();
  void end_reads();
  void settle_order(pe_t to);

  std::unique_ptr<remote_memory> inner_;
  bulk_parts parts_;
  std::vector<bool> far_;
  counters& counted_;
  std::mutex mutex_; ///< of all that follows

  reads_ahead ahead_;
  std::atomic<bool> is_ahead_ = false; ///< it has any; for who is told something
  collected_writes kept_;
  std::vector<kept_put> whole_;
  std::vector<std::byte> sources_; ///< of those
  std::vector<extent> extents_;    ///< by PE, of those that something is kept for
  static constexpr std::size_t filter_bits = std::size_t{1} << 16;
  std::bitset<filter_bits> words_; ///< that changes are kept for, by a hash
  std::vector<write_batch> batches_;
  bool owes_completion_ = false; ///< a put was to be complete when it returned
  /// Something is under way further down; perhaps at first, since the program may choose parts at any time.
  bool sent_ = true;
  std::uint32_t results_in_a_row_ = 0; ///< operations with results since something was kept
};

} // namespace windrow::transport
