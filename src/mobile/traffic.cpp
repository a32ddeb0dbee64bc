// SPDX-License-Identifier: BSD-3-Clause
#include "mobile/traffic.hpp"

#include <memory>
#include <unordered_map>
#include <vector>

#include "mobile/all_workers.hpp"
#include "mobile/known_load.hpp"
#include "mobile/together.hpp"
#include "tasks/worker.hpp"

namespace windrow::mobile {

namespace {

// As traffic_counts knows this thread.
const void* this_thread(bool on_all_workers) {
  return on_all_workers ? tasks::worker::here("a message to an object").light() : nullptr;
}

} // namespace

core::acting::acting(core& c, object_id who) : core_(c) {
  if (core_.traffic_ == nullptr) return;
  const guard locked(core_);
  before_ = core_.traffic_->act(this_thread(core_.all_workers_ != nullptr), who);
}

core::acting::~acting() {
  if (core_.traffic_ == nullptr) return;
  const guard locked(core_);
  core_.traffic_->act(this_thread(core_.all_workers_ != nullptr), before_);
}

void core::count_message(object_id to, std::size_t bytes) {
  const guard locked(*this);
  traffic_->add(this_thread(all_workers_ != nullptr), to, bytes);
}

// Between the quiescence of a barrier and what it agrees on: no handler runs, and nobody sends.
void core::begin_to_count() {
  if (!wants_traffic_ || traffic_ != nullptr) return;
  traffic_ = std::make_unique<traffic_counts>();
  short_file_ = 0; // what has a short head passes by what counts
}

// On every PE the same. What objects that have ended have sent or got is left out.
std::vector<balance::traffic> core::all_traffic(const std::vector<known_load>& known) {
  struct counted {
    object_id from, to;
    std::uint64_t bytes;
  };
  std::vector<counted> mine;
  together(job_.world(), [&] {
    if (traffic_ != nullptr)
      for (const auto& [who, bytes] : traffic_->bytes()) mine.push_back({who.first, who.second, bytes});
  });
  const auto all = job_.world().allgatherv(mine).elements();
  std::vector<balance::traffic> result;
  together(job_.world(), [&] {
    std::unordered_map<object_id, std::size_t> number;
    for (std::size_t i = 0; i < known.size(); ++i) number.emplace(known[i].id, i);
    for (const auto& c : all) {
      const auto from = number.find(c.from), to = number.find(c.to);
      if (from != number.end() && to != number.end())
        result.push_back({from->second, to->second, static_cast<double>(c.bytes)});
    }
  });
  return result;
}

} // namespace windrow::mobile
