// SPDX-License-Identifier: BSD-3-Clause
#include "transport/hosts/request_slots.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "os/cpu.hpp"
#include "os/futex.hpp"
#include "transport/hosts/agent.hpp"
#include "transport/hosts/agent_inbox.hpp"
#include "windrow/detail/copy.hpp"

namespace windrow::transport {

namespace {

using namespace std::chrono_literals;

// Many round trips on a fast network. With more processes than processors, the process that is to answer may
// be waiting for this very processor, so a PE that has spun without an answer spins for less time the next
// time.
constexpr std::uint64_t longest_spin_ns = 200'000, shortest_spin_ns = 50'000;
// So many small operations leave together, if the program makes them one after another.
constexpr std::uint32_t together = 16;
constexpr std::uint32_t blocks_together = 4; // and so many blocks, which fill a message

// Of how many small ones this is as large.
std::uint32_t share_of(std::size_t bytes) {
  if (bytes <= small_request_bytes) return 1;
  return bytes <= request_classes[1].bytes ? together / 8 : together / 2;
}

std::uint32_t as_word(request_phase phase) {
  return static_cast<std::uint32_t>(phase);
}

request_phase phase_of(const request& r) {
  return static_cast<request_phase>(r.phase.load(std::memory_order_acquire) & ~request_awaited);
}

} // namespace

// Never yields: launchers put each PE into a session of its own, between which that costs whole time slices
// on a busy machine. Serves no inbox: direct operations may be made by handlers.
class request_slots::limited_spin {
 public:
  explicit limited_spin(request_slots& slots) : slots_(slots) {}
  ~limited_spin() {
    if (until_ns_ == 0) return;
    const auto spin_ns = slots_.spin_ns_.load(std::memory_order_relaxed);
    slots_.spin_ns_.store(
        slept_ ? std::max(spin_ns / 2, shortest_spin_ns) : std::min(spin_ns * 2, longest_spin_ns),
        std::memory_order_relaxed);
  }
  limited_spin(const limited_spin&) = delete;
  limited_spin& operator=(const limited_spin&) = delete;

  /// `r` was seen in the phase `seen`, and something else is waited for.
  void spend(request& r, request_phase seen) {
    const bool helped = slots_.help();
    if (phase_of(r) != seen) return;
    const auto now_ns = os::now_ns();
    if (until_ns_ == 0) until_ns_ = now_ns + slots_.spin_ns_.load(std::memory_order_relaxed);
    if (now_ns < until_ns_ && slots_.processors_.is_enough(helped)) return os::pause();
    slept_ = true;
    slots_.sleep_on(r, seen);
  }

