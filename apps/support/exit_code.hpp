// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <sstream>

namespace windrow::apps {

/// The exit code of a program whose command line has ended it: by a mistake, or a question for help. One of
/// several PEs that read the same line prints what there is to say.
inline int exit_code(CLI::App& app, const CLI::ParseError& end, bool speaks) {
  std::ostringstream unsaid;
  return speaks ? app.exit(end) : app.exit(end, unsaid, unsaid);
}

} // namespace windrow::apps
