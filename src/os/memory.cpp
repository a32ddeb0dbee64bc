// SPDX-License-Identifier: BSD-3-Clause
#include "os/memory.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "base/options.hpp"
#include "windrow/error.hpp"

namespace windrow::os {

int create_shared_memory(std::size_t bytes, bool keep_on_exec) {
  const int fd = ::memfd_create("windrow", keep_on_exec ? 0U : MFD_CLOEXEC);
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

std::byte* map_shared_memory(int fd, std::size_t bytes, void* address) {
  const int placing = address != nullptr ? MAP_FIXED_NOREPLACE : 0;
  void* base = ::mmap(address, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | placing, fd, 0);
  if (base == MAP_FAILED || (address != nullptr && base != address))
    throw error(
        fmt::format("cannot map {} of symmetric memory at {}: {}; lower WINDROW_SYMMETRIC_SIZE or lift "
                    "the address-space limit (ulimit -v)",
                    base::format_size(bytes), address, std::strerror(errno)));
  return static_cast<std::byte*>(base);
}

void replace_by_shared(std::byte* begin, std::size_t bytes, int fd, std::size_t offset, std::byte* alias) {
  constexpr std::size_t page = 4096;
  static constexpr std::byte zeros[page]{};
  for (std::size_t at = 0; at < bytes; at += page)
    if (std::memcmp(begin + at, zeros, page) != 0) std::memcpy(alias + at, begin + at, page);
  const auto position = static_cast<off_t>(offset);
  if (::mmap(begin, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, position) != begin)
    throw error(fmt::format("cannot map {} of global variables as symmetric memory: {}",
                            base::format_size(bytes), std::strerror(errno)));
}

void unmap(std::byte* base, std::size_t bytes) {
  ::munmap(base, bytes);
}

void prefer_huge_pages(std::byte* base, std::size_t bytes) {
  ::madvise(base, bytes, MADV_HUGEPAGE);
}

std::uint64_t usable_memory() {
  auto memory = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
                static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  // Control groups, version 2 then 1; "max" or an absent file means no limit.
  for (const char* path : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    std::ifstream file(path);
    if (std::uint64_t limit = 0; file >> limit) memory = std::min(memory, limit);
  }
  return memory;
}

std::uint64_t address_space_limit() {
  rlimit limit{};
  ::getrlimit(RLIMIT_AS, &limit);
  return limit.rlim_cur; // RLIM_INFINITY is the largest number
}

} // namespace windrow::os
