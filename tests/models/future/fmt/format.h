// SPDX-License-Identifier: BSD-3-Clause
// Sentences for what no model does.
#pragma once

#include <string>

namespace fmt {

template <class... Arguments>
std::string format(const char* sentence, const Arguments&...) {
  return sentence;
}

} // namespace fmt
