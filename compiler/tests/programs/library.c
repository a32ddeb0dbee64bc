/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of C that use memory which their arguments do not name, or write what looks as if they read it.
 */
#include <complex.h>
#include <ctype.h>
#include <stdarg.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "job.h"

enum { n = 200 };
static shmem_ctx_t ctx;
static int64_t* from; /* symmetric, the same everywhere */
static int to;
static char text[64];

#define FETCH(i) shmem_ctx_int64_g(ctx, &from[(i) % n], to)

static void print(const char* format, ...) {
  va_list values;
  va_start(values, format);
  vsnprintf(text, sizeof text, format, values);
  va_end(values);
}

/* As the checked headers of C's library call it. */
int __snprintf_chk(char*, size_t, int, size_t, const char*, ...);

static uint64_t printed_to_memory(void) {
  uint64_t sum = 0;
#pragma shmem defer
  for (int i = 0; i < n; i++) {
    __snprintf_chk(text, sizeof text, 0, sizeof text, "%d", i * 7);
    const int64_t v = FETCH(i);
    sum = sum * 3 + (uint64_t)(v + text[0] * 5 + text[1]);
  }
#pragma shmem defer
  for (int i = 0; i < n; i++) {
    print("%d", i * 5);
    const int64_t v = FETCH(i);
    sum = sum * 3 + (uint64_t)(v + text[0] * 5 + text[1]);
  }
  return sum;
}

/* The place in the line is the library's. */
static uint64_t words_in_turn(void) {
  static char line[8 * n];
  char* end = line;
  uint64_t sum = 0, other = 0;
  for (int i = 0; i < 2 * n; i++) end += sprintf(end, "%d ", i);
  strtok(line, " ");
#pragma shmem defer
  for (int i = 1; i < n; i++) {
    other = other * 3 + (uint64_t)atoi(strtok(NULL, " "));
    const int64_t v = FETCH(i);
    if (v & 1) sum = sum * 5 + (uint64_t)atoi(strtok(NULL, " "));
  }
  return sum ^ other;
}

/* A child has all memory as it is. */
static uint64_t seen_by_child(void) {
  static int64_t out[n];
  int status = 0;
#pragma shmem defer
  for (int i = 0; i < n; i++) out[i] = FETCH(i) + 1;
  const pid_t child = fork();
  if (child == 0) {
    int wrong = 0;
    for (int i = 0; i < n; i++) wrong |= out[i] != from[i] + 1;
    _exit(wrong);
  }
  waitpid(child, &status, 0);
  shmem_ctx_quiet(ctx);
  return (uint64_t)status;
}

/* A function of the program whose name begins as those of the library. */
static int64_t words[n];
static uint64_t shmem_ctx_words(void) {
  uint64_t sum = 0;
  for (int i = 0; i < n; i++) sum = sum * 3 + (uint64_t)words[i];
  return sum;
}
static uint64_t named_alike(void) {
#pragma shmem defer
  for (int i = 0; i < n; i++) words[i] = FETCH(i);
  const uint64_t sum = shmem_ctx_words();
  shmem_ctx_quiet(ctx);
  return sum;
}

/* They use nothing but their arguments, and forget these: all of it is deferred. */
static uint64_t of_texts(void) {
  uint64_t sum = 0;
  unsigned seed = 5;
#pragma shmem defer strict
  for (int i = 0; i < n; i++) {
    char word[32], copy[32];
    const int64_t v = FETCH(i);
    const int length = snprintf(word, sizeof word, "%ld%c", (long)v, (int)('a' + v % 26));
    strcpy(copy, word);
    for (int k = 0; k < length; k++)
      sum = 3 * sum + (uint64_t)(isalpha(copy[k]) ? toupper(copy[k]) : copy[k]);
    sum += (uint64_t)(atoi(word) + rand_r(&seed) % 5) + strlen(copy);
  }
  return sum + seed;
}
static uint64_t of_numbers(void) {
  double _Complex all = 1;
  int64_t rests = 0;
#pragma shmem defer strict
  for (int i = 0; i < n; i++) {
    const int64_t v = FETCH(i);
    all = all * (0.5 + 0.25 * I) + (double)v;
    rests += ldiv(v, 7).rem;
  }
  return (uint64_t)(creal(all) + 1000 * cimag(all)) + (uint64_t)rests;
}

int main(void) {
  ctx = start();
  from = symmetric(n);
  FOR_MY_PES(me) for (int64_t i = 0; i < n; i++) PART(from, me)[i] = (int64_t)(mixed(7, (uint64_t)i) % 1000);
  to = shmem_my_pe() == 0 ? shmem_n_pes() - 1 : 0;
  shmem_barrier_all();
  const uint64_t results[] = {printed_to_memory(), words_in_turn(), seen_by_child(),
                              named_alike(),       of_texts(),      of_numbers()};
  if (shmem_my_pe() == 0)
    for (size_t i = 0; i < sizeof results / sizeof *results; i++)
      printf("%llx\n", (unsigned long long)results[i]);
  shmem_barrier_all();
  shmem_ctx_destroy(ctx);
  shmem_finalize();
  return 0;
}
