// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>

#include "windrow/detail/direct_operation.hpp"
#include "windrow/types.hpp"

namespace windrow::transport {

/// The latency that the PEs of a job imitate, by the clock of their transport. WINDROW_DELAY makes it last
/// (`delay`, README.md in this folder), WINDROW_SIM reckons with it (transport/sim).
class latency_model {
 public:
  virtual ~latency_model() = default;

  /// Asks for direct operations on memory of `owner`, which may be this PE: `there` bytes of payload travel
  /// to it and `back` bytes from it. It holds `items` operations that are packed here and carried out by a
  /// processor there (none: a put, a read, or an atomic operation by itself, which need none).
  struct message {
    pe_t owner;
    std::size_t there, back, items = 0;
  };
  using until = detail::until;
  using action = std::function<void()>;

  /// Calls `carry_out` at the moment at which the message is to be carried out, and returns when it has been
  /// answered. Serves no inbox.
  virtual void operate(const message&, const action& carry_out) const = 0;
  /// Whether the caller goes on while a message to `owner` is under way, of which it wants no more than that
  /// when it returns.
  virtual bool begins(pe_t owner, until) const = 0;
  /// Sends a message and goes on, where `begins` says so. `carry_out` is called at the moment at which it is
  /// to be carried out, by this PE in some later call, `complete` at the latest; nothing that this PE asks of
  /// one other PE overtakes it.
  virtual void begin(const message&, until, action carry_out) const = 0;
  /// Returns when all that was begun has been answered. False: it had been before.
  virtual bool complete() const = 0;
  /// As that of `remote_memory`.
  virtual bool progress() const { return false; }

  /// A step of a collective of `members` PEs, each of which receives `bytes` bytes: the moment at which they
  /// know that the last one, who came at `last_ns`, has arrived.
  virtual std::uint64_t known_ns(std::uint64_t last_ns, pe_t members, std::size_t bytes) const = 0;
  /// To be called in loops that look whether another PE has finished what it is in the middle of.
  virtual void give_way() const = 0;
};

/// One latency for all pairs of PEs. What is begun is carried out by the first call of this PE after the
/// latency. So what others may wait for, puts and updates that are to leave at once, does not go on by
/// itself. Any thread may call.
class delay final : public latency_model {
 public:
  /// `shares_processor`: there are more PEs than processors.
  delay(pe_t self, std::uint64_t one_way_ns, bool shares_processor)
      : self_(self), one_way_ns_(one_way_ns), shares_processor_(shares_processor) {}

  std::uint64_t one_way_ns() const { return one_way_ns_; }
  bool shares_processor() const { return shares_processor_; }
  void operate(const message&, const action& carry_out) const override;
  bool begins(pe_t owner, until when) const override { return owner != self_ && when == until::begun; }
  void begin(const message&, until, action carry_out) const override;
  bool complete() const override;
  bool progress() const override;
  std::uint64_t known_ns(std::uint64_t last_ns, pe_t, std::size_t) const override {
    return last_ns + one_way_ns_;
  }
  void give_way() const override;

 private:
  struct operation {
    std::uint64_t due_ns;
    action carry_out;
  };

  void wait_until(std::uint64_t due_ns) const;
  bool carry_out_due() const;

  pe_t self_;
  std::uint64_t one_way_ns_;
  bool shares_processor_;
  mutable std::mutex mutex_;
  mutable std::deque<operation> under_way_; ///< the earliest first
};

} // namespace windrow::transport
