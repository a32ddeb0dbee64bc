// SPDX-License-Identifier: BSD-3-Clause
#include "tools/overlap/latest.hpp"

#include <set>
#include <utility>

#include "tools/overlap/open_transfers.hpp"

namespace windrow::overlap {

namespace {

class latest_finder {
 public:
  latest_finder(const model& all, int pe, bool at_target)
      : all_(all), pe_(pe), at_target_(at_target), events_(all.events(pe)) {}

  std::vector<std::size_t> find() {
    found_.assign(events_.size(), events_.size());
    for (std::size_t i = 0; i < events_.size(); ++i) {
      close_before(i);
      if (is_transfer(events_[i]))
        open(i);
      else
        found_[i] = i;
    }
    return std::move(found_);
  }

 private:
  void open(std::size_t i) {
    auto touches = all_.accesses_of(events_[i], pe_);
    if (at_target_ && events_[i].blocking)
      std::erase_if(touches, [](const access& one) { return one.local; });
    open_.add(i, std::move(touches));
    if (all_.is_signal(events_[i])) signals_.insert(i);
  }

  void close_before(std::size_t i) {
    const auto& one = events_[i];
    if (all_.releases(one) || one.what == action::unknown_code) return close_all(i);
    if (model::acquires(one)) close_signals(i);
    for (const auto& touched : all_.accesses_of(one, pe_))
      for (const auto index : open_.in_conflict_with(touched)) close(index, i);
  }

  void close_all(std::size_t i) {
    for (const auto index : open_.take_all()) found_[index] = i;
    signals_.clear();
  }

  void close_signals(std::size_t i) {
    for (const auto index : std::exchange(signals_, {}))
      if (open_.has(index)) close(index, i);
  }

  void close(std::size_t index, std::size_t i) {
    if (!open_.has(index)) return; // by another of its accesses
    found_[index] = i;
    open_.remove(index);
  }

  const model& all_;
  int pe_;
  bool at_target_;
  const std::vector<event>& events_;
  std::vector<std::size_t> found_;
  open_transfers open_;
  std::set<std::size_t> signals_;
};

} // namespace

std::vector<std::size_t> latest_places(const model& all, int pe, bool at_target) {
  return latest_finder(all, pe, at_target).find();
}

} // namespace windrow::overlap
