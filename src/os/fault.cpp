// SPDX-License-Identifier: BSD-3-Clause
#include "os/fault.hpp"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstddef>
#include <memory>

namespace windrow::os {

namespace {

std::atomic<void (*)(const void*)> explanation = nullptr;
struct sigaction before;

bool has_handler(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) != 0 ||
         (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN);
}

// What is not explained is for the handler of before, which may mend it, and so be called again. What the
// system does instead of one it does when the instruction is repeated; a signal that somebody has sent does
// not come again by itself.
void on_fault(int signal, siginfo_t* info, void* context) {
  explanation.load(std::memory_order_relaxed)(info->si_addr);
  if (has_handler(before) && (before.sa_flags & static_cast<int>(SA_RESETHAND)) == 0) {
    if ((before.sa_flags & SA_SIGINFO) != 0) return before.sa_sigaction(signal, info, context);
    return before.sa_handler(signal);
  }
  ::sigaction(SIGSEGV, &before, nullptr);
  if (info->si_code <= 0) ::raise(SIGSEGV);
}

/// Signals of this thread are handled on it, unless they have a stack already.
class signal_stack {
 public:
  signal_stack() {
    stack_t there{};
    ::sigaltstack(nullptr, &there);
    if ((there.ss_flags & SS_DISABLE) == 0) return;
    memory_ = std::make_unique<std::byte[]>(bytes);
    stack_t mine{};
    mine.ss_sp = memory_.get();
    mine.ss_size = bytes;
    ::sigaltstack(&mine, nullptr);
  }
  ~signal_stack() {
    if (!memory_) return;
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    ::sigaltstack(&none, nullptr);
  }
  signal_stack(const signal_stack&) = delete;
  signal_stack& operator=(const signal_stack&) = delete;

 private:
  static constexpr std::size_t bytes = std::size_t{64} << 10;
  std::unique_ptr<std::byte[]> memory_;
};

} // namespace

void explain_faults(void (*explain)(const void* address)) {
  thread_local const signal_stack of_thread;
  if (explanation.exchange(explain) != nullptr) return;
  ::sigaction(SIGSEGV, nullptr, &before);
  struct sigaction mine{};
  mine.sa_sigaction = on_fault;
  mine.sa_mask = before.sa_mask;
  mine.sa_flags = SA_SIGINFO | SA_ONSTACK | (before.sa_flags & SA_NODEFER);
  ::sigaction(SIGSEGV, &mine, nullptr);
}

void end_soon() {
  constexpr unsigned seconds = 5;
  ::signal(SIGALRM, SIG_DFL);
  sigset_t alarm;
  ::sigemptyset(&alarm);
  ::sigaddset(&alarm, SIGALRM);
  ::pthread_sigmask(SIG_UNBLOCK, &alarm, nullptr);
  ::alarm(seconds);
}

} // namespace windrow::os
