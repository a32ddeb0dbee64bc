// SPDX-License-Identifier: BSD-3-Clause
// Misuse, one kind by argv[1]: each ends the program with a sentence that names the routine and the PE.
#include <shmemx.h>

#include "tests/shmem/harness.h"

static long cell, table[4];
static long sync[SHMEM_REDUCE_SYNC_SIZE], work[SHMEM_REDUCE_MIN_WRKDATA_SIZE + 8];

static void put_to_stack(void) {
  long local = 0, value = 1;
  shmem_long_put(&local, &value, 1, 0);
}

static void get_from_malloc(void) {
  long *plain = calloc(1, sizeof *plain), value;
  shmem_long_get(&value, plain, 1, 0);
  free(plain);
}

static void p_outside(void) {
  shmem_int_p((int*)(uintptr_t)64, 1, 0);
}
static void add_to_stack(void) {
  long local = 0;
  shmem_long_atomic_add(&local, 1, 0);
}
static void put_beyond(void) {
  static long source[1 << 16];
  long* end = shmem_malloc(8);
  shmem_long_put(end, source, (size_t)1 << 50, 0);
}
static long long_table[8];
static void put_wraps(void) {
  shmem_put64(table, long_table, (size_t)1 << 61, 0);
}
static void get_wraps(void) {
  shmem_long_get(long_table, table, ((size_t)1 << 61) + 1, 0);
}
static void strides_wrap(void) {
  shmem_long_iput(table, long_table, PTRDIFF_MAX / 4, 1, 2, 0);
}
static void fcollect_wraps(void) {
  shmem_fcollectmem(SHMEM_TEAM_WORLD, long_table, table, (size_t)1 << 63);
}
static void negative_sum(void) {
  for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; ++i) sync[i] = SHMEM_SYNC_VALUE;
  shmem_barrier_all();
  shmem_long_sum_to_all(&cell, table, -1, 0, 0, shmem_n_pes(), work, sync);
}
static void pe_too_large(void) {
  shmem_long_p(&cell, 1, shmem_n_pes());
}
static void pe_negative(void) {
  cell = shmem_long_g(&cell, -1);
}
static void pe_of_atomic(void) {
  shmem_long_atomic_inc(&cell, 1000);
}
static void pe_of_put(void) {
  shmem_long_put(table, table, 4, 12345678);
}
static void freed(void) {
  long* memory = shmem_malloc(64 * sizeof *memory);
  shmem_free(memory);
  shmem_long_p(memory, 1, 0);
}
static void freed_twice(void) {
  long* memory = shmem_malloc(64);
  shmem_free(memory);
  shmem_free(memory);
}
static void free_of_static(void) {
  shmem_free(&cell);
}
static void sum_with(long value_of_sync, int times) {
  for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; ++i) sync[i] = value_of_sync;
  shmem_barrier_all();
  for (int i = 0; i < times; ++i) shmem_long_sum_to_all(&cell, table, 1, 0, 0, shmem_n_pes(), work, sync);
}
// The second one may begin while others are still in the first.
static void sync_in_use(void) {
  sum_with(SHMEM_SYNC_VALUE, 2);
}
static void sync_uninitialized(void) {
  sum_with(SHMEM_SYNC_VALUE + 3, 1);
}
static void after_finalize(void) {
  shmem_finalize();
  shmem_long_p(&cell, 1, 0);
}
static void barrier_after_finalize(void) {
  shmem_finalize();
  shmem_barrier_all();
}
static void malloc_after_finalize(void) {
  shmem_finalize();
  cell = (long)(intptr_t)shmem_malloc(8);
}
static void put_before_init(void) {
  shmem_long_p(&cell, 1, 0);
}
static void barrier_before_init(void) {
  shmem_barrier_all();
}
static void malloc_before_init(void) {
  cell = (long)(intptr_t)shmem_malloc(8);
}

