// SPDX-License-Identifier: BSD-3-Clause
#include "aggregation/program_threads.hpp"

#include <algorithm>
#include <mutex>

#include "aggregation/engine.hpp"

namespace windrow::aggregation {

namespace {

/// Holds the sender of a thread until that ends. Outlives the engine if the thread does.
class seat {
 public:
  ~seat() {
    if (sender_ != nullptr) sender_->leave();
    sender_of_program_thread = nullptr;
    over = true;
  }
  /// At the very end of the main thread it is over: then nobody will leave.
  static void take(std::shared_ptr<sender> s) {
    if (over) return;
    static thread_local seat of_thread;
    if (of_thread.sender_ != nullptr) of_thread.sender_->leave(); // of an engine before
    of_thread.sender_ = std::move(s);
  }

 private:
  static constinit thread_local bool over;
  std::shared_ptr<sender> sender_;
};
constinit thread_local bool seat::over = false;

} // namespace

pgas::core& program_threads::core() const {
  return engine_.core();
}

sender& program_threads::join() {
  const auto lock = core().exclusive();
  auto vacant = std::ranges::find_if(senders_, [](const auto& s) { return s->is_vacant(); });
  if (vacant == senders_.end())
    vacant =
        senders_.insert(senders_.end(), std::make_shared<sender>(engine_, sender_of::program_thread, 0,
                                                                 std::max(1U, engine_.pool().size() / 2)));
  (*vacant)->take_over();
  seat::take(*vacant);
  return *(sender_of_program_thread = vacant->get());
}

void program_threads::flush_own() {
  auto* const own = sender_of_program_thread;
  if (own == nullptr) return;
  const std::lock_guard storing(own->guard());
  own->flush();
}

void program_threads::flush() {
  const auto lock = core().exclusive();
  std::vector<biased_lock*> guards;
  for (const auto& s : senders_)
    if (!s->is_vacant()) guards.push_back(&s->guard());
  biased_lock::take(guards);
  for (const auto& s : senders_)
    if (!s->is_vacant()) s->flush();
  biased_lock::give_back(guards);
}

void program_threads::complete_own(pgas::wait_reason what) {
  auto* const own = sender_of_program_thread;
  if (own == nullptr) return;
  const std::lock_guard storing(own->guard());
  own->complete(what);
}

void program_threads::complete(pgas::wait_reason what) {
  std::uint64_t stamp = 0;
  {
    const auto lock = core().exclusive();
    flush();
    engine_.main_sender().send_all();
    stamp = engine_.pool().next_stamp();
  }
  core().wait(what, [&, seen = 0U]() mutable { return engine_.pool().are_home(stamp, seen); });
}

void program_threads::detach() {
  std::vector<biased_lock*> guards;
  guards.reserve(senders_.size());
  for (const auto& s : senders_) guards.push_back(&s->guard());
  biased_lock::take(guards);
  for (const auto& s : senders_) s->detach();
  biased_lock::give_back(guards);
}

} // namespace windrow::aggregation
