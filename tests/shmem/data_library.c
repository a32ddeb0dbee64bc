// SPDX-License-Identifier: BSD-3-Clause
// A shared library with variables of its own.
#include "tests/shmem/data_library.h"

long library_counter = 70, library_zero;

long* library_hidden(void) {
  static long hidden = 80;
  return &hidden;
}
