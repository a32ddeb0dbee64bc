// SPDX-License-Identifier: BSD-3-Clause
// Global and static variables of the program and of its shared libraries as symmetric memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "windrow/job.hpp"

namespace windrow::shmem {

/// Makes the writable data of the program and of the libraries that are loaded, except the system's own,
/// part of this PE's symmetric segment. The variables keep their addresses and values, and the libraries stay
/// loaded. Collective; ends the job if the PEs are not the same program. Must be called while the process has
/// one thread.
void adopt_data(windrow::job&);

struct data_range {
  std::uintptr_t begin;
  std::size_t bytes;
  std::uint64_t offset; ///< of `begin` in the segment
};
/// Where most variables are. Empty if there are none.
data_range largest_data();

/// The offset of an object in adopted data in the segment, if it lies there as a whole.
std::optional<std::uint64_t> find_in_data(const void* object, std::size_t bytes);

} // namespace windrow::shmem
