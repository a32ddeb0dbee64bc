// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace windrow::tasks {

/// The work-stealing deque of Chase and Lev ("Dynamic circular work-stealing deque", SPAA 2005): its owner
/// adds and takes at one end without contention, everybody steals at the other. The orders are those of Lê,
/// Pop, Cohen and Zappa Nardelli ("Correct and efficient work-stealing for weak memory models", PPoPP 2013),
/// with sequentially consistent accesses instead of fences: as cheap, and ThreadSanitizer understands them.
template <class T>
class work_deque {
 public:
  /// `shared`: others will steal. If not, the owner needs no expensive instruction. `capacity`: a power of
  /// two; it doubles when that many items are here.
  explicit work_deque(bool shared, std::int64_t capacity = 256) : shared_(shared) {
    ring_.store(new_ring(capacity), std::memory_order_relaxed);
  }

  /// Adds an item, unless `most` or more may be here; false then. Owner only. Sequentially consistent if
  /// shared, so that the caller may look next whether somebody sleeps.
  bool push(T* item, std::int64_t most = std::numeric_limits<std::int64_t>::max()) {
    const auto bottom = bottom_.load(std::memory_order_relaxed);
    const auto top = top_.load(std::memory_order_acquire);
    if (bottom - top >= most) [[unlikely]]
      return false;
    auto* r = ring_.load(std::memory_order_relaxed);
    if (bottom - top >= r->capacity) [[unlikely]]
      r = grow(*r, top, bottom);
    r->at(bottom).store(item, std::memory_order_relaxed);
    publish_bottom(bottom + 1);
    return true;
  }

  /// The newest item, or null. Owner only.
  T* take() {
    const auto last = bottom_.load(std::memory_order_relaxed) - 1;
    if (top_.load(std::memory_order_relaxed) > last) return nullptr;
    publish_bottom(last);
    auto top = top_.load(std::memory_order_seq_cst);
    T* item = nullptr;
    if (top <= last) {
      item = ring_.load(std::memory_order_relaxed)->at(last).load(std::memory_order_relaxed);
      if (top < last || !shared_) return item;
      // The only one: thieves may want it too.
      if (!top_.compare_exchange_strong(top, top + 1, std::memory_order_seq_cst, std::memory_order_relaxed))
        item = nullptr;
    }
    bottom_.store(last + 1, std::memory_order_relaxed);
    return item;
  }

  /// The oldest item, or null if there is none or another was faster. Anybody.
  T* steal() {
    auto top = top_.load(std::memory_order_seq_cst);
    if (top >= bottom_.load(std::memory_order_seq_cst)) return nullptr;
    T* item = ring_.load(std::memory_order_acquire)->at(top).load(std::memory_order_relaxed);
    const bool mine =
        top_.compare_exchange_strong(top, top + 1, std::memory_order_seq_cst, std::memory_order_relaxed);
    return mine ? item : nullptr;
  }

  /// Where the oldest item is and where the next one goes: what the difference is worth, `size` says.
  const std::atomic<std::int64_t>& top() const { return top_; }
  const std::atomic<std::int64_t>& bottom() const { return bottom_; }

  /// How many are here; of the past unless the caller is the owner. Anybody.
  std::int64_t size() const {
    const auto top = top_.load(std::memory_order_seq_cst);
    return bottom_.load(std::memory_order_seq_cst) - top;
  }

 private:
  struct ring {
    std::int64_t capacity; ///< a power of two
    std::unique_ptr<std::atomic<T*>[]> slots;

    std::atomic<T*>& at(std::int64_t i) { return slots[static_cast<std::size_t>(i & (capacity - 1))]; }
  };

  void publish_bottom(std::int64_t bottom) {
    if (shared_)
      bottom_.store(bottom, std::memory_order_seq_cst);
    else
      bottom_.store(bottom, std::memory_order_relaxed);
  }

  ring* new_ring(std::int64_t capacity) {
    auto slots = std::make_unique<std::atomic<T*>[]>(static_cast<std::size_t>(capacity));
    rings_.push_back(std::make_unique<ring>(ring{capacity, std::move(slots)}));
    return rings_.back().get();
  }

  // Old rings stay: a thief may be reading one. Together they are no larger than the newest.
  [[gnu::noinline]] ring* grow(ring& from, std::int64_t top, std::int64_t bottom) {
    auto* to = new_ring(2 * from.capacity);
    for (auto i = top; i < bottom; ++i)
      to->at(i).store(from.at(i).load(std::memory_order_relaxed), std::memory_order_relaxed);
    ring_.store(to, std::memory_order_release);
    return to;
  }

  alignas(64) std::atomic<std::int64_t> top_ = 0; ///< the oldest; only ever grows
  alignas(64) std::atomic<std::int64_t> bottom_ = 0;
  std::atomic<ring*> ring_ = nullptr;
  const bool shared_;
  std::vector<std::unique_ptr<ring>> rings_;
};

} // namespace windrow::tasks
