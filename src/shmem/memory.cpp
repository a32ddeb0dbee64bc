// SPDX-License-Identifier: BSD-3-Clause
// The symmetric heap.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <map>
#include <optional>

#include "base/fatal.hpp"
#include "pgas/core.hpp"
#include "shmem/define.hpp"
#include "shmem/ordering.hpp"
#include "shmem/remote_word.hpp"
#include "windrow/detail/copy.hpp"
#include "windrow/detail/round_up.hpp"

namespace windrow::shmem {

namespace {

constexpr std::size_t line = 64;

void* heap_address(std::uint64_t offset) {
  return reinterpret_cast<void*>(hot.heap + offset);
}

// Different requests would give the PEs different addresses from then on.
void require_same(const windrow::job& j, std::size_t size, const char* routine) {
  if (!cold.debug && !j.core().checks()) return;
  if (j.world().min(size) != j.world().max(size))
    base::fatal(fmt::format("{}: PEs asked for different sizes (here: {} bytes)", routine, size));
}

// Blocks whose alignment is larger than the heap's own begin inside of an allocation: where that begins.
std::map<std::uint64_t, std::uint64_t>& allocations_around() {
  static auto* const around = new std::map<std::uint64_t, std::uint64_t>; // outlives main
  return *around;
}

// Where the distance of PEs is no multiple of the alignment, no offset is good for all of them.
std::optional<std::uint64_t> take_inside(std::size_t size, std::size_t alignment) {
  if (hot.pes > 1 && static_cast<std::size_t>(hot.stride) % alignment != 0) return {};
  if (size > std::numeric_limits<std::size_t>::max() - alignment) return {};
  const auto around = hot.core->symmetric_heap().allocate(size + alignment, pgas::heap::max_alignment);
  if (!around) return {};
  const auto inside = detail::round_up(hot.heap + *around, alignment) - hot.heap;
  allocations_around()[inside] = *around;
  return inside;
}

std::optional<std::uint64_t> take(std::size_t size, std::size_t alignment) {
  const auto lock = hot.core->exclusive();
  if (alignment > pgas::heap::max_alignment) return take_inside(size, alignment);
  return hot.core->symmetric_heap().allocate(size, alignment);
}

std::optional<std::uint64_t> take_zeroed(std::size_t size) {
  const auto lock = hot.core->exclusive();
  return hot.core->allocate_zeroed(size, line);
}

/// Where the allocation begins that is, or is around, the block at `memory`. Ends the job if there is none.
std::uint64_t allocation_of(const void* memory, const char* routine) {
  const auto offset = reinterpret_cast<std::uintptr_t>(memory) - hot.heap;
  const auto& heap = hot.core->symmetric_heap();
  if (heap.size_at(offset)) return offset;
  const auto inside = allocations_around().find(offset);
  if (inside != allocations_around().end() && heap.size_at(inside->second)) return inside->second;
  base::fatal(fmt::format("{}: {} is not the start of an allocation of the symmetric heap (freed already?)",
                          routine, memory));
}

void give_back(const void* memory, const char* routine) {
  const auto lock = hot.core->exclusive();
  hot.core->symmetric_heap().release(allocation_of(memory, routine));
  allocations_around().erase(reinterpret_cast<std::uintptr_t>(memory) - hot.heap);
}

/// From the beginning of its allocation.
std::size_t place_within(const void* memory, std::uint64_t begin) {
  return reinterpret_cast<std::uintptr_t>(memory) - hot.heap - begin;
}

std::size_t size_of(const void* memory, const char* routine) {
  const auto lock = hot.core->exclusive();
  const auto begin = allocation_of(memory, routine);
  return hot.core->symmetric_heap().size_at(begin).value_or(0) - place_within(memory, begin);
}

bool resize_in_place(const void* memory, std::size_t size, const char* routine) {
  const auto lock = hot.core->exclusive();
  const auto begin = allocation_of(memory, routine);
  const auto before = place_within(memory, begin);
  return size <= std::numeric_limits<std::size_t>::max() - before &&
         hot.core->symmetric_heap().resize(begin, before + size);
}

// What shmem_barrier_all does: the others may read what this PE has put before.
void barrier_all(const windrow::job& j) {
  complete_begun();
  note_call();
  j.barrier();
}

// Every PE finds the same place, or none, by itself; the barrier keeps others from using it too early.
void* allocate(std::size_t size, std::size_t alignment, const char* routine) {
  auto& j = running_job(routine);
  require_same(j, size, routine);
  if (size == 0) return nullptr;
  const auto offset = take(size, alignment);
  barrier_all(j);
  return offset ? heap_address(*offset) : nullptr;
}

void* allocate_aligned(std::size_t alignment, std::size_t size, const char* routine) {
  running_job(routine);
  if (!std::has_single_bit(alignment)) return nullptr;
  return allocate(size, std::max(alignment, line), routine);
}

void release(void* memory, const char* routine) {
  if (cold.exits) return;
  auto& j = running_job(routine);
  if (memory == nullptr) return;
  barrier_all(j); // somebody may have begun to write there
  give_back(memory, routine);
}

void* reallocate(void* memory, std::size_t size, const char* routine) {
  if (memory == nullptr) return allocate(size, line, routine);
  if (size == 0) return release(memory, routine), nullptr;
  auto& j = running_job(routine);
  require_same(j, size, routine);
  if (resize_in_place(memory, size, routine)) {
    barrier_all(j);
    return memory;
  }
  const auto old_size = size_of(memory, routine);
  const auto offset = take(size, line);
  barrier_all(j);
  if (!offset) return nullptr;
  detail::copy_bytes(heap_address(*offset), memory, std::min(size, old_size));
  give_back(memory, routine);
  j.barrier();
  return heap_address(*offset);
}

void* allocate_zeroed(std::size_t count, std::size_t size, const char* routine) {
  auto& j = running_job(routine);
  if (size != 0 && count > std::numeric_limits<std::size_t>::max() / size) return nullptr;
  require_same(j, count * size, routine);
  if (count * size == 0) return nullptr;
  const auto offset = take_zeroed(count * size);
  barrier_all(j);
  return offset ? heap_address(*offset) : nullptr;
}

} // namespace

void forget_allocations() {
  allocations_around().clear();
}

} // namespace windrow::shmem

