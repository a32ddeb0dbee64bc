// SPDX-License-Identifier: BSD-3-Clause
// Objects move as a policy wants: by a plan that every PE makes from all loads, or by a negotiation in which
// each PE knows what others tell it.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <exception>
#include <fstream>
#include <iterator>
#include <map>
#include <system_error>
#include <utility>

#include "base/fatal.hpp"
#include "base/options.hpp"
#include "mobile/known_load.hpp"
#include "mobile/load_history.hpp"
#include "mobile/together.hpp"
#include "mobile/traffic.hpp"
#include "pgas/core.hpp"
#include "windrow/detail/object_core.hpp"
#include "windrow/error.hpp"
#include "windrow/simulation.hpp"

namespace windrow::mobile {

std::vector<balance::object_load> core::loads_of(const std::vector<known_load>& known) {
  std::vector<balance::object_load> loads;
  std::ranges::transform(known, std::back_inserter(loads), &known_load::load);
  return loads;
}

// By id.
std::vector<core::known_load> core::own_loads() const {
  std::vector<known_load> mine;
  for (const auto id : ids()) {
    const auto& c = *find(id);
    mine.push_back({id, {load_of(id, c), job_.pe(), c.type->bytes}});
  }
  return mine;
}

// On every PE the same, by PE and id.
std::vector<core::known_load> core::all_loads() {
  std::vector<known_load> mine;
  together(job_.world(), [&] { mine = own_loads(); });
  return job_.world().allgatherv(mine).elements();
}

namespace {

std::string line_of(const balance_report& r) {
  auto line = fmt::format("balance: load {:.2f} -> {:.2f} of ideal, {} of {} objects ({}) moved in {:.3g} ms",
                          r.before, r.after, r.moved, r.objects, base::format_size(r.bytes), r.seconds * 1e3);
  if (r.between_pes_before > 0)
    line += fmt::format("; between PEs {} -> {}",
                        base::format_size(static_cast<std::uint64_t>(r.between_pes_before)),
                        base::format_size(static_cast<std::uint64_t>(r.between_pes_after)));
  return line;
}

double seconds_between(std::uint64_t begin_ns, std::uint64_t end_ns) {
  return static_cast<double>(end_ns - begin_ns) * 1e-9;
}

double ratio(double heaviest, double mean) {
  return mean > 0 ? heaviest / mean : 1;
}

} // namespace

balance_report core::balance(const balance::policy& policy, bool only_if_it_pays) {
  if (visits_ > 0)
    base::fatal(
        "balance in a visit to an object (for_each_local, reduce), which may move; balance afterwards");
  const auto begin = detail::clock_ns(job_);
  if (policy.uses_traffic()) count_traffic();
  end_period();
  moved_bytes_ = 0;
  auto report =
      policy.is_distributed() ? negotiate(policy, only_if_it_pays) : follow_plan(policy, only_if_it_pays);
  barrier();
  begin_period();
  report.bytes = job_.world().sum(moved_bytes_);
  report.seconds = job_.world().max(seconds_between(begin, balanced_ns_));
  if (report.moved > 0) cost_ = report.seconds;
  if (job_.pe() == 0 && job_.core().prints_stats()) base::say(line_of(report));
  return report;
}

void core::end_period() {
  const auto elapsed = seconds_between(balanced_ns_, detail::clock_ns(job_));
  // Nobody says how long a tick is, but how many of them the period had. Elsewhere time is counted in ns.
  if (const auto ticks = now() - balanced_at_; all_workers_ == nullptr && !is_simulated_ && ticks > 0)
    seconds_of_busy_ = elapsed / static_cast<double>(ticks);
  barrier();
  elapsed_ = job_.world().max(elapsed);
}

// The heaviest PE decides how long everything takes.
bool core::pays(double before, double after) const {
  return elapsed_ * (1 - after / before) > cost_;
}

// An object that nothing uses.
void core::move(object_id id, pe_t to) {
  const guard locked(*this);
  protocol_.move(id, to);
}

// Every PE computes the same plan from the same loads; one that cannot is no reason for others to begin
// moves.
balance_report core::follow_plan(const balance::policy& policy, bool only_if_it_pays) {
  const auto known = all_loads();
  const auto loads = loads_of(known);
  const auto traffic = policy.uses_traffic() ? all_traffic(known) : std::vector<balance::traffic>();
  const balance::problem p{loads, job_.pes(), traffic};
  balance::moves moves;
  together(job_.world(), [&] { moves = balance::plan(policy, p); });
  const auto before = balance::imbalance(balance::loads(p));
  if (only_if_it_pays && !pays(before, balance::imbalance(balance::loads(p, moves)))) moves.clear();
  for (const auto& m : moves)
    if (loads[m.object].pe == job_.pe()) move(known[m.object].id, m.to);
  return {.before = before,
          .after = balance::imbalance(balance::loads(p, moves)),
          .objects = loads.size(),
          .moved = moves.size(),
          .between_pes_before = balance::bytes_between_pes(p),
          .between_pes_after = balance::bytes_between_pes(p, moves)};
}

// ---- balancings that come by themselves

void core::balance_every(double seconds, balance::policy policy) {
  period_ = seconds;
  policy_ = std::move(policy);
  if (policy_.uses_traffic()) count_traffic();
}

void core::end_epoch() {
  barrier();
  if (period_ <= 0) return;
  const auto elapsed = seconds_between(balanced_ns_, detail::clock_ns(job_));
  if (job_.world().max(elapsed) >= period_) balance(policy_, true);
}

// WINDROW_BALANCE=POLICY or POLICY,SECONDS or idle.
bool core::read_options() {
  const auto option = base::text_option("WINDROW_BALANCE");
  if (!option) return false;
  const auto& wanted = *option;
  if (wanted == "idle") return require_all_workers("WINDROW_BALANCE=idle"), true;
  const auto comma = wanted.find(',');
  double seconds = 1;
  if (comma != wanted.npos) {
    const char* const end = wanted.data() + wanted.size();
    const auto read = std::from_chars(wanted.data() + comma + 1, end, seconds); // whatever the locale
    if (read.ec != std::errc() || read.ptr != end || !(seconds > 0))
      throw error(fmt::format("WINDROW_BALANCE={}: what is behind the comma is no number of seconds above 0",
                              wanted));
  }
  balance_every(seconds, balance::named_policy(wanted.substr(0, comma)));
  return false;
}

// ---- negotiations

/// This PE's part of a negotiation.
class core::negotiation {
 public:
  negotiation(core& c, const balance::policy& policy) : core_(c), world_(c.job_.world()) {
    core_.collect_balancing(); // of one that was broken off
    double heaviest = 0;
    together(world_, [&] {
      for (const auto& k : core_.own_loads()) {
        if (!(k.load.load >= 0) || !std::isfinite(k.load.load))
          throw error(fmt::format("balance: an object has the load {}; loads are finite and not negative",
                                  k.load.load));
        ids_.push_back(k.id);
        loads_.push_back(k.load.load);
        load_ += k.load.load;
        heaviest = std::max(heaviest, k.load.load);
      }
    });
    mean_ = world_.sum(load_) / core_.job_.pes();
    heaviest = world_.max(heaviest);
    together(world_, [&] {
      balance::require_finite(mean_);
      own_ = policy.join({core_.job_.pe(), core_.job_.pes(), loads_, mean_, heaviest});
    });
  }

