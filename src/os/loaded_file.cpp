// SPDX-License-Identifier: BSD-3-Clause
#include "os/loaded_file.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <fmt/format.h>

#include <cstring>
#include <string_view>

#include "windrow/detail/round_up.hpp"

namespace windrow::os {

namespace {

constexpr char owner_of_build_ids[] = "GNU"; // in the note with the zero

/// The build id among notes that follow each other.
std::span<const std::byte> build_id_in(std::span<const std::byte> notes) {
  ElfW(Nhdr) note;
  while (notes.size() >= sizeof note) {
    std::memcpy(&note, notes.data(), sizeof note);
    const auto name_bytes = detail::round_up(std::size_t{note.n_namesz}, std::size_t{4});
    const auto bytes =
        sizeof note + name_bytes + detail::round_up(std::size_t{note.n_descsz}, std::size_t{4});
    if (bytes > notes.size()) break;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof owner_of_build_ids &&
        std::memcmp(notes.data() + sizeof note, owner_of_build_ids, sizeof owner_of_build_ids) == 0)
      return notes.subspan(sizeof note + name_bytes, note.n_descsz);
    notes = notes.subspan(bytes);
  }
  return {};
}

} // namespace

std::span<const std::byte> build_id_of(const dl_phdr_info& file) {
  for (const auto& part : std::span(file.dlpi_phdr, file.dlpi_phnum)) {
    if (part.p_type != PT_NOTE) continue;
    const auto id =
        build_id_in({reinterpret_cast<const std::byte*>(file.dlpi_addr + part.p_vaddr), part.p_memsz});
    if (!id.empty()) return id;
  }
  return {};
}

std::string place_in_file(const void* code) {
  Dl_info found{};
  void* file = nullptr;
  if (::dladdr1(code, &found, &file, RTLD_DL_LINKMAP) == 0 || found.dli_fname == nullptr)
    return fmt::format("{}", code);
  const std::string_view path = found.dli_fname;
  return fmt::format("{}+0x{:x}", path.substr(path.find_last_of('/') + 1),
                     reinterpret_cast<std::uintptr_t>(code) - static_cast<const link_map*>(file)->l_addr);
}

// A program at fixed addresses has entries of its own for functions of libraries, whose addresses are taken
// for those of the functions.
std::string file_of_function(const void* function) {
  Dl_info found{};
  void* entry = nullptr;
  if (::dladdr1(function, &found, &entry, RTLD_DL_SYMENT) == 0) return {};
  const auto* const symbol = static_cast<const ElfW(Sym)*>(entry);
  if (symbol != nullptr && symbol->st_shndx == SHN_UNDEF) {
    const void* const real = ::dlsym(RTLD_NEXT, found.dli_sname);
    if (real == nullptr || ::dladdr(real, &found) == 0) return {};
  }
  return found.dli_fname;
}

} // namespace windrow::os
