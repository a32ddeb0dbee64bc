// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <queue>
#include <tuple>
#include <vector>

#include "transport/forwarding.hpp"
#include "transport/hook/latency_model.hpp"
#include "transport/sim/fabric.hpp"
#include "transport/sim/turns.hpp"
#include "transport/sim/work.hpp"

namespace windrow::transport {

/// Another transport of one host in a simulated network: PEs take turns, and time passes by what things cost
/// in the model. README.md has the rules. One thread for each PE.
class sim_transport final : public forwarding_transport, private latency_model {
 public:
  /// Returns when it is this PE's turn, so all PEs must construct theirs at the same time. `inner` must have
  /// all PEs in shared memory.
  sim_transport(std::unique_ptr<transport> inner, const model&);

  std::string_view name() const override { return "sim"; }
  const latency_model* latency() const override { return this; }

  void commit(block*, pe_t to) override;
  block* receive() override;
  bool has_arrivals() const override;
  void send_home(block*) override;

  void ring(pe_t) override;
  std::uint32_t prepare_sleep() override;
  void sleep(std::uint32_t ticket, std::chrono::nanoseconds limit) override;
  void cancel_sleep() override {}
  void sleep_until(std::uint64_t due_ns) override;

  std::uint64_t now_ns() override;
  std::uint64_t told_ns() override;
  bool takes_turns() const override { return true; }
  bool is_stuck() const override { return turns_.stuck(); }
  void compute(std::uint64_t ns) override;
  void charge_by(counters& c) override { counted_ = &c; }
  bool follows_calls() const override { return work_ != nullptr; }
  void enter_call(const char* name) override;
  void leave_call() override;
  void set_state(pe_state) override;
  bool may_rest() const override { return false; } // turns are passed on for good

 private:
  /// The library works as long as this lives, not the program.
  class visit {
   public:
    explicit visit(const sim_transport& of) : work_(of.work_.get()) {
      if (work_ != nullptr) work_->pause();
    }
    ~visit() {
      if (work_ != nullptr) work_->resume();
    }
    visit(const visit&) = delete;
    visit& operator=(const visit&) = delete;

   private:
    work_account* work_;
  };

  struct held_block {
    std::uint64_t due_ps;
    pe_t sender;
    std::uint64_t order; ///< in the inbox: blocks of one sender stay in theirs
    block* content;
    friend bool operator<(const held_block& a, const held_block& b) { // the earliest on top
      return std::tie(a.due_ps, a.sender, a.order) > std::tie(b.due_ps, b.sender, b.order);
    }
  };

  /// A direct operation that has been begun. Its question arrives at the port of its owner's host; it is
  /// carried out when the port has let it pass; its answer arrives at the port of this host.
  struct operation {
    enum class event : std::uint8_t { arrival, effect, answer };
    std::uint64_t moment_ps; ///< of the event that is next
    std::uint64_t order;     ///< of events of this PE at one moment
    event next;
    message asked;
    action carry_out;
    friend bool operator<(const operation& a, const operation& b) { // the earliest on top
      return std::tie(a.moment_ps, a.order) > std::tie(b.moment_ps, b.order);
    }
  };

  void operate(const message&, const action& carry_out) const override;
  bool begins(pe_t owner, until) const override;
  void begin(const message&, until, action carry_out) const override;
  bool complete() const override;
  std::uint64_t known_ns(std::uint64_t last_ns, pe_t members, std::size_t bytes) const override;
  void give_way() const override;

  void add_event(operation&&, operation::event next, std::uint64_t moment_ps) const;
  void carry_on() const;
  void carry_on_until(std::uint64_t moment_ps) const;

  void charge_items() const;
  void charge_work(std::string_view call) const;
  void charge_work(const char* verb, const message&) const;
  // These end the job where the clock would go beyond its end.
  void charge(std::uint64_t times, std::uint64_t cost_ps) const;
  static void require_in_time(std::uint64_t moment_ps);
  void set_clock(std::uint64_t moment_ps) const;
  void add_work(std::uint64_t ns) const;
  void count(pe_t to, std::size_t bytes) const;
  void wait_for_turn(std::uint64_t moment_ps, std::uint64_t slack_ps = 0) const;
  std::uint64_t send(pe_t to, std::size_t bytes);
  void deliver(pe_t to, block*, std::uint64_t arrival_ps);
  void take_arrivals();
  std::optional<std::uint64_t> next_block_ps() const;
  static std::size_t size_of(const block*);
  void pass_time(std::optional<std::uint64_t> due_ps);
  pe_t sender_of(const block* b) const { return b->home != 0 ? b->target : b->source; }

  // Asking for a constant distance changes nothing but the clock, which goes on all the same.
  mutable fabric fabric_;
  mutable turns turns_;
  mutable std::uint64_t clock_ps_ = 0;
  std::uint64_t told_ps_ = 0; ///< what the program was told last, and how often in a row
  int told_ = 0;
  mutable counters* counted_;                                ///< this PE's
  mutable std::uint64_t items_sent_ = 0, items_handled_ = 0; ///< that have been charged
  counters unknown_;                                         ///< as long as nobody counts
  std::uint64_t lookahead_ps_;
  std::priority_queue<held_block> coming_; ///< to the port of this host, or from the same host
  std::priority_queue<held_block> ready_;  ///< that the port has let pass
  std::uint64_t arrivals_ = 0;
  std::unique_ptr<work_account> work_;       ///< null: the program's work costs nothing
  int calls_ = 0;                            ///< that the PE is in
  mutable std::vector<operation> under_way_; ///< a heap
  mutable std::uint64_t events_ = 0;
  mutable std::vector<std::uint64_t> answered_ps_; ///< when answers were there that the PE has not looked at
};

/// The network that WINDROW_SIM says, if any. Throws windrow::error.
std::optional<model> chosen_model();

/// `inner` in the network that WINDROW_SIM says, or as it is without that variable. Throws windrow::error.
std::unique_ptr<transport> with_model(std::unique_ptr<transport> inner);

} // namespace windrow::transport
