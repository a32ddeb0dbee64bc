// SPDX-License-Identifier: BSD-3-Clause
#include "transport/sim/sim_transport.hpp"

#include <algorithm>
#include <vector>

#include "base/options.hpp"
#include "windrow/error.hpp"

namespace windrow::transport {

namespace {
constexpr std::uint64_t ps_per_ns = 1000;
constexpr std::size_t header_bytes = sizeof(block); // of any message
} // namespace

sim_transport::sim_transport(std::unique_ptr<transport> inner, const model& m)
    : forwarding_transport(std::move(inner)),
      fabric_(host(), m),
      turns_(host(), pe()),
      counted_(&unknown_),
      lookahead_ps_(fabric_.lookahead_ps()) {
  turns_.join();
}

// ---- the clock

// The engine counts items when it closes a block, just before it sends it, and when it has worked on one,
// just before it sends it home.
void sim_transport::charge_items() const {
  const auto& m = fabric_.parameters();
  const auto sent = counted_->items_sent - std::exchange(items_sent_, counted_->items_sent);
  const auto handled = counted_->items_handled - std::exchange(items_handled_, counted_->items_handled);
  clock_ps_ += sent * m.item_sent_ps + handled * m.item_handled_ps;
}

std::uint64_t sim_transport::now_ns() {
  charge_items();
  return clock_ps_ / ps_per_ns;
}

void sim_transport::compute(std::uint64_t ns) {
  charge_items();
  clock_ps_ += ns * ps_per_ns;
}

void sim_transport::wait_for_turn(std::uint64_t moment_ps, std::uint64_t slack_ps) const {
  clock_ps_ = moment_ps;
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
  const auto arrival_ps = send(to, size_of(b));
  inner_->commit(b, to);
  deliver(to, b, arrival_ps);
}

void sim_transport::send_home(block* b) {
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

bool sim_transport::has_arrivals() const {
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
  if (to != pe()) turns_.wake(to, clock_ps_);
}

std::uint32_t sim_transport::prepare_sleep() {
  charge_items();
  take_arrivals();
  return 0;
}

// The limit of a sleep is for those who look at real clocks: here everybody who changes something says so.
void sim_transport::sleep(std::uint32_t /*ticket*/, std::chrono::nanoseconds /*limit*/) {
  pass_time(std::nullopt);
}

void sim_transport::sleep_until(std::uint64_t due_ns) {
  prepare_sleep();
  pass_time(due_ns * ps_per_ns);
}

void sim_transport::pass_time(std::optional<std::uint64_t> due_ps) {
  if (const auto next_ps = next_block_ps()) due_ps = std::min(due_ps.value_or(*next_ps), *next_ps);
  if (due_ps && *due_ps <= clock_ps_) return;
  const auto woken_ps = std::max(clock_ps_, turns_.sleep(clock_ps_, due_ps));
  counted_->idle_ns += (woken_ps - clock_ps_) / ps_per_ns;
  clock_ps_ = woken_ps;
}

// ---- direct operations and collectives

// To another host: a message there, carried out by the network adapter at the moment of its arrival, which is
// when this returns to the caller; and an answer, whose time is added at once, since the caller can do
// nothing before it.
void sim_transport::operate(pe_t owner, std::size_t there, std::size_t back) const {
  charge_items();
  const auto& m = fabric_.parameters();
  if (m.is_near(pe(), owner)) {
    wait_for_turn(clock_ps_ + m.direct_ps);
    if (owner != pe()) turns_.wake(owner, clock_ps_);
    return;
  }
  const auto question = there + header_bytes, answer = back + header_bytes;
  wait_for_turn(clock_ps_ + m.far.overhead_ps, lookahead_ps_);
  count(owner, question);
  wait_for_turn(fabric_.arrival_ps(pe(), owner, question, clock_ps_));
  wait_for_turn(fabric_.receive_ps(owner, question, clock_ps_));
  turns_.wake(owner, clock_ps_);
  count(owner, answer);
  const auto answered_ps = fabric_.arrival_ps(owner, pe(), answer, clock_ps_);
  clock_ps_ = fabric_.receive_ps(pe(), answer, answered_ps) + m.far.overhead_ps;
}

// What the processor there does is added here: the caller waits for it.
void sim_transport::handle(pe_t owner, std::size_t items) const {
  charge_items();
  const auto& m = fabric_.parameters();
  if (owner != pe()) clock_ps_ += items * (m.item_sent_ps + m.item_handled_ps);
}

// Those to PEs of this host happen one after the other; the others leave one after the other, and their
// answers are awaited at the end. As in `operate`, answers have no turns of their own.
void sim_transport::operate_together(std::span<const message> messages,
                                     const std::function<void(std::size_t)>& carry_out) const {
  charge_items();
  const auto& m = fabric_.parameters();
  struct arrival {
    std::uint64_t moment_ps;
    std::size_t message;
  };
  std::vector<arrival> arrivals;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const auto& [owner, there, back, items] = messages[i];
    if (m.is_near(pe(), owner)) {
      handle(owner, items);
      operate(owner, there, back);
      carry_out(i);
      continue;
    }
    wait_for_turn(clock_ps_ + items * m.item_sent_ps + m.far.overhead_ps, lookahead_ps_);
    count(owner, there + header_bytes);
    arrivals.push_back({fabric_.arrival_ps(pe(), owner, there + header_bytes, clock_ps_), i});
  }
  std::ranges::sort(arrivals, {}, [](const arrival& a) { return std::tie(a.moment_ps, a.message); });
  struct answer {
    std::uint64_t arrival_ps;
    std::size_t bytes;
  };
  std::vector<answer> answers;
  for (const auto& [moment_ps, i] : arrivals) {
    const auto& [owner, there, back, items] = messages[i];
    wait_for_turn(std::max(clock_ps_, moment_ps));
    wait_for_turn(fabric_.receive_ps(owner, there + header_bytes, clock_ps_));
    carry_out(i);
    turns_.wake(owner, clock_ps_);
    count(owner, back + header_bytes);
    const auto done_ps = clock_ps_ + items * m.item_handled_ps;
    answers.push_back({fabric_.arrival_ps(owner, pe(), back + header_bytes, done_ps), back + header_bytes});
  }
  for (const auto& [arrival_ps, bytes] : answers)
    clock_ps_ = std::max(clock_ps_, fabric_.receive_ps(pe(), bytes, arrival_ps)) + m.far.overhead_ps;
}

std::uint64_t sim_transport::known_ns(std::uint64_t last_ns, pe_t members, std::size_t bytes) const {
  const auto [near, far] = fabric_.rounds_of(members);
  counted_->messages += near + far;
  counted_->messages_between_hosts += far;
  counted_->message_bytes += (near + far) * header_bytes + (near + far > 0 ? bytes : 0);
  return last_ns + fabric_.collective_ps(members, bytes) / ps_per_ns;
}

void sim_transport::give_way() const {
  charge_items();
  const auto next = turns_.next_ps();
  wait_for_turn(std::max(clock_ps_, next.value_or(0)) + 1);
}

// ---- the end

void sim_transport::set_state(pe_state state) {
  inner_->set_state(state);
  if (state == pe_state::running || turns_.has_left()) return;
  for (pe_t other = 0; other < pes(); ++other) ring(other);
  turns_.leave();
}

std::optional<model> chosen_model() {
  const auto words = base::text_option("WINDROW_SIM");
  return words ? std::optional(model_named(*words)) : std::nullopt;
}

std::unique_ptr<transport> with_model(std::unique_ptr<transport> inner) {
  const auto chosen = chosen_model();
  if (!chosen) return inner;
  if (inner->remote_hosts() != nullptr)
    throw error("WINDROW_SIM simulates hosts in one: start the program on one host, without mpirun or srun");
  if (inner->latency() != nullptr)
    throw error("WINDROW_SIM and WINDROW_DELAY exclude each other: the model has its own latencies");
  return std::make_unique<sim_transport>(std::move(inner), *chosen);
}

} // namespace windrow::transport
