/* SPDX-License-Identifier: BSD-3-Clause */
/* A runtime for testing the compiler: the PEs are arrays of one process, and fetches complete, and deferred
   code runs, in any order that the interface between compiler and runtime allows. The tested code is PE 0.
   Global variables are symmetric in the section "symmetric".

   Environment: REORDER_ORDER   fifo (default), lifo, random, or blocking: everything at once, as on a context
                                that does not aggregate
                REORDER_LIMIT   records that may wait before the opening of another runs some (default 256)
                REORDER_REPORT  prints at the end how many records there were and how many fetches blocked */
#ifndef WINDROW_COMPILER_TESTS_REORDER_H
#define WINDROW_COMPILER_TESTS_REORDER_H

#include <shmem.h>
#include <shmemx.h>

#ifdef __cplusplus
extern "C" {
#endif

enum reorder_order { reorder_fifo, reorder_lifo, reorder_random, reorder_blocking };

/* What the environment says otherwise; begins with an empty heap. */
void reorder_start(enum reorder_order order, long limit, unsigned seed);

struct reorder_counts {
  long records, blocking_fetches, drains, deepest_level, fused;
};
struct reorder_counts reorder_counts(void);

/* Is called where other PEs may look at memory: behind each signal that is sent, and before a lock is
 * released. Null for nobody. */
void reorder_watch(void (*watcher)(void));
void reorder_seen(void);

#ifdef __cplusplus
}
#endif

#endif