  void run() {
    for (int rounds = 0;; ++rounds) {
      // Before the PEs agree: who has left that begins the next round, whose messages are not for this one.
      const auto messages = core_.collect_balancing();
      if (agreed()) return; // the last ones have no answer
      if (rounds == balance::most_rounds)
        throw error(fmt::format("balance: the policy has come to no end after {} rounds", rounds));
      write([&] { return own_->round(messages); });
    }
  }

  /// Each object goes to who has it now.
  balance_report move(bool only_if_it_pays) {
    std::vector<balance::candidate> mine;
    together(world_, [&] { mine = own_->objects(); });
    double load = 0;
    std::map<pe_t, balance::message> wanted;
    for (const auto& c : mine) {
      load += c.load;
      if (c.origin != core_.job_.pe()) wanted[c.origin].objects.push_back(c);
    }
    const auto before = ratio(world_.max(load_), mean_), after = ratio(world_.max(load), mean_);
    if (only_if_it_pays && !core_.pays(before, after))
      return {.before = before, .after = before, .objects = world_.sum(ids_.size())};
    write([&] {
      std::vector<balance::message> all;
      for (auto& [origin, l] : wanted) l.to = origin, all.push_back(std::move(l));
      return all;
    });
    std::map<std::uint32_t, pe_t> moves;
    together(world_, [&] { moves = moves_of(core_.collect_balancing()); });
    for (const auto& [number, to] : moves) core_.move(ids_[number], to);
    return {.before = before,
            .after = after,
            .objects = world_.sum(ids_.size()),
            .moved = world_.sum(moves.size())};
  }

