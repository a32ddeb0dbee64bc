// SPDX-License-Identifier: BSD-3-Clause
// Initialization and finalization, any number of times: each time the library begins anew, and only the
// program's own variables are as they were.
#include <unistd.h>

#include "tests/shmem/harness.h"

static long cells[most_pes], sync_array[SHMEM_REDUCE_SYNC_SIZE], work[SHMEM_REDUCE_MIN_WRKDATA_SIZE + 1], in,
    out;

static int initialized(void) {
  int answer = -1;
  shmem_query_initialized(&answer);
  return answer;
}

static void init(int time) {
  int level = -1;
  if (time % 3 == 0)
    shmem_init();
  else
    CHECK(shmem_init_thread(time % 3 == 1 ? SHMEM_THREAD_MULTIPLE : SHMEM_THREAD_SINGLE, &level) == 0);
  CHECK(initialized() == 1);
}

// Every kind of thing that the library keeps books of; some of it is left for shmem_finalize.
static void use(int time, void** first_memory) {
  me = shmem_my_pe();
  pes = shmem_n_pes();
  long* memory = shmem_malloc((size_t)(100 + time) * sizeof *memory);
  if (time == 0) *first_memory = memory;
  CHECK(memory == *first_memory); // the heap is empty again
  memory[0] = 1000 * time + me;
  shmem_barrier_all();
  CHECK(shmem_long_g(memory, (me + 1) % pes) == 1000 * time + (me + 1) % pes);

  shmem_team_t team = SHMEM_TEAM_INVALID;
  shmem_ctx_t ctx;
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, pes, NULL, 0, &team) == 0);
  CHECK(shmem_team_create_ctx(team, 0, &ctx) == 0);
  for (int pe = 0; pe < pes; ++pe) shmem_ctx_long_atomic_inc(ctx, &cells[me], pe);
  shmem_ctx_quiet(ctx);
  if (time % 2 == 0) shmem_team_destroy(team);
  shmem_barrier_all();
  for (int pe = 0; pe < pes; ++pe) CHECK(cells[pe] == time + 1);

  for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; ++i) sync_array[i] = SHMEM_SYNC_VALUE;
  in = 1;
  shmem_barrier_all();
  const int size = pes - time % pes; // another active set each time
  if (me < size) shmem_long_sum_to_all(&out, &in, 1, 0, 0, size, work, sync_array);
  if (me < size) CHECK(out == size);
}

int main(void) {
  void* first_memory = NULL;
  for (int time = 0; time < 6; ++time) {
    CHECK(initialized() == 0);
    init(time);
    if (time % 2 == 1) init(time + 1); // the last shmem_finalize counts
    use(time, &first_memory);
    if (time % 2 == 1) {
      shmem_finalize();
      CHECK(initialized() == 1);
    }
    shmem_finalize();
    if ((me + time) % 3 == 0) usleep(20000); // some come late
  }
  shmem_init();
  return finish_tests();
}
