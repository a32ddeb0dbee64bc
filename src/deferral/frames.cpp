// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <new>

#include "base/fatal.hpp"
#include "base/fiber_local.hpp"
#include "windrow/deferred.hpp"
#include "windrow/detail/rest_of_coroutine.hpp"

namespace windrow::deferral {

namespace {

/// Those of one size, or all larger ones.
struct frames_of_size {
  std::size_t bytes = 0;
  std::size_t allowed = 0; ///< beyond the limit, since waiting freed none
};
/// The memory that this thread has made for coroutines of each size.
struct made_frames {
  std::array<frames_of_size, largest_frame / frame_unit + 1> by_units{};
  frames_of_size large; ///< that have not ended
};

constinit thread_local made_frames made;

void delete_frames(free_frame*& list) {
  while (list != nullptr) ::operator delete(std::exchange(list, list->next));
}
void delete_free_frames() {
  for (auto*& list : free_frames) delete_frames(list);
}
void delete_free_frames_at_end_of_thread() {
  struct thread_end {
    ~thread_end() { delete_free_frames(); }
  };
  static const thread_local thread_end at_end;
}

const base::fiber_local made_frames_are_local([]() -> auto& { return made; });
const base::fiber_local free_frames_are_local([]() -> auto& { return free_frames; }, delete_free_frames);

/// Whether there is room, for which it has waited. False also where it need not wait.
template <class HasRoom>
bool await_room(frames_of_size& all, HasRoom has_room) {
  auto& deferred = *continuations_of_thread;
  if (all.bytes < deferred.frame_limit() || all.bytes < all.allowed) return false;
  while (!has_room() && deferred.support().help_once()) {
  }
  if (has_room()) return true;
  all.allowed = 2 * all.bytes;
  return false;
}

void* make_large_frame(std::size_t bytes) {
  // They are not kept when they have ended, so it is enough that some have.
  await_room(made.large, [] { return made.large.bytes < continuations_of_thread->frame_limit(); });
  auto* const frame = ::operator new(bytes);
  made.large.bytes += bytes;
  return frame;
}

} // namespace

// One that ends on another thread than it began on is not known there.
void delete_large_frame(void* frame, std::size_t bytes) {
  made.large.bytes -= std::min(made.large.bytes, bytes);
  ::operator delete(frame);
}

void* make_frame(std::size_t bytes) {
  if (bytes > largest_frame) return make_large_frame(bytes);
  delete_free_frames_at_end_of_thread();
  const auto units = frame_units(bytes);
  if (await_room(made.by_units[units], [&] { return free_frames[units] != nullptr; }))
    return new_frame(bytes);
  made.by_units[units].bytes += units * frame_unit;
  return ::operator new(units * frame_unit);
}

void refuse_exception_of_coroutine() {
  base::fatal(fmt::format("an exception left deferred code, a coroutine: {}; catch it there",
                          base::text_of_exception()));
}

bool go_on_elsewhere() {
  return continuations_of_thread == &no_continuations;
}

// Keeps as much of each size as is made for coroutines before they wait for each other.
void one_came_from_elsewhere() {
  constexpr std::size_t most_units = (std::size_t{16} << 20) / frame_unit;
  constexpr unsigned often = 16'384;
  static constinit thread_local unsigned came = 0;
  if (came == 0) delete_free_frames_at_end_of_thread(); // this thread may make none itself
  if (++came % often != 0) return;
  for (std::size_t units = 1; units < free_frames.size(); ++units) {
    auto** rest = &free_frames[units];
    for (auto left = most_units / units; *rest != nullptr && left > 0; --left) rest = &(*rest)->next;
    delete_frames(*rest);
  }
}

} // namespace windrow::deferral
