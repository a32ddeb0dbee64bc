// SPDX-License-Identifier: BSD-3-Clause
#include "shmem/tools.hpp"

#include <shmem.h>

#include <algorithm>
#include <iterator>

namespace {

using code = void (*)();
struct routine {
  code called, own;
};

// From here on the families of shmem.h list what they have declared there.
#undef WINDROW_SHMEM_ON_JOB
#undef WINDROW_SHMEM_ON_CONTEXT
#define WINDROW_SHMEM_ON_JOB(result, name, operation, parameters, arguments)
#define WINDROW_SHMEM_ON_CONTEXT(result, name, operation, parameters, arguments) \
  {reinterpret_cast<code>(&name), reinterpret_cast<code>(&p##name)},

// No compiler may conclude that functions of two names are two functions.
volatile const routine routines[] = {
    WINDROW_SHMEM_RMA_TYPES(WINDROW_SHMEM_RMA, , )                   //
    WINDROW_SHMEM_SIZES(WINDROW_SHMEM_UNTYPED_STRIDED, , )           //
    WINDROW_SHMEM_AMO_TYPES(WINDROW_SHMEM_AMO, , )                   //
    WINDROW_SHMEM_EXTENDED_AMO_TYPES(WINDROW_SHMEM_EXTENDED_AMO, , ) //
    WINDROW_SHMEM_BITWISE_AMO_TYPES(WINDROW_SHMEM_BITWISE_AMO, , )   //
};

} // namespace

bool windrow::shmem::has_tool() {
  static const bool found = std::any_of(std::begin(routines), std::end(routines),
                                        [](const volatile routine& one) { return one.called != one.own; });
  return found;
}
