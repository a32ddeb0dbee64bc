/* SPDX-License-Identifier: BSD-3-Clause */
/* directive.c ITEMS: appends items to columns that are spread over all PEs, as a transposition of a matrix
   does, and prints how long that took. `windrow demo` compiles it twice: with the directive and without. */
#include <inttypes.h>
#include <shmem.h>
#include <shmemx.h>
#include <stdio.h>
#include <stdlib.h>

enum { columns_per_pe = 1000 };

static int64_t* next;  /* places taken of each column; column c is on PE c % npes */
static int64_t* value; /* the columns, one behind the other */

static void append(shmem_ctx_t ctx, int64_t me, int64_t npes, int64_t items, int64_t room) {
#pragma shmem defer
  for (int64_t k = 0; k < items; k++) {
    const int64_t column = (k * 7919 + me) % (columns_per_pe * npes), at = column / npes;
    const int64_t place = shmem_ctx_int64_atomic_fetch_inc(ctx, &next[at], (int)(column % npes));
    shmem_ctx_int64_p(ctx, &value[at * room + place], me * items + k, (int)(column % npes));
  }
  shmem_ctx_quiet(ctx);
}

/* Whether all columns are full, and of the items. */
static int is_right(int64_t npes, int64_t items, int64_t room) {
  static uint64_t mine[2], all[2];
  mine[0] = mine[1] = 0;
  for (int64_t at = 0; at < columns_per_pe; at++) mine[0] += next[at] == room;
  for (int64_t k = 0; k < columns_per_pe * room; k++) mine[1] += (uint64_t)value[k];
  shmem_uint64_sum_reduce(SHMEM_TEAM_WORLD, all, mine, 2);
  const uint64_t n = (uint64_t)(npes * items);
  return all[0] == (uint64_t)(columns_per_pe * npes) && all[1] == n / 2 * (n - 1);
}

int main(int argc, char** argv) {
  shmem_init();
  const int64_t me = shmem_my_pe(), npes = shmem_n_pes(), columns = columns_per_pe * npes;
  const int64_t wanted = argc > 1 ? atoll(argv[1]) : 1;
  const int64_t rounds = (wanted + columns - 1) / columns, items = rounds * columns, room = rounds * npes;
  next = shmem_calloc(columns_per_pe, sizeof *next);
  value = shmem_calloc((size_t)(columns_per_pe * room), sizeof *value);
  shmem_ctx_t ctx;
  shmem_ctx_create(SHMEMX_CTX_AGGREGATE, &ctx);

  shmem_barrier_all();
  const double start = shmemx_wtime();
  append(ctx, me, npes, items, room);
  shmem_barrier_all();
  const double seconds = shmemx_wtime() - start;

  const int right = is_right(npes, items, room);
  if (me == 0)
    printf("{\"operations\": %" PRId64 ", \"seconds\": %.9f, \"right\": %s}\n", 2 * npes * items, seconds,
           right ? "true" : "false");
  shmem_ctx_destroy(ctx);
  shmem_finalize();
  return !right;
}
