// SPDX-License-Identifier: BSD-3-Clause
// How programs begin and end, by argv[1]: "returns" from main without shmem_finalize, "finalizes" before more
// work of its own, "forks" a process that exits before it returns, "handles" the exit by calls that come
// last, calls exit or shmem_global_exit on one PE while the others wait ("exit CODE [handler]", "global_exit
// CODE [handler]"), or the latter while another thread is in the library ("global_exit_of_threads CODE").
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <time.h>
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

static int end_on_one_pe(void (*end)(int), int code) {
  static long flag;
  if (shmem_my_pe() == shmem_n_pes() - 1) end(code);
  shmem_long_wait_until(&flag, SHMEM_CMP_NE, 0); // never comes
  return 99;
}

static atomic_long calls;

static void* call_on_and_on(void* nothing) {
  for (;; ++calls) shmem_quiet();
  return nothing;
}

// The process does not end before the other thread has called the library again.
static void await_calls(void) {
  const struct timespec millisecond = {0, 1000000};
  for (const long before = calls; calls < before + 2;) nanosleep(&millisecond, NULL);
}

static int end_among_threads(int code) {
  int provided = -1;
  pthread_t thread;
  shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
  atexit(await_calls);
  pthread_create(&thread, NULL, call_on_and_on, NULL);
  return end_on_one_pe(shmem_global_exit, code);
}

static shmem_ctx_t context;
static shmem_team_t team;
static void* memory_of_job;

// Handlers run in the order opposite to that in which they were told of: this one after the library's.
static void release_at_exit(void) {
  shmem_ctx_destroy(context);
  shmem_team_destroy(team);
  shmem_free(memory_of_job);
  shmem_finalize();
}

int main(int argc, char** argv) {
  if (argc < 2 || initialized() != 0) return 98;
  if (argc > 3 || strcmp(argv[1], "handles") == 0) atexit(release_at_exit);
  shmem_init();
  if (initialized() != 1) return 97;
  memory_of_job = shmem_malloc(64);
  if (shmem_ctx_create(0, &context) != 0 ||
      shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, shmem_n_pes(), NULL, 0, &team) != 0)
    return 95;
  shmem_barrier_all();
  if (strcmp(argv[1], "finalizes") == 0) return end_in_finalize();
  if (strcmp(argv[1], "forks") == 0) return end_after_fork();
  if (strcmp(argv[1], "exit") == 0) return end_on_one_pe(exit, atoi(argv[2]));
  if (strcmp(argv[1], "global_exit") == 0) return end_on_one_pe(shmem_global_exit, atoi(argv[2]));
  if (strcmp(argv[1], "global_exit_of_threads") == 0) return end_among_threads(atoi(argv[2]));
  return 0; // an implicit shmem_finalize at exit
}
