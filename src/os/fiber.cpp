// SPDX-License-Identifier: BSD-3-Clause
#include "os/fiber.hpp"

#include <cxxabi.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "windrow/error.hpp"

#ifdef WINDROW_HAS_FCONTEXT
#include <boost/context/detail/fcontext.hpp>
#else
#include <ucontext.h>
#endif

#if defined(__SANITIZE_ADDRESS__)
#define WINDROW_ADDRESS_SANITIZER
#elif defined(__SANITIZE_THREAD__)
#define WINDROW_THREAD_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WINDROW_ADDRESS_SANITIZER
#elif __has_feature(thread_sanitizer)
#define WINDROW_THREAD_SANITIZER
#endif
#endif

#ifdef WINDROW_ADDRESS_SANITIZER
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef WINDROW_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
#endif

namespace windrow::os {

namespace {

/// Each page that is protected makes two mappings of one: half of what the system allows.
std::size_t most_guards() {
  std::size_t mappings = 65530;
  std::ifstream("/proc/sys/vm/max_map_count") >> mappings;
  return mappings / 4;
}

void guard(std::byte* stack) {
  static const std::size_t most = most_guards();
  static std::atomic<std::size_t> guards = 0;
  if (guards.fetch_add(1, std::memory_order_relaxed) >= most) return;
  ::mprotect(stack, static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)), PROT_NONE);
}

// What the sanitizers must be told: before a switch, to which stack; after it, from which one.

#ifdef WINDROW_ADDRESS_SANITIZER
void before_switch(void** fake_stack, const void* to, std::size_t bytes) {
  __sanitizer_start_switch_fiber(fake_stack, to, bytes);
}
void after_switch(void* fake_stack, const void** from, std::size_t* bytes) {
  __sanitizer_finish_switch_fiber(fake_stack, from, bytes);
}
#else
void before_switch(void**, const void*, std::size_t) {}
void after_switch(void*, const void**, std::size_t*) {}
#endif

#ifdef WINDROW_THREAD_SANITIZER
void* new_thread_state() {
  return __tsan_create_fiber(0);
}
void delete_thread_state(void* state) {
  __tsan_destroy_fiber(state);
}
void* this_thread_state() {
  return __tsan_get_current_fiber();
}
void switch_thread_state(void* to) {
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

} // namespace

std::byte* map_stacks(std::size_t count, std::size_t bytes) {
  void* const begin = ::mmap(nullptr, count * bytes, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (begin == MAP_FAILED)
    throw error(fmt::format("cannot map {} stacks of {} KiB: {}; let fewer tasks wait at a time", count,
                            bytes >> 10, std::strerror(errno)));
  auto* const first = static_cast<std::byte*>(begin);
  for (std::size_t i = 0; i < count; ++i) guard(first + i * bytes);
  return first;
}

bool in_guard(const std::byte* stack, const void* address) {
  const auto distance = reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(stack);
  return distance < static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
}

fiber::fiber(std::byte* stack, std::size_t bytes, void (*body)(void*), void* argument)
    : stack_(stack), bytes_(bytes), body_(body), argument_(argument), state_inside_(new_thread_state()) {
  make_contexts();
}

fiber::~fiber() {
  delete_contexts();
  delete_thread_state(state_inside_);
}

fiber::exceptions fiber::exchange_exceptions(const exceptions& next) {
  exceptions before;
  void* const of_thread = abi::__cxa_get_globals();
  std::memcpy(&before, of_thread, sizeof before);
  std::memcpy(of_thread, &next, sizeof next);
  return before;
}

void fiber::resume() {
  const exceptions outside = exchange_exceptions(exceptions_);
  void* fake_stack = nullptr;
  before_switch(&fake_stack, stack_, bytes_);
  state_outside_ = this_thread_state();
  switch_thread_state(state_inside_);
  enter();
  after_switch(fake_stack, nullptr, nullptr);
  exceptions_ = exchange_exceptions(outside);
}

void fiber::leave() {
  before_switch(&fake_stack_, outside_stack_, outside_bytes_);
  switch_thread_state(state_outside_);
  exit();
  after_switch(fake_stack_, &outside_stack_, &outside_bytes_);
}

void fiber::arrive() {
  after_switch(nullptr, &outside_stack_, &outside_bytes_);
  body_(argument_);
  std::abort(); // the body must not return
}

#ifdef WINDROW_HAS_FCONTEXT

namespace fc = boost::context::detail;

void fiber::make_contexts() {
  inside_ = fc::make_fcontext(stack_ + bytes_, bytes_, [](fc::transfer_t t) {
    auto& self = *static_cast<fiber*>(t.data);
    self.outside_ = t.fctx;
    self.arrive();
  });
}

void fiber::delete_contexts() {}

void fiber::enter() {
  inside_ = fc::jump_fcontext(inside_, this).fctx;
}

void fiber::exit() {
  outside_ = fc::jump_fcontext(outside_, this).fctx;
}

#else

namespace {

ucontext_t* as_context(void* c) {
  return static_cast<ucontext_t*>(c);
}

} // namespace

void fiber::make_contexts() {
  auto* const inside = new ucontext_t;
  ::getcontext(inside);
  inside->uc_stack.ss_sp = stack_;
  inside->uc_stack.ss_size = bytes_;
  inside->uc_link = nullptr;
  const auto self = reinterpret_cast<std::uintptr_t>(this);
  void (*const begin)(unsigned, unsigned) = [](unsigned high, unsigned low) {
    reinterpret_cast<fiber*>(static_cast<std::uintptr_t>(high) << 32 | low)->arrive();
  };
  ::makecontext(inside, reinterpret_cast<void (*)()>(begin), 2, static_cast<unsigned>(self >> 32),
                static_cast<unsigned>(self));
  inside_ = inside;
  outside_ = new ucontext_t;
}

void fiber::delete_contexts() {
  delete as_context(inside_);
  delete as_context(outside_);
}

void fiber::enter() {
  ::swapcontext(as_context(outside_), as_context(inside_));
}

void fiber::exit() {
  ::swapcontext(as_context(inside_), as_context(outside_));
}

#endif

} // namespace windrow::os