using namespace windrow::shmem; // everything below is the C interface

SHMEM_FUNCTION(void*, shmem_malloc, (size_t size)) {
  return allocate(size, line, ROUTINE);
}
// All memory here is equally good for atomics and signals.
SHMEM_FUNCTION(void*, shmem_malloc_with_hints, (size_t size, long)) {
  return allocate(size, line, ROUTINE);
}
SHMEM_FUNCTION(void*, shmem_calloc, (size_t count, size_t size)) {
  return allocate_zeroed(count, size, ROUTINE);
}
SHMEM_FUNCTION(void*, shmem_align, (size_t alignment, size_t size)) {
  return allocate_aligned(alignment, size, ROUTINE);
}
SHMEM_FUNCTION(void*, shmem_realloc, (void* ptr, size_t size)) {
  return reallocate(ptr, size, ROUTINE);
}
SHMEM_FUNCTION(void, shmem_free, (void* ptr)) {
  release(ptr, ROUTINE);
}
SHMEM_FUNCTION(void*, shmalloc, (size_t size)) {
  return allocate(size, line, ROUTINE);
}
SHMEM_FUNCTION(void*, shmemalign, (size_t alignment, size_t size)) {
  return allocate_aligned(alignment, size, ROUTINE);
}
SHMEM_FUNCTION(void*, shrealloc, (void* ptr, size_t size)) {
  return reallocate(ptr, size, ROUTINE);
}
SHMEM_FUNCTION(void, shfree, (void* ptr)) {
  release(ptr, ROUTINE);
}
