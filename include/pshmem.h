/* SPDX-License-Identifier: BSD-3-Clause */
/* The profiling entries of OpenSHMEM: shmem.h declares them beside the routines. */
#ifndef WINDROW_PSHMEM_H
#define WINDROW_PSHMEM_H

#include "shmem.h"

#endif
