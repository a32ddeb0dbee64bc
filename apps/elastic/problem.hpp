// SPDX-License-Identifier: BSD-3-Clause
// What shakes: an isotropic elastic medium in the unit cube, which repeats itself in all directions, and the
// force that acts on it.
//
//     rho u_tt = div(sigma(u)) + force(x) pulse(t),  sigma_ab = mu (du_a/dx_b + du_b/dx_a) + lambda div(u)
//
// Three problems have a known solution u = w(x) cos(omega t); the fourth one is a source in a medium at rest.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace windrow::apps::elastic {

using vec3 = std::array<double, 3>;

struct material {
  double rho, lambda, mu;
};

/// mean + height sin(wave . x + phase), with its derivatives.
struct ripple {
  double mean = 0, height = 0;
  vec3 wave{};
  double phase = 0;

  double at(const vec3& x) const;
  double slope(const vec3& x, std::size_t a) const;
  double curvature(const vec3& x, std::size_t a, std::size_t b) const;
};

enum class scenario : std::uint8_t {
  p_wave,  ///< a standing wave of compression in a uniform medium
  s_wave,  ///< one of shear
  ripples, ///< a manufactured solution in a medium that varies everywhere
  source,  ///< an explosion in a half-space below a soft layer, in the manner of the test LOH.1
};

struct problem {
  scenario which = scenario::source;
  ripple rho{}, lambda{}, mu{};     ///< the medium, but for the source
  std::array<ripple, 3> solution{}; ///< w(x)
  double omega = 0;                 ///< 0: the solution is not known

  bool has_solution() const { return omega > 0; }
  material medium(const vec3& x) const;
  /// Its part that depends on the place.
  vec3 force(const vec3& x) const;
  /// Its part that depends on time, and the second derivative of that.
  double pulse(double t) const;
  double pulse_curvature(double t) const;
  /// The solution if it is known, else rest.
  vec3 displacement(const vec3& x, double t) const;
  /// No less than the square of the greatest speed that stability depends on, (4 mu + lambda) / rho.
  double fastest_squared() const;
};

problem make_problem(scenario);
std::string_view name_of(scenario);

} // namespace windrow::apps::elastic
