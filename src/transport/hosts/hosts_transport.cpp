// SPDX-License-Identifier: BSD-3-Clause
#include "transport/hosts/hosts_transport.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/fatal.hpp"
#include "os/cpu.hpp"
#include "transport/host/host_transport.hpp"

namespace windrow::transport {

namespace {

// Nothing is there: code that forgets to ask the other host is caught at once.
void forbid_segments_of_others(const host_memory& memory, const host_map& map) {
  const auto all = memory.heaps();
  for (pe_t pe = 0; pe < static_cast<pe_t>(memory.shape().pes); ++pe)
    if (!map.is_here(pe))
      ::mprotect(all.first + static_cast<std::size_t>(pe) * all.stride, all.stride, PROT_NONE);
}

// That a PE looks at the network before it sleeps.
constexpr std::uint64_t longest_awake_ns = 200'000, shortest_awake_ns = 10'000;

hosts_transport* of_this_process = nullptr;
pid_t process_of_it = 0; ///< one that it forks has a copy

// No launcher of ours is there to notice that a PE has ended with exit code 0 in mid-job, and some take it
// for the end of the job.
void at_exit(int status, void*) {
  if (of_this_process != nullptr && status == 0 && ::getpid() == process_of_it)
    of_this_process->ended_early();
}

} // namespace

hosts_transport::hosts_transport(parts&& p) : net_(std::move(p.net)), map_(std::move(p.map)) {
  auto memory = enter(p.met.place);
  const auto pe = p.met.place.pe;
  forbid_segments_of_others(memory.mapped, *map_);
  inner_ = std::make_unique<host_transport>(std::move(p.name), memory.mapped, pe, std::move(memory.file));
  if (map_->hosts > 1) {
    processors_ = std::make_unique<processor_share>(memory.mapped, *map_, p.hosts_of_machine);
    others_ = std::make_unique<other_hosts>(memory.mapped, pe, *map_, *processors_);
  }
  if (map_->hosts > 1 && pe == map_->leader(map_->here)) {
    agent_ = std::make_unique<agent>(*net_, memory.mapped, *map_, std::move(p.host_names), *processors_);
    others_->set_agent(agent_.get());
  }
  const auto before_end = [this](pe_t lost) {
    if (agent_) agent_->announce_end(lost);
    if (lost < 0) leave_early();
  };
  guard_ = std::make_unique<guard>(memory.mapped, pe, std::move(p.met.others), before_end);
  of_this_process = this;
  process_of_it = ::getpid();
  ::on_exit(at_exit, nullptr);
}

void hosts_transport::ended_early() {
  if (state_of(pe()) == pe_state::finalized || host().job().over.load() != 0) return;
  if (host().job().loss_reported.exchange(1) == 0)
    base::say("left the job without finalizing it (exit called?); ending the others");
  if (agent_) agent_->announce_end(pe());
  std::_Exit(EXIT_FAILURE);
}

// A PE that has failed, perhaps while its job was still being made, takes no leave: the others may be
// anywhere.
hosts_transport::~hosts_transport() {
  of_this_process = nullptr;
  if (state_of(pe()) != pe_state::finalized) {
    inner_->set_state(pe_state::failed);
    if (agent_) agent_->announce_end(pe());
    [[maybe_unused]] auto* const forgotten = net_.release();
  }
  guard_.reset(); // uses the agent
}

void hosts_transport::commit(block* b, pe_t to) {
  if (map_->is_here(to)) return inner_->commit(b, to);
  b->sent_ns = os::now_ns();
  b->target = to;
  others_->hand_over(b);
}

void hosts_transport::send_home(block* b) {
  if (map_->is_here(b->source)) return inner_->send_home(b);
  b->home = 1;
  others_->hand_over(b);
}

block* hosts_transport::receive() {
  auto* const arrived = inner_->receive();
  if (arrived != nullptr || !agent_) return arrived;
  if (waiting(pe()).waiting.load(std::memory_order_relaxed) > 0)
    agent_->help();
  else
    agent_->help_now_and_then();
  return inner_->receive();
}

// Nobody else looks at the network then.
void hosts_transport::sleep(std::uint32_t ticket, std::chrono::nanoseconds limit) {
  if (agent_ && is_rung(ticket, limit)) return inner_->cancel_sleep();
  if (agent_) agent_->hand_back();
  inner_->sleep(ticket, limit);
}

// To wake a PE takes as long as a round trip on a fast network, so it looks itself as long as that is of use
// and keeps nobody else from running. What comes for others may go on for long; the agent's thread does that
// as well, and need not nap.
bool hosts_transport::is_rung(std::uint32_t ticket, std::chrono::nanoseconds limit) {
  const auto& bell = host().control(pe()).bell;
  const auto until_ns = os::now_ns() + std::min(awake_ns_, static_cast<std::uint64_t>(limit.count()));
  do {
    const bool helped = agent_->help();
    if (bell.was_rung_after(ticket) || inner_->has_arrivals()) {
      awake_ns_ = std::min(2 * awake_ns_, longest_awake_ns);
      return true;
    }
    if (!processors_->is_enough(helped)) break;
    os::pause();
  } while (os::now_ns() < until_ns);
  awake_ns_ = std::max(awake_ns_ / 2, shortest_awake_ns);
  return false;
}

void hosts_transport::ring(pe_t pe) {
  if (map_->is_here(pe))
    inner_->ring(pe);
  else
    others_->ring(pe);
}

void hosts_transport::set_state(pe_state state) {
  if (others_ && state == pe_state::finalized) others_->complete();
  inner_->set_state(state);
  if (state == pe_state::finalized) leave();
  if (others_ && state == pe_state::failed) others_->tell_state();
}

// Now, and not when this object goes: a program may end without that, and MPI asks for a good-bye.
void hosts_transport::leave() {
  if (others_) others_->set_agent(nullptr);
  if (agent_) agent_->close();
  net_.reset();
}

void hosts_transport::leave_early() {
  if (agent_) agent_->halt();
  if (net_) net_->take_leave();
}

void hosts_transport::end_job() {
  inner_->end_job();
  if (others_) others_->tell_over();
  if (agent_) agent_->announce_end(-1);
  leave_early();
}

} // namespace windrow::transport