 private:
  request_slots& slots_;
  std::uint64_t until_ns_ = 0; ///< 0: nothing was waited for yet
  bool slept_ = false;
};

// Counts as asleep (host/README.md) until the answer comes, so that others know whose processor is free. Who
// brings it counts it out again, since it takes a while until the sleeper runs.
void request_slots::sleep_on(request& r, request_phase seen) {
  if (agent_ != nullptr) agent_->hand_back();
  const auto sent = as_word(seen), awaited = sent | request_awaited;
  auto word = sent;
  auto& bell = memory_.control(pe_).bell;
  bell.count_in();
  const bool first = r.phase.compare_exchange_strong(word, awaited);
  if (!first) bell.count_out();
  if (first || word == awaited) os::futex_wait(r.phase, awaited, 100ms);
}

// Whether it is this thread that looks at the network now.
bool request_slots::help() {
  since_help_.store(0, std::memory_order_relaxed);
  return agent_ != nullptr && agent_->help();
}

// To do it oneself is faster than to wake the agent's thread. One that is awake has a processor of its own.
// Else several leave together, at the latest when the thread looks by itself, or this one waits.
void request_slots::see_to(std::uint32_t share) {
  if (agent_ == nullptr) return ring_agent(memory_);
  if (since_help_.fetch_add(share, std::memory_order_relaxed) + share >= together && agent_sleeps(memory_))
    help();
}
void request_slots::see_to_block() {
  see_to(together / blocks_together);
}

request* request_slots::try_take(std::size_t kind) {
  const auto& some = request_classes[kind];
  const auto start = next_[kind].fetch_add(1, std::memory_order_relaxed);
  for (std::uint32_t i = 0; i < some.count; ++i) {
    auto& r = at(some.first + (start + i) % some.count);
    auto free = as_word(request_phase::free);
    if (r.phase.load(std::memory_order_relaxed) == free &&
        r.phase.compare_exchange_strong(free, as_word(request_phase::filling), std::memory_order_acquire))
      return &r;
  }
  return nullptr;
}

// A thread that holds requests waits for nothing but their answers, so one becomes free.
request& request_slots::take(std::size_t bytes) {
  std::size_t kind = request_classes.size() - 1;
  while (bytes > request_classes[kind].bytes) --kind;
  const auto& some = request_classes[kind];
  limited_spin wait(*this);
  for (;;) {
    if (auto* r = try_take(kind)) return *r;
    if (finish_some(some)) continue;
    auto& oldest = at(some.first + next_[kind].load(std::memory_order_relaxed) % some.count);
    const auto seen = phase_of(oldest);
    if (seen == request_phase::sent || seen == request_phase::sent_later)
      wait.spend(oldest, seen);
    else
      help();
  }
}

void request_slots::post(request& r, request_phase phase) {
  r.phase.store(as_word(phase), std::memory_order_relaxed); // published by the inbox
  post_to_agent(memory_, {true, number_of(r)});
}

void request_slots::tell(request& r) {
  post(r, request_phase::sent);
  see_to(together);
}

void request_slots::ask(request& r) {
  post(r, request_phase::sent);
  if (agent_ == nullptr) ring_agent(memory_);
  for (limited_spin wait(*this); phase_of(r) != request_phase::answered;) wait.spend(r, request_phase::sent);
}

void request_slots::release(request& r) const {
  r.phase.store(as_word(request_phase::free), std::memory_order_release);
}

void request_slots::ask_later(request& r, void* out, std::size_t bytes) {
  r.out = out;
  r.out_bytes = static_cast<std::uint32_t>(bytes);
  begun_.fetch_add(1, std::memory_order_relaxed);
  const auto share = share_of(r.bytes);
  post(r, request_phase::sent_later);
  see_to(share);
}

void request_slots::bring(request& r) const {
  if (r.kind != request_kind::get) return void(std::memcpy(r.out, &r.operand, r.out_bytes));
  if (r.step == 0) return void(std::memcpy(r.out, data(r), r.out_bytes));
  detail::copy_strided(static_cast<std::byte*>(r.out), data(r),
                       {r.stride_here, std::ptrdiff_t{r.step}, r.step, r.out_bytes / r.step});
}

// The answer of a request sent later, if it is there.
bool request_slots::finish_one(request& r) {
  auto answered = as_word(request_phase::answered_later);
  if (r.phase.load(std::memory_order_relaxed) != answered ||
      !r.phase.compare_exchange_strong(answered, as_word(request_phase::filling), std::memory_order_acquire))
    return false;
  if (r.out != nullptr) bring(r);
  release(r);
  begun_.fetch_sub(1, std::memory_order_release);
  return true;
}

bool request_slots::finish_some(const request_class& some) {
  bool any = false;
  for (std::uint32_t i = 0; i < some.count; ++i) any |= finish_one(at(some.first + i));
  return any;
}

void request_slots::complete() {
  if (begun_.load(std::memory_order_acquire) == 0) return;
  limited_spin wait(*this);
  for (std::uint32_t i = 0; i < requests_per_pe; ++i) {
    auto& r = at(i);
    for (auto phase = phase_of(r); phase != request_phase::free; phase = phase_of(r)) {
      if (phase == request_phase::sent || phase == request_phase::answered) break; // another thread's
      if (finish_one(r)) break;
      if (phase == request_phase::sent_later) wait.spend(r, phase);
    }
  }
}

} // namespace windrow::transport
