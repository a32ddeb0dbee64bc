// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// The version of these headers: major, minor, patch. CMakeLists.txt holds the same number; a test compares
/// them.
#define WINDROW_VERSION_MAJOR 0
#define WINDROW_VERSION_MINOR 1
#define WINDROW_VERSION_PATCH 0
#define WINDROW_VERSION "0.1.0"
