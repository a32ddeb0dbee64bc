// SPDX-License-Identifier: BSD-3-Clause
#include "apps/support/command_line.hpp"

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>

#include "apps/support/exit_code.hpp"

namespace windrow::apps {

using option = command_line::option;

namespace {

/// What the text of a number must fulfil; CLI11 itself refuses what is none.
template <class Condition>
CLI::Validator number_check(const char* wanted, Condition holds) {
  return CLI::Validator(
      [=](const std::string& text) {
        char* end = nullptr;
        const double value = std::strtod(text.c_str(), &end);
        const bool is_number = end != text.c_str() && *end == '\0';
        return !is_number || holds(value) ? std::string() : "Value " + text + " is not " + wanted;
      },
      "");
}

// CLI11 takes -1 for the largest number without a sign, and no range of its own excludes a NaN.
void refuse_what_does_not_fit(CLI::Option& added, const command_line::place& to) {
  if (std::holds_alternative<double*>(to))
    added.check(number_check("finite", [](double x) { return std::isfinite(x); }));
  else if (std::holds_alternative<unsigned*>(to) || std::holds_alternative<std::uint64_t*>(to) ||
           std::holds_alternative<std::vector<std::uint64_t>*>(to))
    added.check(number_check("0 or more", [](double x) { return x >= 0; }));
}

} // namespace

option& option::in(int least, int most) {
  added_.check(CLI::Range(least, most));
  return *this;
}
option& option::in(double least, double most) {
  added_.check(CLI::Range(least, most));
  return *this;
}
option& option::positive() {
  added_.check(number_check("more than 0", [](double x) { return x > 0; }));
  return *this;
}
option& option::not_negative() {
  added_.check(number_check("0 or more", [](double x) { return x >= 0; }));
  return *this;
}
option& option::one_of(std::vector<std::string> names) {
  added_.check(CLI::IsMember(std::move(names)));
  return *this;
}
option& option::with_commas() {
  added_.delimiter(',');
  return *this;
}

command_line::command_line(std::string about, std::string name)
    : app_(std::make_unique<CLI::App>(std::move(about), std::move(name))) {}
command_line::~command_line() = default;

option command_line::add(std::string name, place to, std::string about) {
  const auto add_for = [&](auto* value) {
    return app_->add_option(std::move(name), *value, std::move(about))->capture_default_str();
  };
  auto& added = *std::visit(add_for, to);
  refuse_what_does_not_fit(added, to);
  return option(added);
}

void command_line::add_flag(std::string name, bool& set, std::string about) {
  app_->add_flag(std::move(name), set, std::move(about));
}
void command_line::add_flag(std::string name, std::function<void()> when_given, std::string about) {
  app_->add_flag_callback(std::move(name), std::move(when_given), std::move(about));
}

void command_line::require(std::function<std::string()> why_not) {
  app_->parse_complete_callback([why_not = std::move(why_not)] {
    if (auto reason = why_not(); !reason.empty()) throw CLI::ValidationError(std::move(reason));
  });
}

int command_line::parse(int argc, char** argv, bool speaks) {
  try {
    app_->parse(argc, argv);
    return -1;
  } catch (const CLI::ParseError& end) {
    return exit_code(*app_, end, speaks);
  }
}

} // namespace windrow::apps
