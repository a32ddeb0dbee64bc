// SPDX-License-Identifier: BSD-3-Clause
// What programs with a static and a mobile version have in common: their command line and their main.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "apps/support/command_line.hpp"
#include "windrow/balance.hpp"
#include "windrow/job.hpp"

namespace windrow::apps {

/// What the command line of such a program says.
template <class Settings>
struct balanced_options {
  Settings chosen;
  std::string policy = "refine";
};

/// Adds --balance-every and --policy.
template <class Steps>
void add_balancing_options(command_line& line, Steps& balance_every, std::string& policy) {
  line.add("--balance-every", &balance_every, "steps from one balancing to the next").positive();
  line.add("--policy", &policy,
           fmt::format("one of {}, or the file of one", fmt::join(balance::policy_names(), ", ")));
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

/// The lines of three versions; whether `is_right(version)` is true of those of several PEs.
template <class Outcome, class IsRight>
bool print_outcomes(const Outcome& alone, const Outcome& stay, const Outcome& move, IsRight is_right) {
  print_outcome("sequential", alone, true);
  print_outcome("static", stay, is_right(stay));
  print_outcome("mobile", move, is_right(move));
  return is_right(stay) && is_right(move);
}
template <class Outcome>
bool print_outcomes(const Outcome& alone, const Outcome& stay, const Outcome& move) {
  return print_outcomes(alone, stay, move, [&](const Outcome& r) { return r.checksum == alone.checksum; });
}

/// The main of such a program: both versions as a job, then `report(settings, static, mobile)` on PE 0, which
/// prints, and says whether they are right. `parse(options, argc, argv, speaks)` is as
/// `command_line::parse`.
template <class Settings, class Parse, class RunStatic, class RunMobile, class Report>
int run_balanced(int argc, char** argv, Parse parse, RunStatic run_static, RunMobile run_mobile,
                 Report report) {
  job j(argc, argv);
  balanced_options<Settings> o;
  if (const int code = parse(o, argc, argv, j.pe() == 0); code >= 0) {
    j.finalize();
    return code;
  }
  const auto policy = balance::named_policy(o.policy);
  const auto stay = run_static(j, o.chosen);
  const auto move = run_mobile(j, o.chosen, policy);
  if (j.pe() != 0) return 0;
  const bool is_right = report(o.chosen, stay, move);
  print_gain(stay.seconds, move.seconds);
  return is_right ? 0 : 1;
}

} // namespace windrow::apps
