/* SPDX-License-Identifier: BSD-3-Clause */
/* C and C++ alike. Its output: "PEs N". */
#include <shmem.h>
#include <stdio.h>

#include "count.h"

int main(void) {
  long counted;
  shmem_init();
  counted = count_of_pes();
  if (shmem_my_pe() == 0 && counted == shmem_n_pes()) printf("PEs %ld\n", counted);
  shmem_finalize();
  return 0;
}
