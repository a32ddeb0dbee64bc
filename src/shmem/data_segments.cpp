// SPDX-License-Identifier: BSD-3-Clause
#include "shmem/data_segments.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "aggregation/engine.hpp"
#include "base/fatal.hpp"
#include "base/fingerprint.hpp"
#include "base/options.hpp"
#include "pgas/core.hpp"
#include "transport/mpi/load.hpp"

namespace windrow::shmem {

namespace {

constexpr std::uintptr_t page = 4096;

std::span<const data_range> ranges; ///< looked at by many threads, also at exit: in memory that stays

constexpr std::uintptr_t page_down(std::uintptr_t address) {
  return address / page * page;
}
constexpr std::uintptr_t page_up(std::uintptr_t address) {
  return page_down(address + page - 1);
}

// What they keep in their variables belongs to this process alone, and sometimes to the kernel.
bool is_systems_own(std::string_view path) {
  const auto name = path.substr(path.find_last_of('/') + 1);
  constexpr std::array own{"ld-linux", "linux-vdso", "libc.",    "libm.",  "libstdc++", "libc++",
                           "libgcc_s", "libpthread", "libdl.",   "librt.", "libgomp.",  "libomp.",
                           "libasan",  "libtsan",    "libubsan", "liblsan"};
  return std::any_of(own.begin(), own.end(),
                     [name](std::string_view prefix) { return name.starts_with(prefix); });
}

struct found_data {
  std::vector<data_range> ranges;
  std::vector<std::string> modules; ///< without the program itself
};

void add(std::vector<data_range>& found, std::uintptr_t begin, std::uintptr_t end) {
  if (begin < end) found.push_back({begin, end - begin, 0});
}

// A writable part of a module, without the pages that the loader has made read-only after relocation.
void add_without(std::vector<data_range>& found, std::uintptr_t begin, std::uintptr_t end,
                 std::uintptr_t constant_begin, std::uintptr_t constant_end) {
  add(found, begin, std::min(end, std::max(begin, constant_begin)));
  add(found, std::max(begin, std::min(end, constant_end)), end);
}

int add_module(dl_phdr_info* module, std::size_t, void* argument) {
  if (is_systems_own(module->dlpi_name) || transport::came_with_mpi(module->dlpi_name)) return 0;
  auto& found = *static_cast<found_data*>(argument);
  if (*module->dlpi_name != 0) found.modules.emplace_back(module->dlpi_name);
  std::uintptr_t constant_begin = 0, constant_end = 0; // none, as where the linker has been told so
  for (int i = 0; i < module->dlpi_phnum; ++i) {
    const auto& part = module->dlpi_phdr[i];
    if (part.p_type != PT_GNU_RELRO) continue;
    constant_begin = page_down(module->dlpi_addr + part.p_vaddr);
    constant_end = page_down(module->dlpi_addr + part.p_vaddr + part.p_memsz);
  }
  for (int i = 0; i < module->dlpi_phnum; ++i) {
    const auto& part = module->dlpi_phdr[i];
    if (part.p_type != PT_LOAD || (part.p_flags & PF_W) == 0) continue;
    const auto begin = module->dlpi_addr + part.p_vaddr;
    add_without(found.ranges, page_down(begin), page_up(begin + part.p_memsz), constant_begin, constant_end);
  }
  return 0;
}

// The pages of a library that the program opened and closes may become anything else, but are symmetric.
void keep_loaded(const std::vector<std::string>& modules) {
  for (const auto& name : modules) ::dlopen(name.c_str(), RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

// PEs that run different programs would write into each other's variables at random.
void require_same_layout(const windrow::job& j, std::size_t total) {
  base::fingerprint layout;
  for (const auto& range : ranges) layout.add(range.bytes);
  if (j.world().min(layout.value()) != j.world().max(layout.value()))
    base::fatal(fmt::format(
        "the PEs of an OpenSHMEM job must run the same program with the same libraries, but global "
        "variables differ in size (here: {})",
        base::format_size(total)));
}

} // namespace

void adopt_data(windrow::job& j) {
  found_data all;
  ::dl_iterate_phdr(add_module, &all);
  keep_loaded(all.modules);
  auto& found = all.ranges;
  auto& core = j.core();
  const auto& segments = core.link().symmetric();
  auto offset = segments.bytes;
  for (auto& range : found) {
    range.offset = offset;
    offset += range.bytes;
  }
  if (offset > segments.stride)
    base::fatal(fmt::format("shmem_init: global variables take {}; there is room for {}",
                            base::format_size(offset - segments.bytes),
                            base::format_size(segments.stride - segments.bytes)));
  static auto* const kept = new std::vector<data_range>(); // outlives main
  *kept = std::move(found);
  ranges = *kept;
  require_same_layout(j, offset - segments.bytes);
  for (const auto& range : ranges)
    core.adopt(reinterpret_cast<std::byte*>(range.begin), range.bytes, range.offset);
  j.engine().measure_reach();
}

data_range largest_data() {
  const auto largest =
      std::max_element(ranges.begin(), ranges.end(),
                       [](const data_range& a, const data_range& b) { return a.bytes < b.bytes; });
  return largest == ranges.end() ? data_range{} : *largest;
}

std::optional<std::uint64_t> find_in_data(const void* object, std::size_t bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(object);
  for (const auto& range : ranges) {
    const auto at = address - range.begin;
    if (at < range.bytes && bytes <= range.bytes - at) return range.offset + at;
  }
  return std::nullopt;
}

} // namespace windrow::shmem
