// SPDX-License-Identifier: BSD-3-Clause
// What the standard says aside, and few programs rely on: which routines are barriers, what may be asked
// when, teams that run backwards, and contexts that go in any order. With WINDROW_ADVERSARY=1 too, where what
// is not completed does not happen.
#include "tests/shmem/harness.h"

static long arrived[most_pes];
static long lock;

static void test_before_init(void) {
  int initialized = -1, major = -1, minor = -1;
  char name[SHMEM_MAX_NAME_LEN] = "";
  shmem_query_initialized(&initialized);
  CHECK(initialized == 0);
  shmem_info_get_version(&major, &minor);
  CHECK(major == SHMEM_MAJOR_VERSION && minor == SHMEM_MINOR_VERSION);
  shmem_info_get_name(name);
  CHECK(strcmp(name, SHMEM_VENDOR_STRING) == 0);
}

// `value` lives until the next barrier.
static void tell_all(const long* value) {
  for (int pe = 0; pe < pes; ++pe) shmem_long_put_nbi(&arrived[me], value, 1, pe);
}
static void check_told(long value, const char* by) {
  for (int from = 0; from < pes; ++from)
    if (arrived[from] != value) report_failure(__FILE__, __LINE__, by);
  shmem_sync_all();
}

// The memory routines are barriers of shmem_barrier_all's kind: what was put before has arrived behind them.
static void test_barriers_of_memory(void) {
  static const long values[] = {1, 2, 3, 4, 5, 6, 7, 8};
  tell_all(&values[0]);
  void* memory = shmem_malloc(64);
  check_told(1, "shmem_malloc completes puts");
  tell_all(&values[1]);
  void* zeroed = shmem_calloc(8, 8);
  check_told(2, "shmem_calloc completes puts");
  tell_all(&values[2]);
  void* aligned = shmem_align((size_t)1 << 20, 1);
  check_told(3, "shmem_align completes puts");
  CHECK((uintptr_t)aligned % ((size_t)1 << 20) == 0);
  tell_all(&values[3]);
  void* hinted = shmem_malloc_with_hints(8, SHMEM_MALLOC_SIGNAL_REMOTE);
  check_told(4, "shmem_malloc_with_hints completes puts");
  tell_all(&values[4]);
  memory = shmem_realloc(memory, 60); // stays where it is
  check_told(5, "shmem_realloc completes puts");
  tell_all(&values[5]);
  memory = shmem_realloc(memory, 100000);
  check_told(6, "shmem_realloc completes puts");
  tell_all(&values[6]);
  shmem_free(zeroed);
  check_told(7, "shmem_free completes puts");
  tell_all(&values[7]);
  CHECK(shmem_malloc((size_t)1 << 60) == NULL);
  check_told(8, "shmem_malloc of too much completes puts");
  shmem_free(hinted);
  shmem_free(aligned);
  shmem_free(memory);
}

// Each shmem_finalize is a barrier that completes what was begun, not only the last one.
static void test_inner_finalize(void) {
  static const long value = 20;
  shmem_init();
  tell_all(&value);
  shmem_finalize();
  check_told(20, "shmem_finalize completes puts");
}

// What is put under a lock has arrived when the next one has it.
static void test_lock(void) {
  static long count[2], next;
  for (int round = 0; round < 10; ++round) {
    shmem_set_lock(&lock);
    next = shmem_long_g(&count[0], 0) + 1;
    CHECK(shmem_long_g(&count[1], 0) == next - 1);
    shmem_long_put_nbi(&count[0], &next, 1, 0);
    shmem_long_put_nbi(&count[1], &next, 1, 0);
    shmem_clear_lock(&lock);
  }
  shmem_barrier_all();
  CHECK(me != 0 || (count[0] == 10L * pes && count[1] == 10L * pes));
}

// Numbers of PEs are those of the team, which runs backwards.
static void test_backwards(void) {
  shmem_team_t team = SHMEM_TEAM_INVALID;
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, pes - 1, -1, pes, NULL, SHMEM_TEAM_NUM_CONTEXTS, &team) ==
        0);
  long* const all = shmem_calloc(2 * most_pes, sizeof *all);
  long* const own = &all[most_pes];
  own[0] = me;
  shmem_barrier_all();
  CHECK(shmem_fcollect(team, all, own, 1) == 0);
  for (int i = 0; i < pes; ++i) CHECK(all[i] == pes - 1 - i);
  CHECK(shmem_broadcast(team, all, own, 1, 0) == 0 && all[0] == pes - 1);
  CHECK(shmem_sum_exscan(team, all, own, 1) == 0); // of those behind
  long behind = 0;
  for (int pe = me + 1; pe < pes; ++pe) behind += pe;
  CHECK(all[0] == behind);
  shmem_sync(team);
  shmem_ctx_t c;
  CHECK(shmem_team_create_ctx(team, 0, &c) == 0);
  shmem_ctx_long_put_nbi(c, &all[me], own, 1, 0); // to the last PE
  shmem_ctx_quiet(c);
  shmem_sync(team);
  if (me == pes - 1)
    for (int i = 0; i < pes; ++i) CHECK(all[i] == i);
  shmem_ctx_destroy(c);
  shmem_team_destroy(team);
  shmem_free(all);
}

