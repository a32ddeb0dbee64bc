// SPDX-License-Identifier: BSD-3-Clause
// The symmetric heap: addresses are symmetric, memory is aligned and zeroed where promised, contents survive
// reallocation, nothing overlaps, nothing leaks.
#include "tests/shmem/harness.h"

// The object is symmetric: what every PE stores through its own address on its neighbour arrives at the
// neighbour's.
static void check_symmetric(void* memory, size_t bytes) {
  CHECK(memory != NULL);
  if (memory == NULL) return;
  unsigned char* all = memory;
  unsigned char value = (unsigned char)(17 * me + 1);
  memset(memory, 0, bytes);
  shmem_barrier_all();
  shmem_putmem(&all[bytes - 1], &value, 1, (me + 1) % pes);
  if (bytes > 1) shmem_putmem(&all[0], &value, 1, (me + 1) % pes);
  shmem_barrier_all();
  CHECK(all[bytes - 1] == (unsigned char)(17 * ((me + pes - 1) % pes) + 1));
  CHECK(all[0] == all[bytes - 1]);
}

static void test_malloc(void) {
  static const size_t sizes[] = {1, 7, 8, 63, 64, 1000, 4096, 100000, 1 << 20};
  enum { count = sizeof sizes / sizeof sizes[0] };
  void* memory[count];
  for (int i = 0; i < count; ++i) {
    memory[i] = shmem_malloc(sizes[i]);
    check_symmetric(memory[i], sizes[i]);
    memset(memory[i], i + 1, sizes[i]);
  }
  for (int i = 0; i < count; ++i)
    for (size_t k = 0; k < sizes[i]; ++k)
      if (((char*)memory[i])[k] != i + 1) report_failure(__FILE__, __LINE__, "memory does not overlap");
  for (int i = 0; i < count; ++i) shmem_free(memory[(i * 4) % count]);
  CHECK(shmem_malloc(0) == NULL);
  shmem_free(NULL);
}

static void test_calloc(void) {
  for (int round = 0; round < 3; ++round) {
    unsigned char* memory = shmem_calloc(300, 7);
    CHECK(memory != NULL);
    for (int i = 0; i < 2100; ++i)
      if (memory[i] != 0) report_failure(__FILE__, __LINE__, "shmem_calloc gives zeros");
    memset(memory, 0xff, 2100);
    shmem_free(memory);
  }
  CHECK(shmem_calloc(0, 8) == NULL);
}

static void test_align(void) {
  for (size_t alignment = 1; alignment <= 1 << 21; alignment *= 2) {
    void* filler = shmem_malloc(24);
    void* memory = shmem_align(alignment, 100);
    CHECK((uintptr_t)memory % alignment == 0);
    check_symmetric(memory, 100);
    shmem_free(memory);
    shmem_free(filler);
  }
  for (size_t alignment = 1 << 21; alignment <= 1 << 23; alignment *= 2) {
    long* memory = shmem_align(alignment, 100 * sizeof *memory);
    CHECK(memory != NULL && (uintptr_t)memory % alignment == 0);
    void* second = shmem_align(alignment, 100);
    CHECK(second != memory && (uintptr_t)second % alignment == 0);
    memory = shmem_realloc(memory, 200 * sizeof *memory);
    check_symmetric(memory, 100);
    shmem_free(second);
    shmem_free(memory);
  }
  CHECK(shmem_align(48, 100) == NULL && shmem_align(0, 100) == NULL);
  void* natural = shmem_malloc(64);
  CHECK((uintptr_t)natural % _Alignof(max_align_t) == 0);
  shmem_free(natural);
}

static void test_realloc(void) {
  long* memory = shmem_realloc(NULL, 10 * sizeof(long));
  for (int i = 0; i < 10; ++i) memory[i] = 100 * me + i;
  void* behind = shmem_malloc(64); // so that it cannot grow where it is
  memory = shmem_realloc(memory, 10000 * sizeof(long));
  for (int i = 0; i < 10; ++i) CHECK(memory[i] == 100 * me + i);
  memory[9999] = me;
  memory = shmem_realloc(memory, 5 * sizeof(long));
  for (int i = 0; i < 5; ++i) CHECK(memory[i] == 100 * me + i);
  shmem_barrier_all();
  CHECK(shmem_long_g(&memory[4], (me + 1) % pes) == 100 * ((me + 1) % pes) + 4);
  shmem_barrier_all();
  shmem_free(behind);
  CHECK(shmem_realloc(memory, 0) == NULL); // frees it
}

static void test_hints(void) {
  const long hints[] = {0, SHMEM_MALLOC_ATOMICS_REMOTE, SHMEM_MALLOC_SIGNAL_REMOTE,
                        SHMEM_MALLOC_ATOMICS_REMOTE | SHMEM_MALLOC_SIGNAL_REMOTE};
  for (size_t i = 0; i < sizeof hints / sizeof hints[0]; ++i) {
    uint64_t* memory = shmem_malloc_with_hints(16 * sizeof *memory, hints[i]);
    check_symmetric(memory, 16 * sizeof *memory);
    shmem_uint64_atomic_add(&memory[3], 5, (me + 1) % pes);
    shmem_barrier_all();
    CHECK(memory[3] == 5);
    shmem_free(memory);
  }
}

// A block grows and shrinks where it is, also where nothing else is free.
static void test_realloc_of_all(void) {
  enum { most = 200, bytes = 10000 };
  void* others[most];
  int count = 0;
  unsigned char* memory = NULL;
  size_t size = (size_t)1 << 62;
  while (memory == NULL) memory = shmem_malloc(size /= 2);
  for (size_t rest = size; rest >= 64; rest /= 2)
    for (void* taken; count < most && (taken = shmem_malloc(rest)) != NULL;) others[count++] = taken;
  CHECK(shmem_malloc(1) == NULL);
  for (int i = 0; i < bytes; ++i) memory[i] = (unsigned char)(i % 251 + me);
  CHECK(shmem_realloc(memory, size / 3) == memory);
  CHECK(shmem_realloc(memory, size + 1) == NULL);
  CHECK(shmem_realloc(memory, size) == memory);
  CHECK(shmem_realloc(memory, bytes) == memory);
  for (int i = 0; i < bytes; ++i) CHECK(memory[i] == (unsigned char)(i % 251 + me));
  void* behind = shmem_malloc(size - 2 * bytes);
  CHECK(behind != NULL);
  shmem_free(behind);
  while (count > 0) shmem_free(others[--count]);
  shmem_free(memory);
}

// What is too much gives NULL on every PE, and what is freed can be had again, however often.
static void test_exhaustion(void) {
  CHECK(shmem_malloc((size_t)1 << 60) == NULL);
  for (int i = 0; i < 2000; ++i) {
    void* memory = shmem_malloc(1 << 20);
    CHECK(memory != NULL);
    shmem_free(memory);
  }
}

int main(void) {
  shmem_init();
  me = shmem_my_pe();
  pes = shmem_n_pes();
  test_malloc();
  test_calloc();
  test_align();
  test_realloc();
  test_realloc_of_all();
  test_hints();
  test_exhaustion();
  return finish_tests();
}