static void null_source(void) {
  shmem_long_put(&cell, NULL, 1, 0);
}
static void null_range(void) {
  shmem_putmem(table, NULL, sizeof table, 0);
}
static void null_dest(void) {
  shmem_long_get(NULL, &cell, 1, 0);
}
static void null_strided(void) {
  shmem_int_iput((int*)table, NULL, 2, 2, 2, 0);
}
static void null_cell(void) {
  shmem_long_atomic_add(NULL, 1, 0);
}
static void null_fetch(void) {
  shmem_long_atomic_fetch_nbi(NULL, &cell, 0);
}
static void null_variable(void) {
  shmem_int_wait_until(NULL, SHMEM_CMP_EQ, 0);
}
static void null_signal(void) {
  shmem_signal_wait_until(NULL, SHMEM_CMP_EQ, 0);
}
static void null_indices(void) {
  shmem_long_test_some(table, 4, NULL, NULL, SHMEM_CMP_EQ, 0);
}
static void null_values(void) {
  shmem_long_test_all_vector(table, 4, NULL, SHMEM_CMP_EQ, NULL);
}
static void null_array(void) {
  shmem_long_sum_reduce(SHMEM_TEAM_WORLD, table, NULL, 4);
}
static void null_collected(void) {
  shmem_collectmem(SHMEM_TEAM_WORLD, NULL, table, sizeof table);
}
static void null_targets(void) {
  shmem_pe_quiet(NULL, 2);
}
static void null_context(void) {
  shmem_ctx_create(0, NULL);
}
static void null_team(void) {
  shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 1, NULL, 0, NULL);
}

// Which may be asked before shmem_init.
static void null_version(void) {
  int major = 0;
  shmem_info_get_version(&major, NULL);
}
static void null_name(void) {
  shmem_info_get_name(NULL);
}
static void null_answer(void) {
  shmem_query_initialized(NULL);
}

static void lock_twice(void) {
  static long lock;
  if (shmem_my_pe() == 0) {
    shmem_set_lock(&lock);
    shmem_set_lock(&lock);
  }
  shmem_barrier_all();
}
static void context_twice(void) {
  shmem_ctx_t c;
  shmem_ctx_create(0, &c);
  shmem_ctx_destroy(c);
  shmem_ctx_destroy(c);
}
static shmem_ctx_t destroyed_context(long options) {
  shmem_ctx_t c;
  shmem_ctx_create(options, &c);
  shmem_ctx_destroy(c);
  return c;
}
static void operation_of_destroyed(void) {
  shmem_ctx_long_atomic_inc(destroyed_context(SHMEMX_CTX_AGGREGATE), &cell, 0);
}
static void put_of_destroyed(void) {
  shmem_ctx_long_p(destroyed_context(0), &cell, 1, 0);
}
static void quiet_of_destroyed(void) {
  shmem_ctx_quiet(destroyed_context(0));
}
static shmem_team_t all_of_them(void) {
  shmem_team_t team;
  shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, shmem_n_pes(), NULL, 0, &team);
  return team;
}
static void context_after_team(void) {
  shmem_team_t team = all_of_them();
  shmem_ctx_t c;
  shmem_team_create_ctx(team, 0, &c);
  shmem_team_destroy(team);
  shmem_ctx_destroy(c);
}
static void team_twice(void) {
  shmem_team_t team = all_of_them();
  shmem_team_destroy(team);
  shmem_team_destroy(team);
}
static void team_after_destroy(void) {
  shmem_team_t team = all_of_them();
  shmem_team_destroy(team);
  shmem_team_sync(team);
}

// Numbers of elements that were computed wrongly.
static void minus_one(void) {
  shmem_long_iput(&table[2], table, 1, 1, (size_t)-1, 0);
}
static void minus_one_block(void) {
  shmem_ibget64(table, &table[2], 1, 1, 1, (size_t)-1, 0);
}
static void minus_one_sum(void) {
  shmem_long_sum_inscan(SHMEM_TEAM_WORLD, table, table, (size_t)-1);
}

// Where no page is.
static void* wild(void) {
  return (void*)(uintptr_t)0x123456000;
}
static void wild_source(void) {
  shmem_putmem(table, wild(), sizeof table, 0);
}
// A page that may be read only.
static void wild_dest(void) {
  shmem_getmem((void*)(uintptr_t)"constant", table, 8, 0);
}
static void wild_fetch(void) {
  shmem_long_atomic_fetch_nbi(wild(), &cell, 0);
}

