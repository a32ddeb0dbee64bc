// SPDX-License-Identifier: BSD-3-Clause
// What all benchmarks let their users choose.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "apps/support/command_line.hpp"
#include "bench/measure.hpp"

namespace windrow::bench {

struct common_options {
  int repetitions = 5;
  std::string only;
  bool json = false;
};

inline void declare_common(apps::command_line& line, common_options& o) {
  line.add("--repetitions", &o.repetitions, "counted ones, after one that is not").positive();
  line.add("--only", &o.only, "only the variant of this name");
  line.add_flag("--json", o.json, "one JSON object per line");
}

/// Those variants that the user has chosen.
inline std::vector<variant> selected(std::vector<variant> all, const common_options& o) {
  if (!o.only.empty()) std::erase_if(all, [&](const variant& v) { return v.name != o.only; });
  return all;
}

/// To be called by all PEs: the job ends if --only names none that there is.
inline void require_some(job& j, bool any, const common_options& o) {
  if (any) return;
  if (j.pe() == 0)
    std::fprintf(stderr, "bench: there is no variant '%s'; without --only all are run\n", o.only.c_str());
  j.barrier(); // that of PE 0 is said before any ends
  std::exit(EXIT_FAILURE);
}

} // namespace windrow::bench
