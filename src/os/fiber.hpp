// SPDX-License-Identifier: BSD-3-Clause
// Stacks, and switching from one to another: by Boost.Context's few instructions where the build has it, else
// by the C library, whose switches are system calls.
#pragma once

#include <cstddef>

namespace windrow::os {

/// Maps `count` stacks of `bytes` each, one behind the other, committed page by page on first touch. The
/// lowest page of each cannot be touched, unless so many have one already that the system might run out of
/// mappings. Throws windrow::error.
std::byte* map_stacks(std::size_t count, std::size_t bytes);

/// Whether the address lies in the lowest page of that stack.
bool in_guard(const std::byte* stack, const void* address);

/// Code with a stack of its own that goes on where it left off. Resumed always by the same thread.
class fiber {
 public:
  /// The first `resume` calls `body(argument)`, which must not return but leave for ever.
  fiber(std::byte* stack, std::size_t bytes, void (*body)(void*), void* argument);
  ~fiber();
  fiber(const fiber&) = delete;
  fiber& operator=(const fiber&) = delete;

  /// Goes on with it until it leaves.
  void resume();
  /// In it: goes on where it was resumed.
  void leave();

 private:
  /// What the C++ runtime keeps for each thread about exceptions that are being handled.
  struct exceptions {
    void* caught = nullptr;
    unsigned int uncaught = 0;
  };
  static exceptions exchange_exceptions(const exceptions&);

  void make_contexts();
  void delete_contexts();
  void enter();
  void exit();
  void arrive();

  void* inside_ = nullptr;  ///< where it goes on
  void* outside_ = nullptr; ///< where whoever has resumed it goes on
  std::byte* stack_;
  std::size_t bytes_;
  void (*body_)(void*);
  void* argument_;
  exceptions exceptions_;

  // For the sanitizers.
  void* state_inside_;
  void* state_outside_ = nullptr;
  void* fake_stack_ = nullptr;
  const void* outside_stack_ = nullptr;
  std::size_t outside_bytes_ = 0;
};

} // namespace windrow::os
