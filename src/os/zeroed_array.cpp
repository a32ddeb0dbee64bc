// SPDX-License-Identifier: BSD-3-Clause
#include "os/zeroed_array.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <new>

#include "base/options.hpp"
#include "windrow/error.hpp"

namespace windrow::os {

namespace {

constexpr std::size_t several_pages = std::size_t{8} << 10;
constexpr auto line = std::align_val_t{64};

error no_memory(std::size_t bytes) {
  return error(
      fmt::format("no memory for a table of {}: {}", base::format_size(bytes), std::strerror(errno)));
}

// Huge pages would commit the places between those that are used.
std::byte* map_zeroed(std::size_t bytes) {
  void* const first =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (first == MAP_FAILED) throw no_memory(bytes);
  ::madvise(first, bytes, MADV_NOHUGEPAGE);
  return static_cast<std::byte*>(first);
}

} // namespace

std::byte* take_zeroed(std::size_t bytes) {
  if (bytes >= several_pages) return map_zeroed(bytes);
  void* const first = ::operator new(bytes, line, std::nothrow);
  if (first == nullptr) throw no_memory(bytes);
  return static_cast<std::byte*>(std::memset(first, 0, bytes));
}

void give_zeroed(std::byte* first, std::size_t bytes) noexcept {
  if (first == nullptr) return;
  if (bytes >= several_pages)
    ::munmap(first, bytes);
  else
    ::operator delete(first, line);
}

} // namespace windrow::os
