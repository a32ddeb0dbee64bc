// SPDX-License-Identifier: BSD-3-Clause
#include "os/memory.hpp"

#include <fmt/format.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/fiber_local.hpp"
#include "base/options.hpp"
#include "os/control_group.hpp"
#include "windrow/error.hpp"

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U
#endif

namespace windrow::os {

namespace {

// A file that is too long would be a signal, not an error.
void require_file_of(std::size_t bytes) {
  rlimit limit{};
  ::getrlimit(RLIMIT_FSIZE, &limit);
  if (bytes <= limit.rlim_cur) return;
  throw error(
      fmt::format("cannot size shared memory to {}: files may have {} at most; lift that limit (ulimit -f)",
                  base::format_size(bytes), base::format_size(limit.rlim_cur)));
}

} // namespace

int create_shared_memory(std::size_t bytes, bool keep_on_exec) {
  require_file_of(bytes);
  const unsigned flags = keep_on_exec ? 0U : MFD_CLOEXEC;
  int fd = ::memfd_create("windrow", flags | MFD_NOEXEC_SEAL);
  if (fd < 0 && errno == EINVAL) fd = ::memfd_create("windrow", flags); // Linux before 6.3
  if (fd < 0) throw error(fmt::format("cannot create shared memory: {}", std::strerror(errno)));
  if (::ftruncate(fd, static_cast<off_t>(bytes)) != 0) {
    const int reason = errno;
    ::close(fd);
    throw error(
        fmt::format("cannot size shared memory to {}: {}; lower WINDROW_SYMMETRIC_SIZE or the number of PEs",
                    base::format_size(bytes), std::strerror(reason)));
  }
  return fd;
}

namespace {

error cannot_map(std::size_t bytes, const void* address, int reason) {
  const char* advice =
      reason == EEXIST
          ? "another library of this program has put its own memory there"
          : "lower WINDROW_SYMMETRIC_SIZE or lift the address-space limit (ulimit -v); processes "
            "need more than 46 bits of addresses";
  return error(fmt::format("cannot map {} of symmetric memory at {}: {}; {}", base::format_size(bytes),
                           address, std::strerror(reason), advice));
}

} // namespace

std::byte* try_map_shared_memory(int fd, std::size_t bytes, void* address) {
  const int placing = address != nullptr ? MAP_FIXED_NOREPLACE : 0;
  void* base = ::mmap(address, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | placing, fd, 0);
  if (base == MAP_FAILED) return nullptr;
  if (address == nullptr || base == address) return static_cast<std::byte*>(base);
  ::munmap(base, bytes);
  errno = EEXIST; // what Linux before 4.17 would have said
  return nullptr;
}

std::byte* map_shared_memory(int fd, std::size_t bytes, void* address) {
  auto* const base = try_map_shared_memory(fd, bytes, address);
  if (base == nullptr) throw cannot_map(bytes, address, errno);
  return base;
}

namespace {

constexpr std::size_t page_words = 4096 / sizeof(std::uint64_t);

// Volatile, and out of the sanitizers' sight: the page may hold variables with guards around them, which
// memcpy would be caught to read.
__attribute__((no_sanitize_address, no_sanitize_thread)) void copy_page_unless_zero(
    const volatile std::uint64_t* from, volatile std::uint64_t* to) {
  std::size_t first = 0;
  while (first < page_words && from[first] == 0) ++first;
  for (std::size_t i = first; i < page_words; ++i) to[i] = from[i];
}

} // namespace

void replace_by_shared(std::byte* begin, std::size_t bytes, int fd, std::size_t offset, std::byte* alias) {
  auto* from = reinterpret_cast<const std::uint64_t*>(begin);
  auto* to = reinterpret_cast<std::uint64_t*>(alias);
  for (std::size_t at = 0; at < bytes / sizeof *from; at += page_words)
    copy_page_unless_zero(from + at, to + at);
  const auto position = static_cast<off_t>(offset);
  if (::mmap(begin, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, position) != begin)
    throw error(fmt::format("cannot map {} of global variables as symmetric memory: {}",
                            base::format_size(bytes), std::strerror(errno)));
}

void replace_by_private(std::byte* begin, std::size_t bytes, int fd, std::size_t offset) {
  const auto position = static_cast<off_t>(offset);
  // A forked child that goes on to share the variables of its parent must not run.
  if (::mmap(begin, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, fd, position) != begin)
    std::abort();
}

void unmap(std::byte* base, std::size_t bytes) {
  ::munmap(base, bytes);
}

void prefer_huge_pages(std::byte* base, std::size_t bytes) {
  ::madvise(base, bytes, MADV_HUGEPAGE);
}

void keep_in_core_dumps(std::byte* base, std::size_t bytes, bool kept) {
  ::madvise(base, bytes, kept ? MADV_DODUMP : MADV_DONTDUMP);
}

std::uint64_t usable_memory() {
  const auto memory = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
                      static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return std::min(memory, control_groups().memory().value_or(memory));
}

namespace {
constinit thread_local const std::byte* end_of_other_stack = nullptr;
const base::fiber_local end_of_other_stack_is_local([]() -> auto& { return end_of_other_stack; });
} // namespace

void set_end_of_stack(const std::byte* lowest) {
  end_of_other_stack = lowest;
}

std::size_t default_stack_bytes() {
  pthread_attr_t attributes;
  std::size_t bytes = std::size_t{2} << 20;
  if (::pthread_getattr_default_np(&attributes) != 0) return bytes;
  ::pthread_attr_getstacksize(&attributes, &bytes);
  ::pthread_attr_destroy(&attributes);
  return bytes;
}

const std::byte* end_of_stack() {
  if (end_of_other_stack != nullptr) return end_of_other_stack;
  pthread_attr_t attributes;
  if (::pthread_getattr_np(::pthread_self(), &attributes) != 0) return nullptr;
  void* lowest = nullptr;
  std::size_t bytes = 0;
  if (::pthread_attr_getstack(&attributes, &lowest, &bytes) != 0) lowest = nullptr;
  ::pthread_attr_destroy(&attributes);
  return static_cast<const std::byte*>(lowest);
}

std::uint64_t address_space_limit() {
  rlimit limit{};
  ::getrlimit(RLIMIT_AS, &limit);
  return limit.rlim_cur; // RLIM_INFINITY is the largest number
}

} // namespace windrow::os
