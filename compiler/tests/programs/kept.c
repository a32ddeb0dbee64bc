/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of C write to memory that an earlier call has given to the library, in each round, where
   dependent code of the round reads it: buffers of streams, the text that strtok_r walks through, the state
   of random. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <string.h>

#include "job.h"

enum { n = 40, per_round = 2 };
static shmem_ctx_t ctx;
static int64_t* from; /* symmetric, the same everywhere */
static int to;

/* What dependent code makes of a value, and of what it reads behind what the round has written. */
#define SUM_UP(what)                                                              \
  for (int j = 0; j < per_round; j++) {                                           \
    const int64_t v = shmem_ctx_int64_g(ctx, &from[(i * per_round + j) % n], to); \
    found[i * per_round + j] = v * 100 + (what);                                  \
  }

static int64_t found[n * per_round];
static uint64_t sum_of_found(void) {
  uint64_t sum = 0;
  for (int i = 0; i < n * per_round; i++) sum = sum * 3 + (uint64_t)found[i];
  return sum;
}

/* The stream sets both at each flush. */
static char* made;
static size_t made_bytes;
static uint64_t made_by_stream(void) {
  FILE* stream = open_memstream(&made, &made_bytes);
  fputs("+", stream);
  fflush(stream);
#pragma shmem defer
  for (int i = 0; i < n; i++) {
    fputs("x", stream);
    fflush(stream);
    SUM_UP((int64_t)made_bytes)
  }
#pragma shmem defer
  for (int i = 0; i < n; i++) {
    fseek(stream, 0, SEEK_SET);
    fputc('a' + i % 26, stream);
    fflush(stream);
    SUM_UP(made[0])
  }
  const uint64_t sum = sum_of_found();
  fclose(stream);
  free(made);
  return sum;
}

static char given[2 * n];
static FILE* opened(void) {
  FILE* stream = fmemopen(given, sizeof given, "w");
  setbuf(stream, NULL);
  return stream;
}
static uint64_t given_to_stream(void) {
  FILE* stream = opened();
#pragma shmem defer
  for (int i = 0; i < n; i++) {
    fputc('a' + i % 26, stream);
    SUM_UP(given[n / 2])
  }
  const uint64_t sum = sum_of_found();
  fclose(stream);
  return sum;
}

static char buffer[256];
static uint64_t buffer_of_stream(void) {
  FILE* stream = fopen("/dev/null", "w");
  memset(buffer, 0, sizeof buffer);
  setvbuf(stream, buffer, _IOFBF, sizeof buffer);
#pragma shmem defer
  for (int i = 0; i < n; i++) {
    fprintf(stream, "%c", 'a' + i % 26);
    SUM_UP(buffer[n / 2])
  }
  const uint64_t sum = sum_of_found();
  fclose(stream);
  return sum;
}

/* A word ends where the library writes, at a place that it has left in the variable. */
struct words {
  int64_t taken;
  char* rest;
};
static char* next_word(struct words* of) {
  of->taken++;
  return strtok_r(NULL, ",", &of->rest);
}
static void begin_words(char* text, struct words* of) {
  of->taken = 0;
  strtok_r(text, ",", &of->rest);
}
static uint64_t ends_of_words(void) {
  static char first[4 * n], second[4 * n];
  for (int i = 0; i < 2 * n; i++) memcpy(first + 2 * i, "w,", 2), memcpy(second + 2 * i, "w,", 2);
  char *rest, *text = first;
  struct words of;
  strtok_r(text, ",", &rest);
  begin_words(second, &of);
#pragma shmem defer
  for (int i = 0; i < n; i++) {
    strtok_r(NULL, ",", &rest);
    SUM_UP(text[n + 1])
  }
  uint64_t sum = sum_of_found();
#pragma shmem defer
  for (int i = 0; i < n; i++) {
    next_word(&of);
    SUM_UP(second[n + 1])
  }
  return sum ^ sum_of_found();
}

static uint64_t end_of_number(char* text) {
  char* end;
  strtol(text, &end, 10);
#pragma shmem defer
  for (int i = 0; i < n; i++) {
    *end = (char)('a' + i % 26);
    SUM_UP(text[2])
  }
  return sum_of_found();
}

static char state[256];
static uint64_t state_of_random(void) {
  initstate(7, state, sizeof state);
#pragma shmem defer
  for (int i = 0; i < n; i++) {
    (void)random();
    SUM_UP(state[4] + state[5] * 3 + state[9] * 5)
  }
  return sum_of_found();
}

/* Arguments without names. */
static int scanned;
static void scan(const char* text, const char* format, ...) {
  va_list places;
  va_start(places, format);
  vsscanf(text, format, places);
  va_end(places);
}
static uint64_t behind_a_list(void) {
#pragma shmem defer
  for (int i = 0; i < n; i++) {
    scan("7 8 9", i % 2 ? "%*d %d" : "%d", &scanned);
    SUM_UP(scanned)
  }
  return sum_of_found();
}

/* A string of the program is part of the environment. */
static char setting[] = "KEPT=1";
static uint64_t environment(void) {
  putenv(setting);
#pragma shmem defer
  for (int i = 0; i < n; i++) {
    setting[5] = (char)('a' + i % 26);
    SUM_UP(getenv("KEPT")[0])
  }
  return sum_of_found();
}

int main(void) {
  ctx = start();
  from = symmetric(n);
  FOR_MY_PES(me) for (int64_t i = 0; i < n; i++) PART(from, me)[i] = (int64_t)(mixed(7, (uint64_t)i) % 1000);
  to = shmem_my_pe() == 0 ? shmem_n_pes() - 1 : 0;
  shmem_barrier_all();
  char number[] = "11 12";
  const uint64_t results[] = {made_by_stream(),      given_to_stream(), buffer_of_stream(), ends_of_words(),
                              end_of_number(number), state_of_random(), behind_a_list(),    environment()};
  if (shmem_my_pe() == 0)
    for (size_t i = 0; i < sizeof results / sizeof *results; i++)
      printf("%llx\n", (unsigned long long)results[i]);
  shmem_barrier_all();
  shmem_ctx_destroy(ctx);
  shmem_finalize();
  return 0;
}
