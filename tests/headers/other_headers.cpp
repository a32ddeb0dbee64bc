// SPDX-License-Identifier: BSD-3-Clause
// As if these headers were those of another version. This must not link.
#include "windrow/version.hpp"

#undef WINDROW_VERSION_PATCH
#define WINDROW_VERSION_PATCH 99

#include "windrow/job.hpp"

int main() {
  const windrow::job never;
}
