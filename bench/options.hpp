// SPDX-License-Identifier: BSD-3-Clause
// What all benchmarks let their users choose.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "bench/measure.hpp"

namespace windrow::bench {

struct common_options {
  int repetitions = 5;
  std::string only;
  bool json = false;
};

inline void declare_common(CLI::App& app, common_options& o) {
  app.add_option("--repetitions", o.repetitions, "counted ones, after one that is not")
      ->check(CLI::PositiveNumber);
  app.add_option("--only", o.only, "only the variant of this name");
  app.add_flag("--json", o.json, "one JSON object per line");
}

/// Those variants that the user has chosen.
inline std::vector<variant> selected(std::vector<variant> all, const common_options& o) {
  if (!o.only.empty()) std::erase_if(all, [&](const variant& v) { return v.name != o.only; });
  return all;
}

} // namespace windrow::bench
