/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that deferred code and other code of a statement come to in ways that are not one spelling: elements
 * that overlap, copies of structures, pointers that functions hand out or keep; errno, and input. Each
 * function leaves a number. */
#include <errno.h>
#include <string.h>

#include "job.h"

enum { n = 200 };
static shmem_ctx_t ctx;
static int64_t* from; /* symmetric, the same everywhere */
static int to;

static int64_t fetched(int64_t i) {
  return shmem_ctx_int64_g(ctx, &from[i % n], to);
}
static uint64_t hash_of(const void* memory, size_t bytes) {
  uint64_t hash = 1;
  for (size_t i = 0; i < bytes; i++) hash = hash * 31 + ((const unsigned char*)memory)[i];
  return hash;
}

/* Elements that are wider than the step from one to the next. */
struct word {
  int32_t value;
} __attribute__((packed));
static unsigned char bytes[n + 8];
static int64_t seen[n];

static uint64_t overlapping(void) {
  unsigned char* at = bytes;
  memset(bytes, 1, sizeof bytes);
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    seen[i] = ((struct word*)(at + i))->value;
    const int64_t v = fetched(i);
    ((struct word*)(at + i))->value = (int32_t)v;
  }
  return hash_of(seen, sizeof seen) ^ hash_of(bytes, sizeof bytes);
}

/* The fetched member is written back with all of its structure. */
struct pair {
  int64_t x, y;
};

static uint64_t copied_back(struct pair* pairs, int self) {
  uint64_t sum = 0;
  for (int64_t i = 0; i < 8; i++) pairs[i] = (struct pair){7 * i, i};
#pragma shmem defer
  for (int64_t round = 0; round < 4; round++)
    for (int64_t i = 0; i < 8; i++) {
      const int64_t v = shmem_ctx_int64_g(ctx, &pairs[i].x, self);
      const struct pair next = {v + 1, round};
      pairs[i] = next;
      sum = sum * 3 + (uint64_t)v;
    }
#pragma shmem defer
  for (int64_t round = 0; round < 40; round++) {
    const int64_t v = shmem_ctx_int64_g(ctx, &pairs[5].x, self);
    const int64_t next[2] = {v + 1, round};
    memcpy(&pairs[5], next, sizeof next);
    sum = sum * 3 + (uint64_t)v;
  }
  shmem_ctx_quiet(ctx);
  return sum ^ hash_of(pairs, 8 * sizeof *pairs);
}

/* A pointer that another function has set. */
static int64_t tables[2][n];

__attribute__((noinline)) static void locate(int64_t** at, int64_t which) {
  *at = which ? tables[1] : tables[0];
}
static uint64_t located(void) {
  int64_t* at;
  uint64_t sum = 0;
  locate(&at, 1);
#pragma shmem defer
  for (int64_t i = 1; i < n; i++) {
    sum = sum * 3 + (uint64_t)tables[1][i - 1];
    at[i] = fetched(i);
  }
  shmem_ctx_quiet(ctx);
  return sum ^ hash_of(tables, sizeof tables);
}

/* Addresses that the statement stores: in a structure that is copied, and by a function. */
struct entry {
  int64_t* at;
  int64_t number;
};
static struct entry entries[8];
static int64_t cells[8][16];

static uint64_t kept_in_entries(void) {
  uint64_t sum = 0;
#pragma shmem defer
  for (int64_t i = 0; i < 120; i++) {
    const struct entry one = {cells[i % 8], i};
    entries[i * 3 % 8] = one;
    sum = sum * 3 + (uint64_t)entries[i * 5 % 8].number;
    if (i > 10) sum ^= (uint64_t)*entries[i * 7 % 8].at;
    cells[i % 8][0] = fetched(i);
  }
  shmem_ctx_quiet(ctx);
  return sum;
}

static int64_t* cursor;

static void move_cursor(int64_t* here, int depth) {
  if (depth > 0) return move_cursor(here, depth - 1);
  cursor = here;
}
static uint64_t kept_by_function(void) {
  uint64_t sum = 0;
#pragma shmem defer
  for (int64_t i = 1; i < n; i++) {
    if (cursor != NULL) sum = sum * 3 + (uint64_t)*cursor;
    int64_t* here = &tables[0][i];
    move_cursor(here, 1);
    *here = fetched(i);
  }
  shmem_ctx_quiet(ctx);
  return sum;
}

/* Which of the two sets errno last. */
static uint64_t error_numbers(void) {
  const char* const texts[2] = {"12", "99999999999999999999999999"};
  uint64_t sum = 0;
  errno = 0;
#pragma shmem defer
  for (int64_t i = 0; i < 100; i++) {
    if (i == 60) sum += (uint64_t)strtol(texts[0], NULL, 99); /* no such base */
    const int64_t v = fetched(i);
    sum += (uint64_t)strtol(texts[v == from[40]], NULL, 10) & 255;
  }
  return sum + (uint64_t)errno;
}

static uint64_t read_in_turn(void) {
  FILE *const before = stdin, *const file = tmpfile();
  uint64_t sum = 0, other = 0;
  for (int i = 0; i < 2 * n; i++) fputc('a' + i % 23, file);
  rewind(file);
  stdin = file;
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    other = other * 5 + (uint64_t)getchar();
    const int64_t v = fetched(i);
    if (v & 1) sum = sum * 3 + (uint64_t)getchar();
  }
  stdin = before;
  fclose(file);
  return sum ^ other;
}

/* What completes deferred code does so for a context that there is not, too. */
static uint64_t no_context(void) {
  const shmem_ctx_t none = SHMEM_CTX_INVALID;
  uint64_t sum = 0, result = 0;
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) sum = sum * 3 + (uint64_t)fetched(i);
  shmem_ctx_destroy(none);
  result = sum;
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) sum = sum * 5 + (uint64_t)fetched(i);
  shmem_ctx_quiet(none);
  return result ^ sum;
}

int main(void) {
  ctx = start();
  from = symmetric(n);
  int64_t* pairs = symmetric(16);
  FOR_MY_PES(me) for (int64_t i = 0; i < n; i++) PART(from, me)[i] = (int64_t)(mixed(7, (uint64_t)i) % 1000);
  shmem_barrier_all();
  to = shmem_n_pes() - 1;
  const uint64_t results[] = {overlapping(),      copied_back((struct pair*)pairs, shmem_my_pe()),
                              located(),          kept_in_entries(),
                              kept_by_function(), error_numbers(),
                              read_in_turn(),     no_context()};
  shmem_barrier_all();
  if (shmem_my_pe() == 0)
    for (size_t i = 0; i < sizeof results / sizeof *results; i++)
      printf("%llx\n", (unsigned long long)results[i]);
  shmem_ctx_destroy(ctx);
  shmem_finalize();
  return 0;
}
