// SPDX-License-Identifier: BSD-3-Clause
#include "tools/overlap/findings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tools/overlap/places.hpp"

namespace windrow::overlap {

namespace {

using tools::verdict;

class remark_maker {
 public:
  explicit remark_maker(const model& all) : all_(all), run_(all.run()) {}

  tools::remarks_by_file make(const findings& found) {
    for (const auto& one : found.races) tell_of(one);
    for (const auto& one : found.waits) tell_of(one);
    for (const auto& one : found.barriers) tell_of(one);
    for (const auto& one : found.splits) tell_of(one);
    for (auto& [file, remarks] : said_) {
      std::ranges::sort(remarks);
      remarks.erase(std::ranges::unique(remarks).begin(), remarks.end());
    }
    return std::move(said_);
  }

 private:
  void say(std::uint32_t site, verdict what, const std::string& text) {
    if (run_.sites[site].empty()) return;
    const auto& place = run_.sites[site].front();
    said_[shown_file(place.file)].push_back({place.line, place.column, what, "overlap", text + way_to(site)});
  }

  // What is said of code that has been inlined holds for one of its callers.
  std::string way_to(std::uint32_t site) const {
    std::string text;
    const auto& frames = run_.sites[site];
    for (std::size_t i = 1; i < frames.size(); ++i)
      text += fmt::format("{} in {}:{}:{}", text.empty() ? " (called" : ",", shown_file(frames[i].file),
                          frames[i].line, frames[i].column);
    return text.empty() ? text : text + ")";
  }

  const event& at(const race_side& side) const { return all_.events(side.pe)[side.event]; }

  void tell_of(const race& one) {
    const auto tell = [&](const race_side& here, const race_side& there) {
      say(at(here).site, verdict::refused,
          fmt::format(
              "{}: this {} of PE {} and the {} of PE {} in {} touch the same memory of PE {}, in no order",
              one.lacks_quiet ? "no shmem_ctx_quiet in front of a barrier" : "race", shown_kind(at(here)),
              here.pe, shown_kind(at(there)), there.pe, shown_place(run_, at(there).site), one.owner));
    };
    tell(one.first, one.second);
    tell(one.second, one.first);
  }

  // Behind the wait where it could be, and there what would come.
  void tell_of(const advice& one) {
    if (one.what == action::barrier) return;
    if (!one.worthwhile()) return say(one.site, verdict::done, already(one));
    for (const auto& [until, times] : one.latest) {
      say(one.site, verdict::missed,
          fmt::format("{} may be complete as late as before {}, {} of {} times", subject(one),
                      described(until), times, one.times));
      if (until != end_of_program && until.site != one.site)
        say(until.site, verdict::cost,
            fmt::format("the {} in {} would have to be complete here", name_of(one.what),
                        shown_place(run_, one.site)));
    }
  }

  static std::string subject(const advice& one) {
    return is_wait(one) ? fmt::format("what this {} waits for", name_of(one.what))
                        : fmt::format("this {}", name_of(one.what));
  }
  static bool is_wait(const advice& one) { return !one.waits_for.empty(); }

  std::string already(const advice& one) const {
    const auto& [until, times] = *one.latest.begin();
    if (until == end_of_program) return "nothing would be gained by completing it later";
    return fmt::format("nothing would be gained by completing it later: {} follows", described(until));
  }

  void tell_of(const barrier_use& one) {
    if (one.redundant)
      say(one.site, verdict::missed,
          "this barrier alone orders no accesses in conflict, in this run; the program may need it with "
          "other data");
    if (one.may_complete_later)
      say(one.site, verdict::missed,
          fmt::format(
              "the {} transfers that this barrier completes may go on until the next synchronisation, as "
              "nobody uses the data before",
              one.completes));
  }

  void tell_of(const split_barrier& one) {
    if (!one.worthwhile()) return;
    for (const auto& [after, times] : one.after)
      say(one.site, verdict::missed,
          fmt::format("that this PE has come could be said as early as after {}, {} of {} times",
                      after == end_of_program ? "the begin of the program" : described(after), times,
                      one.times));
    for (const auto& [before, times] : one.before)
      say(one.site, verdict::missed,
          fmt::format("the others could be waited for as late as before {}, {} of {} times",
                      described(before), times, one.times));
  }

  std::string described(const limit& one) const {
    const auto reason = shown_reason(one);
    return one == end_of_program ? reason : fmt::format("{} {}", reason, shown_place(run_, one.site));
  }

  const model& all_;
  const recording& run_;
  tools::remarks_by_file said_;
};

} // namespace

findings find_all(const model& all, bool small_too) {
  findings found{advise(all), uses_of_barriers(all), split_barriers(all), find_races(all)};
  std::erase_if(found.splits, [&](const split_barrier& one) {
    return std::ranges::any_of(found.barriers,
                               [&](const barrier_use& use) { return use.redundant && use.site == one.site; });
  });
  for (auto& one : found.waits) one.small_too = small_too;
  for (auto& one : found.splits) one.small_too = small_too;
  return found;
}

tools::remarks_by_file as_remarks(const model& all, const findings& found) {
  return remark_maker(all).make(found);
}

} // namespace windrow::overlap
