// SPDX-License-Identifier: BSD-3-Clause
// LLVM's names, as every file of the pass uses them.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/BasicBlock.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace windrow::compiler {
using namespace llvm;

/// The place in the function that the instruction stands in, also of what has been inlined there.
inline DebugLoc place_of(const DebugLoc& where) {
  auto* place = where.get();
  while (place && place->getInlinedAt()) place = place->getInlinedAt();
  return place;
}

/// The innermost place of the instruction, in the function that has been inlined, unless that is the
/// library's: shmem.h's overloads for C++.
inline DebugLoc place_outside_library(const DebugLoc& where) {
  auto* place = where.get();
  while (place && place->getInlinedAt() && place->getFilename().contains("windrow/detail/"))
    place = place->getInlinedAt();
  return place;
}
} // namespace windrow::compiler
