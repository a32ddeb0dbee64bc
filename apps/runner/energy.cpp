// SPDX-License-Identifier: BSD-3-Clause
#include "apps/runner/energy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <optional>

namespace windrow::apps {

namespace {

namespace fs = std::filesystem;

std::optional<std::uint64_t> number_in(const fs::path& file) {
  std::ifstream stream(file);
  std::uint64_t value = 0;
  if (!(stream >> value)) return std::nullopt;
  return value;
}

std::string word_in(const fs::path& file) {
  std::string word;
  std::ifstream(file) >> word;
  return word;
}

std::vector<fs::path> entries(const fs::path& folder) {
  std::error_code none;
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(folder, none)) found.push_back(entry.path());
  std::ranges::sort(found);
  return found;
}

/// The part of the machine that a powercap zone counts, or nothing: cores are part of their package, and
/// `psys` is the whole platform.
std::string part_of_zone(const std::string& name) {
  if (name.starts_with("package")) return "cpu";
  return name == "dram" ? "memory" : "";
}

} // namespace

energy_meter::energy_meter(const fs::path& root) {
  source_ = "this machine has no energy counters (neither /sys/class/powercap nor /sys/cray/pm_counters)";
  find_cray(root / "sys/cray/pm_counters");
  if (!present()) find_powercap(root / "sys/class/powercap");
}

// The zones of other drivers (intel-rapl-mmio) count the same again.
void energy_meter::find_powercap(const fs::path& folder) {
  for (const auto& zone : entries(folder)) {
    const auto part = part_of_zone(word_in(zone / "name"));
    if (part.empty() || !zone.filename().string().starts_with("intel-rapl:")) continue;
    counters_.push_back(
        {part, zone / "energy_uj", 1e-6, number_in(zone / "max_energy_range_uj").value_or(0)});
  }
  keep_if_readable(folder);
}

// "1234 J 1700000000 us"
void energy_meter::find_cray(const fs::path& folder) {
  for (const auto& [file, part] :
       {std::pair("cpu_energy", "cpu"), {"memory_energy", "memory"}, {"energy", "node"}})
    if (fs::exists(folder / file)) counters_.push_back({part, folder / file, 1, 0});
  keep_if_readable(folder);
}

void energy_meter::keep_if_readable(const fs::path& folder) {
  if (!present()) return;
  source_ = folder.string();
  if (!read().empty()) return;
  counters_.clear();
  source_ = fmt::format("the energy counters in {} cannot be read (usually only root may)", folder.string());
}

energy_meter::reading energy_meter::read() const {
  reading values;
  for (const auto& c : counters_) {
    const auto value = number_in(c.file);
    if (!value) return {};
    values.push_back(*value);
  }
  return values;
}

std::map<std::string, double> energy_meter::joules(const reading& before, const reading& after) const {
  std::map<std::string, double> sums;
  if (before.empty() || after.empty()) return sums;
  for (std::size_t k = 0; k < counters_.size(); ++k) {
    const auto& c = counters_[k];
    const bool wrapped = after[k] < before[k];
    const auto units = wrapped && c.range != 0 ? c.range - before[k] + 1 + after[k] : after[k] - before[k];
    if (wrapped && c.range == 0) return {}; // restarted: the difference means nothing
    sums[c.part] += static_cast<double>(units) * c.joules_per_unit;
  }
  return sums;
}

} // namespace windrow::apps
