// SPDX-License-Identifier: BSD-3-Clause
// A static array above 2 GiB, in a program of the medium code model. It is touched in few places.
#include "tests/shmem/harness.h"

static char large[3UL << 30];

int main(void) {
  shmem_init();
  me = shmem_my_pe();
  pes = shmem_n_pes();
  const int next = (me + 1) % pes, before = (me + pes - 1) % pes;
  shmem_char_p(&large[0], (char)(me + 1), next);
  shmem_char_p(&large[sizeof large - 1], (char)(me + 2), next);
  shmem_barrier_all();
  CHECK(large[0] == before + 1 && large[sizeof large - 1] == before + 2);
  CHECK(shmem_char_g(&large[sizeof large / 2], next) == 0);
  return finish_tests();
}
