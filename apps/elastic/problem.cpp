// SPDX-License-Identifier: BSD-3-Clause
#include "apps/elastic/problem.hpp"

#include <cmath>
#include <numbers>

namespace windrow::apps::elastic {

namespace {

constexpr double pi = std::numbers::pi;

// The source: a ball in which the force points outwards, and a pulse of Gaussian shape.
constexpr vec3 centre{0.3, 0.3, 0.4};
constexpr double radius = 0.1, strength = 100, width = 0.03, delay = 6 * width;

// Speeds of LOH.1 by that of compression in the half-space, densities by the one there.
constexpr double layer = 0.25;
constexpr double rho_of_layer = 2600.0 / 2700, p_of_layer = 4000.0 / 6000, s_of_layer = 2000.0 / 6000;
constexpr double rho_below = 1, p_below = 1, s_below = 3464.0 / 6000;

constexpr material from_speeds(double rho, double p, double s) {
  return {rho, rho * (p * p - 2 * s * s), rho * s * s};
}

double product(const vec3& a, const vec3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// A standing wave of displacements along `along`, in a uniform medium.
problem standing_wave(scenario which, const vec3& along, double modulus) {
  problem p{.which = which};
  p.rho.mean = 1.2, p.lambda.mean = 0.9, p.mu.mean = 0.8;
  const vec3 wave{2 * pi, 2 * pi, 0};
  for (std::size_t a = 0; a < 3; ++a)
    p.solution[a] = {.mean = 0, .height = along[a], .wave = wave, .phase = 0.3};
  p.omega = std::sqrt(modulus / p.rho.mean * product(wave, wave));
  return p;
}

problem manufactured() {
  problem p{.which = scenario::ripples};
  p.rho = {.mean = 1.2, .height = 0.3, .wave = {2 * pi, 0, -2 * pi}, .phase = 0.1};
  p.lambda = {.mean = 0.9, .height = 0.2, .wave = {0, 2 * pi, 2 * pi}, .phase = 0.5};
  p.mu = {.mean = 0.8, .height = 0.25, .wave = {2 * pi, 2 * pi, 0}, .phase = 0.9};
  p.solution[0] = {.mean = 0, .height = 0.7, .wave = {2 * pi, 2 * pi, 2 * pi}, .phase = 0.2};
  p.solution[1] = {.mean = 0, .height = 0.5, .wave = {2 * pi, -2 * pi, 0}, .phase = 0.6};
  p.solution[2] = {.mean = 0, .height = 0.6, .wave = {2 * pi, 0, 2 * pi}, .phase = 1.1};
  p.omega = 5;
  return p;
}

} // namespace

double ripple::at(const vec3& x) const {
  return mean + height * std::sin(product(wave, x) + phase);
}
double ripple::slope(const vec3& x, std::size_t a) const {
  return height * wave[a] * std::cos(product(wave, x) + phase);
}
double ripple::curvature(const vec3& x, std::size_t a, std::size_t b) const {
  return -height * wave[a] * wave[b] * std::sin(product(wave, x) + phase);
}

material problem::medium(const vec3& x) const {
  if (which != scenario::source) return {rho.at(x), lambda.at(x), mu.at(x)};
  return x[2] < layer ? from_speeds(rho_of_layer, p_of_layer, s_of_layer)
                      : from_speeds(rho_below, p_below, s_below);
}

// What makes the solution one: rho u_tt - div(sigma(u)), without cos(omega t).
vec3 problem::force(const vec3& x) const {
  vec3 result{};
  if (which == scenario::source) {
    const vec3 away{x[0] - centre[0], x[1] - centre[1], x[2] - centre[2]};
    const auto inside = 1 - product(away, away) / (radius * radius);
    if (inside > 0)
      for (std::size_t a = 0; a < 3; ++a) result[a] = strength * away[a] / radius * inside * inside * inside;
    return result;
  }
  const auto& w = solution;
  const auto divergence = w[0].slope(x, 0) + w[1].slope(x, 1) + w[2].slope(x, 2);
  for (std::size_t a = 0; a < 3; ++a) {
    result[a] = -rho.at(x) * omega * omega * w[a].at(x) - lambda.slope(x, a) * divergence;
    for (std::size_t b = 0; b < 3; ++b)
      result[a] -= mu.slope(x, b) * (w[a].slope(x, b) + w[b].slope(x, a)) +
                   mu.at(x) * (w[a].curvature(x, b, b) + w[b].curvature(x, a, b)) +
                   lambda.at(x) * w[b].curvature(x, a, b);
  }
  return result;
}

double problem::pulse(double t) const {
  if (has_solution()) return std::cos(omega * t);
  const auto s = (t - delay) / width;
  return std::exp(-s * s / 2);
}
double problem::pulse_curvature(double t) const {
  if (has_solution()) return -omega * omega * std::cos(omega * t);
  const auto s = (t - delay) / width;
  return (s * s - 1) / (width * width) * std::exp(-s * s / 2);
}

vec3 problem::displacement(const vec3& x, double t) const {
  if (!has_solution()) return {};
  const auto share = std::cos(omega * t);
  return {solution[0].at(x) * share, solution[1].at(x) * share, solution[2].at(x) * share};
}

double problem::fastest_squared() const {
  const auto of = [](const material& m) { return (4 * m.mu + m.lambda) / m.rho; };
  if (which == scenario::source) return of(from_speeds(rho_below, p_below, s_below));
  return of({rho.mean - rho.height, lambda.mean + lambda.height, mu.mean + mu.height});
}

problem make_problem(scenario which) {
  constexpr double root = std::numbers::sqrt2 / 2;
  switch (which) {
    case scenario::p_wave:
      return standing_wave(which, {root, root, 0}, 0.9 + 2 * 0.8);
    case scenario::s_wave:
      return standing_wave(which, {root / 2, -root / 2, 1}, 0.8);
    case scenario::ripples:
      return manufactured();
    case scenario::source:
      break;
  }
  return {};
}

std::string_view name_of(scenario which) {
  constexpr std::string_view names[] = {"p-wave", "s-wave", "ripples", "source"};
  return names[static_cast<std::size_t>(which)];
}

} // namespace windrow::apps::elastic
