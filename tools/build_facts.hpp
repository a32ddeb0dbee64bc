// SPDX-License-Identifier: BSD-3-Clause
// How this build was made. CMake fills in the values (build_facts.cpp.in), in a file of their own: the rest
// of the command is not compiled again when a compiler appears.
#pragma once

#include <span>

namespace windrow::tools::build_facts {

extern const char* const build_type;
extern const char* const compiler;
extern const char* const c_compiler;
extern const char* const cxx_compiler;
extern const char* const sanitizers;

// From the folder of the command, in the build tree and when installed.
extern const char* const build_include;
extern const char* const build_library;
extern const char* const installed_include;
extern const char* const installed_library;

/// A compiler plug-in, and the compilers that can load it.
struct plugin {
  int release; ///< of clang
  const char *build, *installed, *clang, *clangxx;
};
/// The first is the usual one.
std::span<const plugin> plugins();

} // namespace windrow::tools::build_facts
