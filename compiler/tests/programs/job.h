/* SPDX-License-Identifier: BSD-3-Clause */
/* The programs of this folder run as jobs of any number of PEs on the library, and as one process that plays
   all PEs on the reordering runtime: there each PE's part of the work is done in turn. */
#ifndef WINDROW_COMPILER_TESTS_JOB_H
#define WINDROW_COMPILER_TESTS_JOB_H

#include <shmem.h>
#include <shmemx.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef REORDER
#define FOR_MY_PES(me) for (int me = 0; me < shmem_n_pes(); me++)
#else
#define FOR_MY_PES(me) for (int me = shmem_my_pe(), once = 1; once; once = 0)
#endif

/* The part of a symmetric object that belongs to PE `me`, which is played here. */
#define PART(object, me) ((int64_t*)shmem_ptr(object, me))

static int64_t* symmetric(int64_t entries) {
  return (int64_t*)shmem_calloc((size_t)entries, sizeof(int64_t));
}

/* Of symmetric memory, more than a cache holds if the environment says so. */
static int64_t entries_of_table(void) {
  return getenv("LARGE") ? 1 << 24 : 50;
}

/* A hash: the programs' random numbers. */
static uint64_t mixed(uint64_t a, uint64_t b) {
  uint64_t x = a * 0x9e3779b97f4a7c15u + b * 0xc2b2ae3d27d4eb4fu + 1;
  x ^= x >> 31;
  x *= 0xd6e8feb86659fd93u;
  return x ^ x >> 32;
}

static shmem_ctx_t start(void) {
  shmem_ctx_t ctx;
  shmem_init();
  if (shmem_ctx_create(getenv("PLAIN_CONTEXT") ? 0 : SHMEMX_CTX_AGGREGATE, &ctx) != 0) exit(2);
  return ctx;
}

#endif
