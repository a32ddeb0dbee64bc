// SPDX-License-Identifier: BSD-3-Clause
#include "mobile/load_history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/fatal.hpp"
#include "mobile/traffic.hpp"
#include "windrow/simulation.hpp"

namespace windrow::mobile {

double core::load_history::median(object_id id, double now) const {
  const auto at = all_.find(id);
  if (at == all_.end()) return now;
  auto rates = at->second;
  rates.push_back(now);
  const auto middle = rates.begin() + static_cast<std::ptrdiff_t>(rates.size() / 2);
  std::ranges::nth_element(rates, middle);
  if (rates.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(rates.begin(), middle)) / 2;
}

void core::load_history::add(object_id id, double rate) {
  auto& rates = all_[id];
  rates.insert(rates.begin(), rate);
  if (rates.size() > earlier_) rates.pop_back();
}

std::vector<double> core::load_history::take(object_id id) {
  const auto at = all_.find(id);
  if (at == all_.end()) return {};
  auto rates = std::move(at->second);
  all_.erase(at);
  return rates;
}

// Objects bring theirs along, so no PE may begin before all are where they go to.
void core::remember_loads(int periods) {
  constexpr int most = 100;
  if (periods < 1 || periods > most)
    base::fatal(
        fmt::format("remember_loads({}): the loads of 1 to {} periods can be remembered", periods, most));
  barrier();
  history_ = periods > 1 ? std::make_unique<load_history>(static_cast<std::size_t>(periods)) : nullptr;
  barrier();
}

// Of the present period: in seconds, unless the class tells it.
double core::load_of(object_id id, const cell& c) const {
  const auto now = c.type->load_of(c);
  if (c.type->tells_load) return now;
  const auto seconds = now * seconds_of_busy_;
  if (history_ == nullptr || elapsed_ <= 0) return seconds;
  return history_->median(id, seconds / elapsed_) * elapsed_;
}

void core::begin_period() {
  protocol_.for_each_object([this](object_id id, void* object) {
    auto& c = *static_cast<cell*>(object);
    if (history_ != nullptr && !c.type->tells_load && elapsed_ > 0)
      history_->add(id, static_cast<double>(c.busy) * seconds_of_busy_ / elapsed_);
    c.busy = 0;
  });
  if (traffic_ != nullptr) traffic_->clear();
  balanced_ns_ = detail::clock_ns(job_);
  balanced_at_ = now();
}

} // namespace windrow::mobile
