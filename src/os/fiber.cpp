// SPDX-License-Identifier: BSD-3-Clause
#include "os/fiber.hpp"

#include <cxxabi.h>
#include <fmt/format.h>
#include <sys/mman.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "base/other_processes.hpp"
#include "windrow/error.hpp"

#ifdef WINDROW_HAS_FCONTEXT
#include <boost/context/detail/fcontext.hpp>
#else
#include <ucontext.h>
#endif

// Of the address sanitizer, which a program may have although the library was compiled without it: null where
// it has not.
extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): it has named them
[[gnu::weak]] void __sanitizer_start_switch_fiber(void** fake_stack, const void* to, std::size_t bytes);
[[gnu::weak]] void __sanitizer_finish_switch_fiber(void* fake_stack, const void** from, std::size_t* bytes);
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
}

namespace windrow::os {

namespace {

/// Each guard makes two mappings of one: half of what the system allows.
std::size_t most_guards() {
  std::size_t mappings = 65530;
  std::ifstream("/proc/sys/vm/max_map_count") >> mappings;
  return mappings / 4;
}

bool guard(std::byte* stack) {
  static const std::size_t most = most_guards();
  static std::atomic<std::size_t> guards = 0;
  return guards.fetch_add(1, std::memory_order_relaxed) < most &&
         ::mprotect(stack, guard_bytes, PROT_NONE) == 0;
}

// What the sanitizers must be told: before a switch, to which stack; after it, from which one.

void before_switch(void** fake_stack, const void* to, std::size_t bytes) {
  if (__sanitizer_start_switch_fiber != nullptr) [[unlikely]]
    __sanitizer_start_switch_fiber(fake_stack, to, bytes);
}
void after_switch(void* fake_stack, const void** from, std::size_t* bytes) {
  if (__sanitizer_finish_switch_fiber != nullptr) [[unlikely]]
    __sanitizer_finish_switch_fiber(fake_stack, from, bytes);
}

#ifdef WINDROW_TELL_THREAD_SANITIZER
void* new_thread_state() {
  return __tsan_create_fiber(0);
}
void delete_thread_state(void* state) {
  __tsan_destroy_fiber(state);
}
void* this_thread_state() {
  return __tsan_get_current_fiber();
}
// Between this and the jump nothing is entered or left, not without optimisation either: the sanitizer would
// note that for the other fiber.
[[gnu::always_inline]] inline void switch_thread_state(void* to) {
  __tsan_switch_to_fiber(to, 0);
}
#else
void* new_thread_state() {
  return nullptr;
}
void delete_thread_state(void*) {}
void* this_thread_state() {
  return nullptr;
}
void switch_thread_state(void*) {}
#endif

/// The context of code that resumes a fiber and is in none.
struct outside : context {
#ifdef WINDROW_HAS_FCONTEXT
  outside() { state = this_thread_state(); }
#else
  outside() { state = this_thread_state(), at = &registers; }

  ucontext_t registers;
#endif
};

#ifdef WINDROW_HAS_FCONTEXT

namespace fc = boost::context::detail;

// A fiber that has not run yet finds itself by what it is given, which is the address of its context.
[[gnu::always_inline]] inline void jump(context& from, context& to) {
  to.came_from = &from;
  const fc::transfer_t back = fc::jump_fcontext(to.at, &to);
  from.came_from->at = back.fctx;
}

#else

[[gnu::always_inline]] inline void jump(context& from, context& to) {
  to.came_from = &from;
  ::swapcontext(static_cast<ucontext_t*>(from.at), static_cast<ucontext_t*>(to.at));
}

#endif

} // namespace

stacks map_stacks(std::size_t count, std::size_t bytes) {
  void* const begin = ::mmap(nullptr, count * bytes, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (begin == MAP_FAILED)
    throw error(fmt::format("cannot map {} stacks of {} KiB: {}; let fewer tasks wait at a time", count,
                            bytes >> 10, std::strerror(errno)));
  ::madvise(begin, count * bytes, MADV_NOHUGEPAGE); // most use a page or two
  stacks all{static_cast<std::byte*>(begin), 0};
  while (all.guarded < count && guard(all.first + all.guarded * bytes)) ++all.guarded;
  return all;
}

bool in_guard(const std::byte* stack, const void* address) {
  const auto distance = reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(stack);
  return distance < guard_bytes;
}

fiber::fiber(std::byte* stack, std::size_t bytes, void (*body)(void*), void* argument)
    : body_(body), argument_(argument), exceptions_of_thread_(abi::__cxa_get_globals()) {
  inside_.state = new_thread_state();
  inside_.stack = stack;
  inside_.bytes = bytes;
  make_context();
}

fiber::~fiber() {
  delete_context();
  delete_thread_state(inside_.state);
}

void fiber::resume() {
  outside here;
  outside_ = &here;
  go_over(here, inside_);
}

void fiber::leave() {
  go_over(inside_, *outside_);
}

void fiber::hand_over(fiber& next) {
  next.outside_ = outside_;
  go_over(inside_, next.inside_);
}

// The stack of a thread is known to who comes from there.
// One that leaves may stand on the stack of another, which it has resumed, and goes on there.
inline void fiber::go_over(context& from, context& to) {
  from.state = this_thread_state();
  std::memcpy(&from.kept, exceptions_of_thread_, sizeof from.kept);
  std::memcpy(exceptions_of_thread_, &to.kept, sizeof to.kept);
  before_switch(&from.fake_stack, to.stack, to.bytes);
  switch_thread_state(to.state);
  jump(from, to);
  after_switch(from.fake_stack, &from.came_from->stack, &from.came_from->bytes);
}

void fiber::arrive() {
  after_switch(nullptr, &inside_.came_from->stack, &inside_.came_from->bytes);
  body_(argument_);
  std::abort(); // the body must not return
}

#ifdef WINDROW_HAS_FCONTEXT

void fiber::make_context() {
  auto* const top = const_cast<std::byte*>(static_cast<const std::byte*>(inside_.stack)) + inside_.bytes;
  inside_.at = fc::make_fcontext(top, inside_.bytes, [](fc::transfer_t t) {
    auto& here = *static_cast<context*>(t.data);
    here.came_from->at = t.fctx;
    here.self->arrive();
  });
}

void fiber::delete_context() {}

#else

void fiber::make_context() {
  auto* const inside = new ucontext_t;
  ::getcontext(inside);
  inside->uc_stack.ss_sp = const_cast<void*>(inside_.stack);
  inside->uc_stack.ss_size = inside_.bytes;
  inside->uc_link = nullptr;
  const auto self = reinterpret_cast<std::uintptr_t>(this);
  void (*const begin)(unsigned, unsigned) = [](unsigned high, unsigned low) {
    reinterpret_cast<fiber*>(static_cast<std::uintptr_t>(high) << 32 | low)->arrive();
  };
  ::makecontext(inside, reinterpret_cast<void (*)()>(begin), 2, static_cast<unsigned>(self >> 32),
                static_cast<unsigned>(self));
  inside_.at = inside;
}

void fiber::delete_context() {
  delete static_cast<ucontext_t*>(inside_.at);
}

#endif

} // namespace windrow::os
