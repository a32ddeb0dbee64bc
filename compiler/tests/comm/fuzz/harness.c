/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs each program as written and with -fcomm, in the same state, and compares all that it leaves. */
#include "harness.h"

#include <stdio.h>

#define DEFINE(T, N, name) T name[room];
ARRAYS(DEFINE)
struct record r0[room], r1[room];
long l0[room], l1[room], hidden;
long* b0;
int places[room];
shmem_ctx_t other_context;

u64 noise(u64 value) {
  hidden = 0;
  return value * 31 + 7;
}
u64 computed(u64 value) {
  return value ^ (value >> 7);
}
u64 read_there(const long* place, int pe) {
  return W(shmem_long_g(place, pe));
}

static void begin(void) {
  const long me = shmem_my_pe();
  long k = me * 7 + 1;
#define FILL(T, N, name) \
  for (int i = 0; i < room; i++) name[i] = (T)((k = (k * 1103515245 + 12345) & 0x7fffffff) % 1000);
  ARRAYS(FILL)
  for (int i = 0; i < room; i++) {
    r0[i] = (struct record){(int)(k + i), (float)i, i / 2. + (double)me};
    r1[i] = (struct record){(int)(k - i), (float)me, i / 4.};
    l0[i] = i * me;
    l1[i] = k + i;
    b0[i] = k - i;
    places[i] = (i * 37 + (int)me) % 1000;
  }
  shmem_barrier_all();
}

static u64 hash(u64 start, const void* memory, size_t bytes) {
  const unsigned char* byte = memory;
  for (size_t i = 0; i < bytes; i += 4) {
    uint32_t word;
    memcpy(&word, byte + i, 4);
    start = (start ^ word) * 1099511628211u;
  }
  return start;
}

static u64 outcome(const struct program* one) {
  begin();
  u64 all = one->run(shmem_my_pe(), shmem_n_pes());
  shmem_barrier_all();
#define HASH(T, N, name) all = hash(all, name, sizeof name);
  ARRAYS(HASH)
  all = hash(hash(all, r0, sizeof r0), r1, sizeof r1);
  all = hash(hash(all, l0, sizeof l0), l1, sizeof l1);
  all = hash(all, b0, room * sizeof *b0);
  shmem_barrier_all();
  return all;
}

int main(void) {
  shmem_init();
  shmem_ctx_create(0, &other_context);
  b0 = malloc(room * sizeof *b0);
  for (int i = 0; table_plain[i].run; i++) {
    const u64 expected = outcome(&table_plain[i]), found = outcome(&table_comm[i]);
    if (found != expected)
      printf("seed %ld: PE %d of %d has another result\n", table_plain[i].seed, shmem_my_pe(), shmem_n_pes());
  }
  fflush(stdout);
  free(b0);
  shmem_finalize();
}
