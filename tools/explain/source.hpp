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
  std::vector<remark> remarks; ///< in the order of the lines, of which the file need not have all
};

/// Reads the files; says so of one that cannot be read (#line names what is not here), which has no lines
/// then.
std::vector<explained_source> read_sources(const remarks_by_file&);

/// "3 done, 1 missed": those that there are.
std::string summary_of(const std::vector<remark>&);

struct text_style {
  bool colours;   ///< escape sequences of terminals
  bool all_lines; ///< else those near a remark
};
/// The lines, each followed by its remarks; those of no line come first, those of lines behind the end last.
std::string as_text(const explained_source&, text_style);

/// A page that needs no other file. `before` is a part of it, ahead of the sources.
std::string as_html(const std::vector<explained_source>&, const std::string& title,
                    const std::string& before = "");
/// What is there stays until all of the page is written. Throws windrow::error if that is not possible.
void write_page(const std::string& file, const std::string& page);

} // namespace windrow::tools
