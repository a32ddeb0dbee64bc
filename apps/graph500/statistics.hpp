// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace windrow::apps {

/// What Graph500 asks of a list of numbers.
struct statistics {
  double min, first_quartile, median, third_quartile, max;
  double mean, stddev;
  double harmonic_mean;   ///< right for rates: searches with many edges do not hide slow ones
  double harmonic_stddev; ///< standard error (Norris, "The standard errors of the geometric and harmonic
                          ///< means", 1940)
};

/// Of at least one number, all above 0. Quartiles between two numbers are interpolated. Deviations of a
/// single number are 0.
statistics statistics_of(std::vector<double> numbers);

/// Lines "PREFIXmin_NAME: …" to "PREFIXstddev_NAME: …" as the specification of Graph500 names them; rates
/// have harmonic means, all others arithmetic ones.
std::string lines_of(const statistics&, const std::string& prefix, const std::string& name, bool are_rates);

} // namespace windrow::apps
