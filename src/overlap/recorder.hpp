// SPDX-License-Identifier: BSD-3-Clause
// Records the run of this PE: what instrumented code tells becomes events.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "overlap/compiled_view.hpp"
#include "overlap/tracked.hpp"
#include "overlap/writer.hpp"
#include "windrow/detail/overlap_calls.h"

namespace windrow::overlap {

/// Any thread may call these. Nothing is recorded between `finish` and `go_on`.
class recorder {
 public:
  recorder(const std::string& file, bool all_accesses, compiled_view);

  bool has_all_accesses() const { return all_accesses_; }
  void begin(windrow_overlap_call&);
  void end(const windrow_overlap_call&);
  /// Bytes: UINT64_MAX if nobody knows where the memory ends; `told`: what is touched of it comes by itself.
  void access(const void* at, std::uint64_t bytes, windrow_overlap_site&, action what, bool told = false);
  /// A volatile or atomic store; `exchanges`: it is a part of `exchange`.
  void publish(const void* at, std::uint64_t bytes, windrow_overlap_site&, bool exchanges = false);
  /// Called before the load; `polled` behind it.
  void poll(const void* at, std::uint64_t bytes, windrow_overlap_site&);
  void polled();
  /// A store and a load as one step; `polled` behind it.
  void exchange(const void* at, std::uint64_t bytes, windrow_overlap_site&);
  /// Of code that nobody knows; `idle`: it uses no symmetric memory.
  void foreign(windrow_overlap_site&, bool idle = false);
  /// What others may have written: for barriers the same.
  void read_file(windrow_overlap_site&);
  /// Writes what there is; the PE has come to its end if `regularly`.
  void finish(bool regularly);
  /// Behind shmem_init: there is more to come if the PE had come to its end.
  void go_on();

 private:
  /// Loads or stores of one site, one behind the other.
  struct access_run {
    event what;
    std::uintptr_t begin = 0, end = 0; ///< as an address
  };
  access_run& run_of(windrow_overlap_site&, action);

  event event_of(const windrow_overlap_call&);
  void take_buffers(const windrow_overlap_call&, event&) const;
  void track(const windrow_overlap_call&, const event&);
  void touch_by_call(const windrow_overlap_call&, const event&);
  std::uint32_t number_of(windrow_overlap_site&);
  std::uint32_t team_of(const windrow_overlap_call&);
  std::uint32_t context_of(const void*);
  void add(const event&);
  void write(event);
  bool is_in_run(std::uintptr_t at, std::uint64_t bytes, windrow_overlap_site&, action);
  void add_to_run(std::uintptr_t at, const event&, windrow_overlap_site&);
  std::vector<event> take_accesses();
  void write_pending();
  void watch_all();
  void access_to_the_end(const void* at, windrow_overlap_site&, bool met, bool told);
  void add_unknown(windrow_overlap_site&, bool idle, bool ends_something);
  void forget_transfers();
  void show_open();

  std::mutex mutex_;
  compiled_view view_;
  bool all_accesses_, ended_ = false;
  std::uint64_t spent_ns_ = 0;        ///< here, behind calls, since the last event
  bool has_begun_ = false;            ///< a transfer, since the last place at which all must be complete
  bool has_called_ = true;            ///< since the last unknown code that uses memory
  std::optional<event> last_unknown_; ///< behind that one
  int pe_;
  writer writer_;
  tracked_memory tracked_;
  std::uint32_t sites_ = 0;
  std::map<std::vector<int>, std::uint32_t> teams_;
  std::unordered_map<const void*, std::uint32_t> contexts_;
  std::vector<access_run> runs_; ///< by number of the site, loads before stores; without bytes: none
  std::vector<event> pending_, before_poll_; ///< accesses since the last call
  event poll_;                               ///< the last one, if it has bytes
  std::uint64_t flushed_ns_ = 0;
};

} // namespace windrow::overlap
