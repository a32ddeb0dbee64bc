// SPDX-License-Identifier: BSD-3-Clause
// What instrumented code calls (windrow/detail/overlap_calls.h).
#include <fmt/format.h>
#include <malloc.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <unordered_set>

#include "base/fatal.hpp"
#include "base/options.hpp"
#include "os/fork.hpp"
#include "overlap/recorder.hpp"
#include "shmem.h"
#include "shmem/state.hpp"

extern "C" {
unsigned char* windrow_overlap_pages = nullptr;
unsigned char windrow_overlap_open = 0;
}

namespace windrow::overlap {

namespace {

#ifdef __aarch64__
constexpr unsigned address_bits = 48;
#else
constexpr unsigned address_bits = 47;
#endif

// The kernel gives memory to those pages alone that are touched.
void reserve_pages() {
  if (windrow_overlap_pages != nullptr) return;
  const auto bytes = std::size_t{1} << (address_bits - tracked_memory::page_bits);
  void* const at =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED)
    base::fatal(fmt::format("a program compiled with -foverlap needs {} of address space, and gets none: {}",
                            base::format_size(bytes), std::strerror(errno)));
  windrow_overlap_pages = static_cast<unsigned char*>(at);
}

std::unordered_set<const void*>& instrumented_functions() {
  static std::unordered_set<const void*> all;
  return all;
}

recorder* current = nullptr;
bool is_decided = false;

void write_out() {
  if (current != nullptr) current->finish(false);
}
void write_to_end() {
  if (current != nullptr) current->finish(true);
}

void refuse_threads() {
  int level = SHMEM_THREAD_SINGLE;
  pshmem_query_thread(&level);
  if (level > SHMEM_THREAD_FUNNELED)
    base::fatal(
        "windrow overlap: this program lets several of its threads call OpenSHMEM, which cannot be recorded; "
        "ask "
        "shmem_init_thread for SHMEM_THREAD_FUNNELED");
}

bool wants_all_accesses() {
  const bool all = base::flag_option("WINDROW_OVERLAP_ACCESSES", false);
  if (all && shmem::hot.heap_bytes == 0)
    base::fatal("windrow overlap: accesses cannot be recorded with SHMEM_DEBUG; set one of the two");
  return all;
}

// Once the library runs. Any thread may be first, but none before shmem_init.
recorder* choose() {
  if (shmem::cold.now != shmem::phase::running) return nullptr;
  is_decided = true;
  const auto file = base::text_option("WINDROW_OVERLAP_FILE");
  if (!file) return nullptr;
  refuse_threads();
  try {
    current = new recorder(*file, wants_all_accesses(), {windrow_overlap_pages, &windrow_overlap_open});
  } catch (const std::exception& problem) {
    base::fatal(problem.what());
  }
  base::before_end(write_out);
  static const os::in_forked_children in_children([] { current = nullptr; });
  std::atexit(write_to_end);
  return current;
}

recorder* active() {
  return is_decided ? current : choose();
}

} // namespace

} // namespace windrow::overlap

using namespace windrow::overlap; // everything below is the C interface

void windrow_overlap_load(const void* at, std::uint64_t bytes, windrow_overlap_site* site) {
  if (current != nullptr) current->access(at, bytes, *site, action::load);
}
void windrow_overlap_store(const void* at, std::uint64_t bytes, windrow_overlap_site* site) {
  if (current != nullptr) current->access(at, bytes, *site, action::store);
}
void windrow_overlap_poll(const void* at, std::uint64_t bytes, windrow_overlap_site* site) {
  if (current != nullptr) current->poll(at, bytes, *site);
}
void windrow_overlap_range(const void* at, std::uint64_t bytes, windrow_overlap_site* site, int store) {
  if (current != nullptr) current->access(at, bytes, *site, store != 0 ? action::store : action::load);
}
void windrow_overlap_dies(const void* at, std::uint64_t bytes, windrow_overlap_site* site) {
  if (current == nullptr || at == nullptr) return;
  if (bytes == UINT64_MAX) bytes = ::malloc_usable_size(const_cast<void*>(at));
  current->access(at, bytes, *site, action::end_of_life);
}
void windrow_overlap_foreign(const void* function, windrow_overlap_site* site) {
  if (current != nullptr && !instrumented_functions().contains(function)) current->foreign(*site);
}
void windrow_overlap_begin(windrow_overlap_call* call) {
  auto* const to = active();
  if (to == nullptr) return;
  to->begin(*call);
  if (call->flags & WINDROW_OVERLAP_LAST) to->finish(true);
}
void windrow_overlap_end(windrow_overlap_call* call) {
  if (call->begin_ns == 0)
    active(); // it was shmem_init
  else if (current != nullptr)
    current->end(*call);
}
void windrow_overlap_instrumented(const void* const* functions, std::uint64_t count) {
  reserve_pages(); // this comes before what programs and libraries construct, which reads it
  instrumented_functions().insert(functions, functions + count);
}
