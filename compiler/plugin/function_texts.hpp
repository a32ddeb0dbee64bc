// SPDX-License-Identifier: BSD-3-Clause
// Hashes of functions, by which `windrow overlap` knows whether a function is still the one that was
// recorded.
#pragma once

#include <memory>

namespace clang {
class ASTConsumer;
class CompilerInstance;
} // namespace clang

namespace windrow::compiler {

/// Has the tokens watched from now on, and fills overlap::known_hashes at the end of the translation unit.
std::unique_ptr<clang::ASTConsumer> hash_functions(clang::CompilerInstance& compiler);

} // namespace windrow::compiler
