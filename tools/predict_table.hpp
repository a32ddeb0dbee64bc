// SPDX-License-Identifier: BSD-3-Clause
// What `windrow bench predict` shows.
#pragma once

#include <string>
#include <vector>

#include "bench/predict/point.hpp"
#include "tools/chart.hpp"
#include "tools/published.hpp"

namespace windrow::tools {

/// A table for each kernel: a row for each number of PEs, with the published speeds beside the predicted ones
/// where there are any (`published` may be null). At most 100 columns wide.
std::string predict_table(const std::vector<bench::point>&, const publication* published);

/// The speed-ups over the blocking style, a line for each kernel and style, and for each kernel as published.
chart_table predict_chart(const std::vector<bench::point>&, const publication* published,
                          const std::string& model);

/// Speed over that of the blocking style of the same kernel on the same PEs; 0 if there is none.
double predicted_speed_up(const std::vector<bench::point>&, const bench::point&);

} // namespace windrow::tools
