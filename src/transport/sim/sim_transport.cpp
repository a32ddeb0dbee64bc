// SPDX-License-Identifier: BSD-3-Clause
#include "transport/sim/sim_transport.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "base/fatal.hpp"
#include "base/options.hpp"
#include "windrow/error.hpp"

namespace windrow::transport {

namespace {
constexpr std::uint64_t ps_per_ns = 1000;
constexpr std::size_t header_bytes = sizeof(block); // of any message
constexpr auto days_of_clock = end_of_time_ps / ps_per_ns / 86'400'000'000'000;
} // namespace

sim_transport::sim_transport(std::unique_ptr<transport> inner, const model& m)
    : forwarding_transport(std::move(inner)),
      fabric_(host(), m),
      turns_(host(), pe()),
      counted_(&unknown_),
      lookahead_ps_(fabric_.lookahead_ps()),
      work_(chosen_account(pe(), pes())) {
  const visit here(*this);
  turns_.join();
}

// ---- the program's work

// What a call that synchronizes asks of others may depend on time, so it is one call, whatever it does.
void sim_transport::charge_work(std::string_view call) const {
  if (work_ != nullptr && calls_ == 0) add_work(work_->next_call(call));
}

void sim_transport::charge_work(const char* verb, const message& asked) const {
  if (work_ == nullptr || calls_ > 0) return;
  charge_work(
      fmt::format("{} PE {}, {} bytes there and {} back", verb, asked.owner, asked.there, asked.back));
}

void sim_transport::enter_call(const char* name) {
  if (work_ == nullptr) return;
  work_->pause();
  if (name != nullptr) charge_work(name);
  ++calls_;
}

void sim_transport::leave_call() {
  if (work_ == nullptr) return;
  --calls_;
  work_->resume();
}

// ---- the clock

// The engine counts items when it closes a block, just before it sends it, and when it has worked on one,
// just before it sends it home.
void sim_transport::charge_items() const {
  const auto& m = fabric_.parameters();
  const auto sent = counted_->items_sent - std::exchange(items_sent_, counted_->items_sent);
  const auto handled = counted_->items_handled - std::exchange(items_handled_, counted_->items_handled);
  charge(sent, m.item_sent_ps);
  charge(handled, m.item_handled_ps);
}

void sim_transport::charge(std::uint64_t times, std::uint64_t cost_ps) const {
  std::uint64_t all_ps = 0;
  if (__builtin_mul_overflow(times, cost_ps, &all_ps) || all_ps > end_of_time_ps) all_ps = end_of_time_ps;
  set_clock(clock_ps_ + all_ps);
}

void sim_transport::require_in_time(std::uint64_t moment_ps) {
  if (moment_ps >= end_of_time_ps) [[unlikely]]
    base::fatal(fmt::format("the simulated clock ends after {} days, and communication would go beyond",
                            days_of_clock));
}

void sim_transport::set_clock(std::uint64_t moment_ps) const {
  require_in_time(moment_ps);
  clock_ps_ = moment_ps;
}

std::uint64_t sim_transport::now_ns() {
  charge_items();
  return clock_ps_ / ps_per_ns;
}

// A program that asks again and again, and does nothing else, waits for a moment, which would never come.
std::uint64_t sim_transport::told_ns() {
  constexpr int many = 1000;
  charge_items();
  if (clock_ps_ != told_ps_)
    told_ = 0;
  else if (told_ < many)
    ++told_;
  else
    clock_ps_ += fabric_.parameters().poll_ps;
  told_ps_ = clock_ps_;
  return clock_ps_ / ps_per_ns;
}

void sim_transport::compute(std::uint64_t ns) {
  charge_items();
  add_work(ns);
}

void sim_transport::add_work(std::uint64_t ns) const {
  if (ns >= (end_of_time_ps - clock_ps_) / ps_per_ns)
    base::fatal(fmt::format("the simulated clock ends after {} days, and {} s of work would go beyond",
                            days_of_clock, ns / 1'000'000'000));
  clock_ps_ += ns * ps_per_ns;
}

void sim_transport::wait_for_turn(std::uint64_t moment_ps, std::uint64_t slack_ps) const {
  carry_on_until(moment_ps);
  set_clock(moment_ps);
  turns_.await(clock_ps_, slack_ps);
}

void sim_transport::count(pe_t to, std::size_t bytes) const {
  ++counted_->messages;
  if (!fabric_.parameters().is_near(pe(), to)) ++counted_->messages_between_hosts;
  counted_->message_bytes += bytes;
}

// ---- blocks

/// Of the payload: answers are all that travels home.
std::size_t sim_transport::size_of(const block* b) {
  return header_bytes + (b->home == 0 || b->brings_answers != 0 ? b->used : 0);
}

/// Pays for sending and returns when it arrives.
std::uint64_t sim_transport::send(pe_t to, std::size_t bytes) {
  charge_items();
  if (to == pe()) return clock_ps_;
  wait_for_turn(clock_ps_ + fabric_.parameters().between(pe(), to).overhead_ps, lookahead_ps_);
  count(to, bytes);
  return fabric_.arrival_ps(pe(), to, bytes, clock_ps_);
}

// Nobody else runs, so the block has not been looked at yet. Its date is that of its arrival; `receive` turns
// it into nanoseconds.
void sim_transport::deliver(pe_t to, block* b, std::uint64_t arrival_ps) {
  b->sent_ns = arrival_ps;
  const bool through_port = !fabric_.parameters().is_near(pe(), to);
  turns_.wake(to, through_port ? fabric_.expected_ps(to, size_of(b), arrival_ps) : arrival_ps);
}

void sim_transport::commit(block* b, pe_t to) {
  const visit here(*this);
  const auto arrival_ps = send(to, size_of(b));
  inner_->commit(b, to);
  deliver(to, b, arrival_ps);
}

void sim_transport::send_home(block* b) {
  const visit here(*this);
  b->home = 1;
  const auto arrival_ps = send(b->source, size_of(b));
  inner_->send_home(b);
  deliver(b->source, b, arrival_ps);
}

// Everything that has arrived by now is in the inbox: the others are behind by less than it takes to arrive.
void sim_transport::take_arrivals() {
  const auto& m = fabric_.parameters();
  while (auto* b = inner_->receive()) coming_.push({b->sent_ns, sender_of(b), arrivals_++, b});
  while (!coming_.empty() && coming_.top().due_ps <= clock_ps_) {
    auto next = coming_.top();
    coming_.pop();
    if (!m.is_near(pe(), next.sender))
      next.due_ps = fabric_.receive_ps(pe(), size_of(next.content), next.due_ps);
    ready_.push(next);
  }
}

block* sim_transport::receive() {
  const visit here(*this);
  charge_items();
  wait_for_turn(clock_ps_, lookahead_ps_);
  take_arrivals();
  const auto& m = fabric_.parameters();
  if (ready_.empty() || ready_.top().due_ps > clock_ps_) {
    clock_ps_ += m.poll_ps;
    return nullptr;
  }
  const auto next = ready_.top();
  ready_.pop();
  next.content->sent_ns = next.due_ps / ps_per_ns;
  if (next.sender != pe()) clock_ps_ += m.between(pe(), next.sender).overhead_ps;
  return next.content;
}

// A PE that has worked since it looked last lets the others send what has arrived meanwhile.
bool sim_transport::has_arrivals() const {
  const visit here(*this);
  wait_for_turn(clock_ps_, lookahead_ps_);
  return inner_->has_arrivals() || (!ready_.empty() && ready_.top().due_ps <= clock_ps_);
}

/// When there is something to receive, as far as is known.
std::optional<std::uint64_t> sim_transport::next_block_ps() const {
  std::optional<std::uint64_t> earliest;
  if (!ready_.empty()) earliest = ready_.top().due_ps;
  if (coming_.empty()) return earliest;
  const auto& next = coming_.top();
  const bool near = fabric_.parameters().is_near(pe(), next.sender);
  const auto due_ps = near ? next.due_ps : fabric_.expected_ps(pe(), size_of(next.content), next.due_ps);
  return std::min(earliest.value_or(due_ps), due_ps);
}

// ---- sleeping

void sim_transport::ring(pe_t to) {
  const visit here(*this);
  if (to != pe()) turns_.wake(to, clock_ps_);
}

std::uint32_t sim_transport::prepare_sleep() {
  const visit here(*this);
  charge_items();
  carry_on_until(clock_ps_);
  take_arrivals();
  return 0;
}

// The limit of a sleep is for those who look at real clocks: here everybody who changes something says so.
void sim_transport::sleep(std::uint32_t /*ticket*/, std::chrono::nanoseconds /*limit*/) {
  const visit here(*this);
  pass_time(std::nullopt);
}

// The clock has an end: a moment behind it does not come.
void sim_transport::sleep_until(std::uint64_t due_ns) {
  constexpr auto last_ns = end_of_time_ps / ps_per_ns;
  const visit here(*this);
  prepare_sleep();
  pass_time(due_ns <= last_ns ? std::optional(due_ns * ps_per_ns) : std::nullopt);
}

// At the latest until the next event of its own: nobody wakes a PE that goes on before that by itself.
void sim_transport::pass_time(std::optional<std::uint64_t> due_ps) {
  if (const auto next_ps = next_block_ps()) due_ps = std::min(due_ps.value_or(*next_ps), *next_ps);
  if (!under_way_.empty()) {
    const auto next_ps = under_way_.front().moment_ps;
    due_ps = std::min(due_ps.value_or(next_ps), next_ps);
  }
  if (due_ps && *due_ps <= clock_ps_) return;
  const auto woken_ps = std::max(clock_ps_, turns_.sleep(clock_ps_, due_ps));
  counted_->idle_ns += (woken_ps - clock_ps_) / ps_per_ns;
  set_clock(woken_ps);
  carry_on_until(clock_ps_);
}

// ---- direct operations and collectives

// To another host: a message there, carried out by the network adapter when it has arrived, and an answer. It
// has no turn when it arrives, since the caller can do nothing before it; but answers to what was begun
// earlier come before it. What a processor there does for items is added at once.
void sim_transport::operate(const message& asked, const action& carry_out) const {
  const visit here(*this);
  charge_work("ask", asked);
  charge_items();
  const auto& m = fabric_.parameters();
  const auto& [owner, there, back, items] = asked;
  if (owner != pe()) clock_ps_ += items * (m.item_sent_ps + m.item_handled_ps);
  if (m.is_near(pe(), owner)) {
    wait_for_turn(clock_ps_ + m.direct_ps);
    if (owner != pe()) turns_.wake(owner, clock_ps_);
    return carry_out();
  }
  const auto question = there + header_bytes, answer = back + header_bytes;
  wait_for_turn(clock_ps_ + m.far.overhead_ps, lookahead_ps_);
  count(owner, question);
  wait_for_turn(fabric_.arrival_ps(pe(), owner, question, clock_ps_));
  wait_for_turn(fabric_.receive_ps(owner, question, clock_ps_));
  carry_out();
  turns_.wake(owner, clock_ps_);
  count(owner, answer);
  const auto answered_ps = fabric_.arrival_ps(owner, pe(), answer, clock_ps_);
  carry_on_until(answered_ps);
  set_clock(fabric_.receive_ps(pe(), answer, answered_ps) + m.far.overhead_ps);
}

bool sim_transport::begins(pe_t owner, until when) const {
  return when != until::complete && !fabric_.parameters().is_near(pe(), owner);
}

// The network goes on while the PE works: each PE carries out the events of its own operations, in turns of
// their own. One whose source is to have been read waits until the last byte has left.
void sim_transport::begin(const message& asked, until when, action carry_out) const {
  const visit here(*this);
  charge_work("begin to ask", asked);
  charge_items();
  const auto& m = fabric_.parameters();
  const auto bytes = asked.there + header_bytes;
  wait_for_turn(clock_ps_ + asked.items * m.item_sent_ps + m.far.overhead_ps, lookahead_ps_);
  count(asked.owner, bytes);
  const auto arrival_ps = fabric_.arrival_ps(pe(), asked.owner, bytes, clock_ps_);
  if (when == until::copied) set_clock(arrival_ps - m.far.latency_ps + m.far.length_ps(bytes));
  add_event({0, 0, {}, asked, std::move(carry_out)}, operation::event::arrival, arrival_ps);
}

void sim_transport::add_event(operation&& o, operation::event next, std::uint64_t moment_ps) const {
  o.next = next;
  o.moment_ps = moment_ps;
  o.order = events_++;
  under_way_.push_back(std::move(o));
  std::push_heap(under_way_.begin(), under_way_.end());
}

/// The next event of an operation that is under way.
void sim_transport::carry_on() const {
  std::pop_heap(under_way_.begin(), under_way_.end());
  auto o = std::move(under_way_.back());
  under_way_.pop_back();
  turns_.await(o.moment_ps, 0);
  const auto owner = o.asked.owner;
  const auto question = o.asked.there + header_bytes, answer = o.asked.back + header_bytes;
  switch (o.next) {
    case operation::event::arrival:
      return add_event(std::move(o), operation::event::effect,
                       fabric_.receive_ps(owner, question, o.moment_ps));
    case operation::event::effect: {
      o.carry_out();
      turns_.wake(owner, o.moment_ps);
      count(owner, answer);
      const auto done_ps = o.moment_ps + o.asked.items * fabric_.parameters().item_handled_ps;
      return add_event(std::move(o), operation::event::answer,
                       fabric_.arrival_ps(owner, pe(), answer, done_ps));
    }
    case operation::event::answer:
      answered_ps_.push_back(fabric_.receive_ps(pe(), answer, o.moment_ps));
  }
}

void sim_transport::carry_on_until(std::uint64_t moment_ps) const {
  while (!under_way_.empty() && under_way_.front().moment_ps <= moment_ps) carry_on();
}

bool sim_transport::complete() const {
  const visit here(*this);
  charge_items();
  while (!under_way_.empty()) carry_on();
  const bool any = !answered_ps_.empty();
  for (const auto answered_ps : answered_ps_)
    set_clock(std::max(clock_ps_, answered_ps) + fabric_.parameters().far.overhead_ps);
  answered_ps_.clear();
  return any;
}

std::uint64_t sim_transport::known_ns(std::uint64_t last_ns, pe_t members, std::size_t bytes) const {
  const auto [near, far] = fabric_.rounds_of(members);
  counted_->messages += near + far;
  counted_->messages_between_hosts += far;
  counted_->message_bytes += (near + far) * header_bytes + (near + far > 0 ? bytes : 0);
  const auto collective_ps = fabric_.collective_ps(members, bytes);
  require_in_time(last_ns * ps_per_ns + collective_ps);
  return last_ns + collective_ps / ps_per_ns;
}

// Several may do so at once, so it is a step that takes them somewhere.
void sim_transport::give_way() const {
  const visit here(*this);
  charge_items();
  const auto next = turns_.next_ps();
  wait_for_turn(std::max(clock_ps_, next.value_or(0)) + fabric_.parameters().poll_ps);
}

// ---- the end

// A PE that fails may have left the functions whose variables its puts come from.
void sim_transport::set_state(pe_state state) {
  const visit here(*this);
  if (state == pe_state::failed) under_way_.clear();
  if (state == pe_state::finalized && work_ != nullptr) add_work(work_->end());
  if (state == pe_state::finalized) complete();
  inner_->set_state(state);
  if (state == pe_state::running || turns_.has_left()) return;
  for (pe_t other = 0; other < pes(); ++other) ring(other);
  turns_.leave();
}

std::optional<model> chosen_model() {
  const auto words = base::text_option("WINDROW_SIM");
  if (!words) return std::nullopt;
  try {
    return model_named(*words);
  } catch (const error& problem) {
    throw error(fmt::format("WINDROW_SIM: {}", problem.what()));
  }
}

namespace {

// Nothing would be measured, or charged, and nobody would notice.
void refuse_work_without_model() {
  for (const auto* name : {"WINDROW_SIM_MEASURE", "WINDROW_SIM_WORK"})
    if (base::text_option(name))
      throw error(
          fmt::format("{} is for a simulated network: set WINDROW_SIM too, for example to hdr", name));
}

} // namespace

std::unique_ptr<transport> with_model(std::unique_ptr<transport> inner) {
  const auto chosen = chosen_model();
  if (!chosen) {
    refuse_work_without_model();
    return inner;
  }
  if (inner->remote_hosts() != nullptr)
    throw error("WINDROW_SIM simulates hosts in one: start the program on one host, without mpirun or srun");
  if (inner->latency() != nullptr)
    throw error("WINDROW_SIM and WINDROW_DELAY exclude each other: the model has its own latencies");
  return std::make_unique<sim_transport>(std::move(inner), *chosen);
}

} // namespace windrow::transport
