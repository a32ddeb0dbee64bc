// SPDX-License-Identifier: BSD-3-Clause
// Balancing within an epoch: a PE that is idle asks others for objects whose handlers wait. README.md has the
// protocol. After the lifelines of Saraswat et al., "Lifeline-based global load balancing" (PPoPP 2011).
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "aggregation/work_source.hpp"
#include "windrow/detail/object_core.hpp"

namespace windrow::mobile {

/// What this PE asks of others, and what they ask of it. On the PE's own thread.
class core::idle_balancing final : public aggregation::work_source {
 public:
  explicit idle_balancing(core&);
  ~idle_balancing() override;
  idle_balancing(const idle_balancing&) = delete;
  idle_balancing& operator=(const idle_balancing&) = delete;

  void use(bool on) { is_on_ = on; }
  /// In a handler of the engine: what another PE has told this one.
  void take(what, pe_t from);

  /// An object has come or gone, in so many bytes.
  void note_bytes(const object_type& type, std::size_t bytes) { bytes_[&type] = bytes; }

  bool pending() const override { return false; }
  /// This PE is idle, and there are some that it may ask, or take from.
  bool ready() const override;
  /// Asks them.
  void run() override;
  std::uint64_t started() const override { return 0; }
  bool can_help() override { return ready(); }
  void help() override { run(); }
  void messages_handled() override { serve(); }
  /// Gives to those that take, and offers something to those that have asked. What there is to give changes
  /// with each message, and with each handler that ends.
  void serve();

 private:
  bool some_wait() const;
  void tell(pe_t, what);
  void send_now();
  bool has_some();
  bool give(pe_t taker);
  std::vector<object_id> choose() const;
  bool pays(object_id, std::size_t uses) const;

  core& core_;
  bool is_on_ = false;
  bool gives_ = false;         ///< now: sending may serve the inbox
  std::vector<pe_t> may_ask_;  ///< have never been asked
  std::vector<pe_t> may_take_; ///< have offered something, or given
  std::vector<pe_t> askers_;   ///< whose requests stand here
  std::vector<pe_t> takers_;
  double sending_ns_ = 5000;                                  ///< of an object, as a rule
  std::unordered_map<const object_type*, std::size_t> bytes_; ///< of the last object of each class
  std::uint64_t next_look_ns_ = 0;
};

} // namespace windrow::mobile
