// SPDX-License-Identifier: BSD-3-Clause
// What compiled code (compiler/inlined) reads and changes in place of a call.
#pragma once

#include <cstddef>
#include <cstdint>

#include "deferral/records.hpp"
#include "windrow/detail/lanes.hpp"

namespace windrow::shmem {

/// Where a thread of its own may be in the library too, where calls are to be checked, and before and after
/// the job, `lanes` is null: then each operation is a call, which looks closer.
struct compiled_code_view {
  aggregation::lanes* lanes;
  deferral::record_queue* levels; ///< of records
  std::uintptr_t heap;            ///< address of this PE's
  std::ptrdiff_t stride;          ///< from one PE's heap to the next, where `loads_directly`
  int pe;
  bool loads_directly;
};

} // namespace windrow::shmem

// Compiled code has the layout of these built in. The number in the name is to be raised whenever one of them
// changes, so that an object made by another plug-in does not link, instead of giving wrong results.
static_assert(sizeof(windrow::aggregation::lanes) == 4872 && sizeof(windrow::aggregation::writer) == 32);
static_assert(sizeof(windrow::deferral::record_queue) == 40 && sizeof(windrow::deferral::record) == 32);
extern "C" windrow::shmem::compiled_code_view windrow_defer_view __asm__("windrow_defer_view_4");
