// SPDX-License-Identifier: BSD-3-Clause
// A source file with what is said of its lines, for a terminal and for a browser.
#pragma once

#include <string>
#include <vector>

#include "tools/explain/remarks.hpp"

namespace windrow::tools {

struct explained_source {
  std::string file;
  std::vector<std::string> lines;
  std::vector<remark> remarks; ///< in the order of the lines
};

/// Reads the file. Throws windrow::error if that is not possible.
explained_source read_source(const std::string& file, std::vector<remark> remarks);

/// "3 done, 1 missed": those that there are.
std::string summary_of(const std::vector<remark>&);

struct text_style {
  bool colours;   ///< escape sequences of terminals
  bool all_lines; ///< else those near a remark
};
/// The lines, each followed by its remarks.
std::string as_text(const explained_source&, text_style);

/// A page that needs no other file. `before` is a part of it, ahead of the sources.
std::string as_html(const std::vector<explained_source>&, const std::string& title,
                    const std::string& before = "");

} // namespace windrow::tools
