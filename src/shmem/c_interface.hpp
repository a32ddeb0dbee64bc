// SPDX-License-Identifier: BSD-3-Clause
// shmem.h as the library sees it: without the overloads of C++, which would hide what it defines.
#pragma once

#define WINDROW_SHMEM_LIBRARY
#include "shmem.h"
