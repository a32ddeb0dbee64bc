// SPDX-License-Identifier: BSD-3-Clause
#include "os/control_group.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace windrow::os {

namespace {

// The membership of a process in a container may name groups that are not visible there; the outermost that
// is, the mount itself, is then the container's.
std::vector<std::string> with_all_around(const std::string& mount, std::string group) {
  std::vector<std::string> result;
  for (; group.size() > 1; group.erase(group.find_last_of('/'))) result.push_back(mount + group);
  result.push_back(mount);
  return result;
}

bool has_word(const std::string& list, const std::string& word) {
  std::istringstream words(list);
  for (std::string each; std::getline(words, each, ',');)
    if (each == word) return true;
  return false;
}

template <class T>
std::optional<T> smaller(std::optional<T> a, std::optional<T> b) {
  return a && b ? std::min(*a, *b) : a ? a : b;
}

// "max", -1 and a file that is not there mean no limit.
template <class T>
std::optional<T> read(const std::string& path) {
  std::ifstream file(path);
  T value{};
  if (file.peek() == '-' || !(file >> value)) return {};
  return value;
}

std::optional<double> ratio(std::optional<double> quota, std::optional<double> period) {
  if (!quota || !period || *period <= 0) return {};
  return *quota / *period;
}

std::optional<double> processors_of_unified(const std::string& folder) {
  std::ifstream file(folder + "/cpu.max");
  double quota = 0, period = 0;
  if (!(file >> quota >> period)) return {};
  return ratio(quota, period);
}

} // namespace

control_groups::control_groups(const std::string& membership, const std::string& mount) {
  std::ifstream file(membership);
  for (std::string line; std::getline(file, line);) { // number:controllers:group
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const auto controllers = line.substr(first + 1, second - first - 1), group = line.substr(second + 1);
    if (controllers.empty()) folders_.unified = with_all_around(mount, group);
    if (has_word(controllers, "memory")) folders_.memory = with_all_around(mount + "/memory", group);
    if (has_word(controllers, "cpu")) folders_.cpu = with_all_around(mount + "/cpu", group);
  }
}

std::optional<std::uint64_t> control_groups::memory() const {
  std::optional<std::uint64_t> least;
  for (const auto& folder : folders_.unified)
    least = smaller(least, read<std::uint64_t>(folder + "/memory.max"));
  for (const auto& folder : folders_.memory)
    least = smaller(least, read<std::uint64_t>(folder + "/memory.limit_in_bytes"));
  return least;
}

std::optional<double> control_groups::processors() const {
  std::optional<double> least;
  for (const auto& folder : folders_.unified) least = smaller(least, processors_of_unified(folder));
  for (const auto& folder : folders_.cpu)
    least = smaller(least, ratio(read<double>(folder + "/cpu.cfs_quota_us"),
                                 read<double>(folder + "/cpu.cfs_period_us")));
  return least;
}

} // namespace windrow::os
