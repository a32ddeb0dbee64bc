// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/common/transform/transaction.hpp"

#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <utility>

namespace windrow::compiler {

namespace {

Function& copy_of(Function& function) {
  ValueToValueMapTy unused;
  return *CloneFunction(&function, unused);
}

// Moves all of `from` but its name to `to`, which has no body.
void move_body(Function& from, Function& to) {
  for (auto [there, here] : zip(to.args(), from.args())) here.replaceAllUsesWith(&there);
  to.splice(to.end(), &from);
  to.clearMetadata();
  to.copyMetadata(&from, 0);
  if (from.hasPersonalityFn()) to.setPersonalityFn(from.getPersonalityFn());
}

} // namespace

void drop_body(Function& function) {
  const auto linkage = function.getLinkage();
  auto* comdat = function.getComdat();
  SmallVector<std::pair<unsigned, MDNode*>, 4> said; // its type among others, for control flow integrity
  function.getAllMetadata(said);
  auto* in_front = function.hasPrefixData() ? function.getPrefixData() : nullptr;
  auto* at_begin = function.hasPrologueData() ? function.getPrologueData() : nullptr;
  function.deleteBody();
  function.setLinkage(linkage);
  function.setComdat(comdat);
  for (const auto& [kind, node] : said) function.addMetadata(kind, *node);
  if (in_front) function.setPrefixData(in_front);
  if (at_begin) function.setPrologueData(at_begin);
}

transaction::transaction(Function& function) : function_(function), original_(&copy_of(function)) {}

transaction::~transaction() {
  if (original_) original_->eraseFromParent();
}

std::string transaction::fault(const additions& added) const {
  std::string text;
  raw_string_ostream stream(text);
  bool broken = verifyFunction(function_, &stream);
  for (const auto* one : added)
    if (const auto* function = dyn_cast<Function>(one)) broken |= verifyFunction(*function, &stream);
  return broken ? text.substr(0, text.find('\n')) : "";
}

void transaction::restore(const additions& added) {
  auto& again = copy_of(*original_);
  for (auto* one : added)
    if (auto* function = dyn_cast<Function>(one)) function->deleteBody();
  drop_body(function_);
  move_body(*original_, function_);
  original_->eraseFromParent();
  original_ = &again;
  for (auto* one : added) one->eraseFromParent();
}

Function& transaction::take_original() {
  return *std::exchange(original_, nullptr);
}

} // namespace windrow::compiler
