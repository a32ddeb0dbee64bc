// SPDX-License-Identifier: BSD-3-Clause
// Only here so that usual_headers.hpp has a target to be compiled for.
