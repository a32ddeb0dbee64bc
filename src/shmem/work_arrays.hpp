// SPDX-License-Identifier: BSD-3-Clause
// SHMEM_DEBUG: is a pSync array used again while a member may still be in the collective before?
#pragma once

#include <cstdint>

#include "pgas/strided_pes.hpp"

namespace windrow::shmem {

/// The use of an array by one collective over an active set; nothing without SHMEM_DEBUG. The constructor
/// ends the job when another member may still be in an earlier collective over the same set with the same
/// array, or in one over another set, as far as this PE can know. README.md says why this blames nobody who
/// has synchronized.
class array_use {
 public:
  enum kind { once, at_once_again }; ///< whether the same set may use it again before all have left: barriers
  array_use(const long* pSync, const pgas::strided_pes& set, kind, const char* routine);
  ~array_use();
  array_use(const array_use&) = delete;
  array_use& operator=(const array_use&) = delete;

 private:
  pgas::strided_pes set_;
  const long* array_;
};

/// The numbers of a set in one, which is not 0.
std::uint64_t set_number(const pgas::strided_pes& set);

/// This PE calls the library, and may so tell others something or learn something.
void end_last_use();
/// From now on this PE may do so without calling the library (shmem_ptr).
void expect_silent_accesses();

} // namespace windrow::shmem
