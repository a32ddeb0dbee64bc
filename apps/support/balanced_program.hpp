// SPDX-License-Identifier: BSD-3-Clause
// What programs with a static and a mobile version have in common on the command line.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <sstream>
#include <string>

#include "windrow/balance.hpp"

namespace windrow::apps {

/// Adds --balance-every and --policy.
template <class Steps>
void add_balancing_options(CLI::App& app, Steps& balance_every, std::string& policy) {
  app.add_option("--balance-every", balance_every, "steps from one balancing to the next")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--policy", policy,
                 fmt::format("one of {}, or the file of one", fmt::join(balance::policy_names(), ", ")))
      ->capture_default_str();
}

/// The exit code of a program that ends here, or -1. Only one PE speaks.
inline int parse_arguments(CLI::App& app, int argc, char** argv, bool speaks) {
  try {
    app.parse(argc, argv);
    return -1;
  } catch (const CLI::ParseError& end) {
    std::ostringstream unsaid;
    return speaks ? app.exit(end) : app.exit(end, unsaid, unsaid);
  }
}

/// A line about a version, with loads before and after each balancing.
template <class Outcome>
void print_outcome(const char* name, const Outcome& r, bool is_right) {
  fmt::print("{:<12}{:>9.3f} s  {}", name, r.seconds, is_right ? "right" : "WRONG");
  double before = 0, after = 0;
  for (std::size_t i = 0; i < r.before.size(); ++i) before += r.before[i], after += r.after[i];
  const auto count = static_cast<double>(r.before.size());
  if (count > 0)
    fmt::print("; load {:.2f} -> {:.2f} of ideal on average, {} moves", before / count, after / count,
               r.moves);
  fmt::print("\n");
}

/// How long the mobile version takes, by the static one.
inline void print_gain(double static_seconds, double mobile_seconds) {
  if (static_seconds > 0) fmt::print("mobile / static: {:.2f}\n", mobile_seconds / static_seconds);
}

} // namespace windrow::apps
