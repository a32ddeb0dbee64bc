// SPDX-License-Identifier: BSD-3-Clause
// Programs that wait one access too late, and the same without the mistake, for two PEs: `late NAME wrong` or
// `late NAME right`. Exits with 3 where a value is not what its author thinks.
#include <stdio.h>
#include <string.h>

#include "shmem.h"

static long data, flag, ack, copy[4];
static int wrong;

static void require(int true) {
  if (!true) shmem_global_exit(3);
}

static void source_of_put(int me) {
  long source = 1;
  if (me == 0) {
    shmem_long_put_nbi(&data, &source, 1, 1);
    if (!wrong) shmem_quiet();
    source = 2;
  }
  shmem_barrier_all();
  if (me == 1) require(data == 1);
}

static void source_of_long_put(int me) {
  long source[4] = {1, 2, 3, 4};
  if (me == 0) {
    shmem_putmem_nbi(copy, source, sizeof source, 1);
    if (!wrong) shmem_quiet();
    memset(source, 0, sizeof source);
  }
  shmem_barrier_all();
  if (me == 1) require(copy[3] == 4);
}

static void result_of_get(int me) {
  data = 5 + me;
  shmem_barrier_all();
  if (me == 0) {
    long value;
    shmem_long_get_nbi(&value, &data, 1, 1);
    if (!wrong) shmem_quiet();
    require(value == 6);
  }
}

static void result_of_fetch(int me) {
  if (me == 0) {
    long before;
    shmem_long_atomic_fetch_add_nbi(&before, &data, 1, 1);
    if (!wrong) shmem_quiet();
    require(before == 0);
  }
}

static void flag_after_data(int me) {
  for (long round = 1; round <= 500; ++round) {
    if (me == 0) {
      shmem_long_p(&data, round, 1);
      if (!wrong) shmem_fence();
      shmem_long_p(&flag, round, 1);
      shmem_long_wait_until(&ack, SHMEM_CMP_EQ, round);
    } else {
      shmem_long_wait_until(&flag, SHMEM_CMP_EQ, round);
      require(shmem_long_g(&data, 1) == round);
      shmem_long_p(&ack, round, 0);
      shmem_quiet();
    }
  }
}

static void get_after_put(int me) {
  if (me == 0) {
    shmem_long_p(&data, 1, 1);
    if (!wrong) shmem_quiet();
    require(shmem_long_g(&data, 1) == 1);
  }
}

static void atomic_after_put(int me) {
  if (me == 0) {
    shmem_long_p(&data, 7, 1);
    if (!wrong) shmem_fence();
    require(shmem_long_atomic_fetch_inc(&data, 1) == 7);
  }
}

// The signal comes after its own data, and after nothing else.
static void data_of_signal(int me) {
  static uint64_t signal;
  for (long round = 1; round <= 500; ++round) {
    if (me == 0) {
      shmem_long_p(&data, round, 1);
      if (!wrong) shmem_quiet();
      shmem_signal_set(&signal, (uint64_t)round, 1);
      shmem_long_wait_until(&ack, SHMEM_CMP_EQ, round);
    } else {
      shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, (uint64_t)round);
      require(shmem_long_g(&data, 1) == round);
      shmem_long_p(&ack, round, 0);
      shmem_quiet();
    }
  }
}

// Not wrong at all: the library must not be later than it may.
static void put_with_signal(int me) {
  static uint64_t signal;
  for (long round = 1; round <= 100; ++round) {
    if (me == 0) {
      shmem_long_put_signal(&data, &round, 1, &signal, 1, SHMEM_SIGNAL_ADD, 1);
      shmem_long_wait_until(&ack, SHMEM_CMP_EQ, round);
    } else {
      shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, (uint64_t)round);
      require(shmem_long_g(&data, 1) == round);
      shmem_long_p(&ack, round, 0);
    }
  }
}

static const struct {
  const char* name;
  void (*run)(int me);
} programs[] = {
    {"source_of_put", source_of_put},       {"source_of_long_put", source_of_long_put},
    {"result_of_get", result_of_get},       {"result_of_fetch", result_of_fetch},
    {"flag_after_data", flag_after_data},   {"get_after_put", get_after_put},
    {"atomic_after_put", atomic_after_put}, {"data_of_signal", data_of_signal},
    {"put_with_signal", put_with_signal},
};

int main(int argc, char** argv) {
  shmem_init();
  wrong = argc > 2 && strcmp(argv[2], "wrong") == 0;
  for (size_t i = 0; i < sizeof programs / sizeof *programs; ++i)
    if (argc > 2 && strcmp(programs[i].name, argv[1]) == 0) {
      programs[i].run(shmem_my_pe());
      shmem_barrier_all();
      shmem_finalize();
      return 0;
    }
  fprintf(stderr, "late: no program %s\n", argc > 1 ? argv[1] : "");
  return 2;
}
