/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that end their process. */
#include "seen.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static int to_parent;
static char text[1 << 14];

static void tell_parent(void) {
  static struct result result;
  fflush(notes);
  hear(text, sizeof text);
  keep_own(&result);
  hear(&result, sizeof result);
  keep_own(&result); /* for the hash of all that */
  if (write(to_parent, &result.said, sizeof result.said) != sizeof result.said) _exit(99);
}

static void end(void (*function)(shmem_ctx_t ctx, uint64_t x), shmem_ctx_t ctx, uint64_t x) {
  const int fatal[] = {SIGABRT, SIGSEGV, SIGFPE};
  for (int i = 0; i < 3; i++) signal(fatal[i], SIG_DFL);
  stdout = notes = fmemopen(text, sizeof text, "w");
  atexit(tell_parent);
  function(ctx, x);
  say(1); /* it came back */
  exit(0);
}

void ended(void (*function)(shmem_ctx_t ctx, uint64_t x), shmem_ctx_t ctx, uint64_t x) {
  int ends[2], status = 0;
  uint64_t seen = 0;
  fflush(NULL);
  if (pipe(ends) != 0) abort();
  const pid_t child = fork();
  if (child == 0) {
    to_parent = ends[1];
    end(function, ctx, x);
  }
  close(ends[1]);
  const ssize_t n = read(ends[0], &seen, sizeof seen);
  close(ends[0]);
  if (child < 0 || n < 0 || waitpid(child, &status, 0) != child) abort();
  if (WIFSIGNALED(status) && WTERMSIG(status) != SIGABRT) raise(WTERMSIG(status));
  say(seen);
  say((uint64_t)status);
}