// Contexts and teams go in another order than they came; one context is left for shmem_finalize.
static void test_late_contexts(void) {
  static const long values[6] = {31, 32, 33, 34, 35, 36};
  shmem_team_t teams[2];
  shmem_ctx_t contexts[6];
  for (int i = 0; i < 2; ++i)
    CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, pes, NULL, 0, &teams[i]) == 0);
  for (int i = 0; i < 6; ++i)
    CHECK(shmem_team_create_ctx(i < 4 ? teams[i % 2] : SHMEM_TEAM_SHARED, i % 3 == 0 ? SHMEM_CTX_PRIVATE : 0,
                                &contexts[i]) == 0);
  for (int i = 0; i < 3; ++i) shmem_ctx_long_put_nbi(contexts[i], &arrived[i], &values[i], 1, me);
  shmem_ctx_destroy(contexts[2]);
  CHECK(arrived[2] == 33);
  shmem_ctx_destroy(contexts[0]);
  shmem_team_destroy(teams[1]); // and with it two contexts
  CHECK(arrived[0] == 31 && arrived[1] == 32);
  shmem_ctx_destroy(contexts[4]);
  shmem_team_destroy(teams[0]);
  shmem_ctx_long_put_nbi(contexts[5], &arrived[5], &values[5], 1, 0);
}

// "If an entry satisfies the condition, a series of calls must eventually return" it, whatever else is asked
// for in between.
static void test_fairness(void) {
  static long one[2] = {1, 1}, other[2] = {1, 1}, third[5] = {1, 1, 0, 1, 1};
  int found_one[2] = {0}, found_other[2] = {0}, found_third[5] = {0};
  for (int i = 0; i < 50; ++i) {
    ++found_one[shmem_test_any(one, 2, NULL, SHMEM_CMP_EQ, 1) % 2];
    ++found_other[shmem_wait_until_any(other, 2, NULL, SHMEM_CMP_EQ, 1) % 2];
    if (i % 2 == 0) ++found_third[shmem_test_any(third, 5, NULL, SHMEM_CMP_EQ, 1) % 5];
  }
  for (int i = 0; i < 2; ++i) CHECK(found_one[i] > 0 && found_other[i] > 0);
  for (int i = 0; i < 5; ++i) CHECK((found_third[i] > 0) == (third[i] == 1));
}

// C11's generic forms take values that are const and variables that are volatile.
static void test_qualifiers(void) {
  static long variables[2] = {7, 8};
  static volatile int old_fashioned = 3;
  const long values[2] = {7, 8};
  size_t indices[2];
  CHECK(shmem_test_all_vector(variables, 2, NULL, SHMEM_CMP_EQ, values) == 1);
  CHECK(shmem_test_some_vector(variables, 2, indices, NULL, SHMEM_CMP_EQ, values) == 2);
  CHECK(shmem_wait_until_any_vector(variables, 2, NULL, SHMEM_CMP_EQ, values) < 2);
  shmem_wait_until_all_vector(variables, 2, NULL, SHMEM_CMP_EQ, values);
  shmem_wait_until(&old_fashioned, SHMEM_CMP_EQ, 3);
  CHECK(shmem_test(&old_fashioned, SHMEM_CMP_GT, 2) == 1);
}

// As docs/openshmem.md says, their arguments may be initializers with commas, in parentheses.
static void test_initializers(void) {
  static long received[2];
  shmem_put(received, ((long[]){5, 6}), 2, me);
  shmem_fence();
  shmem_put(SHMEM_CTX_DEFAULT, received, ((long[]){7, 8}), 2, me);
  shmem_quiet();
  CHECK(received[0] == 7 && received[1] == 8);
  shmem_p(&received[0], ((long[]){3, 4}[1]), me);
  shmem_quiet();
  CHECK(shmem_g(received, ((int[]){0, me}[1])) == 4);
}

int main(void) {
  test_before_init();
  shmem_init();
  me = shmem_my_pe();
  pes = shmem_n_pes();
  test_barriers_of_memory();
  test_inner_finalize();
  test_lock();
  test_backwards();
  test_fairness();
  test_qualifiers();
  test_initializers();
  test_late_contexts();
  return finish_tests();
}
