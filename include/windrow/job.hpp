// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "windrow/array.hpp"
#include "windrow/detail/headers.hpp"
#include "windrow/detail/memory_map.hpp"
#include "windrow/global_ptr.hpp"
#include "windrow/stats.hpp"
#include "windrow/team.hpp"
#include "windrow/types.hpp"

namespace windrow {

namespace pgas {
class core;
}
namespace aggregation {
class engine;
}
class room;
struct room_type;

/// This PE's membership in the job: the first object of a Windrow program, and the one that everything else
/// is made from.
///
/// Started by `windrow run -n N program`, the program has N PEs. Started bare it has one, or WINDROW_PES of
/// them: the constructor then starts the others by fork, so it must come before threads. Construction and
/// destruction are collective. The destructor calls `finalize`. A job may be a global variable.
///
/// Environment: WINDROW_PES, WINDROW_SYMMETRIC_SIZE (heap per PE, e.g. 2G; default: half of the memory shared
/// out), WINDROW_STALL_SECONDS (30; 0 = never), WINDROW_STALL_ABORT, WINDROW_STATS, WINDROW_DEBUG,
/// WINDROW_SPILL_LIMIT, WINDROW_DEFER_LIMIT, WINDROW_WORKERS.
///
/// A program that was compiled with other headers than those of the library does not link with it: the linker
/// misses `library<…>::has_these_headers`, with the version of the headers.
class job {
 public:
  job();
  job(int /*argc*/, char** /*argv*/) : job() {}
  ~job();
  job(const job&) = delete;
  job& operator=(const job&) = delete;

  pe_t pe() const { return map_->pe; }
  pe_t pes() const { return map_->pes; }
  /// All PEs.
  const team& world() const { return world_; }
  void barrier() const { world_.barrier(); }

  /// `count` objects of T in the symmetric heap of every PE, at the same offset on each, zeroed; this PE's
  /// address is `local(result)`. Collective, with the same count everywhere. Throws windrow::error on every
  /// PE when the heap is exhausted. `alignment` is a power of two, at most 2 MiB.
  template <transferable T>
  global_ptr<T> allocate(std::size_t count, std::size_t alignment = alignof(T)) {
    return {pe(), allocate_bytes(count, sizeof(T), alignment)};
  }
  /// Releases what `allocate` gave, on every PE. Collective, and a barrier: nobody uses the memory any more.
  /// Null is ignored; any other address that `allocate` did not give ends the job.
  template <transferable T>
  void free(global_ptr<T> memory) {
    if (memory) free_offset(memory.offset());
  }

  /// A distributed array of `size` zeroed elements, in blocks, round robin (`cyclic`), or with blocks of B
  /// elements round robin (`block_cyclic<B>`). Collective.
  template <transferable T, class Distribution = block_distribution>
  windrow::array<T, Distribution> array(std::uint64_t size, Distribution = {}) {
    using array_type = windrow::array<T, Distribution>;
    const auto storage = allocate<T>(array_type::capacity(size, pes()), alignof(T) < 64 ? 64 : alignof(T));
    return array_type(size, pes(), storage, local(storage), this);
  }
  template <transferable T, class Distribution>
  void free(const windrow::array<T, Distribution>& a) {
    free(a.storage());
  }

  /// The plain address of what `p` points to, or null if the PE that owns it shares no memory with this one.
  template <transferable T>
  T* local(global_ptr<T> p) const {
    if (!map_->is_addressable(p.owner())) return nullptr;
    return reinterpret_cast<T*>(map_->address(p.owner(), p.offset(), 0, "local"));
  }
  /// The global pointer to an object in this PE's symmetric heap. Ends the job if `p` is not in it.
  template <transferable T>
  global_ptr<T> global(T* p) const {
    return {pe(), offset_of(p)};
  }

  /// Returns when all direct operations of this PE are complete at their targets and their results are there,
  /// those of blocking and nonblocking contexts included. (Aggregated ones: `context::complete_own`.)
  void complete_own() const;
  /// Does not compile: `quiet` had other meanings elsewhere in this library.
  template <class Deleted = void>
  auto quiet() const {
    static_assert(!std::same_as<Deleted, void>,
                  "job::quiet() is now complete_own(), which is local, as it was; context::barrier() is the "
                  "collective form, for the operations of all PEs");
  }
  /// Direct operations before it take effect, at each target, before those after it.
  void fence() const;

  /// Ends the membership: completes everything, waits for all PEs. Later operations end the program with a
  /// sentence. Collective. The symmetric heap stays mapped until the destructor, so that results can still be
  /// read locally.
  void finalize();

  /// What this PE has done so far, with all its workers.
  counters stats() const;
  /// Name of the transport in use: "self", "shm", "mpi", "threads" or "sim".
  std::string_view transport() const;

  /// The job that this process is a PE of, or null.
  static job* of_this_process();

  // For the rooms of the library.
  detail::memory_map& map() const { return *map_; }
  pgas::core& core() const;
  aggregation::engine& engine() const;
  room& room_of(const room_type&) const;

 private:
  friend void run_threads(pe_t, const std::function<void(job&)>&);
  friend void run_simulated(pe_t, const std::function<void(job&)>&);
  struct state;
  class pes_of_process;
  explicit job(std::unique_ptr<state>);

  std::uint64_t allocate_bytes(std::size_t count, std::size_t size, std::size_t alignment);
  [[noreturn]] void exhausted(std::size_t count, std::size_t size) const;
  void free_offset(std::uint64_t offset);
  std::uint64_t offset_of(const void* p) const;

  std::unique_ptr<state> state_;
  detail::memory_map* map_ = nullptr;
  team world_;
};

/// Runs `body` on `pes` PEs that are threads of this process, each with a job of its own, and returns when
/// all have ended. For tests and for tools such as ThreadSanitizer; programs use processes.
void run_threads(pe_t pes, const std::function<void(job&)>& body);

} // namespace windrow
