// SPDX-License-Identifier: BSD-3-Clause
#include "windrow/detail/code_address.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include <cstddef>
#include <cstring>
#include <span>
#include <unordered_map>

#include "base/fatal.hpp"

namespace windrow::aggregation {

namespace {

/// A file of code that is loaded.
struct module {
  std::uintptr_t base;
  std::uint32_t tag; ///< tells it from others, and from other builds of itself
};

// FNV-1a.
std::uint32_t hash(std::span<const std::byte> bytes, std::uint32_t h = 2166136261) {
  for (const auto b : bytes) h = (h ^ std::to_integer<std::uint32_t>(b)) * 16777619;
  return h;
}

/// The build id among the notes of a segment, or nothing.
std::span<const std::byte> build_id(const std::byte* notes, std::size_t bytes) {
  while (bytes >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes, sizeof note);
    const auto name_bytes = (note.n_namesz + 3) / 4 * 4, content_bytes = (note.n_descsz + 3) / 4 * 4;
    const auto* name = notes + sizeof note;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0)
      return {name + name_bytes, note.n_descsz};
    const auto size = sizeof note + name_bytes + content_bytes;
    if (size > bytes) break;
    notes += size;
    bytes -= size;
  }
  return {};
}

// Without a build id, what the segments look like has to do.
std::uint32_t tag_of(const dl_phdr_info& file) {
  const std::span headers(file.dlpi_phdr, file.dlpi_phnum);
  for (const auto& h : headers)
    if (h.p_type == PT_NOTE)
      if (const auto id = build_id(reinterpret_cast<const std::byte*>(file.dlpi_addr + h.p_vaddr), h.p_memsz);
          !id.empty())
        return hash(id);
  return hash(std::as_bytes(headers));
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

const void* local_address(std::uint64_t portable) {
  thread_local std::unordered_map<std::uint64_t, const void*> known;
  const void*& address = known[portable];
  if (address != nullptr) return address;
  const auto tag = static_cast<std::uint32_t>(portable >> 32);
  const auto offset = static_cast<std::uint32_t>(portable);
  const auto m = find_module(
      [=](const dl_phdr_info& file) { return tag_of(file) == tag && holds(file, file.dlpi_addr + offset); });
  if (m.base == 0 && m.tag == 0)
    base::fatal(
        "a message names a function of a file that this PE has not loaded; all PEs must run the same "
        "program, and "
        "load a library before one of them sends its functions");
  return address = reinterpret_cast<const void*>(m.base + offset);
}

} // namespace windrow::aggregation
