// SPDX-License-Identifier: BSD-3-Clause
// What a compiler pass, or another tool, says of places in source files. One form for all of them, so that
// they are shown in one way.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace windrow::tools {

enum class verdict {
  done,    ///< communication was changed as the programmer asked for
  cost,    ///< something was added that takes time
  missed,  ///< more would have been possible
  refused, ///< it stays as written although the programmer asked for more
};
inline constexpr verdict all_verdicts[] = {verdict::done, verdict::cost, verdict::missed, verdict::refused};
/// "done", "cost", "missed", "refused".
const char* name_of(verdict);

struct remark {
  int line, column; ///< from 1
  verdict what;
  std::string by, text; ///< the pass, and what it says
  auto operator<=>(const remark&) const = default;
};

/// By file, in the order of the file, each once.
using remarks_by_file = std::map<std::string, std::vector<remark>>;

struct compiler_output {
  remarks_by_file remarks;
  std::string rest; ///< lines that are no remarks of Windrow's passes
};
/// Reads what clang prints with -Rpass, -Rpass-missed and -Rpass-analysis. What stays as written although it
/// was asked for is told once, not also as missed.
compiler_output parse_remarks(std::string_view text);

/// {"version": 1, "counts": {VERDICT: N}, "files": [{"file", "remarks": [{"line", "column", "verdict", "by",
/// "text"}]}]}.
std::string as_json(const remarks_by_file&);

} // namespace windrow::tools
