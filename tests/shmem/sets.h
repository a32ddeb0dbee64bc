// SPDX-License-Identifier: BSD-3-Clause
// The sets of PEs on which collectives are tested, as active sets and, where there are teams, as teams: all,
// the even ones, the odd ones, the last one. Disjoint sets work at the same time.
#pragma once

#include "tests/shmem/harness.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { set_count = 4, syncs_each = 2, most_reduced = 120 };

/// PEs start, start + 2^log_stride, … of the set, none if it has no members.
int set_start(int set);
int set_log_stride(int set);
int set_size(int set);
/// The PE of the world that is member `rank`.
int set_member(int set, int rank);
/// The calling PE's place among the members, or -1.
int set_rank(int set);

/// A pSync for any collective, of which each set has several.
long* set_sync(int set, int which);
/// A pWrk for a reduction of up to `most_reduced` elements of any type, of which each set has as many.
void* set_work(int set, int which);

#if !defined(SHMEM_TESTS_PORTABLE)
/// The team of these PEs. The first call is collective.
shmem_team_t set_team(int set);
#endif

#ifdef __cplusplus
}
#endif
