// SPDX-License-Identifier: BSD-3-Clause
// What the C interface knows about the job, and how addresses and PE numbers become places.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "shmem/work_arrays.hpp"
#include "windrow/detail/direct.hpp"
#include "windrow/detail/inline.hpp"
#include "windrow/detail/lanes.hpp"
#include "windrow/detail/thread_sanitizer.hpp"
#include "windrow/job.hpp"

struct shmem_team_object;

namespace windrow::deferral {
class scheduler;
}

/// A context: whose PE numbers its operations use, and how they travel.
struct shmem_ctx_object {
  int start = 0, stride = 1, size = 0; ///< PE p of its team is PE start + p * stride of the job
  bool aggregated = false;
  bool of_one_thread = false; ///< SHMEM_CTX_PRIVATE
  shmem_team_object* team = nullptr;
};

namespace windrow::shmem {

/// Where aligned allocations lie is forgotten with the allocations (memory.cpp).
void forget_allocations();

/// What nearly every call reads. Before shmem_init, after shmem_finalize and with checks on `heap_bytes` is
/// 0, so that every access takes the slow path, which looks closer.
struct hot_state {
  std::uintptr_t heap = 0; ///< address of this PE's
  std::size_t heap_bytes = 0;
  std::ptrdiff_t stride = 0;
  int pe = 0;
  unsigned pes = 0;
  detail::memory_map* map = nullptr;
  aggregation::lanes* lanes = nullptr; ///< null where each thread has its own (storing.hpp)
  pgas::core* core = nullptr;
  deferral::scheduler* deferred = nullptr;
  bool loads_directly = true;
  bool owes_items = false; ///< bodies to owners, since all was complete
  // The largest part of the global variables; `heap_bytes` says when `data_bytes` is 0.
  std::uintptr_t data = 0;
  std::size_t data_bytes = 0;
  std::size_t data_offset = 0;  ///< in the segment
  std::uintptr_t plausible = 1; ///< local addresses below are looked at closer: null, or with checks on all
};
[[gnu::visibility("hidden")]] extern constinit hot_state hot;

/// `ending`: a thread has called shmem_global_exit; the others go on until the process has ended.
enum class phase { before, running, ending, after };

/// The rest: needed rarely.
struct cold_state {
  windrow::job* job = nullptr;
  phase now = phase::before;
  int thread_level = 0;
  int inits = 0;      ///< calls of shmem_init that shmem_finalize has not matched yet
  bool debug = false; ///< SHMEM_DEBUG
  bool exits = false; ///< the process ends, and with it what there was to finalize or to release
};
[[gnu::visibility("hidden")]] extern constinit cold_state cold;

/// It is this thread that ends the process.
[[gnu::visibility("hidden")]] extern constinit thread_local bool ends_process;

/// In calls by which PEs may learn something of each other. Those that access symmetric memory by address are
/// noted by themselves.
inline void note_call() {
  if (cold.debug) end_last_use();
}

/// For a call before shmem_init or after the last shmem_finalize: ends the job with a sentence. Returns where
/// another thread ends the process.
void not_running(const char* routine);
inline void require_running(const char* routine) {
  if (cold.now != phase::running) [[unlikely]]
    not_running(routine);
}
/// Requires that the job runs, and returns it.
windrow::job& running_job(const char* routine);

/// The offset of an object in this PE's segment, or nothing if it is not symmetric as a whole.
std::optional<std::uint64_t> find_symmetric(const void* object, std::size_t bytes);
/// Whose copy of a symmetric object begins there, as loads and stores here reach it, and its offset.
struct reached_copy {
  int pe;
  std::uint64_t offset;
};
std::optional<reached_copy> find_copy(const void* object, std::size_t bytes);
/// The offset of a symmetric object; ends the job if there is none.
std::uint64_t symmetric_offset(const void* object, std::size_t bytes, const char* routine);
/// Requires that an object that other PEs are to change is symmetric; with SHMEM_DEBUG only.
inline void symmetric_in_debug(const void* object, std::size_t bytes, const char* routine) {
  if (cold.debug) symmetric_offset(object, bytes, routine);
}

/// Ends the job if `at` is null, or, with SHMEM_DEBUG, if this process may not read, or write, the bytes
/// there.
enum class local_use { read, write };
void inspect_local(const void* at, std::size_t bytes, local_use, const char* name, const char* routine);
inline bool is_plausible(const void* at) {
  return reinterpret_cast<std::uintptr_t>(at) >= hot.plausible;
}
/// Requires that an argument by which a routine reads or writes memory of this PE is plausible. hot: one
/// comparison.
inline void require_local(const void* at, std::size_t bytes, local_use use, const char* name,
                          const char* routine) {
  if (!is_plausible(at)) [[unlikely]]
    inspect_local(at, bytes, use, name, routine);
}
inline void require_source(const void* at, std::size_t bytes, const char* routine) {
  require_local(at, bytes, local_use::read, "source", routine);
}
inline void require_dest(void* at, std::size_t bytes, const char* routine) {
  require_local(at, bytes, local_use::write, "dest", routine);
}

/// The offset of a symmetric object, after all checks. Ends the job for one that is none, or for a PE that
/// does not exist.
std::size_t checked_offset(const void* object, std::size_t bytes, int pe, const char* routine);

/// PE `pe`'s copy of `bytes` bytes of a symmetric object, first looked for among the global variables.
inline detail::place place_of(const void* object, std::size_t bytes, int pe, const char* routine) {
  const auto address = reinterpret_cast<std::uintptr_t>(object), at = address - hot.data;
  const bool in_data =
      static_cast<unsigned>(pe) < hot.pes && at < hot.data_bytes && bytes <= hot.data_bytes - at;
  const auto offset = in_data ? hot.data_offset + at : checked_offset(object, bytes, pe, routine);
  // ThreadSanitizer goes by addresses, and the program uses its own.
  if constexpr (detail::thread_sanitizer)
    if (pe == hot.pe && bytes > 0 && hot.map->is_plain(pe)) return {pe, true, address - hot.heap};
  return hot.map->known(pe, offset);
}
/// The copy of a value in the heap; not plain for any other. hot: two comparisons. A heap is a multiple of
/// every alignment, so an aligned object that begins in it also ends there.
template <class T>
WINDROW_INLINE detail::place place_in_heap(const T* object, int pe) {
  const auto offset = reinterpret_cast<std::uintptr_t>(object) - hot.heap;
  if (offset >= hot.heap_bytes || !hot.map->is_plain(pe)) [[unlikely]]
    return {pe, false, offset};
  return {pe, true, offset};
}

/// Whether the copy of a value is in the heap, and plain: as `place_in_heap` says, for a branch at once.
WINDROW_INLINE bool is_plain_in_heap(const void* object, int pe) {
  return reinterpret_cast<std::uintptr_t>(object) - hot.heap < hot.heap_bytes && hot.map->is_plain(pe);
}

/// The place of a range in the heap.
WINDROW_INLINE detail::place range_in_heap(const void* object, std::size_t bytes, int pe) {
  const auto offset = reinterpret_cast<std::uintptr_t>(object) - hot.heap;
  if (offset >= hot.heap_bytes || bytes > hot.heap_bytes - offset || !hot.map->is_plain(pe)) [[unlikely]]
    return {pe, false, offset};
  return {pe, true, offset};
}

/// The address of a copy that is on this host; where PEs are at a distance, after a round trip.
std::byte* remote_slowly(detail::place, std::size_t bytes, const char* routine);
inline std::byte* remote_bytes(const void* object, std::size_t bytes, int pe, const char* routine) {
  auto at = range_in_heap(object, bytes, pe);
  if (!at.plain) at = place_of(object, bytes, pe, routine);
  return at.plain ? detail::direct::address(*hot.map, at) : remote_slowly(at, bytes, routine);
}
template <class T>
T* remote(T* object, int pe, const char* routine) {
  const auto at = place_in_heap(object, pe);
  return reinterpret_cast<T*>(at.plain ? detail::direct::address(*hot.map, at)
                                       : remote_bytes(object, sizeof(T), pe, routine));
}
/// The address of an existing PE's copy of an object for plain loads and stores, or null if there is none.
void* addressable_copy(const void* object, int pe);

inline std::uint64_t offset_of(const void* object, std::size_t bytes, const char* routine) {
  const auto offset = reinterpret_cast<std::uintptr_t>(object) - hot.heap;
  return offset < hot.heap_bytes ? offset : symmetric_offset(object, bytes, routine);
}

/// A routine of the C interface that runs, for functions that are inlined into it.
struct routine {
  const char* name;
  WINDROW_INLINE detail::caller called() const { return {name, __builtin_return_address(0)}; }
};

/// Where operations without a context go: PE numbers are those of the job.
struct everyone {
  static constexpr bool aggregated() { return false; }
  static constexpr int job_pe(int pe, const char*) { return pe; }
};

/// Where operations with a context go.
class members_of {
 public:
  members_of(const shmem_ctx_object* ctx, const char* routine) : ctx_(ctx) {
    if (ctx == nullptr) [[unlikely]]
      invalid_context(routine);
  }
  WINDROW_INLINE bool aggregated() const { return ctx_->aggregated; }
  int job_pe(int pe, const char* routine) const {
    if (static_cast<unsigned>(pe) >= static_cast<unsigned>(ctx_->size)) [[unlikely]]
      no_such_member(pe, ctx_->size, routine);
    return ctx_->start + pe * ctx_->stride;
  }

 private:
  [[noreturn]] static void invalid_context(const char* routine);
  [[noreturn]] static void no_such_member(int pe, int size, const char* routine);

  const shmem_ctx_object* ctx_;
};

} // namespace windrow::shmem
