/* SPDX-License-Identifier: BSD-3-Clause */
/* Where programs from before OpenSHMEM look for it. */
#ifndef WINDROW_MPP_SHMEMX_H
#define WINDROW_MPP_SHMEMX_H

#include "../shmemx.h"

#endif
