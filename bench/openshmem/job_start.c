// SPDX-License-Identifier: BSD-3-Clause
// Starts and ends. With `memory`, PE 0 prints how much memory a PE has touched by then: its own, and its
// share of what PEs share, without files, and the page tables for it. With two more numbers, A and B, it is
// an error if that is more than A + B * PEs KiB.
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { touched, page_tables, kinds };
static long mine[kinds], all[kinds];

/// The sum of the lines of a file of /proc that begin with one of the names, in KiB.
static long read_kib(const char* path, const char* name, const char* other) {
  FILE* const file = fopen(path, "r");
  if (file == NULL) return 0;
  char line[256];
  long sum = 0;
  while (fgets(line, sizeof line, file) != NULL)
    if (strncmp(line, name, strlen(name)) == 0 || strncmp(line, other, strlen(other)) == 0)
      sum += strtol(strchr(line, ':') + 1, NULL, 10);
  fclose(file);
  return sum;
}

static int report(int argc, char** argv) {
  mine[touched] = read_kib("/proc/self/smaps_rollup", "Pss_Anon:", "Pss_Shmem:");
  mine[page_tables] = read_kib("/proc/self/status", "VmPTE:", "VmPTE:");
  shmem_long_sum_reduce(SHMEM_TEAM_WORLD, all, mine, kinds);
  const int pes = shmem_n_pes();
  const double a_pe = (double)all[touched] / pes, tables = (double)all[page_tables] / pes;
  if (shmem_my_pe() == 0) printf("{\"pes\": %d, \"kib\": %.1f, \"page_tables\": %.1f}\n", pes, a_pe, tables);
  return argc < 4 || a_pe + tables <= strtod(argv[2], NULL) + strtod(argv[3], NULL) * pes;
}

int main(int argc, char** argv) {
  shmem_init();
  shmem_barrier_all();
  const int right = argc < 2 || strcmp(argv[1], "memory") != 0 || report(argc, argv);
  shmem_finalize();
  return right ? 0 : 1;
}
