// SPDX-License-Identifier: BSD-3-Clause
#include "apps/support/command_line.hpp"

#include <CLI/CLI.hpp>
#include <sstream>
#include <utility>

namespace windrow::apps {

using option = command_line::option;

option& option::in(int least, int most) {
  added_.check(CLI::Range(least, most));
  return *this;
}
option& option::in(double least, double most) {
  added_.check(CLI::Range(least, most));
  return *this;
}
option& option::positive() {
  added_.check(CLI::PositiveNumber);
  return *this;
}
option& option::not_negative() {
  added_.check(CLI::NonNegativeNumber);
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
  return option(*std::visit(add_for, to));
}

void command_line::add_flag(std::string name, bool& set, std::string about) {
  app_->add_flag(std::move(name), set, std::move(about));
}
void command_line::add_flag(std::string name, std::function<void()> when_given, std::string about) {
  app_->add_flag_callback(std::move(name), std::move(when_given), std::move(about));
}

int command_line::parse(int argc, char** argv, bool speaks) {
  try {
    app_->parse(argc, argv);
    return -1;
  } catch (const CLI::ParseError& end) {
    std::ostringstream unsaid;
    return speaks ? app_->exit(end) : app_->exit(end, unsaid, unsaid);
  }
}

} // namespace windrow::apps
