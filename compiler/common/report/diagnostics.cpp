// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/common/report/diagnostics.hpp"

#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/IR/DiagnosticInfo.h>

namespace windrow::compiler {

std::string at_line(const Instruction& where) {
  const auto location = place_of(where.getDebugLoc());
  return location ? " at line " + std::to_string(location.getLine()) : "";
}

unsigned diagnostics::refusals() const {
  return static_cast<unsigned>(count_if(
      messages_, [](const message& one) { return one.what == kind::warning || one.what == kind::error; }));
}

void diagnostics::withdraw() {
  erase_if(messages_, [](const message& one) {
    return one.what == kind::deferred || one.what == kind::done || one.what == kind::analysis;
  });
}

void diagnostics::emit() {
  for (const auto& one : messages_) emit(one);
  messages_.clear();
}

void diagnostics::emit(const message& one) {
  auto* block = &function_.getEntryBlock();
  auto& context = function_.getContext();
  OptimizationRemarkEmitter remarks(&function_);
  auto missed = [&] {
    OptimizationRemarkMissed remark(pass_, "NotDeferred", one.where, block);
    remarks.emit(remark << one.text);
  };
  switch (one.what) {
    case kind::deferred: {
      OptimizationRemark remark(pass_, "Deferred", one.where, block);
      return remarks.emit(remark << one.text);
    }
    case kind::done: {
      OptimizationRemark remark(pass_, "Transformed", one.where, block);
      return remarks.emit(remark << one.text);
    }
    case kind::analysis: {
      OptimizationRemarkAnalysis remark(pass_, "Drain", one.where, block);
      return remarks.emit(remark << one.text);
    }
    case kind::missed:
      return missed();
    case kind::warning: {
      missed(); // for -fsave-optimization-record and -Rpass-missed
      DiagnosticInfoOptimizationFailure warning(pass_, "NotDeferred", one.where, block);
      warning << one.text;
      return context.diagnose(warning);
    }
    case kind::error: {
      const DiagnosticInfoUnsupported error(function_, one.text, one.where, DS_Error);
      return context.diagnose(error);
    }
  }
}

} // namespace windrow::compiler
