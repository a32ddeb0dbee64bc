// SPDX-License-Identifier: BSD-3-Clause
#include "tools/launcher_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <string_view>

#include "windrow/error.hpp"

namespace windrow::tools {

namespace {

using words = std::vector<std::string>;

enum class meaning {
  own_flag,
  own_value,
  ignore,
  pes,
  tag,
  bind,
  hosts,
  host_file,
  folder,
  variable,
  root,
  show,
  version
};
struct known_option {
  meaning what;
  int values; ///< words that follow
};

// With one dash or two, as launchers like it; single letters with one.
const std::map<std::string_view, known_option>& known_options() {
  using enum meaning;
  static const std::map<std::string_view, known_option> known{
      {"np", {pes, 1}},
      {"n", {pes, 1}},
      {"c", {pes, 1}},
      {"x", {own_value, 1}},
      {"bind", {own_value, 1}},
      {"heap", {own_value, 1}},
      {"workers", {own_value, 1}},
      {"mpi", {own_value, 1}},
      {"help", {own_flag, 0}},
      {"allow-run-as-root", {root, 0}},
      {"env", {variable, 2}},
      {"genv", {variable, 2}},
      {"H", {hosts, 1}},
      {"host", {hosts, 1}},
      {"hosts", {hosts, 1}},
      {"f", {host_file, 1}},
      {"hostfile", {host_file, 1}},
      {"machinefile", {host_file, 1}},
      {"default-hostfile", {host_file, 1}},
      {"wdir", {folder, 1}},
      {"wd", {folder, 1}},
      {"tag-output", {tag, 0}},
      {"prepend-rank", {tag, 0}},
      {"l", {tag, 0}},
      {"bind-to", {meaning::bind, 1}},
      {"show", {meaning::show, 0}},
      {"showme", {meaning::show, 0}},
      {"version", {meaning::version, 0}},
      {"V", {meaning::version, 0}},
      {"mca", {ignore, 2}},
      {"gmca", {ignore, 2}},
      {"omca", {ignore, 2}},
      {"prtemca", {ignore, 2}},
      {"pmixmca", {ignore, 2}},
  };
  return known;
}

constexpr auto ignored_flags = std::to_array<std::string_view>({"oversubscribe",
                                                                "nooversubscribe",
                                                                "report-bindings",
                                                                "display-map",
                                                                "display-allocation",
                                                                "bynode",
                                                                "byslot",
                                                                "bycore",
                                                                "bysocket",
                                                                "bind-to-core",
                                                                "bind-to-socket",
                                                                "bind-to-none",
                                                                "pernode",
                                                                "nolocal",
                                                                "use-hwthread-cpus",
                                                                "merge-stderr-to-stdout",
                                                                "genvall",
                                                                "envall",
                                                                "q",
                                                                "quiet",
                                                                "v",
                                                                "verbose",
                                                                "timestamp-output",
                                                                "display-topo",
                                                                "display-devel-map",
                                                                "display-devel-allocation",
                                                                "no-oversubscribe",
                                                                "use-hwthreads",
                                                                "hetero-nodes",
                                                                "novm",
                                                                "noprefix",
                                                                "leave-session-attached",
                                                                "debug-daemons",
                                                                "enable-recovery",
                                                                "disable-recovery",
                                                                "report-state-on-timeout",
                                                                "get-stack-traces",
                                                                "do-not-resolve",
                                                                "genvnone",
                                                                "envnone",
                                                                "print-rank-map",
                                                                "print-all-exitcodes",
                                                                "disable-hostname-propagation",
                                                                "disable-auto-cleanup"});
constexpr auto ignored_values = std::to_array<std::string_view>({"map-by",
                                                                 "rank-by",
                                                                 "npernode",
                                                                 "npersocket",
                                                                 "N",
                                                                 "ppn",
                                                                 "perhost",
                                                                 "cpus-per-proc",
                                                                 "cpus-per-rank",
                                                                 "prefix",
                                                                 "timeout",
                                                                 "output-filename",
                                                                 "report-uri",
                                                                 "personality",
                                                                 "rankfile",
                                                                 "rf",
                                                                 "cpu-set",
                                                                 "cpu-list",
                                                                 "am",
                                                                 "tune",
                                                                 "launcher",
                                                                 "rmk",
                                                                 "iface",
                                                                 "genvlist",
                                                                 "envlist",
                                                                 "outfile-pattern",
                                                                 "errfile-pattern",
                                                                 "display",
                                                                 "output",
                                                                 "stdin",
                                                                 "slot-list",
                                                                 "launch-agent",
                                                                 "max-restarts",
                                                                 "with-ft",
                                                                 "runtime-options",
                                                                 "membind",
                                                                 "topolib",
                                                                 "demux",
                                                                 "usize",
                                                                 "launcher-exec",
                                                                 "ranks-per-proc",
                                                                 "cpu-bind"});

known_option look_up(std::string_view name) {
  if (const auto found = known_options().find(name); found != known_options().end()) return found->second;
  const auto in = [&](const auto& list) { return std::find(list.begin(), list.end(), name) != list.end(); };
  if (in(ignored_flags)) return {meaning::ignore, 0};
  if (in(ignored_values)) return {meaning::ignore, 1};
  return {meaning::own_flag, 0};
}

bool is_this_host(const std::string& name) {
  char own[256] = "";
  ::gethostname(own, sizeof own - 1);
  const std::string_view full(own);
  return name == "localhost" || name == "127.0.0.1" || name == "::1" || name == full ||
         name == full.substr(0, full.find('.'));
}

words split_at_commas(const std::string& list) {
  words parts;
  std::istringstream stream(list);
  for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
  return parts;
}

// Lines such as "node1 slots=4" or "node1:4"; # begins a comment.
std::string hosts_in_file(const std::string& name) {
  std::ifstream file(name);
  if (!file)
    throw error(fmt::format("oshrun: cannot read the file of hosts '{}': {}", name, std::strerror(errno)));
  words hosts;
  for (std::string line; std::getline(file, line);) {
    std::istringstream text(line.substr(0, line.find('#')));
    std::string host, detail;
    if (!(text >> host)) continue;
    while (text >> detail)
      if (detail.starts_with("slots=")) host += ":" + detail.substr(6);
    hosts.push_back(host);
  }
  if (hosts.empty())
    throw error(
        fmt::format("oshrun: the file of hosts '{}' names no host: write one in each line, such as "
                    "node1:4",
                    name));
  return fmt::format("{}", fmt::join(hosts, ","));
}

class translation {
 public:
  explicit translation(const words& arguments) : at_(arguments.begin()), end_(arguments.end()) {
    while (at_ != end_ && at_->starts_with('-') && *at_ != "--") take_option();
    result_.program.assign(at_, end_);
    if (std::find(at_, end_, ":") != end_)
      throw error(
          "oshrun: ':' begins another program, but all PEs run the same one; `windrow run` takes ':' as an "
          "argument of the program");
  }
  launch_words result() && { return std::move(result_); }

