// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Inlined whatever the compiler thinks of the size: for a few instructions that a call, with the passing of
/// its arguments, would double.
#define WINDROW_INLINE __attribute__((always_inline)) inline
/// WINDROW_INLINE behind the parameters of a lambda.
#define WINDROW_INLINE_LAMBDA __attribute__((always_inline))
