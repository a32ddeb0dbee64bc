// SPDX-License-Identifier: BSD-3-Clause
#include "transport/foreign/program.hpp"

#include <link.h>

#include <cstddef>
#include <fstream>
#include <iterator>
#include <span>

#include "base/fingerprint.hpp"
#include "os/loaded_file.hpp"
#include "windrow/error.hpp"

namespace windrow::transport {

namespace {

// The first of the files that are loaded is the program itself.
int find_build_id(dl_phdr_info* program, std::size_t, void* found) {
  *static_cast<std::span<const std::byte>*>(found) = os::build_id_of(*program);
  return 1;
}

} // namespace

std::uint64_t program_identity() {
  base::fingerprint result;
  std::span<const std::byte> build_id;
  ::dl_iterate_phdr(find_build_id, &build_id);
  result.add(build_id);
  if (!build_id.empty()) return result.value();
  std::ifstream file("/proc/self/exe", std::ios::binary);
  if (!file)
    throw error("cannot read this program (/proc/self/exe) to compare it with that of the other PEs");
  for (std::istreambuf_iterator<char> at(file), end; at != end; ++at)
    result.add(std::uint64_t{static_cast<unsigned char>(*at)});
  return result.value();
}

} // namespace windrow::transport
