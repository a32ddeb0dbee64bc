// SPDX-License-Identifier: BSD-3-Clause
// Stacks, and switching from one to another: by Boost.Context's few instructions where the build has it, else
// by the C library, whose switches are system calls.
#pragma once

#include <cstddef>

namespace windrow::os {

/// The lowest part of a guarded stack, which cannot be touched. No frame up to that size steps over it. It
/// takes addresses only, no memory; more of it would take more page tables for the pages in use.
inline constexpr std::size_t guard_bytes = std::size_t{64} << 10;

struct stacks {
  std::byte* first;
  std::size_t guarded; ///< so many, from the first on
};

/// Maps `count` stacks of `bytes` each, their guards included, one behind the other, committed page by page
/// on first touch. All are guarded, unless so many are already that the system might run out of mappings.
/// Throws windrow::error.
stacks map_stacks(std::size_t count, std::size_t bytes);

/// Whether the address lies in the guard of that stack.
bool in_guard(const std::byte* stack, const void* address);

class fiber;

/// Where some code goes on: a fiber, or who has resumed one.
struct context {
  explicit context(fiber* f = nullptr) : self(f) {}
  context(const context&) = delete;
  context& operator=(const context&) = delete;

  /// What the C++ runtime keeps for each thread about exceptions that are being handled.
  struct exceptions {
    void* caught = nullptr;
    unsigned int uncaught = 0;
  };

  fiber* const self;            ///< null: of who has resumed one
  void* at = nullptr;           ///< of the library that switches
  context* came_from = nullptr; ///< who has gone over to it last
  exceptions kept;              ///< while it does not run

  // For the sanitizers.
  void* state = nullptr;
  void* fake_stack = nullptr;
  const void* stack = nullptr;
  std::size_t bytes = 0;
};

/// Code with a stack of its own that goes on where it left off. Made and resumed by one thread.
class fiber {
 public:
  /// The first `resume` calls `body(argument)`, which must not return but leave for ever.
  fiber(std::byte* stack, std::size_t bytes, void (*body)(void*), void* argument);
  ~fiber();
  fiber(const fiber&) = delete;
  fiber& operator=(const fiber&) = delete;

  /// Goes on with it until it, or one that it has handed over to, leaves.
  void resume();
  /// In it: goes on where it was resumed.
  void leave();
  /// In it: leaves, and `next` goes on as if it had been resumed in its place.
  void hand_over(fiber& next);
  /// While it does not run, what this points to is where its registers are: of the library that switches. For
  /// debuggers.
  void* const* context_pointer() const { return &inside_.at; }

 private:
  void go_over(context& from, context& to);
  void make_context();
  void delete_context();
  void arrive();

  context inside_{this};
  context* outside_ = nullptr; ///< of who has resumed it
  void (*body_)(void*);
  void* argument_;
  void* exceptions_of_thread_;
};

} // namespace windrow::os