// PE 0 may not know that the other has left the one set when it goes on to the other.
static void sync_of_other_set(void) {
  sum_with(SHMEM_SYNC_VALUE, 1);
  if (shmem_my_pe() == 0) shmem_long_sum_to_all(&cell, table, 1, 0, 0, 1, work, sync);
  shmem_barrier_all();
}
static void barrier_of_other_set(void) {
  for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; ++i) sync[i] = SHMEM_SYNC_VALUE;
  shmem_barrier_all();
  shmem_barrier(0, 0, shmem_n_pes(), sync);
  shmem_barrier(shmem_my_pe(), 0, 1, sync);
}
// Collectives that are not the same on all PEs, of more data than a barrier carries.
static long many_from[2000], many_to[2000];
static void sizes_differ(void) {
  shmem_long_sum_reduce(SHMEM_TEAM_WORLD, many_to, many_from, shmem_my_pe() == 0 ? 2000 : 1000);
}
static void roots_differ(void) {
  shmem_broadcastmem(SHMEM_TEAM_WORLD, many_to, many_from, sizeof many_to, shmem_my_pe());
}
static void collectives_differ(void) {
  if (shmem_my_pe() == 0)
    shmem_fcollectmem(SHMEM_TEAM_WORLD, many_to, many_from, 4000);
  else
    shmem_alltoallmem(SHMEM_TEAM_WORLD, many_to, many_from, 4000);
}
// Which has ended well.
static void again_without_another(void) {
  const int me = shmem_my_pe();
  shmem_finalize();
  if (me == 1) exit(0);
  shmem_init();
}

static const struct {
  const char* name;
  void (*run)(void);
  bool before_init;
} misuses[] = {
    {"put_to_stack", put_to_stack, false},
    {"get_from_malloc", get_from_malloc, false},
    {"p_outside", p_outside, false},
    {"add_to_stack", add_to_stack, false},
    {"put_beyond", put_beyond, false},
    {"pe_too_large", pe_too_large, false},
    {"pe_negative", pe_negative, false},
    {"pe_of_atomic", pe_of_atomic, false},
    {"pe_of_put", pe_of_put, false},
    {"freed", freed, false},
    {"freed_twice", freed_twice, false},
    {"free_of_static", free_of_static, false},
    {"sync_in_use", sync_in_use, false},
    {"sync_uninitialized", sync_uninitialized, false},
    {"after_finalize", after_finalize, false},
    {"barrier_after_finalize", barrier_after_finalize, false},
    {"malloc_after_finalize", malloc_after_finalize, false},
    {"null_source", null_source, false},
    {"null_range", null_range, false},
    {"null_dest", null_dest, false},
    {"null_strided", null_strided, false},
    {"null_cell", null_cell, false},
    {"null_fetch", null_fetch, false},
    {"null_variable", null_variable, false},
    {"null_signal", null_signal, false},
    {"null_indices", null_indices, false},
    {"null_values", null_values, false},
    {"null_array", null_array, false},
    {"null_collected", null_collected, false},
    {"null_targets", null_targets, false},
    {"null_context", null_context, false},
    {"null_team", null_team, false},
    {"null_version", null_version, true},
    {"null_name", null_name, true},
    {"null_answer", null_answer, true},
    {"lock_twice", lock_twice, false},
    {"context_twice", context_twice, false},
    {"operation_of_destroyed", operation_of_destroyed, false},
    {"put_of_destroyed", put_of_destroyed, false},
    {"quiet_of_destroyed", quiet_of_destroyed, false},
    {"context_after_team", context_after_team, false},
    {"team_twice", team_twice, false},
    {"team_after_destroy", team_after_destroy, false},
    {"put_wraps", put_wraps, false},
    {"get_wraps", get_wraps, false},
    {"strides_wrap", strides_wrap, false},
    {"fcollect_wraps", fcollect_wraps, false},
    {"negative_sum", negative_sum, false},
    {"minus_one", minus_one, false},
    {"minus_one_block", minus_one_block, false},
    {"minus_one_sum", minus_one_sum, false},
    {"wild_source", wild_source, false},
    {"wild_dest", wild_dest, false},
    {"wild_fetch", wild_fetch, false},
    {"sync_of_other_set", sync_of_other_set, false},
    {"barrier_of_other_set", barrier_of_other_set, false},
    {"sizes_differ", sizes_differ, false},
    {"roots_differ", roots_differ, false},
    {"collectives_differ", collectives_differ, false},
    {"again_without_another", again_without_another, false},
    {"put_before_init", put_before_init, true},
    {"barrier_before_init", barrier_before_init, true},
    {"malloc_before_init", malloc_before_init, true},
};

int main(int argc, char** argv) {
  for (size_t i = 0; argc > 1 && i < sizeof misuses / sizeof misuses[0]; ++i) {
    if (strcmp(misuses[i].name, argv[1]) != 0) continue;
    if (!misuses[i].before_init) shmem_init();
    misuses[i].run();
  }
  return 0; // which fails the test
}
