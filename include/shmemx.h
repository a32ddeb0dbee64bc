/* SPDX-License-Identifier: BSD-3-Clause */
/* What Windrow adds to OpenSHMEM. */
#ifndef WINDROW_SHMEMX_H
#define WINDROW_SHMEMX_H

#include "shmem.h"

/* An option of shmem_ctx_create and shmem_team_create_ctx: small operations on the context travel in bulk and
   are complete, locally and remotely, at shmem_ctx_quiet. docs/aggregation-contexts.md has the precise rules.
 */
#define SHMEMX_CTX_AGGREGATE 0x100L

#ifdef __cplusplus
namespace windrow {
class job;
}
/* The windrow::job that the OpenSHMEM calls of this program use: after shmem_init. If the program has made
   one itself before shmem_init, it is that one. */
windrow::job& shmemx_job();
#endif

#endif
