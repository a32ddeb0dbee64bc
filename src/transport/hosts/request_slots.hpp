// SPDX-License-Identifier: BSD-3-Clause
// The requests of one PE: which are free, which are under way, and what to do with answers.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "transport/host/host_memory.hpp"
#include "transport/hosts/processor_share.hpp"

namespace windrow::transport {

class agent;

/// Any thread of the PE may make any call.
class request_slots {
 public:
  request_slots(const host_memory& memory, pe_t pe, const processor_share& processors)
      : memory_(memory),
        processors_(processors),
        pe_(pe),
        first_(static_cast<std::uint32_t>(pe) * requests_per_pe) {}

  void set_agent(agent* here) { agent_ = here; }

  /// A request with room for `bytes` of data; waits until one is free.
  request& take(std::size_t bytes);
  std::byte* data(request& r) const { return memory_.request_data(number_of(r), r.bytes); }

  /// Sends what nobody answers.
  void tell(request&);
  /// Sends it and returns when the answer is there. The caller releases it.
  void ask(request&);
  void release(request& r) const;
  /// Sends it and returns at once. The answer, `bytes` bytes, goes to `out` unless that is null, and the
  /// request is released, in a later call.
  void ask_later(request&, void* out, std::size_t bytes);
  /// Returns when the answers of all requests that were sent later are there.
  void complete();

  /// A block has been put into the inbox of the agent.
  void see_to_block();

 private:
  /// One wait: looks at the network itself where it can, and sleeps when that takes long.
  class limited_spin;

  request& at(std::uint32_t i) const { return memory_.request_number(first_ + i); }
  std::uint32_t number_of(const request& r) const {
    return static_cast<std::uint32_t>(&r - &memory_.request_number(0));
  }
  /// One of a class, by its number.
  request* try_take(std::size_t kind);
  /// The answer to where it is wanted.
  void bring(request&) const;
  bool finish_one(request&);
  bool finish_some(const request_class&);
  void post(request&, request_phase);
  bool help();
  void see_to(std::uint32_t share);
  void sleep_on(request&, request_phase seen);

  host_memory memory_;
  const processor_share& processors_;
  pe_t pe_;
  std::uint32_t first_;
  agent* agent_ = nullptr;
  std::array<std::atomic<std::uint32_t>, request_classes.size()> next_{}; ///< of each class, where to look
  std::atomic<std::uint32_t> begun_ = 0;                                  ///< sent later and not yet released
  std::atomic<std::uint64_t> spin_ns_ = 200'000; ///< how long to look before one sleeps
  std::atomic<std::uint32_t> since_help_ = 0;    ///< sent later since the network was looked at
};

} // namespace windrow::transport