 private:
  bool agreed() {
    bool is_done = false;
    together(world_, [&] { is_done = own_->is_done(); });
    return world_.min(is_done ? 1 : 0) == 1;
  }
  // What is wrong on one PE is an exception on all, and what others have written is there before.
  template <class Messages>
  void write(Messages messages) {
    std::exception_ptr failure;
    try {
      for (const auto& l : messages()) {
        if (l.to < 0 || l.to >= core_.job_.pes())
          throw error(fmt::format("balance: the policy writes to PE {}; there are PEs 0 to {}", l.to,
                                  core_.job_.pes() - 1));
        core_.send_balancing(l);
      }
    } catch (...) { // of the policy, whatever it is
      failure = std::current_exception();
    }
    core_.kind_.quiesce();
    together(world_, [&] {
      if (failure != nullptr) std::rethrow_exception(failure);
    });
  }
  std::map<std::uint32_t, pe_t> moves_of(const std::vector<balance::message>& messages) const {
    std::map<std::uint32_t, pe_t> moves;
    for (const auto& l : messages)
      for (const auto& c : l.objects)
        if (c.number >= ids_.size() || !moves.emplace(c.number, l.from).second)
          throw error(fmt::format("balance: two PEs have object {} of PE {} at the end, or there is none",
                                  c.number, core_.job_.pe()));
    return moves;
  }

  core& core_;
  team world_;
  std::vector<object_id> ids_;
  std::vector<double> loads_;
  double load_ = 0, mean_ = 0;
  std::unique_ptr<balance::negotiator> own_;
};

balance_report core::negotiate(const balance::policy& policy, bool only_if_it_pays) {
  negotiation n(*this, policy);
  n.run();
  return n.move(only_if_it_pays);
}

namespace {

template <class T>
void append_all(std::vector<std::byte>& to, const std::vector<T>& all) {
  const std::uint64_t count = all.size();
  append_bytes(to, &count, sizeof count);
  append_bytes(to, all.data(), count * sizeof(T));
}
template <class T>
std::vector<T> unpack_all(const std::byte*& at) {
  std::vector<T> all(unpack<std::uint64_t>(at));
  if (!all.empty()) std::memcpy(all.data(), at, all.size() * sizeof(T));
  at += all.size() * sizeof(T);
  return all;
}

} // namespace

// Their number keeps those of one sender in order, however large they are.
void core::send_balancing(const balance::message& l) {
  std::vector<std::byte> body;
  append_bytes(body, &l.value, sizeof l.value);
  append_all(body, l.loads);
  append_all(body, l.objects);
  const message_head head{
      l.subject, balancing_sent_++, 0, job_.pe(), 0, static_cast<std::uint16_t>(what::balancing)};
  put(l.to, head, body.size(), [&](std::byte* place) { std::memcpy(place, body.data(), body.size()); });
}

void core::take_balancing(const message_head& head, std::span<const std::byte> body) {
  const auto* at = body.data();
  balance::message l{.to = job_.pe(), .from = head.sender, .subject = static_cast<std::uint32_t>(head.id)};
  l.value = unpack<double>(at);
  l.loads = unpack_all<balance::known_load>(at);
  l.objects = unpack_all<balance::candidate>(at);
  balancing_messages_.emplace(std::pair(head.sender, head.number), std::move(l));
}

// By sender.
std::vector<balance::message> core::collect_balancing() {
  std::vector<balance::message> result;
  result.reserve(balancing_messages_.size());
  for (auto& [at, l] : balancing_messages_) result.push_back(std::move(l));
  balancing_messages_.clear();
  return result;
}

void core::write_loads(const std::string& file) {
  end_period();
  const auto known = all_loads();
  const auto loads = loads_of(known);
  const auto traffic = all_traffic(known);
  balance::plan(balance::none{}, {loads, job_.pes()}); // throws if one is nonsense
  if (job_.pe() != 0) return;
  std::ofstream out(file);
  out << fmt::format("{{\"pes\": {}, \"objects\": [", job_.pes());
  for (std::size_t i = 0; i < known.size(); ++i)
    out << fmt::format("{}\n  {{\"pe\": {}, \"load\": {}, \"bytes\": {}}}", i == 0 ? "" : ",",
                       known[i].load.pe, known[i].load.load, known[i].load.bytes);
  out << "\n]";
  if (!traffic.empty()) out << ", \"traffic\": [";
  for (std::size_t i = 0; i < traffic.size(); ++i)
    out << fmt::format("{}\n  {{\"from\": {}, \"to\": {}, \"bytes\": {}}}", i == 0 ? "" : ",",
                       traffic[i].from, traffic[i].to, traffic[i].bytes);
  out << (traffic.empty() ? "}\n" : "\n]}\n");
  if (!out.flush()) throw error(fmt::format("cannot write {}", file));
}

} // namespace windrow::mobile
