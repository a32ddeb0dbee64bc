// SPDX-License-Identifier: BSD-3-Clause
// What the C interface knows about the job, and how addresses and PE numbers become places.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "shmem/work_arrays.hpp"
#include "windrow/detail/lanes.hpp"
#include "windrow/detail/memory_map.hpp"
#include "windrow/job.hpp"

struct shmem_team_object;

/// A context: whose PE numbers its operations use, and how they travel.
struct shmem_ctx_object {
  int start = 0, stride = 1, size = 0; ///< PE p of its team is PE start + p * stride of the job
  bool aggregated = false;
  shmem_team_object* team = nullptr;
};

namespace windrow::shmem {

/// What nearly every call reads. Before shmem_init, after shmem_finalize, with checks on and where PEs are at
/// a distance or on several hosts `heap_bytes` is 0, so that every access takes the slow path, which looks
/// closer.
struct hot_state {
  std::uintptr_t heap = 0; ///< address of this PE's
  std::size_t heap_bytes = 0;
  std::ptrdiff_t stride = 0;
  int pe = 0;
  unsigned pes = 0;
  detail::memory_map* map = nullptr;
  aggregation::lanes* lanes = nullptr;
  pgas::core* core = nullptr;
  deferral::scheduler* deferred = nullptr;
  bool loads_directly = true;
  bool owes_items = false; ///< to owners, of bodies on contexts that do not aggregate: till the next quiet
  transport::other_hosts* elsewhere = nullptr; ///< see far_memory.hpp
  // The largest part of the global variables; `heap_bytes` says when `data_bytes` is 0.
  std::uintptr_t data = 0;
  std::size_t data_bytes = 0;
  std::byte* data_of_first = nullptr; ///< PE 0's copy
  std::uintptr_t plausible = 1; ///< local addresses below are looked at closer: null, or with checks on all
};
[[gnu::visibility("hidden")]] extern constinit hot_state hot;

enum class phase { before, running, after };

/// The rest: needed rarely.
struct cold_state {
  windrow::job* job = nullptr;
  phase now = phase::before;
  int thread_level = 0;
  int inits = 0;      ///< calls of shmem_init that shmem_finalize has not matched yet
  bool debug = false; ///< SHMEM_DEBUG
};
[[gnu::visibility("hidden")]] extern constinit cold_state cold;

/// In calls by which PEs may learn something of each other. Those that access symmetric memory by address are
/// noted by themselves.
inline void note_call() {
  if (cold.debug) end_last_use();
}

/// For a call before shmem_init or after the last shmem_finalize: ends the job with a sentence.
[[noreturn]] void not_running(const char* routine);
inline void require_running(const char* routine) {
  if (cold.now != phase::running) [[unlikely]]
    not_running(routine);
}
/// The same, and returns the job.
windrow::job& running_job(const char* routine);

/// The offset of an object in this PE's segment, or nothing if it is not symmetric as a whole.
std::optional<std::uint64_t> find_symmetric(const void* object, std::size_t bytes);
/// The same; ends the job if there is none.
std::uint64_t symmetric_offset(const void* object, std::size_t bytes, const char* routine);
/// The same for objects of this PE that other PEs are to change, with SHMEM_DEBUG only.
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
/// The same for an argument by which a routine reads or writes memory of this PE. hot: one comparison.
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

/// As `remote_bytes`, for everything that is not in the heap.
std::byte* remote_data(const void* object, std::size_t bytes, int pe, const char* routine);

/// Where PE `pe` has its copy of `bytes` bytes of a symmetric object. hot: two comparisons, one
/// multiplication.
inline std::byte* remote_bytes(const void* object, std::size_t bytes, int pe, const char* routine) {
  const auto address = reinterpret_cast<std::uintptr_t>(object);
  const auto offset = address - hot.heap;
  if (static_cast<unsigned>(pe) >= hot.pes || offset >= hot.heap_bytes || bytes > hot.heap_bytes - offset)
      [[unlikely]]
    return remote_data(object, bytes, pe, routine);
  return reinterpret_cast<std::byte*>(address + static_cast<std::uintptr_t>((pe - hot.pe) * hot.stride));
}
template <class T>
T* remote(T* object, int pe, const char* routine) {
  const auto address = reinterpret_cast<std::uintptr_t>(object);
  // A heap is a multiple of every alignment, so an aligned object that begins in it also ends there.
  if (static_cast<unsigned>(pe) >= hot.pes || address - hot.heap >= hot.heap_bytes) [[unlikely]]
    return reinterpret_cast<T*>(remote_data(object, sizeof(T), pe, routine));
  return reinterpret_cast<T*>(address + static_cast<std::uintptr_t>((pe - hot.pe) * hot.stride));
}
inline std::uint64_t offset_of(const void* object, std::size_t bytes, const char* routine) {
  const auto offset = reinterpret_cast<std::uintptr_t>(object) - hot.heap;
  return offset < hot.heap_bytes ? offset : symmetric_offset(object, bytes, routine);
}

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
  bool aggregated() const { return ctx_->aggregated; }
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
