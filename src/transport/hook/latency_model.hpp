// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "windrow/types.hpp"

namespace windrow::transport {

/// The latency that the PEs of a job imitate, by the clock of their transport. WINDROW_DELAY makes it last
/// (`delay`, README.md in this folder), WINDROW_SIM reckons with it (transport/sim).
class latency_model {
 public:
  virtual ~latency_model() = default;

  /// A direct operation on memory of `owner`, which may be this PE: `there` bytes of payload travel to it and
  /// `back` bytes from it. Returns at the moment at which the operation is to be carried out. Serves no
  /// inbox.
  virtual void operate(pe_t owner, std::size_t there, std::size_t back) const = 0;
  /// Of a message to `owner` with many operations, before it leaves: `items` of them are packed here, and
  /// carried out by a processor there.
  virtual void handle(pe_t owner, std::size_t items) const = 0;
  /// A message to `owner` with `there` bytes of payload, whose answer has `back`. It holds `items` operations
  /// that are packed here and carried out by a processor there (none: a put or a read, which need none).
  struct message {
    pe_t owner;
    std::size_t there, back, items;
  };
  /// Several messages, of which none waits for the answer to another one; those to one PE stay in their
  /// order. Calls `carry_out` with the number of each at the moment at which it is to be carried out, and
  /// returns when all have been answered.
  virtual void operate_together(std::span<const message>,
                                const std::function<void(std::size_t)>& carry_out) const = 0;
  /// A step of a collective of `members` PEs, each of which receives `bytes` bytes: the moment at which they
  /// know that the last one, who came at `last_ns`, has arrived.
  virtual std::uint64_t known_ns(std::uint64_t last_ns, pe_t members, std::size_t bytes) const = 0;
  /// To be called by whoever looks again and again whether another PE has finished what it is in the middle
  /// of.
  virtual void give_way() const = 0;
};

/// One latency for all pairs of PEs. Any thread may call.
class delay final : public latency_model {
 public:
  /// `shares_processor`: there are more PEs than processors.
  delay(pe_t self, std::uint64_t one_way_ns, bool shares_processor)
      : self_(self), one_way_ns_(one_way_ns), shares_processor_(shares_processor) {}

  std::uint64_t one_way_ns() const { return one_way_ns_; }
  bool shares_processor() const { return shares_processor_; }
  /// Returns when a question that is asked now would have been answered.
  void operate(pe_t owner, std::size_t there, std::size_t back) const override;
  void handle(pe_t, std::size_t) const override {} // as long as it takes
  void operate_together(std::span<const message>,
                        const std::function<void(std::size_t)>& carry_out) const override;
  std::uint64_t known_ns(std::uint64_t last_ns, pe_t, std::size_t) const override {
    return last_ns + one_way_ns_;
  }
  void give_way() const override;

 private:
  pe_t self_;
  std::uint64_t one_way_ns_;
  bool shares_processor_;
};

} // namespace windrow::transport
