// SPDX-License-Identifier: BSD-3-Clause
// How programs begin and end, by argv[1]: "returns" from main without shmem_finalize, "finalizes" before more
// work of its own, "forks" a process that exits before it returns, "handles" the exit by a shmem_finalize
// that comes last, calls shmem_global_exit on one PE while the others wait ("global_exit CODE [handler]").
#include <sys/wait.h>
#include <unistd.h>

#include "tests/shmem/harness.h"

static int initialized(void) {
  int answer = -1;
  shmem_query_initialized(&answer);
  return answer;
}

static int end_in_finalize(void) {
  shmem_finalize();
  char* memory = malloc(1 << 20); // the process lives on
  memset(memory, 1, 1 << 20);
  const int sum = memory[0] + memory[(1 << 20) - 1];
  free(memory);
  return sum == 2 ? 0 : 1;
}

// The child does not know that it is none of the PEs, and ends as they do.
static int end_after_fork(void) {
  static int global = 1;
  const pid_t child = fork();
  if (child == 0) {
    global = 2; // its own
    exit(0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  shmem_barrier_all();
  return global == 1 ? status : 96;
}

static int end_globally(int code) {
  static long flag;
  if (shmem_my_pe() == shmem_n_pes() - 1) shmem_global_exit(code);
  shmem_long_wait_until(&flag, SHMEM_CMP_NE, 0); // never comes
  return 99;
}

// Handlers run in the order opposite to that in which they were told of: this one after the library's.
static void finalize_at_exit(void) {
  shmem_finalize();
}

int main(int argc, char** argv) {
  if (argc < 2 || initialized() != 0) return 98;
  if (argc > 3 || strcmp(argv[1], "handles") == 0) atexit(finalize_at_exit);
  shmem_init();
  if (initialized() != 1) return 97;
  shmem_barrier_all();
  if (strcmp(argv[1], "finalizes") == 0) return end_in_finalize();
  if (strcmp(argv[1], "forks") == 0) return end_after_fork();
  if (strcmp(argv[1], "global_exit") == 0) return end_globally(atoi(argv[2]));
  return 0; // an implicit shmem_finalize at exit
}
