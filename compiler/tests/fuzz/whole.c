/* SPDX-License-Identifier: BSD-3-Clause */
/* Beside programs with a main of their own: PE 0 acts, and prints what can be seen. */
#include "seen.h"

#ifndef REAL
#include "reorder.h"
#endif

static struct result result;

/* Behind the constructors of the programs, which are linked in front of it. */
static __attribute__((constructor)) void run_another(int argc, char** argv) {
  if (argc < 2) return;
  const struct whole* program = WHOLES;
  while (program->run && program->seed != atol(argv[1])) program++;
  exit(program->run ? program->run() : 98);
}

void begin(long context_options) {
  n_pes = shmem_n_pes();
  allocate();
  notes = stdout;
  if (shmem_my_pe() == 0) reset();
  shmem_ctx_create(context_options, &second);
#ifndef REAL
  reorder_watch(look);
#endif
  shmem_barrier_all();
}

static void show_result(void) {
  hear(&result, sizeof result);
  keep_own(&result);
  printf("\nseen: %016lx\n", (unsigned long)result.said);
  fflush(stdout);
}

void show(void) {
  keep_own(&result);
  show_result();
}

void show_behind_quiet(void) {
  shmem_ctx_quiet(second);
  for (int pe = 0; pe < n_pes; pe++) keep_until_quiet(&result.until_quiet[pe], pe);
  show();
}
