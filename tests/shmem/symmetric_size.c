// SPDX-License-Identifier: BSD-3-Clause
// The heap has the size that SHMEM_SYMMETRIC_SIZE asks for: so many MiB (argv[1]) fit, twice as many do not.
#include "tests/shmem/harness.h"

int main(int argc, char** argv) {
  const size_t bytes = (argc > 1 ? strtoul(argv[1], NULL, 10) : 1) << 20;
  shmem_init();
  me = shmem_my_pe();
  pes = shmem_n_pes();
  char* fits = shmem_malloc(bytes * 9 / 10);
  CHECK(fits != NULL);
  if (fits != NULL) shmem_char_p(&fits[bytes * 9 / 10 - 1], 'x', (me + 1) % pes);
  shmem_barrier_all();
  CHECK(fits == NULL || fits[bytes * 9 / 10 - 1] == 'x');
  CHECK(shmem_malloc(2 * bytes) == NULL);
  return finish_tests();
}