 private:
  void take_option() {
    const auto word = *at_++;
    const auto name_begin = word.find_first_not_of('-'), equals = word.find('=');
    if (name_begin == std::string::npos) return result_.options.push_back(word);
    const auto name = word.substr(name_begin, equals == std::string::npos ? equals : equals - name_begin);
    const auto option = look_up(name);
    words values;
    if (equals != std::string::npos && option.values > 0) values.push_back(word.substr(equals + 1));
    while (static_cast<int>(values.size()) < option.values && at_ != end_) values.push_back(*at_++);
    values.resize(static_cast<std::size_t>(option.values)); // a missing one is told by `windrow run`
    act(option.what, word.substr(0, option.values > 0 ? equals : std::string::npos), values);
  }

  void act(meaning what, const std::string& word, const words& values) {
    switch (what) {
      case meaning::own_flag:
      case meaning::own_value:
        return add(word, values);
      case meaning::ignore:
        return ignore(word, values);
      case meaning::pes:
        return add("-n", values);
      case meaning::tag:
        return add("--tag-output", {});
      case meaning::bind:
        return bind(word, values);
      case meaning::hosts:
        if (values[0].empty())
          throw error(
              fmt::format("oshrun: {} names no host: write a list such as node1,node2:4, or leave it "
                          "out for this host",
                          word));
        return place(values[0]);
      case meaning::host_file:
        return place(hosts_in_file(values[0]));
      case meaning::folder:
        if (::chdir(values[0].c_str()) != 0)
          throw error(
              fmt::format("oshrun: cannot change to the folder '{}': {}", values[0], std::strerror(errno)));
        return;
      case meaning::variable:
        return add("-x", {values[0] + "=" + values[1]});
      case meaning::root:
        return add("--allow-run-as-root", {});
      case meaning::version:
        result_.version = true;
        return;
      case meaning::show:
        result_.show = true;
    }
  }

  void add(const std::string& word, const words& values) {
    result_.options.push_back(word);
    result_.options.insert(result_.options.end(), values.begin(), values.end());
  }
  void ignore(const std::string& word, const words& values) {
    result_.ignored.push_back(values.empty() ? word : fmt::format("{} {}", word, fmt::join(values, " ")));
  }
  void bind(const std::string& word, const words& values) {
    if (values[0] == "core" || values[0] == "numa" || values[0] == "none") return add("--bind", values);
    ignore(word, values);
  }
  // PEs that all belong on this host need no other launcher.
  void place(const std::string& list) {
    const auto hosts = split_at_commas(list);
    if (std::all_of(hosts.begin(), hosts.end(),
                    [](const std::string& h) { return is_this_host(h.substr(0, h.find(':'))); }))
      return;
    add("--hosts", {list});
  }

  words::const_iterator at_, end_;
  launch_words result_;
};

} // namespace

launch_words translate_launcher(const words& arguments) {
  return translation(arguments).result();
}

} // namespace windrow::tools
