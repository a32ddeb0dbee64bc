// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace clang {
class CompilerInstance;
}

namespace windrow::compiler {

/// The compilation that the plug-in was loaded into, once it has begun to parse; null before.
clang::CompilerInstance* current_compiler();

/// Whether `#pragma shmem defer` is carried out.
inline bool carries_out_defer = true;

} // namespace windrow::compiler
