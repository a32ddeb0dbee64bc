// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/overlap/c_library.hpp"

#include <llvm/ADT/StringSet.h>

namespace windrow::compiler::overlap {

namespace {

const StringSet<> of_heap{"malloc",   "calloc",        "realloc", "reallocf", "free",
                          "memalign", "aligned_alloc", "valloc",  "pvalloc"};

bool is_operator(StringRef name) {
  return name.starts_with("_Znw") || name.starts_with("_Zna") || name.starts_with("_Zdl") ||
         name.starts_with("_Zda");
}

} // namespace

reach reach_of(const CallBase& call, const TargetLibraryInfo& library) {
  const auto* callee = call.getCalledFunction();
  LibFunc which{};
  if (!callee || !library.getLibFunc(*callee, which)) return reach::unknown;
  const auto name = callee->getName();
  return of_heap.contains(name) || is_operator(name) ? reach::heap : reach::arguments;
}

bool frees(StringRef name) {
  return name == "free" || name == "realloc" || name == "reallocf" || name.starts_with("_Zd");
}

} // namespace windrow::compiler::overlap
