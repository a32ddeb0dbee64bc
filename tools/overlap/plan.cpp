// SPDX-License-Identifier: BSD-3-Clause
#include "tools/overlap/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <tuple>

#include "apps/support/json.hpp"
#include "overlap/plan_switch.hpp"
#include "tools/overlap/places.hpp"
#include "windrow/error.hpp"

namespace windrow::overlap {

namespace {

bool can_move(action what) {
  return what == action::put || what == action::get || what == action::put_signal || what == action::quiet;
}

std::set<site> places_of_races(const model& all, const findings& found) {
  std::set<site> places;
  for (const auto& one : found.races)
    for (const auto& side : {one.first, one.second})
      places.insert(all.run().sites[all.events(side.pe)[side.event].site]);
  return places;
}

class plan_maker {
 public:
  plan_maker(const model& all, const findings& found)
      : all_(all), run_(all.run()), found_(found), racing_(places_of_races(all, found)) {}

  plan make() {
    for (const auto& one : found_.waits)
      if (can_move(one.what) && !run_.sites[one.site].empty()) add(one);
    plan result;
    for (auto& [place, one] : entries_)
      if (one.is_worthwhile()) result.entries.push_back(finished(one));
    std::ranges::sort(result.entries, std::greater(), &plan_entry::saved_ns);
    result.silent_puts = silent_puts();
    result.files = files();
    return result;
  }

 private:
  /// All ways to a place together.
  struct merged {
    plan_entry entry;
    advice all;
    bool is_worthwhile() const { return all.worthwhile(); }
  };

  void add(const advice& one) {
    const auto& frames = run_.sites[one.site];
    auto& to = entries_[{frames.front(), one.what}];
    to.entry.what = to.all.what = one.what;
    to.entry.where = frames.front();
    to.all.site = one.site;
    to.all.small_too = one.small_too;
    if (frames.size() > 1) to.entry.inlined.emplace_back(frames.begin() + 1, frames.end());
    if (frames.front().hash == 0)
      to.entry.refused = "it was compiled without clang's front end, so that a change would not be noticed";
    if (frames.front().line == 0)
      to.entry.refused = "the optimiser has made one call of several; record with -O0";
    if (is_in_race(one)) to.entry.refused = "a race: the program is wrong there as it is";
    for (const auto& [until, times] : one.latest) {
      to.entry.latest[until] += times;
      if (!has_line(until))
        to.entry.refused = "the optimiser has lost where it would have to be complete; record with -O1";
    }
    to.all.times += one.times;
    to.all.waited_ns += one.waited_ns;
    to.all.saved_ns += one.saved_ns;
    to.all.work_ns += one.work_ns;
  }

  bool has_line(const limit& until) const {
    return until == end_of_program ||
           (!run_.sites[until.site].empty() && run_.sites[until.site].front().line != 0);
  }

  // A quiet is in a race if what it waits for is.
  bool is_in_race(const advice& one) const {
    if (racing_.contains(run_.sites[one.site])) return true;
    return std::ranges::any_of(one.waits_for,
                               [&](const auto& of) { return racing_.contains(run_.sites[of.first]); });
  }

  plan_entry finished(merged& one) const {
    one.entry.id = fmt::format("{}:{}:{}", shown_file(one.entry.where.file), one.entry.where.line,
                               one.entry.where.column);
    one.entry.times = one.all.times;
    one.entry.waited_ns = one.all.waited_ns;
    one.entry.saved_ns = one.all.saved_ns;
    return std::move(one.entry);
  }

  std::set<std::string> files() const {
    std::set<std::string> all;
    for (const auto& frames : run_.sites)
      for (const auto& one : frames) all.insert(one.file);
    return all;
  }

  std::vector<frame> silent_puts() const {
    std::set<frame> puts, signals;
    for (int pe = 0; pe < all_.pes(); ++pe)
      for (const auto& one : all_.events(pe)) {
        if (one.what != action::put || run_.sites[one.site].empty()) continue;
        const auto& place = run_.sites[one.site].front();
        if (place.hash == 0) continue;
        puts.insert(place);
        if (all_.is_signal(one)) signals.insert(place);
      }
    std::vector<frame> silent;
    std::ranges::set_difference(puts, signals, std::back_inserter(silent));
    return silent;
  }

  const model& all_;
  const recording& run_;
  const findings& found_;
  std::set<site> racing_;
  std::map<std::pair<frame, action>, merged> entries_;
};

json json_of(const frame& one) {
  return {{"file", one.file},
          {"function", one.function},
          {"line", one.line},
          {"column", one.column},
          {"hash", fmt::format("{:016x}", one.hash)}};
}

json json_of(const site& frames) {
  auto list = json::array();
  for (const auto& one : frames) list.push_back(json_of(one));
  return list;
}

// Without the end of the program, which needs no place.
json waits_of(const plan_entry& one, const recording& run) {
  auto list = json::array();
  for (const auto& [until, times] : one.latest) {
    if (until == end_of_program || run.sites[until.site].empty()) continue;
    list.push_back({{"before", until.signal ? "signal" : name_of(until.what)},
                    {"site", json_of(run.sites[until.site].front())},
                    {"times", times}});
  }
  return list;
}

json json_of(const plan_entry& one, const recording& run) {
  auto inlined = json::array();
  for (const auto& way : one.inlined) inlined.push_back(json_of(way));
  json entry{{"id", one.id}, {"approved", one.approved}};
  if (!one.refused.empty()) entry["refused"] = one.refused;
  entry["call"] = name_of(one.what);
  entry["site"] = json_of(one.where);
  entry["inlined"] = inlined;
  entry["complete"] = waits_of(one, run);
  entry["evidence"] = {{"times", one.times}, {"waited_ns", one.waited_ns}, {"saves_ns", one.saved_ns}};
  return entry;
}

// Those of one place, which a macro can have several of, go together.
std::vector<plan_entry*> entries_of(plan& of, const std::string& id) {
  std::vector<plan_entry*> found;
  for (auto& one : of.entries)
    if (one.id == id) found.push_back(&one);
  if (found.empty())
    throw error(
        fmt::format("overlap: the plan has no entry {}; without --approve it shows its entries, "
                    "with --all also those that gain little",
                    id));
  return found;
}

} // namespace

plan make_plan(const model& all, const findings& found) {
  return plan_maker(all, found).make();
}

bool is_planned(const plan& of, const event& one, const recording& run) {
  const auto& frames = run.sites[one.site];
  return !frames.empty() && std::ranges::any_of(of.entries, [&](const plan_entry& entry) {
    return entry.refused.empty() && entry.what == one.what && entry.where == frames.front();
  });
}

void approve(plan& to, const std::string& which) {
  if (which == "all") {
    for (auto& one : to.entries) one.approved = one.refused.empty();
    return;
  }
  for (const auto& id : ids_in(which)) {
    for (auto* one : entries_of(to, id)) {
      if (!one->refused.empty())
        throw error(fmt::format("overlap: {} cannot be approved: {}", id, one->refused));
      one->approved = true;
    }
  }
}

std::string as_json(const plan& of, const recording& run) {
  json all{{"schema", "windrow-overlap-plan"}, {"version", 1}};
  all["files"] = of.files;
  all["entries"] = json::array();
  for (const auto& one : of.entries) all["entries"].push_back(json_of(one, run));
  all["silent_puts"] = json_of(of.silent_puts);
  try {
    return all.dump(2) + "\n";
  } catch (const json::type_error&) {
    throw error(
        "overlap: the name of a source file or of its folder is not UTF-8, which a plan needs: rename "
        "it, compile and record anew");
  }
}

} // namespace windrow::overlap
