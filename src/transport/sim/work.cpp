// SPDX-License-Identifier: BSD-3-Clause
#include "transport/sim/work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <optional>
#include <sstream>
#include <utility>

#include "base/fatal.hpp"
#include "base/options.hpp"
#include "os/cpu.hpp"
#include "windrow/error.hpp"

namespace windrow::transport {

namespace {

constexpr std::string_view end_line = "end", end_call = "end of the job";

std::string work_head(pe_t pe, pe_t pes, std::size_t count) {
  return fmt::format("windrow work 1: PE {} of {}, {} stretches", pe, pes, count);
}

/// The lines of a work file.
class work_lines {
 public:
  work_lines(std::string_view text, const std::string& file) : left_(text), file_(file) {}

  bool any() const { return !left_.empty(); }
  std::string_view next() {
    const auto end = left_.find('\n');
    if (end == std::string_view::npos) refuse("ends in the middle of a line");
    const auto line = left_.substr(0, end);
    left_.remove_prefix(end + 1);
    ++number_;
    return line;
  }
  [[noreturn]] void refuse(std::string_view why) const {
    throw error(
        fmt::format("WINDROW_SIM_WORK: {} {} behind line {}: measure the work again, with "
                    "WINDROW_SIM_MEASURE, up to the end of the job",
                    file_, why, number_));
  }

 private:
  std::string_view left_;
  const std::string& file_;
  std::size_t number_ = 0;
};

struct work_part {
  pe_t pe, pes;
  std::size_t count;
};

work_part parse_head(work_lines& lines) {
  int pe = 0, pes = 0, used = 0;
  std::size_t count = 0;
  const std::string line(lines.next());
  const int found =
      std::sscanf(line.c_str(), "windrow work 1: PE %d of %d, %zu stretches%n", &pe, &pes, &count, &used);
  if (found != 3 || static_cast<std::size_t>(used) != line.size() || count > most_stretches)
    lines.refuse("is no work file");
  return {static_cast<pe_t>(pe), static_cast<pe_t>(pes), count};
}

stretch parse_stretch(work_lines& lines) {
  const auto line = lines.next();
  std::uint64_t ns = 0;
  const auto [rest, failure] = std::from_chars(line.data(), line.data() + line.size(), ns);
  const auto used = static_cast<std::size_t>(rest - line.data());
  constexpr std::uint64_t longest_ns = 1'000'000'000'000'000;
  if (failure != std::errc{} || used + 1 >= line.size() || line[used] != ' ' || ns > longest_ns)
    lines.refuse("has no time and call");
  return {ns, std::string(line.substr(used + 1))};
}

std::vector<stretch> parse_part(work_lines& lines, std::size_t count) {
  std::vector<stretch> all;
  while (all.size() < count) all.push_back(parse_stretch(lines));
  if (lines.next() != end_line) lines.refuse("has more stretches than it says");
  return all;
}

std::string whole_file(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf()))
    throw error(fmt::format(
        "WINDROW_SIM_WORK: {} cannot be read, or is empty; WINDROW_SIM_MEASURE={} writes it", name, name));
  return std::move(text).str();
}

/// Measures, and charges nothing.
class measured_work final : public work_account {
 public:
  measured_work(std::string file, pe_t pe, pe_t pes) : file_(std::move(file)), pe_(pe), pes_(pes) {
    if (pe == 0 && !std::ofstream(file_, std::ios::trunc))
      throw error(fmt::format("WINDROW_SIM_MEASURE: {} cannot be written: name another file", file_));
    for (int i = 0; i < 100; ++i) {
      const auto before = os::thread_cpu_ns();
      clock_cost_ns_ = std::min(clock_cost_ns_, os::thread_cpu_ns() - before);
    }
    resumed_ns_ = os::thread_cpu_ns();
  }

  void pause() override {
    if (paused_++ > 0) return;
    const auto worked_ns = os::thread_cpu_ns() - resumed_ns_;
    work_ns_ += worked_ns - std::min(worked_ns, clock_cost_ns_);
  }
  void resume() override {
    if (--paused_ == 0) resumed_ns_ = os::thread_cpu_ns();
  }
  std::uint64_t next_call(std::string_view call) override {
    if (all_.size() >= most_stretches)
      base::fatal(
          fmt::format("WINDROW_SIM_MEASURE: the program makes more than {} calls: measure a shorter run",
                      most_stretches));
    all_.push_back({std::exchange(work_ns_, 0), std::string(call)});
    return 0;
  }
  // PEs append in their turns.
  std::uint64_t end() override {
    next_call(end_call);
    std::ofstream out(file_, std::ios::app | std::ios::binary);
    if (!(out << work_text(pe_, pes_, all_) << std::flush))
      base::fatal(
          fmt::format("WINDROW_SIM_MEASURE: {} cannot be written as a whole: is the disk full?", file_));
    return 0;
  }

 private:
  std::string file_;
  pe_t pe_, pes_;
  std::vector<stretch> all_;
  std::uint64_t clock_cost_ns_ = UINT64_MAX, resumed_ns_ = 0, work_ns_ = 0;
  int paused_ = 0;
};

/// Charges what has been measured.
class charged_work final : public work_account {
 public:
  charged_work(const std::string& file, pe_t pe, pe_t pes)
      : file_(file), all_(parse_work(whole_file(file), file, pe, pes)) {}

  std::uint64_t next_call(std::string_view call) override {
    const auto known = next_ < all_.size() ? std::string_view(all_[next_].call) : "nothing";
    if (call != known)
      base::fatal(
          fmt::format("WINDROW_SIM_WORK: call {} is '{}', and in {} it is '{}': measure the work of this "
                      "program with these "
                      "arguments again; a program whose calls depend on time cannot be charged",
                      next_ + 1, call, file_, known));
    return all_[next_++].ns;
  }
  std::uint64_t end() override { return next_call(end_call); }

 private:
  std::string file_;
  std::vector<stretch> all_;
  std::size_t next_ = 0;
};

} // namespace

std::string work_text(pe_t pe, pe_t pes, const std::vector<stretch>& all) {
  auto text = work_head(pe, pes, all.size()) + '\n';
  for (const auto& one : all) text += fmt::format("{} {}\n", one.ns, one.call);
  return text.append(end_line) + '\n';
}

std::vector<stretch> parse_work(std::string_view text, const std::string& file, pe_t pe, pe_t pes) {
  work_lines lines(text, file);
  std::optional<std::vector<stretch>> found;
  while (lines.any()) {
    const auto part = parse_head(lines);
    if (part.pes != pes)
      throw error(
          fmt::format("WINDROW_SIM_WORK: {} is of {} PEs, and this job has {}: measure the work of "
                      "as many PEs",
                      file, part.pes, pes));
    auto stretches = parse_part(lines, part.count);
    if (part.pe == pe && found) lines.refuse("has a PE twice");
    if (part.pe == pe) found = std::move(stretches);
  }
  if (!found) lines.refuse(fmt::format("has no PE {}", pe));
  return *std::move(found);
}

std::unique_ptr<work_account> chosen_account(pe_t pe, pe_t pes) {
  const auto measure = base::text_option("WINDROW_SIM_MEASURE"),
             charge = base::text_option("WINDROW_SIM_WORK");
  if (measure && charge)
    throw error("WINDROW_SIM_MEASURE and WINDROW_SIM_WORK exclude each other: unset one of them");
  if (measure) return std::make_unique<measured_work>(*measure, pe, pes);
  if (charge) return std::make_unique<charged_work>(*charge, pe, pes);
  return nullptr;
}

} // namespace windrow::transport
