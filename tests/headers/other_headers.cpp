// SPDX-License-Identifier: BSD-3-Clause
// As if these headers were those of another version.
#include "windrow/version.hpp"

#undef WINDROW_VERSION
#define WINDROW_VERSION "0.0.9"

#include "windrow/job.hpp"

int main() {
  const windrow::job never;
}
