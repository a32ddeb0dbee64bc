/* SPDX-License-Identifier: BSD-3-Clause */
/* What the programs of this folder share: PROGRAM plain|by_hand SIZE runs one of its two versions and prints
 * a checksum, the same for both and for any number of PEs that the problem does not depend on, and the time
 * between start and end of OpenSHMEM. */
#pragma once

#include <inttypes.h>
#include <shmem.h>
#include <shmemx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int me, n_pes;
static double began;

/* xorshift64 of Marsaglia; `state` is not 0. */
static inline uint64_t next_random(uint64_t* state) {
  uint64_t x = *state;
  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  return *state = x;
}

/* Of each PE another sequence. */
static inline uint64_t seed_of(int pe) {
  return 0x9e3779b97f4a7c15U * (uint64_t)(pe + 1);
}

/* Initialises OpenSHMEM; whether the version by hand is to be run. Ends a program with the wrong arguments.
 */
static inline int begin(int argc, char** argv, long* size, long most) {
  const int by_hand = argc == 3 && strcmp(argv[1], "by_hand") == 0;
  *size = argc == 3 ? atol(argv[2]) : 0;
  if (*size < 1 || *size > most || (!by_hand && strcmp(argv[1], "plain") != 0)) {
    fprintf(stderr, "usage: %s plain|by_hand SIZE, where SIZE is 1 to %ld\n", argv[0], most);
    exit(2);
  }
  shmem_init();
  me = shmem_my_pe();
  n_pes = shmem_n_pes();
  began = shmemx_wtime();
  return by_hand;
}

/* Ends a job of more PEs than the program has room for. */
static inline void require_pes(int most) {
  if (n_pes <= most) return;
  if (me == 0) fprintf(stderr, "the program is for %d PEs at most\n", most);
  shmem_finalize();
  exit(2);
}

/* Prints the exclusive or of what the PEs have, and ends OpenSHMEM. */
static inline int end(uint64_t checksum) {
  static uint64_t mine, all;
  mine = checksum;
  shmem_barrier_all();
  const double seconds = shmemx_wtime() - began;
  shmem_uint64_xor_reduce(SHMEM_TEAM_WORLD, &all, &mine, 1);
  if (me == 0) printf("seconds %.6f\nchecksum %016" PRIx64 "\n", seconds, all);
  shmem_finalize();
  return 0;
}

/* A value and where it stands, for checksums. */
static inline uint64_t mixed(uint64_t place, uint64_t value) {
  uint64_t state = (place + 1) * 0xff51afd7ed558ccdU ^ (value + 1) * 0xc4ceb9fe1a85ec53U;
  return next_random(&state);
}
