// SPDX-License-Identifier: BSD-3-Clause
// Who am I, who is there, what can be reached: the questions a program asks first.
#include "tests/shmem/harness.h"

#if !defined SHMEM_THREAD_SINGLE || !defined SHMEM_THREAD_FUNNELED || !defined SHMEM_THREAD_SERIALIZED || \
    !defined SHMEM_THREAD_MULTIPLE || !defined SHMEM_CMP_EQ || !defined SHMEM_CMP_NE ||                   \
    !defined SHMEM_CMP_GT || !defined SHMEM_CMP_LE || !defined SHMEM_CMP_LT || !defined SHMEM_CMP_GE ||   \
    !defined SHMEM_SIGNAL_SET || !defined SHMEM_SIGNAL_ADD
#error "programs ask for constants by #ifdef"
#endif

static long in_bss[4];
static long in_data[4] = {1, 2, 3, 4};
static const long constant[1] = {5};

static void test_names(void) {
  int major = -1, minor = -1;
  char name[SHMEM_MAX_NAME_LEN];
  memset(name, 'x', sizeof name);
  shmem_info_get_version(&major, &minor);
  shmem_info_get_name(name);
  CHECK(major == SHMEM_MAJOR_VERSION && minor == SHMEM_MINOR_VERSION);
  CHECK(strcmp(name, SHMEM_VENDOR_STRING) == 0);
}

static void test_accessible(void* heap) {
  long local[1] = {0};
  void* plain = malloc(64);
  for (int pe = 0; pe < pes; ++pe) {
    CHECK(shmem_pe_accessible(pe));
    CHECK(shmem_addr_accessible(heap, pe));
    CHECK(shmem_addr_accessible(in_bss, pe));
    CHECK(shmem_addr_accessible(in_data, pe));
    CHECK(!shmem_addr_accessible(local, pe));
    CHECK(!shmem_addr_accessible(plain, pe));
    CHECK(!shmem_addr_accessible(NULL, pe));
  }
  CHECK(!shmem_pe_accessible(pes));
  CHECK(!shmem_pe_accessible(-1));
  free(plain);
}

// Through the pointer of shmem_ptr every PE writes its number into an element of its own of each other PE.
static void test_ptr(long* mine) {
  memset(mine, 0, (size_t)pes * sizeof *mine);
  shmem_barrier_all();
  for (int pe = 0; pe < pes; ++pe) {
    long* there = shmem_ptr(mine, pe);
    CHECK(there != NULL);
    CHECK(pe != me || there == mine);
    if (there != NULL) there[me] = 100 * pe + me;
  }
  shmem_barrier_all();
  for (int from = 0; from < pes; ++from) CHECK(mine[from] == 100 * me + from);
}

int main(void) {
  shmem_init();
  me = shmem_my_pe();
  pes = shmem_n_pes();
  CHECK(pes >= 1 && me >= 0 && me < pes);
  test_names();
  long* heap = shmem_malloc(most_pes * sizeof *heap);
  static long bss[most_pes], data[most_pes] = {7};
  test_accessible(heap);
  test_ptr(heap);
  test_ptr(bss);
  test_ptr(data);
  long local = 0;
  for (int pe = 0; pe < pes; ++pe) CHECK(shmem_ptr(&local, pe) == NULL);
  CHECK(in_data[3] == 4 && in_bss[3] == 0 && constant[0] == 5); // shmem_init kept what was there
  shmem_free(heap);
  return finish_tests(); // ends with shmem_finalize
}
