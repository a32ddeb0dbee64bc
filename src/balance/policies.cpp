// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <queue>
#include <utility>

#include "balance/loaded.hpp"
#include "balance/mix.hpp"
#include "windrow/balance.hpp"
#include "windrow/error.hpp"

namespace windrow::balance {

namespace {

/// A move for each object, to `target(number, object)`.
template <class Target>
moves move_all(const problem& p, Target target) {
  moves result;
  for (std::size_t i = 0; i < p.objects.size(); ++i)
    if (const pe_t to = target(i, p.objects[i]); to != p.objects[i].pe) result.push_back({i, to});
  return result;
}

void require_problem(const problem& p) {
  if (p.pes < 1) throw error(fmt::format("balance: {} PEs; there must be one at least", p.pes));
  double sum = 0;
  for (std::size_t i = 0; i < p.objects.size(); ++i) {
    const auto& o = p.objects[i];
    if (o.pe < 0 || o.pe >= p.pes)
      throw error(fmt::format("balance: object {} is on PE {}; there are PEs 0 to {}", i, o.pe, p.pes - 1));
    if (!std::isfinite(o.load) || o.load < 0)
      throw error(
          fmt::format("balance: object {} has the load {}; loads are finite and not negative", i, o.load));
    sum += o.load;
  }
  require_finite(sum);
  for (const auto& m : p.messages)
    if (m.from >= p.objects.size() || m.to >= p.objects.size() || !std::isfinite(m.bytes) || m.bytes < 0)
      throw error(
          fmt::format("balance: object {} writes {} bytes to object {}; there are {} objects, and bytes are "
                      "finite and not negative",
                      m.from, m.bytes, m.to, p.objects.size()));
}

void require_moves(const problem& p, const moves& wanted) {
  std::vector<bool> moved(p.objects.size());
  for (const auto& m : wanted) {
    if (m.object >= p.objects.size())
      throw error(
          fmt::format("balance: the policy moves object {}; there are {}", m.object, p.objects.size()));
    if (m.to < 0 || m.to >= p.pes)
      throw error(fmt::format("balance: the policy moves object {} to PE {}; there are PEs 0 to {}", m.object,
                              m.to, p.pes - 1));
    if (moved[m.object])
      throw error(fmt::format("balance: the policy moves object {} twice; once is enough", m.object));
    moved[m.object] = true;
  }
}

} // namespace

moves none::operator()(const problem& /*unused*/) const {
  return {};
}

moves rotate::operator()(const problem& p) const {
  return move_all(p, [&](std::size_t, const object_load& o) { return (o.pe + 1) % p.pes; });
}

moves random::operator()(const problem& p) const {
  const auto pes = static_cast<std::uint64_t>(p.pes);
  return move_all(p,
                  [&](std::size_t i, const object_load&) { return static_cast<pe_t>(mix(seed, i) % pes); });
}

moves greedy::operator()(const problem& p) const {
  std::vector<std::size_t> heaviest_first(p.objects.size());
  std::iota(heaviest_first.begin(), heaviest_first.end(), 0U);
  std::ranges::sort(heaviest_first, {}, [&](std::size_t i) { return std::pair(-p.objects[i].load, i); });
  using filled = std::pair<double, pe_t>;
  std::priority_queue<filled, std::vector<filled>, std::greater<>> least_loaded;
  for (pe_t pe = 0; pe < p.pes; ++pe) least_loaded.emplace(0.0, pe);
  std::vector<pe_t> target(p.objects.size());
  for (const auto i : heaviest_first) {
    const auto [load, pe] = least_loaded.top();
    least_loaded.pop();
    least_loaded.emplace(load + p.objects[i].load, pe);
    target[i] = pe;
  }
  return move_all(p, [&](std::size_t i, const object_load&) { return target[i]; });
}

namespace {

struct entry {
  std::string_view name;
  policy (*make)();
};

template <class Policy>
policy make_policy() {
  return Policy{};
}

constexpr std::array all_policies{entry{"none", make_policy<none>},
                                  entry{"rotate", make_policy<rotate>},
                                  entry{"random", make_policy<random>},
                                  entry{"greedy", make_policy<greedy>},
                                  entry{"refine", make_policy<refine>},
                                  entry{"hierarchical", make_policy<hierarchical>},
                                  entry{"refine_communication", make_policy<refine_communication>},
                                  entry{"gossip", make_policy<gossip>},
                                  entry{"diffusion", make_policy<diffusion>},
                                  entry{"stealing", make_policy<stealing>},
                                  entry{"master_worker", make_policy<master_worker>}};

} // namespace

std::span<const std::string_view> policy_names() {
  static constexpr auto names = [] {
    std::array<std::string_view, all_policies.size()> result;
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = all_policies[i].name;
    return result;
  }();
  return names;
}

policy named_policy(std::string_view name) {
  if (name.find('/') != name.npos) return loaded_policy(std::string(name));
  const auto* const found = std::ranges::find(all_policies, name, &entry::name);
  if (found != all_policies.end()) return found->make();
  throw error(fmt::format("there is no policy '{}'; there are {}, and files with a '/' in their names", name,
                          fmt::join(policy_names(), ", ")));
}

void require_finite(double sum) {
  if (!std::isfinite(sum))
    throw error("balance: the sum of the loads is not finite; let them be of a larger unit");
}

moves plan(const policy& chosen, const problem& p) {
  require_problem(p);
  auto wanted = chosen(p);
  require_moves(p, wanted);
  std::erase_if(wanted, [&](const move& m) { return p.objects[m.object].pe == m.to; });
  return wanted;
}

std::vector<double> loads(const problem& p) {
  std::vector<double> result(static_cast<std::size_t>(p.pes));
  for (const auto& o : p.objects) result[static_cast<std::size_t>(o.pe)] += o.load;
  return result;
}

namespace {

std::vector<object_load> moved(const problem& p, const moves& wanted) {
  std::vector<object_load> after(p.objects.begin(), p.objects.end());
  for (const auto& m : wanted) after[m.object].pe = m.to;
  return after;
}

} // namespace

std::vector<double> loads(const problem& p, const moves& wanted) {
  return loads({moved(p, wanted), p.pes});
}

double bytes_between_pes(const problem& p) {
  double sum = 0;
  for (const auto& m : p.messages)
    if (p.objects[m.from].pe != p.objects[m.to].pe) sum += m.bytes;
  return sum;
}

double bytes_between_pes(const problem& p, const moves& wanted) {
  return bytes_between_pes({moved(p, wanted), p.pes, p.messages});
}

double imbalance(std::span<const double> loads) {
  const double sum = std::accumulate(loads.begin(), loads.end(), 0.0);
  return sum > 0 ? *std::ranges::max_element(loads) * static_cast<double>(loads.size()) / sum : 1;
}

std::uint64_t moved_bytes(const problem& p, const moves& wanted) {
  std::uint64_t sum = 0;
  for (const auto& m : wanted) sum += p.objects[m.object].bytes;
  return sum;
}

} // namespace windrow::balance
