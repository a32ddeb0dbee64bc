// SPDX-License-Identifier: BSD-3-Clause
// Copies of memory: LLVM's intrinsics, and the functions of C's library that it does not make these of, as
// those which check sizes, or with -fno-builtin.
#pragma once

#include <llvm/IR/IntrinsicInst.h>

#include <optional>

#include "compiler/common/llvm/names.hpp"

namespace windrow::compiler {

/// Bytes that lie elsewhere afterwards as well, whatever they mean.
struct memory_copy {
  const Value *to, *from;
  std::optional<uint64_t> bytes; ///< none: not known
  bool aligned;                  ///< both as pointers are
};
/// Empty if that is none. By the name alone: the program's own function of that name is believed to do no
/// more.
std::optional<memory_copy> copied_by(const Instruction& instruction);

/// What the intrinsic, of LLVM or of the processor, may store, and where: with a mask, say. Constants are
/// left out.
void each_stored_by(const IntrinsicInst& call,
                    function_ref<void(const Value& value, const Value& address)> take);

} // namespace windrow::compiler
