// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

#include "tools/overlap/findings.hpp"
#include "tools/overlap/places.hpp"

namespace windrow::overlap {

namespace {

constexpr std::size_t line_width = 100, place_width = 26;

// The end of a long name says more than its beginning.
std::string fitted(const std::string& text, std::size_t width) {
  return text.size() <= width ? text
                              : fmt::format("~{}", std::string_view(text).substr(text.size() - width + 1));
}

/// Where one line of the source has several of a kind, their columns are shown too.
class table_places {
 public:
  explicit table_places(const recording& run) : run_(run) {}

  void add(std::uint32_t site, action what) {
    if (!run_.sites[site].empty()) columns_[key_of(site, what)].insert(run_.sites[site].front().column);
  }
  std::string of(std::uint32_t site, action what) const {
    auto text = short_place(run_, site);
    const auto found = run_.sites[site].empty() ? columns_.end() : columns_.find(key_of(site, what));
    if (found == columns_.end() || found->second.size() < 2) return text;
    const auto line = std::min(text.find('<', shown_file(run_.sites[site].front().file).size()), text.size());
    return text.insert(line, fmt::format(":{}", run_.sites[site].front().column));
  }

 private:
  using key = std::tuple<std::string, int, action>;
  key key_of(std::uint32_t site, action what) const {
    const auto& place = run_.sites[site].front();
    return {place.file, place.line, what};
  }

  const recording& run_;
  std::map<key, std::set<int>> columns_;
};

table_places places_of(const recording& run, const findings& found) {
  table_places places(run);
  for (const auto& one : found.waits) places.add(one.site, one.what);
  for (const auto& one : found.barriers) places.add(one.site, action::barrier);
  for (const auto& one : found.splits) places.add(one.site, action::barrier);
  return places;
}

constexpr std::size_t reason_width = 33;

std::string reason_of(const recording& run, const limit& until) {
  if (until == end_of_program) return shown_reason(until);
  const auto what = until.signal ? "signal" : name_of(until.what);
  const auto place = short_place(run, until.site);
  return fmt::format("{} {}", what,
                     fitted(place, reason_width - std::min(reason_width, std::string_view(what).size() + 1)));
}

std::string row_of(const recording& run, const table_places& places, const advice& one) {
  const auto wait =
      fmt::format("{:<{}} {:<7} {:>7} {:>10} {:>10}  ", fitted(places.of(one.site, one.what), place_width),
                  place_width, std::string_view(name_of(one.what)).substr(0, 7), one.times,
                  milliseconds(one.waited_ns), milliseconds(one.saved_ns));
  std::string text;
  for (const auto& [until, times] : one.latest)
    text += (text.empty() ? wait : std::string(wait.size(), ' ')) + reason_of(run, until) + "\n";
  return text;
}

std::string waits_table(const recording& run, const table_places& places, const findings& found) {
  auto waits = found.waits;
  std::erase_if(waits, [](const advice& one) { return !one.worthwhile(); });
  if (waits.empty()) return "No wait could be later and gain something.\n";
  std::ranges::sort(waits, std::greater(), &advice::saved_ns);
  auto text = fmt::format("{:<{}} {:<7} {:>7} {:>10} {:>10}  {}\n", "wait in", place_width, "call", "times",
                          "waited ms", "saves ms", "may be as late as before");
  for (const auto& one : waits) text += row_of(run, places, one);
  return text;
}

constexpr const char* lacking_quiet = "Missing shmem_ctx_quiet in front of a barrier";

// Why two calls that look atomic are not.
std::string hint_of(const model& all, const race& one) {
  if (one.lacks_quiet) return "  (a barrier completes what was begun on the default context alone)\n";
  const auto &a = all.events(one.first.pe)[one.first.event], &b = all.events(one.second.pe)[one.second.event];
  if (a.atomic && b.atomic)
    return "  (atomic operations of different types or atomicity domains are not atomic to each other)\n";
  const bool some = a.atomic || b.atomic;
  return some ? "  (one of the two is not atomic)\n" : "";
}

std::string races_list(const model& all, const findings& found) {
  std::string text;
  for (const auto& one : found.races) {
    const auto side = [&](const race_side& at) {
      const auto& what = all.events(at.pe)[at.event];
      const auto who = fmt::format("  {} by PE {}, ", shown_kind(what), at.pe);
      return fmt::format("{}{}\n", who, fitted(shown_place(all.run(), what.site), line_width - who.size()));
    };
    text += fmt::format("{}, {} times, on memory of PE {}:\n{}{}{}", one.lacks_quiet ? lacking_quiet : "Race",
                        one.times, one.owner, side(one.first), side(one.second), hint_of(all, one));
  }
  return text;
}

// Of several, the one that is there most often.
const limit& most_frequent(const std::map<limit, std::size_t>& of) {
  return std::ranges::max_element(of, {}, [](const auto& one) { return one.second; })->first;
}

// The lines are no longer than others.
std::string splits_list(const recording& run, const table_places& places, const findings& found) {
  const auto place = [&](const limit& one, const char* none) {
    return one == end_of_program ? none : reason_of(run, one);
  };
  std::string text;
  for (const auto& one : found.splits) {
    if (!one.worthwhile()) continue;
    text += fmt::format("{}: this barrier could be split, and {} of {} ms waited hidden:\n",
                        fitted(places.of(one.site, action::barrier), place_width), milliseconds(one.saved_ns),
                        milliseconds(one.waited_ns));
    text += fmt::format("  notify after {}, wait before {}\n", place(most_frequent(one.after), "the start"),
                        place(most_frequent(one.before), "the end"));
  }
  return text;
}

std::string barriers_list(const table_places& places, const findings& found) {
  std::string text;
  for (const auto& one : found.barriers) {
    const auto place = fitted(places.of(one.site, action::barrier), place_width);
    if (one.redundant) text += fmt::format("{}: this barrier alone orders nothing in this run\n", place);
    if (one.may_complete_later)
      text += fmt::format("{}: what it completes may go on until the next synchronisation\n", place);
  }
  return text;
}

std::uint64_t first_time(const model& all) {
  std::uint64_t first = UINT64_MAX;
  for (int pe = 0; pe < all.pes(); ++pe)
    if (!all.events(pe).empty()) first = std::min(first, all.events(pe).front().begin_ns);
  return first;
}

} // namespace

std::string as_event_list(const model& all) {
  const auto first = first_time(all);
  std::string text;
  for (int pe = 0; pe < all.pes(); ++pe)
    for (const auto& one : all.events(pe))
      text += fmt::format("{:<20} PE {:<3} {:>12}  {}\n", name_of(one.what), pe,
                          milliseconds(one.begin_ns - first), shown_place(all.run(), one.site));
  return text;
}

std::string as_table(const model& all, const findings& found) {
  const auto& run = all.run();
  const auto places = places_of(run, found);
  return races_list(all, found) + waits_table(run, places, found) + barriers_list(places, found) +
         splits_list(run, places, found);
}

} // namespace windrow::overlap
