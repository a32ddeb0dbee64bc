// SPDX-License-Identifier: BSD-3-Clause
// What deferred code prints is there before the program is ended.
#include <sys/wait.h>
#include <unistd.h>

#include "../../programs/job.h"

static int64_t fetched(shmem_ctx_t ctx, const int64_t* from, int64_t i) {
  return shmem_ctx_int64_g(ctx, &from[i], 1);
}

static void first(shmem_ctx_t ctx, const int64_t* from, int64_t last) {
#pragma shmem defer
  for (int64_t i = 0; i < 50; i++) {
    if (i == last) _exit(0);
    printf("%d ", (int)fetched(ctx, from, i));
  }
}

static void behind(shmem_ctx_t ctx, const int64_t* from, int64_t last) {
#pragma shmem defer
  for (int64_t i = 0; i < last; i++) printf("%d ", (int)fetched(ctx, from, i));
  if (last < 60) _exit(0);
}

static void deeper(shmem_ctx_t ctx, const int64_t* from, int64_t last) {
#pragma shmem defer
  for (int64_t i = 0; i < 50; i++) {
    const int64_t v = fetched(ctx, from, i);
    if (v == last) _exit(0);
    printf("%d ", (int)fetched(ctx, from, v));
  }
}

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  shmem_ctx_t ctx = start();
  int64_t* from = symmetric(64);
  for (int64_t i = 0; i < 64; i++) PART(from, 1)[i] = (i * 5 + 3) % 64;
  for (int way = 0; way < 3; way++) {
    if (fork() == 0) {
      if (way == 0) first(ctx, from, 40);
      if (way == 1) behind(ctx, from, 40);
      if (way == 2) deeper(ctx, from, 3);
      return 1;
    }
    int status = 1;
    wait(&status);
    printf("%d\n", status);
  }
  return 0;
}
