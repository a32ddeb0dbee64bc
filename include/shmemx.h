/* SPDX-License-Identifier: BSD-3-Clause */
/* What Windrow adds to OpenSHMEM, and the names under which other libraries had what 1.6 made standard. */
#ifndef WINDROW_SHMEMX_H
#define WINDROW_SHMEMX_H

/* As shmem.h has it. */
#if !defined(__cplusplus) && (!defined(__STDC_VERSION__) || __STDC_VERSION__ < 199901L)
#pragma GCC system_header
#endif

#include "shmem.h"

/* An option of shmem_ctx_create and shmem_team_create_ctx: small operations on the context travel in bulk and
   are complete, locally and remotely, at shmem_ctx_quiet. docs/aggregation-contexts.md has the precise rules.
 */
#define SHMEMX_CTX_AGGREGATE 0x100L

#include "windrow/detail/shmemx_aliases.h"

/* Parts of WINDROW_BULK (docs/bulk-operations.md). */
#define SHMEMX_BULK_PUTS 1
#define SHMEMX_BULK_BURSTS 2
#define SHMEMX_BULK_GETS 4
#define SHMEMX_BULK_OVERLAP 7

#ifdef __cplusplus
extern "C" {
#endif
/* From now on direct operations of this PE on PEs of other hosts are as WINDROW_BULK with these parts makes
   them; 0: each is done as it is called. Returns the parts that were chosen before: by the last call, or by
   WINDROW_BULK. What was kept leaves first. Local; between shmem_init and shmem_finalize, while no other
   thread of the PE uses the library. Where load and store reach the memory of all PEs it changes nothing, and
   returns 0. Parts that do not exist end the job with a sentence. */
int shmemx_set_bulk(int parts);
/* Seconds since some moment in the past, the same clock in all PEs of a host. May be called at any time. */
double shmemx_wtime(void);
#ifdef __cplusplus
}
#endif

#ifdef __cplusplus
extern "C++" {
namespace windrow {
class job;
}
/* The windrow::job that the OpenSHMEM calls of this program use: after shmem_init. If the program has made
   one itself before shmem_init, it is that one. */
windrow::job& shmemx_job();
}
#endif

#endif
