// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <link.h>

#include <cstddef>
#include <span>
#include <string>

namespace windrow::os {

/// The build id that the linker has written into a file of code that is loaded; empty if there is none.
std::span<const std::byte> build_id_of(const dl_phdr_info& file);

/// Where code is, as `addr2line -e FILE` wants it: the name of its file, +, and its address there.
std::string place_in_file(const void* code);

/// The file that has the function, by the name that it was loaded by: empty if nobody knows.
std::string file_of_function(const void* function);

} // namespace windrow::os
