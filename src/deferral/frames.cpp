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

/// The memory that this thread has made for coroutines of each size.
struct made_frames {
  std::array<std::size_t, largest_frame / frame_unit + 1> bytes{};
  std::array<std::size_t, largest_frame / frame_unit + 1>
      allowed{};               ///< beyond the limit, since waiting freed none
  std::size_t large_bytes = 0; ///< of all larger ones that have not ended
  std::size_t large_allowed = 0;
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

/// Whether there is a free one now.
bool await_free(std::size_t units) {
  auto& deferred = *continuations_of_thread;
  if (made.bytes[units] < deferred.frame_limit() || made.bytes[units] < made.allowed[units]) return false;
  while (free_frames[units] == nullptr && deferred.support().help_once()) {
  }
  if (free_frames[units] != nullptr) return true;
  made.allowed[units] = 2 * made.bytes[units];
  return false;
}

/// Larger ones are no longer kept when they have ended, so it is enough that some have.
void await_room_for_large() {
  auto& deferred = *continuations_of_thread;
  const auto limit = deferred.frame_limit();
  if (made.large_bytes < limit || made.large_bytes < made.large_allowed) return;
  while (made.large_bytes >= limit && deferred.support().help_once()) {
  }
  if (made.large_bytes >= limit) made.large_allowed = 2 * made.large_bytes;
}

void* make_large_frame(std::size_t bytes) {
  await_room_for_large();
  auto* const frame = ::operator new(bytes);
  made.large_bytes += bytes;
  return frame;
}

} // namespace

// One that ends on another thread than it began on is not known there.
void delete_large_frame(void* frame, std::size_t bytes) {
  made.large_bytes -= std::min(made.large_bytes, bytes);
  ::operator delete(frame);
}

void* make_frame(std::size_t bytes) {
  if (bytes > largest_frame) return make_large_frame(bytes);
  delete_free_frames_at_end_of_thread();
  const auto units = frame_units(bytes);
  if (await_free(units)) return new_frame(bytes);
  made.bytes[units] += units * frame_unit;
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
