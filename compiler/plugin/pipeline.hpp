// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace llvm {
class PassBuilder;
}

namespace windrow::compiler {

/// Puts each pass where in the pipeline it belongs, and gives it a name for opt's -passes=.
void register_passes(llvm::PassBuilder& builder);

} // namespace windrow::compiler
