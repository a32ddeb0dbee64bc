// SPDX-License-Identifier: BSD-3-Clause
#include "windrow/detail/code_address.hpp"

#include <fmt/format.h>
#include <link.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <span>
#include <unordered_map>
#include <utility>

#include "base/fatal.hpp"
#include "base/fingerprint.hpp"
#include "os/loaded_file.hpp"

namespace windrow::aggregation {

namespace {

/// A file of code that is loaded.
struct module {
  std::uintptr_t base;
  std::uint32_t tag; ///< tells it from others, and from other builds of itself
};

// Without a build id, what the segments look like has to do.
std::uint32_t tag_of(const dl_phdr_info& file) {
  const auto id = os::build_id_of(file);
  base::fingerprint tag;
  tag.add(id.empty() ? std::as_bytes(std::span(file.dlpi_phdr, file.dlpi_phnum)) : id);
  return static_cast<std::uint32_t>(tag.value());
}

bool holds(const dl_phdr_info& file, std::uintptr_t address) {
  for (const auto& h : std::span(file.dlpi_phdr, file.dlpi_phnum))
    if (h.p_type == PT_LOAD && address - (file.dlpi_addr + h.p_vaddr) < h.p_memsz) return true;
  return false;
}

/// Calls `is(file)` for the loaded files; the first for which it is true.
template <class Is>
module find_module(Is is) {
  struct search {
    Is is;
    module found;
  } s{is, {}};
  dl_iterate_phdr(
      [](dl_phdr_info* file, std::size_t, void* data) {
        auto& s = *static_cast<search*>(data);
        if (!s.is(*file)) return 0;
        s.found = {file->dlpi_addr, tag_of(*file)};
        return 1;
      },
      &s);
  return s.found;
}

} // namespace

std::uint64_t portable_address(const void* object) {
  const auto address = reinterpret_cast<std::uintptr_t>(object);
  const auto m = find_module([=](const dl_phdr_info& file) { return holds(file, address); });
  if (m.base == 0 && m.tag == 0)
    base::fatal(
        fmt::format("{} is no function of the program or its libraries: owners cannot call it", object));
  return std::uint64_t{m.tag} << 32 | static_cast<std::uint32_t>(address - m.base);
}

namespace {

const void* find_address(std::uint64_t portable) {
  const auto tag = static_cast<std::uint32_t>(portable >> 32);
  const auto offset = static_cast<std::uint32_t>(portable);
  const auto m = find_module(
      [=](const dl_phdr_info& file) { return tag_of(file) == tag && holds(file, file.dlpi_addr + offset); });
  if (m.base == 0 && m.tag == 0)
    base::fatal(
        "a message names a function of a file that this PE has not loaded; all PEs must run the same "
        "program, and load a library before one of them sends its functions");
  return reinterpret_cast<const void*>(m.base + offset);
}

using known_address = std::pair<const std::uint64_t, const void*>;

// Never destroyed: a job that is a global variable, or that an OpenSHMEM program leaves to the end of the
// process, handles messages when the variables of this library are gone already.
const known_address& find_known(std::uint64_t portable) {
  static constinit std::mutex mutex;
  static auto& all = *new std::unordered_map<std::uint64_t, const void*>;
  const std::lock_guard held(mutex);
  const auto [at, is_new] = all.try_emplace(portable);
  if (is_new) at->second = find_address(portable);
  return *at;
}

} // namespace

// What was found last is no variable of threads: modules that are loaded late get few bytes of these.
const void* local_address(std::uint64_t portable) {
  static constinit std::array<std::atomic<const known_address*>, 64> found_last{};
  auto& last = found_last[(portable >> 4) % found_last.size()];
  const auto* known = last.load(std::memory_order_acquire);
  if (known == nullptr || known->first != portable) [[unlikely]] {
    known = &find_known(portable);
    last.store(known, std::memory_order_release);
  }
  return known->second;
}

} // namespace windrow::aggregation
