// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <new>

#include "windrow/deferred.hpp"

namespace windrow::deferral {

namespace {

constexpr std::size_t unit = 64;
constexpr std::size_t largest = 1024;

struct free_frame {
  free_frame* next;
};

/// Frames that have been used, by size in units.
struct frame_lists {
  std::array<free_frame*, largest / unit + 1> of_size{};

  ~frame_lists() {
    for (auto* frame : of_size)
      while (frame != nullptr) ::operator delete(std::exchange(frame, frame->next));
  }
};

thread_local frame_lists lists;

constexpr std::size_t units(std::size_t bytes) {
  return (bytes + unit - 1) / unit;
}

} // namespace

void* new_frame(std::size_t bytes) {
  if (bytes > largest) return ::operator new(bytes);
  auto& list = lists.of_size[units(bytes)];
  if (list == nullptr) return ::operator new(units(bytes) * unit);
  return std::exchange(list, list->next);
}

void delete_frame(void* frame, std::size_t bytes) {
  if (bytes > largest) return ::operator delete(frame);
  auto& list = lists.of_size[units(bytes)];
  list = new (frame) free_frame{list};
}

} // namespace windrow::deferral
