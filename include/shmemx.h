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

#ifdef __cplusplus
extern "C" {
#endif
/* Seconds since some moment in the past, the same clock in all PEs of a host. May be called at any time. */
double shmemx_wtime(void);
#ifdef __cplusplus
}
#endif

#ifdef __cplusplus
namespace windrow {
class job;
}
/* The windrow::job that the OpenSHMEM calls of this program use: after shmem_init. If the program has made
   one itself before shmem_init, it is that one. */
windrow::job& shmemx_job();
#endif

#endif
