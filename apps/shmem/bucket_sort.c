// SPDX-License-Identifier: BSD-3-Clause
// Integer bucket sort after the idea of ISx: every PE draws uniform keys, counts how many belong to each PE's
// range, reserves room there with fetch_add, sends them with one put for each PE, and counts what it got.
// Verifies that the keys are in range and none is lost. Strong or weak scaling:   bucket_sort [KEYS_PER_PE]
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { key_bits = 20, rounds = 3 };

static long long received;
static long long total_keys, total_sum, my_keys, my_sum, all_keys, all_sum;
static long long work[2][SHMEM_REDUCE_MIN_WRKDATA_SIZE + 2];
static long sync[2][SHMEM_REDUCE_SYNC_SIZE];

static unsigned draw(unsigned long long* state) {
  *state = *state * 6364136223846793005ull + 1442695040888963407ull;
  return (unsigned)(*state >> (64 - key_bits));
}

typedef struct {
  int me, pes;
  long keys, room;
  int *keys_drawn, *by_pe, *bucket; // bucket is symmetric
  long *counts, *offsets;
} sorter;

static int pe_of(const sorter* s, int key) {
  return (int)((long long)key * s->pes >> key_bits);
}

static void draw_keys(sorter* s, int round) {
  unsigned long long state = 1000ull * (unsigned)round + (unsigned)s->me + 1;
  memset(s->counts, 0, (size_t)s->pes * sizeof *s->counts);
  my_keys = s->keys;
  my_sum = 0;
  for (long i = 0; i < s->keys; ++i) {
    s->keys_drawn[i] = (int)draw(&state);
    my_sum += s->keys_drawn[i];
    ++s->counts[pe_of(s, s->keys_drawn[i])];
  }
}

static void sort_by_pe(sorter* s) {
  long next = 0;
  for (int pe = 0; pe < s->pes; ++pe) {
    s->offsets[pe] = next;
    next += s->counts[pe];
  }
  for (long i = 0; i < s->keys; ++i) s->by_pe[s->offsets[pe_of(s, s->keys_drawn[i])]++] = s->keys_drawn[i];
}

static void send(sorter* s) {
  for (int k = 0; k < s->pes; ++k) {
    const int pe = (s->me + k) % s->pes;
    const long count = s->counts[pe];
    const long long at = shmem_longlong_atomic_fetch_add(&received, count, pe);
    if (at + count > s->room) {
      fprintf(stderr, "bucket_sort: the bucket of PE %d is full\n", pe);
      shmem_global_exit(1);
    }
    shmem_int_put(s->bucket + at, s->by_pe + s->offsets[pe] - count, (size_t)count, pe);
  }
}

static int in_range(const sorter* s) {
  for (long long i = 0; i < received; ++i)
    if (pe_of(s, s->bucket[i]) != s->me) return 0;
  return 1;
}

static int nothing_lost(const sorter* s) {
  total_keys = received;
  total_sum = 0;
  for (long long i = 0; i < received; ++i) total_sum += s->bucket[i];
  static long long drawn[2], sorted[2], all[4];
  drawn[0] = my_keys;
  drawn[1] = my_sum;
  sorted[0] = total_keys;
  sorted[1] = total_sum;
  shmem_longlong_sum_to_all(all, drawn, 2, 0, 0, s->pes, work[0], sync[0]);
  shmem_longlong_sum_to_all(all + 2, sorted, 2, 0, 0, s->pes, work[1], sync[1]);
  all_keys = all[0];
  all_sum = all[1];
  return all[0] == all[2] && all[1] == all[3];
}

static int sort_once(sorter* s, int round) {
  received = 0;
  draw_keys(s, round);
  sort_by_pe(s);
  shmem_barrier_all();
  send(s);
  shmem_barrier_all();
  const int good = in_range(s) & nothing_lost(s);
  shmem_barrier_all();
  return good;
}

int main(int argc, char** argv) {
  shmem_init();
  sorter s = {.me = shmem_my_pe(), .pes = shmem_n_pes(), .keys = argc > 1 ? atol(argv[1]) : 100000};
  s.room = s.keys + s.keys / 4 + 1000;
  s.keys_drawn = malloc((size_t)s.keys * sizeof(int));
  s.by_pe = malloc((size_t)s.keys * sizeof(int));
  s.counts = malloc((size_t)s.pes * sizeof(long));
  s.offsets = malloc((size_t)s.pes * sizeof(long));
  s.bucket = shmem_malloc((size_t)s.room * sizeof(int));
  for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; ++i) sync[0][i] = sync[1][i] = SHMEM_SYNC_VALUE;
  shmem_barrier_all();
  for (int round = 0; round < rounds; ++round)
    if (!sort_once(&s, round)) {
      fprintf(stderr, "bucket_sort: wrong on PE %d in round %d\n", s.me, round);
      shmem_global_exit(1);
    }
  if (s.me == 0) printf("bucket_sort: %lld keys in %d rounds\n", all_keys, rounds);
  free(s.keys_drawn);
  free(s.by_pe);
  free(s.counts);
  free(s.offsets);
  shmem_free(s.bucket);
  shmem_finalize();
  return 0;
}
