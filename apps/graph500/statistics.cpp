// SPDX-License-Identifier: BSD-3-Clause
#include "apps/graph500/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace windrow::apps {

namespace {

double quantile(const std::vector<double>& sorted, double part) {
  const auto place = part * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const auto above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

double mean_of(const std::vector<double>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}

double deviation_of(const std::vector<double>& numbers) {
  if (numbers.size() < 2) return 0;
  const auto mean = mean_of(numbers);
  double squares = 0;
  for (const auto x : numbers) squares += (x - mean) * (x - mean);
  return std::sqrt(squares / static_cast<double>(numbers.size() - 1));
}

} // namespace

statistics statistics_of(std::vector<double> numbers) {
  std::ranges::sort(numbers);
  std::vector<double> inverses;
  for (const auto x : numbers) inverses.push_back(1 / x);
  const auto harmonic_mean = 1 / mean_of(inverses);
  const auto error = numbers.size() < 2 ? 0 : deviation_of(inverses) / std::sqrt(numbers.size() - 1);
  return {.min = numbers.front(),
          .first_quartile = quantile(numbers, .25),
          .median = quantile(numbers, .5),
          .third_quartile = quantile(numbers, .75),
          .max = numbers.back(),
          .mean = mean_of(numbers),
          .stddev = deviation_of(numbers),
          .harmonic_mean = harmonic_mean,
          .harmonic_stddev = error * harmonic_mean * harmonic_mean};
}

std::string lines_of(const statistics& s, const std::string& prefix, const std::string& name,
                     bool are_rates) {
  std::string text;
  const auto line = [&](const char* what, double value) {
    text += fmt::format("{}{}_{}: {:.6g}\n", prefix, what, name, value);
  };
  line("min", s.min);
  line("firstquartile", s.first_quartile);
  line("median", s.median);
  line("thirdquartile", s.third_quartile);
  line("max", s.max);
  line(are_rates ? "harmonic_mean" : "mean", are_rates ? s.harmonic_mean : s.mean);
  line(are_rates ? "harmonic_stddev" : "stddev", are_rates ? s.harmonic_stddev : s.stddev);
  return text;
}

} // namespace windrow::apps
