// SPDX-License-Identifier: BSD-3-Clause
// A place that is read again, with nothing in between that could have changed it, is read once.
#pragma once

#include <string>
#include <vector>

#include "compiler/comm/accesses.hpp"
#include "compiler/comm/analyses.hpp"

namespace windrow::compiler::comm {

/// A read of what `before` has read.
struct repeated_read {
  CallInst *again, *before;
  std::string obstacle; ///< why it is made all the same; empty: it need not be
};

/// Each read has at most one, that of the nearest. In the order of the program, so that of three equal reads
/// the second and the third can both go.
std::vector<repeated_read> repeated_reads(Function& function, known_facts& facts);

} // namespace windrow::compiler::comm
