// SPDX-License-Identifier: BSD-3-Clause
#include "transport/foreign/program.hpp"

#include <elf.h>
#include <link.h>

#include <fstream>
#include <iterator>
#include <string_view>

#include "windrow/detail/round_up.hpp"
#include "windrow/error.hpp"

namespace windrow::transport {

namespace {

// Fowler, Noll and Vo's hash, 64 bits.
class fingerprint {
 public:
  void add(char c) { value_ = (value_ ^ static_cast<unsigned char>(c)) * 0x100000001b3; }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325;
};

constexpr char owner_of_build_ids[] = "GNU"; // in the note with the zero

/// The build id among the notes that follow each other in `notes`; empty if there is none.
std::string_view build_id_in(std::string_view notes) {
  while (notes.size() >= sizeof(ElfW(Nhdr))) {
    const auto& note = *reinterpret_cast<const ElfW(Nhdr)*>(notes.data());
    const auto name_bytes = detail::round_up(std::size_t{note.n_namesz}, std::size_t{4});
    const auto bytes =
        sizeof note + name_bytes + detail::round_up(std::size_t{note.n_descsz}, std::size_t{4});
    if (bytes > notes.size()) break;
    const auto owner = notes.substr(sizeof note, note.n_namesz);
    if (note.n_type == NT_GNU_BUILD_ID &&
        owner == std::string_view(owner_of_build_ids, sizeof owner_of_build_ids))
      return notes.substr(sizeof note + name_bytes, note.n_descsz);
    notes.remove_prefix(bytes);
  }
  return {};
}

// The first module is the program itself.
int find_build_id(dl_phdr_info* program, std::size_t, void* found) {
  for (int i = 0; i < program->dlpi_phnum; ++i) {
    const auto& part = program->dlpi_phdr[i];
    if (part.p_type != PT_NOTE) continue;
    const auto* begin = reinterpret_cast<const char*>(program->dlpi_addr + part.p_vaddr);
    const auto id = build_id_in({begin, part.p_memsz});
    if (!id.empty()) *static_cast<std::string_view*>(found) = id;
  }
  return 1;
}

} // namespace

std::uint64_t program_identity() {
  fingerprint result;
  std::string_view build_id;
  ::dl_iterate_phdr(find_build_id, &build_id);
  for (const char c : build_id) result.add(c);
  if (!build_id.empty()) return result.value();
  std::ifstream file("/proc/self/exe", std::ios::binary);
  if (!file)
    throw error("cannot read this program (/proc/self/exe) to compare it with that of the other PEs");
  for (std::istreambuf_iterator<char> at(file), end; at != end; ++at) result.add(*at);
  return result.value();
}

} // namespace windrow::transport
