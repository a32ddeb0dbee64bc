// SPDX-License-Identifier: BSD-3-Clause
// The subcommands of `windrow`. Each lives in a file of its own and registers itself with its options; what
// it does happens in its callback. A callback may throw windrow::error; main prints it.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace windrow::tools {

void add_run(CLI::App&);
void add_info(CLI::App&);
void add_compilers(CLI::App&); ///< for their help only
void add_explain(CLI::App&);
void add_overlap(CLI::App&);
void add_demo(CLI::App&);
void add_bench(CLI::App&);
void add_graph(CLI::App&);
void add_balance(CLI::App&);

// Benchmarks that are not one program; `bench` is the command's.
void add_bench_bale(CLI::App& bench);
void add_bench_optimiser(CLI::App& bench);
void add_bench_predict(CLI::App& bench);
void add_bench_sweep(CLI::App& bench);
void add_bench_hosts(CLI::App& bench);

/// For CLI11, of a number of PEs: a sentence if no job can have so many, else nothing.
std::string check_pes(const std::string& text);

/// For the name of a compiler wrapper and its arguments, but --help alone: does what the wrapper does, if it
/// returns at all. All the words are the compiler's, so CLI11 does not see them. False for other commands.
bool act_as_compiler(const std::vector<std::string>& given);

/// What main puts in place of the word "--" where words of another program follow: CLI11 2.1 loses the order
/// of these. No word of a command line can hold a zero byte.
inline constexpr std::string_view separator{"\0--", 3};
/// What follows the options of a command, as the user has written it, without a "--" in front.
std::vector<std::string> words_behind(const CLI::App&);

/// Ends the command with `code` instead of 0; to be thrown in a callback that has said all there is to say.
struct exit_code {
  int code;
};

} // namespace windrow::tools
