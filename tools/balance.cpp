// SPDX-License-Identifier: BSD-3-Clause
// windrow balance: policies on recorded loads, without a job.
#include "windrow/balance.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "apps/support/json.hpp"
#include "tools/chart.hpp"
#include "tools/commands.hpp"
#include "windrow/error.hpp"

namespace windrow::tools {

namespace {

constexpr pe_t most_pes = 1 << 20;

struct replay_options {
  std::string file;
  std::string policy = "refine";
  pe_t pes = 0; ///< 0: as recorded
  std::string chart;
  bool as_json = false;
};

struct recorded_loads {
  pe_t pes;
  std::vector<balance::object_load> objects;
  std::vector<balance::traffic> traffic;

  balance::problem problem() const { return {objects, pes, traffic}; }
};

/// `get` would make another number of what does not fit, without a word.
template <class Integer>
bool fits(const json& number) {
  if (number.is_number_unsigned()) return std::in_range<Integer>(number.get<std::uint64_t>());
  return number.is_number_integer() && std::in_range<Integer>(number.get<std::int64_t>());
}

template <class T>
T field(const json& from, const char* name, const std::string& where) {
  const auto found = from.find(name);
  if (found == from.end()) throw error(fmt::format("{}: there is no \"{}\"", where, name));
  if (!found->is_number())
    throw error(fmt::format("{}: \"{}\" is {}, not a number", where, name, found->dump()));
  if constexpr (std::is_integral_v<T>)
    if (!fits<T>(*found))
      throw error(fmt::format("{}: \"{}\" is {}, not a whole number from {} to {}", where, name,
                              found->dump(), std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
  return found->get<T>();
}

std::vector<balance::traffic> read_traffic(const json& from, const std::string& file) {
  if (!from.is_array()) throw error(fmt::format("{}: \"traffic\" is {}, not a list", file, from.dump()));
  std::vector<balance::traffic> result;
  for (const auto& t : from) {
    const auto where = fmt::format("{}: traffic {}", file, result.size());
    if (!t.is_object()) throw error(fmt::format("{} is {}, not an object of JSON", where, t.dump()));
    result.push_back({field<std::size_t>(t, "from", where), field<std::size_t>(t, "to", where),
                      field<double>(t, "bytes", where)});
  }
  return result;
}

recorded_loads read_loads(const std::string& file) {
  std::ifstream stream(file);
  if (!stream) throw error(fmt::format("cannot read {}", file));
  const auto text = json::parse(stream, nullptr, false);
  if (!text.is_object() || !text.contains("objects") || !text["objects"].is_array())
    throw error(
        fmt::format("{} has no recorded loads: they look like "
                    "{{\"pes\": 2, \"objects\": [{{\"pe\": 0, \"load\": 1.5, \"bytes\": 80}}]}}",
                    file));
  recorded_loads result{field<pe_t>(text, "pes", file), {}, {}};
  if (result.pes > most_pes)
    throw error(
        fmt::format("{}: {} PEs are more than can be replayed: {} at most", file, result.pes, most_pes));
  for (const auto& o : text["objects"]) {
    const auto where = fmt::format("{}: object {}", file, result.objects.size());
    if (!o.is_object()) throw error(fmt::format("{} is {}, not an object of JSON", where, o.dump()));
    result.objects.push_back({field<double>(o, "load", where), field<pe_t>(o, "pe", where),
                              o.contains("bytes") ? field<std::uint64_t>(o, "bytes", where) : 0});
  }
  if (text.contains("traffic")) result.traffic = read_traffic(text["traffic"], file);
  balance::plan(balance::none{}, result.problem()); // refuses what no job can have recorded
  return result;
}

/// Spreads the objects over another number of PEs: in blocks, in the order of the PEs that had them.
void spread(recorded_loads& loads, pe_t pes) {
  std::vector<std::pair<pe_t, std::size_t>> by_pe;
  by_pe.reserve(loads.objects.size());
  for (std::size_t i = 0; i < loads.objects.size(); ++i) by_pe.emplace_back(loads.objects[i].pe, i);
  std::ranges::sort(by_pe);
  for (std::size_t i = 0; i < by_pe.size(); ++i)
    loads.objects[by_pe[i].second].pe = static_cast<pe_t>(i * static_cast<std::size_t>(pes) / by_pe.size());
  loads.pes = pes;
}

struct replayed {
  std::vector<double> before, after; ///< by PE
  std::size_t objects, moved;
  std::uint64_t bytes;
  double seconds;                               ///< of the policy
  double between_pes_before, between_pes_after; ///< bytes; negative: no traffic was recorded
};

replayed compare(const replay_options& chosen, const recorded_loads& loads) {
  const auto p = loads.problem();
  const auto policy = balance::named_policy(chosen.policy);
  const auto begin = std::chrono::steady_clock::now();
  const auto moves = balance::plan(policy, p);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  return {balance::loads(p),
          balance::loads(p, moves),
          loads.objects.size(),
          moves.size(),
          balance::moved_bytes(p, moves),
          seconds.count(),
          p.messages.empty() ? -1 : balance::bytes_between_pes(p),
          p.messages.empty() ? -1 : balance::bytes_between_pes(p, moves)};
}

void print_table(const replay_options& chosen, const replayed& c) {
  const auto row = [](const char* name, const std::vector<double>& loads) {
    fmt::print("{:<8}{:>12.3f}{:>12.6g}{:>12.6g}\n", name, balance::imbalance(loads), std::ranges::max(loads),
               std::ranges::min(loads));
  };
  fmt::print("{} objects on {} PEs, policy {}\n", c.objects, c.before.size(), chosen.policy);
  fmt::print("{:<8}{:>12}{:>12}{:>12}\n", "", "of ideal", "heaviest PE", "lightest PE");
  row("before", c.before);
  row("after", c.after);
  if (c.between_pes_before >= 0)
    fmt::print("traffic between PEs: {:.6g} bytes before, {:.6g} after\n", c.between_pes_before,
               c.between_pes_after);
  fmt::print("moves: {} objects, {} bytes; decided in {:.3g} ms\n", c.moved, c.bytes, c.seconds * 1e3);
}

void print_json(const replay_options& chosen, const replayed& c) {
  json text{{"policy", chosen.policy},
            {"pes", c.before.size()},
            {"objects", c.objects},
            {"before", balance::imbalance(c.before)},
            {"after", balance::imbalance(c.after)},
            {"moves", c.moved},
            {"bytes", c.bytes},
            {"seconds", c.seconds}};
  if (c.between_pes_before >= 0)
    text["between_pes"] = {{"before", c.between_pes_before}, {"after", c.between_pes_after}};
  fmt::print("{}\n", text.dump());
}

void draw(const replay_options& chosen, const replayed& c) {
  chart_table table{.title = fmt::format("Load of each PE, before and after {}", chosen.policy),
                    .x_label = "PE",
                    .y_label = "load",
                    .rows = {},
                    .columns = {"before", "after"},
                    .values = {},
                    .logarithmic = false};
  const auto step = std::max<std::size_t>(1, c.before.size() / 32); // names of as many PEs as fit
  for (std::size_t pe = 0; pe < c.before.size(); ++pe) {
    table.rows.push_back(pe % step == 0 ? std::to_string(pe) : "");
    table.values.push_back({c.before[pe], c.after[pe]});
  }
  draw_chart(chosen.chart, c.before.size() > 32 ? chart_kind::lines : chart_kind::bars, table);
}

void replay(const replay_options& chosen) {
  if (!chosen.chart.empty()) require_chart(chosen.chart);
  auto loads = read_loads(chosen.file);
  if (chosen.pes != 0 && chosen.pes != loads.pes) spread(loads, chosen.pes);
  const auto result = compare(chosen, loads);
  chosen.as_json ? print_json(chosen, result) : print_table(chosen, result);
  if (!chosen.chart.empty()) draw(chosen, result);
}

} // namespace

void add_balance(CLI::App& app) {
  auto* group = app.add_subcommand("balance", "Try policies of load balancing");
  group->require_subcommand(1);
  auto chosen = std::make_shared<replay_options>();
  auto* command = group->add_subcommand("replay", "What a policy would do with recorded loads of objects");
  command->add_option("FILE", chosen->file, "recorded loads, as object_space::write_loads writes them")
      ->required();
  command
      ->add_option("--policy", chosen->policy,
                   fmt::format("one of {}", fmt::join(balance::policy_names(), ", ")))
      ->capture_default_str();
  command->add_option("--pes", chosen->pes, "another number of PEs than recorded")
      ->check(CLI::Range(1, most_pes));
  command->add_option("--chart", chosen->chart,
                      "draw loads before and after: a file that ends in .svg or .png");
  command->add_flag("--json", chosen->as_json, "one JSON object, for programs");
  command->callback([chosen] { replay(*chosen); });
}

} // namespace windrow::tools
