// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/requests.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "tasks/pool.hpp"
#include "transport/hosts/other_hosts.hpp"
#include "windrow/detail/one_way_call.hpp"

namespace windrow::tasks {

/// A portable task on its way.
struct packed_task {
  std::uint64_t portable_run;
  std::uint64_t belongs_to; ///< an address on the PE that the parcel names
  std::array<std::byte, closure_task::inline_bytes> closure;
};

/// As many of them as fit into a call.
struct parcel {
  pe_t from;         ///< whose tasks they were
  std::uint32_t all; ///< that are sent together
  std::uint32_t here;
  std::array<packed_task, 2> tasks;
};

namespace {

constexpr int few_hosts = 4;

portable_tasks& portable_here() {
  return worker::current()->siblings().portable();
}

std::vector<pe_t> pes_of(const transport::host_map& map, int host) {
  std::vector<pe_t> all;
  for (std::size_t pe = 0; pe < map.host_of.size(); ++pe)
    if (map.host_of[pe] == host) all.push_back(static_cast<pe_t>(pe));
  return all;
}

constexpr auto begin_use_there = [] { portable_here().begin_use_here(); };
constexpr auto ask_there = [](const owner& here) { portable_here().other_hosts()->stand(here.from()); };
constexpr auto offer_there = [](const owner& here) { portable_here().other_hosts()->accept(here.from()); };
constexpr auto take_there = [](const owner& here) { portable_here().other_hosts()->hand_over(here.from()); };
constexpr auto deliver_there = [](const owner& here, const parcel& some) {
  stolen_tasks all;
  if (portable_here().other_hosts()->receive(some, here.from(), all)) worker::current()->receive(all);
};

} // namespace

// Along steps of 1, 2, 4 … in the circle of hosts every host is reached from every other one. Of few, each
// asks each: where there is little to do, most of it is done before it could go on to a third.
requests::requests(pgas::core& c, portable_tasks& tasks, portable_room& host)
    : core_(c), tasks_(tasks), host_(host), map_(c.remote_hosts()->map()) {
  const auto near = pes_of(map_, map_.here);
  const auto place = static_cast<std::size_t>(std::ranges::find(near, c.pe()) - near.begin());
  const bool few = map_.hosts <= few_hosts;
  for (int distance = 1; distance < map_.hosts; distance += few ? 1 : distance) {
    const auto there = pes_of(map_, other_host(distance));
    at_.push_back(there[place % there.size()]);
    const auto who = pes_of(map_, other_host(-distance));
    askers_.insert(askers_.end(), who.begin(), who.end());
  }
  coming_.resize(at_.size());
  may_ask_ = (1U << at_.size()) - 1;
}

int requests::other_host(int distance) const {
  return (map_.here + distance + map_.hosts) % map_.hosts;
}

bool requests::announce_and_offer() {
  bool any = false;
  if (tasks_.forget(errand::announce)) {
    for (int host = 0; host < map_.hosts; ++host)
      if (host != map_.here) call_one_way(map_.leader(host), begin_use_there);
    any = true;
  }
  return (tasks_.forget(errand::offer) && offer()) || any;
}

bool requests::ask() {
  if (!tasks_.in_use() || !tasks_.forget(errand::ask)) return false;
  const auto call_each = [this](std::uint32_t& bits, auto what) {
    for (auto left = std::exchange(bits, 0); left != 0; left &= left - 1)
      call_one_way(at_[static_cast<std::size_t>(std::countr_zero(left))], what);
  };
  call_each(may_take_, take_there);
  call_each(may_ask_, ask_there);
  return true;
}

// Counted first, so that the counts are never too small; then it looks, as who adds a task looks for
// requests.
void requests::stand(pe_t asker) {
  host_.standing.fetch_add(1, std::memory_order_seq_cst);
  host_.hungry.fetch_add(1, std::memory_order_seq_cst);
  room_of(core_, asker).asks.store(1, std::memory_order_seq_cst);
  if (offer()) worker::current()->siblings().engine().main_sender().send_early();
}

// A PE that an exception unwinds gives nothing away and gets nothing.
void requests::hand_over(pe_t asker) {
  stolen_tasks loot;
  if (tasks_.steals() && core_.link().state_of(asker) != transport::pe_state::failed)
    loot = tasks_.take_for_others();
  if (loot.all.empty()) return stand(asker);
  send(asker, loot);
  worker::current()->siblings().engine().main_sender().send_early();
}

// No more than can get some; who is busy meanwhile will not come for them, so the next are told after the
// next task.
bool requests::offer() {
  bool any = false;
  auto tasks = tasks_.steals() ? tasks_.left_for_others() : 0;
  for (auto left = askers_.size(); left > 0 && tasks > 0; --left) {
    if (host_.standing.load(std::memory_order_seq_cst) == 0) return any;
    const auto asker = askers_[next_];
    next_ = (next_ + 1) % askers_.size();
    auto& asks = room_of(core_, asker).asks;
    if (asks.load(std::memory_order_seq_cst) == 0 || asks.exchange(0, std::memory_order_seq_cst) == 0)
      continue;
    host_.hungry.fetch_sub(1, std::memory_order_seq_cst);
    host_.standing.fetch_sub(1, std::memory_order_seq_cst);
    call_one_way(asker, offer_there);
    any = true;
    --tasks;
  }
  if (any && tasks == 0) tasks_.remember(errand::offer);
  return any;
}

void requests::accept(pe_t offerer) {
  may_take_ |= 1U << number_of_host_of(offerer);
  if (tasks_.steals()) tasks_.remember(errand::ask);
}

std::size_t requests::number_of_host_of(pe_t there) const {
  const auto same_host = [&](pe_t pe) { return map_.of(pe) == map_.of(there); };
  return static_cast<std::size_t>(std::ranges::find_if(at_, same_host) - at_.begin());
}

void requests::send(pe_t to, const stolen_tasks& loot) {
  const auto all = static_cast<std::uint32_t>(loot.all.size());
  for (std::uint32_t sent = 0; sent < all;) {
    parcel next{loot.from, all, 0, {}};
    for (; next.here < next.tasks.size() && sent < all; ++next.here, ++sent) {
      const auto& t = loot.all[sent];
      auto& packed = next.tasks[next.here];
      packed.portable_run = t.portable_run;
      packed.belongs_to = reinterpret_cast<std::uint64_t>(t.belongs_to);
      std::memcpy(packed.closure.data(), t.closure, sizeof t.closure);
    }
    call_one_way(to, deliver_there, next);
  }
}

// From one host nothing else comes before all are here, since that answers the only request.
bool requests::receive(const parcel& some, pe_t sender, stolen_tasks& all) {
  const auto which = number_of_host_of(sender);
  auto& coming = coming_[which];
  coming.from = some.from;
  for (std::uint32_t i = 0; i < some.here; ++i) {
    const auto& packed = some.tasks[i];
    auto& t = coming.all.emplace_back();
    t.portable_run = packed.portable_run;
    t.belongs_to = reinterpret_cast<scope*>(packed.belongs_to);
    std::memcpy(t.closure, packed.closure.data(), sizeof t.closure);
  }
  if (coming.all.size() < some.all) return false;
  all = std::exchange(coming, {});
  may_ask_ |= 1U << which;
  if (tasks_.steals()) tasks_.remember(errand::ask);
  return true;
}

} // namespace windrow::tasks
