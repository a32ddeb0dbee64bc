// SPDX-License-Identifier: BSD-3-Clause
#include "windrow/windrow.hpp"

const char* version_seen_by_second_user();

const char* version_seen_by_second_user() {
  return WINDROW_VERSION;
}
