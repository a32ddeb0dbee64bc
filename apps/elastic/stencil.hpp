// SPDX-License-Identifier: BSD-3-Clause
// The scheme of SW4 inside a grid: fourth order in space (Sjögreen and Petersson, "A fourth order accurate
// finite difference scheme for the elastic wave equation in second order formulation", 2012). Pointers are to
// the point in question; `s` is the distance in memory to the next point in one direction. Results are
// multiples of the derivatives: times h², the square of the distance of points.
#pragma once

#include <array>
#include <cstddef>

#include "apps/elastic/problem.hpp"

namespace windrow::apps::elastic {

/// Points beyond a point that its derivatives depend on.
inline constexpr std::int64_t reach = 2;

/// d/dx (c du/dx)
inline double along(const double* c, const double* u, std::ptrdiff_t s) {
  const auto far_left = c[-s] - 0.75 * (c[0] + c[-2 * s]);
  const auto left = c[-2 * s] + c[s] + 3 * (c[0] + c[-s]);
  const auto right = c[-s] + c[2 * s] + 3 * (c[s] + c[0]);
  const auto far_right = c[s] - 0.75 * (c[0] + c[2 * s]);
  return (far_left * (u[-2 * s] - u[0]) + left * (u[-s] - u[0]) + right * (u[s] - u[0]) +
          far_right * (u[2 * s] - u[0])) /
         6;
}

/// 12 h du/dx
inline double slope(const double* u, std::ptrdiff_t s) {
  return u[-2 * s] - u[2 * s] + 8 * (u[s] - u[-s]);
}

/// d/dx (c du/dy), for two directions.
inline double across(const double* c, const double* u, std::ptrdiff_t x, std::ptrdiff_t y) {
  return (c[-2 * x] * slope(u - 2 * x, y) - c[2 * x] * slope(u + 2 * x, y) +
          8 * (c[x] * slope(u + x, y) - c[-x] * slope(u - x, y))) /
         144;
}

/// What the medium is around a point.
struct moduli {
  const double *mu, *lambda, *both; ///< `both` is 2 mu + lambda
};

/// The divergence of the stress.
inline vec3 divergence_of_stress(const moduli& m, const std::array<const double*, 3>& u,
                                 const std::array<std::ptrdiff_t, 3>& s) {
  vec3 result{};
  for (std::size_t a = 0; a < 3; ++a) {
    result[a] = along(m.both, u[a], s[a]);
    for (std::size_t b = 0; b < 3; ++b)
      if (a != b)
        result[a] +=
            along(m.mu, u[a], s[b]) + across(m.mu, u[b], s[b], s[a]) + across(m.lambda, u[b], s[a], s[b]);
  }
  return result;
}

} // namespace windrow::apps::elastic
