// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

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
      allowed{}; ///< beyond the limit, since waiting freed none
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

} // namespace

void* make_frame(std::size_t bytes) {
  if (bytes > largest_frame) return ::operator new(bytes);
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
