// SPDX-License-Identifier: BSD-3-Clause
// The command line of a program. CLI11 does the work; its headers, which take longer to compile than most
// programs here, are read for it alone.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace windrow::apps {

/// By one thread, before `parse` returns. Names of options begin with two dashes.
class command_line {
 public:
  /// Where the value of an option goes. What is there before is its default, and shown by --help.
  using place = std::variant<int*, unsigned*, std::int64_t*, std::uint64_t*, double*, std::string*,
                             std::vector<std::uint64_t>*, std::vector<std::string>*>;

  /// What else is refused, besides what cannot be read as the type of the place.
  class option {
   public:
    explicit option(CLI::Option& added) : added_(added) {}
    option& in(int least, int most);
    option& in(double least, double most);
    option& positive();
    option& not_negative();
    option& one_of(std::vector<std::string> names);
    /// Several values may stand behind the option, with commas between.
    option& with_commas();

   private:
    CLI::Option& added_;
  };

  /// `about`: the first line of --help; `name`: of the program, if it is not that of its file.
  explicit command_line(std::string about, std::string name = {});
  ~command_line();
  command_line(const command_line&) = delete;
  command_line& operator=(const command_line&) = delete;

  option add(std::string name, place, std::string about = {});
  void add_flag(std::string name, bool& set, std::string about);
  void add_flag(std::string name, std::function<void()> when_given, std::string about);
  /// `why_not` is asked when all options have their values: a sentence if they do not go together, or
  /// nothing.
  void require(std::function<std::string()> why_not);

  /// The exit code of a program that ends here, after --help or an error, or -1. With `speaks` it has printed
  /// what there is to say; of several PEs one should.
  [[nodiscard]] int parse(int argc, char** argv, bool speaks = true);

 private:
  std::unique_ptr<CLI::App> app_;
};

} // namespace windrow::apps
