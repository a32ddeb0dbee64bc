// SPDX-License-Identifier: BSD-3-Clause
#include "shmem/state.hpp"

#include <fmt/format.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "base/fatal.hpp"
#include "pgas/core.hpp"
#include "pgas/owner_process.hpp"
#include "shmem/contexts.hpp"
#include "shmem/data_segments.hpp"
#include "shmem/ordering.hpp"
#include "transport/hook/latency_model.hpp"
#include "transport/shm/membership.hpp"

namespace windrow::shmem {

constinit hot_state hot;
constinit cold_state cold;
constinit thread_local bool ends_process = false;

namespace {

// Before shmem_init nobody knows yet which PE speaks.
[[noreturn]] void end_job(const std::string& sentence) {
  if (cold.now == phase::before) {
    const auto membership = transport::take_membership(); // this process is going to be that PE no more
    base::set_speaker(fmt::format("PE {}", membership ? membership->pe : 0));
  }
  base::fatal(sentence);
}

// Of an operation that is called with something wrong: what the program has deferred before comes before, as
// far as that can run.
[[noreturn]] void refuse(const std::string& sentence) {
  run_deferred_before_end();
  base::fatal(sentence);
}

} // namespace

void not_running(const char* routine) {
  if (cold.now == phase::before) end_job(fmt::format("{} was called before shmem_init", routine));
  if (pgas::in_forked_child()) base::fatal(fmt::format("{}: {}", routine, pgas::why_closed()));
  if (cold.now == phase::ending && !ends_process) return;
  // Without it, the job was the program's own, and is closed.
  base::fatal(fmt::format("{} was called after {}", routine,
                          cold.inits > 0 ? "the end of the windrow::job" : "shmem_finalize"));
}

windrow::job& running_job(const char* routine) {
  require_running(routine);
  return *cold.job;
}

std::optional<std::uint64_t> find_symmetric(const void* object, std::size_t bytes) {
  const auto heap_bytes = hot.core->link().symmetric().bytes;
  const auto offset = reinterpret_cast<std::uintptr_t>(object) - hot.heap;
  if (offset < heap_bytes && bytes <= heap_bytes - offset) return offset;
  return find_in_data(object, bytes);
}

std::optional<reached_copy> find_copy(const void* object, std::size_t bytes) {
  if (const auto own = find_symmetric(object, bytes)) return reached_copy{hot.pe, *own};
  const auto& map = *hot.map;
  const auto from_first = static_cast<std::size_t>(static_cast<const std::byte*>(object) - map.first);
  const auto pe = from_first / map.stride;
  const auto offset = from_first % map.stride;
  if (pe >= hot.pes || !map.is_addressable(static_cast<pe_t>(pe)) || offset >= map.bytes ||
      bytes > map.bytes - offset)
    return std::nullopt;
  return reached_copy{static_cast<int>(pe), offset};
}

namespace {

void require_allocated(const void* object, std::uint64_t offset, std::size_t bytes, const char* routine) {
  const auto lock = hot.core->exclusive();
  if (offset >= hot.core->link().symmetric().bytes || hot.core->symmetric_heap().holds(offset, bytes)) return;
  refuse(fmt::format("{}: {} bytes at {} of the symmetric heap are not allocated (freed already?)", routine,
                     bytes, object));
}

} // namespace

std::uint64_t symmetric_offset(const void* object, std::size_t bytes, const char* routine) {
  require_running(routine);
  const auto offset = find_symmetric(object, bytes);
  if (!offset)
    refuse(
        fmt::format("{}: {} bytes at address {} are not symmetric: neither in the symmetric heap nor global "
                    "or static variables",
                    routine, bytes, object));
  if (!cold.debug) return *offset;
  note_call();
  require_allocated(object, *offset, bytes, routine);
  return *offset;
}

namespace {

// Without a signal if it may not: the system calls that debuggers use. Where they are forbidden, everything
// is allowed.
bool may_use(const void* at, local_use use) {
  std::byte byte{};
  const iovec mine{&byte, 1}, there{const_cast<void*>(at), 1};
  if (::process_vm_readv(::getpid(), &mine, 1, &there, 1, 0) < 0 && errno == EFAULT) return false;
  // What is to be overwritten may be written with what it is.
  return use == local_use::read || ::process_vm_writev(::getpid(), &mine, 1, &there, 1, 0) > 0 ||
         errno != EFAULT;
}

} // namespace

std::size_t checked_offset(const void* object, std::size_t bytes, int pe, const char* routine) {
  require_running(routine);
  if (static_cast<unsigned>(pe) >= hot.pes)
    refuse(fmt::format("{}: PE {} does not exist; this job has PEs 0 to {}", routine, pe, hot.pes - 1));
  return bytes == 0 ? 0 : symmetric_offset(object, bytes, routine); // nothing is there, wherever it is
}

std::byte* remote_slowly(detail::place at, std::size_t bytes, const char* routine) {
  auto* const there = hot.map->address(at.pe, at.offset, bytes, routine);
  hot.map->settle();
  if (hot.map->latency != nullptr && !hot.map->is_on_other_host(at.pe))
    hot.map->latency->operate({at.pe, bytes, 0}, [] {});
  return there;
}

void* addressable_copy(const void* object, int pe) {
  const auto offset = find_symmetric(object, 1);
  if (!offset || !hot.map->is_addressable(pe)) return nullptr;
  expect_silent_accesses();
  return pe == hot.pe ? const_cast<void*>(object) : hot.map->segment(pe) + *offset;
}

void inspect_local(const void* at, std::size_t bytes, local_use use, const char* name, const char* routine) {
  if (at == nullptr) end_job(fmt::format("{}: {} is a null pointer", routine, name));
  if (!cold.debug || bytes == 0) return;
  for (const auto* byte : {static_cast<const std::byte*>(at), static_cast<const std::byte*>(at) + bytes - 1})
    if (!may_use(byte, use))
      base::fatal(fmt::format("{}: {} is wild: this process has no {} memory at {}", routine, name,
                              use == local_use::read ? "readable" : "writable",
                              static_cast<const void*>(byte)));
}

void members_of::invalid_context(const char* routine) {
  require_running(routine);
  refuse(fmt::format("{}: the context is SHMEM_CTX_INVALID", routine));
}

void members_of::no_such_member(int pe, int size, const char* routine) {
  require_running(routine);
  if (size == 0) no_such_context(routine);
  refuse(fmt::format("{}: PE {} does not exist; the context's team has PEs 0 to {}", routine, pe, size - 1));
}

} // namespace windrow::shmem
