// SPDX-License-Identifier: BSD-3-Clause
// What the arguments of a compiler ask for, as far as a wrapper must know it.
#pragma once

#include <string>
#include <vector>

namespace windrow::tools {

/// With the words of each response file (@file) in place of its name, as compilers read them. One that cannot
/// be read stays as it is.
std::vector<std::string> with_response_files(const std::vector<std::string>& arguments);

/// What the linker is to make.
enum class product {
  none,        ///< it does not run: -c, -E, ..., or there is nothing to compile or link
  relocatable, ///< an object file: -r
  library,     ///< a shared library: -shared
  module, ///< a shared library that a program opens which knows nothing of Windrow: it has the library itself
  program,      ///< an executable
  open_program, ///< an executable with all its symbols, for modules that it opens: -rdynamic
};

/// A module is told from a library by its name, if it is one of Python (`-o
/// x.cpython-311-x86_64-linux-gnu.so`, `x.abi3.so`), or by `-lwindrow` in the arguments.
product product_of(const std::vector<std::string>& arguments);

/// Whether a shared library may have no undefined symbols: -Wl,--no-undefined, -Wl,-z,defs.
bool forbids_undefined(const std::vector<std::string>& arguments);

} // namespace windrow::tools
