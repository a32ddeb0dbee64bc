/* SPDX-License-Identifier: BSD-3-Clause */
/* What can be seen of a program, in memory and in what it said; for those who compare. */
#ifndef WINDROW_COMPILER_TESTS_SEEN_H
#define WINDROW_COMPILER_TESTS_SEEN_H

#include "harness.h"

enum { most_pes = 8, cells_per_pe = 64, once_cells = 4096 };

struct everywhere { /* of each PE */
  int64_t moved[64], also_moved[64], tickets[64], guarded[8];
  uint64_t flag;
};
struct until_quiet {
  int64_t counts[cells_per_pe], posted[64], taken[256];
};
struct result {
  int64_t returned[2], heard, out[64], mem[16];
  uint64_t sums[64], totals[64], tallies[64], scores[64], rest[64], cells[16], said, serial;
  double reals[16];
  struct own own;
  int64_t messages[256];
  struct everywhere everywhere[most_pes];
  struct until_quiet until_quiet[most_pes];
};

extern int64_t *sym, *counts;

void allocate(void); /* by all PEs */
void reset(void);    /* fills the memory of all PEs */
void hear(const void* bytes, size_t n);
void keep_own(struct result* to);
void keep_until_quiet(struct until_quiet* to, int pe);

/* Another PE that has been told so looks at messages, and one that waits for the lock at what it guards. */
void look(void);

#endif
