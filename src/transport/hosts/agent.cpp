// SPDX-License-Identifier: BSD-3-Clause
#include "transport/hosts/agent.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "base/fatal.hpp"
#include "base/options.hpp"
#include "os/cpu.hpp"
#include "os/futex.hpp"
#include "os/process.hpp"
#include "transport/hosts/abort.hpp"
#include "transport/hosts/agent_inbox.hpp"

namespace windrow::transport {

namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t second_ns = 1'000'000'000;
constexpr std::uint64_t sign_every_ns = second_ns / 2, most_late_ns = 2 * second_ns;
constexpr std::uint64_t strange_silence_ns = 10 * second_ns;
constexpr std::uint64_t time_for_reasons_ns = second_ns, time_for_own_reason_ns = 10 * second_ns;
constexpr std::uint64_t awake_after_event_ns = 1'000'000;
// A look costs 1 to 2 us, and blocks that are made in the meantime leave together. What is only partly sent
// goes on only while somebody looks.
constexpr std::uint64_t look_while_busy_ns = 50'000, look_while_sending_ns = 8'000;
constexpr std::uint64_t least_slice_ns = 700'000, yields_ns = 20'000'000;
// Each costs the PE that looks meanwhile 5 to 20 us. They become longer as long as that PE looks without a
// break, which takes it a turn every 50 us at least; a PE that only comes by now and then is no help.
constexpr auto shortest_nap = 200us, longest_nap = 2000us, turn_of_steady_help = 50us;
// Polls of the network in a turn of a thread that has nothing else to do: the rest of a turn costs as much as
// one poll.
constexpr int looks_of_waiting = 3;

} // namespace

agent::agent(network& net, const host_memory& memory, const host_map& map, std::vector<std::string> names,
             const processor_share& processors)
    : memory_(memory),
      map_(map),
      others_(net, map, std::move(names)),
      wake_ups_(memory, processors.has_one_for_each_pe() ? map.leader(map.here) : -1),
      outward_(memory, map, others_, wake_ups_),
      waits_(memory, map, others_),
      inward_(net, memory, map, others_, outward_, wake_ups_, waits_),
      processors_(processors),
      silence_limit_ns_(
          static_cast<std::uint64_t>(base::integer_option("WINDROW_LOST_SECONDS", 60, 0, 86'400)) *
          second_ns),
      nap_(shortest_nap) {
  thread_ = os::start_thread("talks to the other hosts", [this] { run(); });
}

agent::~agent() {
  gives_up_.store(true);
  close();
}

void agent::close() {
  if (!thread_.joinable()) return;
  closing_.store(true);
  ring_agent(memory_);
  thread_.join();
}

void agent::announce_end(pe_t lost) {
  lost_.store(lost);
  ending_.store(true);
  ring_agent(memory_);
  for (int i = 0; i < 1000 && !end_told_.load(); ++i) os::sleep(1ms);
}

void agent::halt() {
  if (!halted_.exchange(true)) one_at_a_time_.lock(); // for good
}

void agent::run() {
  base::set_speaker(fmt::format("host {}", others_.name(map_.here)));
  os::sleep_precisely();
  for (int idle_turns = 0; !halted_.load();) {
    const int looks = helped_.load(std::memory_order_relaxed) != 0 ? 1 : looks_of_waiting;
    idle_turns = try_turn(looks).value_or(false) ? 0 : idle_turns + 1;
    if (idle_turns == 0) looked_ns_ = 0;
    if (closing_.load() && gives_up_.load()) break;
    if (closing_.load()) {
      const std::unique_lock lock(one_at_a_time_, std::try_to_lock);
      if (lock && is_over()) break;
    }
    if (idle_turns > 0) idle(idle_turns);
  }
  end_told_.store(true);
}

bool agent::help() {
  return help(looks_of_waiting);
}
void agent::help_now_and_then() {
  if (os::now_ns() >= next_look_ns_.load(std::memory_order_relaxed)) help(1);
}

bool agent::help(int looks) {
  if (closing_.load(std::memory_order_relaxed)) return false;
  helped_.store(helped_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  return try_turn(looks).has_value();
}

// Stored first and rung afterwards; the agent's thread says first that it sleeps and looks afterwards. So
// either sees the other.
void agent::hand_back() {
  last_event_ns_.store(os::now_ns(), std::memory_order_relaxed);
  helped_.store(0, std::memory_order_seq_cst);
  ring_agent(memory_);
}

std::optional<bool> agent::try_turn(int looks) {
  std::unique_lock lock(one_at_a_time_, std::try_to_lock);
  if (!lock) return {};
  try {
    const bool any = turn(looks);
    const auto late = wake_ups_.take_late();
    lock.unlock();
    wake_ups::wake(late);
    return any;
  } catch (const std::exception& e) {
    end_with(memory_, e.what());
  }
}

bool agent::turn(int looks) {
  wake_ups_.begin();
  if (const auto& loss = inward_.first_loss()) return follow(*loss), false;
  const bool more = outward_.take_entries(); // and who has just made some may be about to make others
  bool any = more && others_.send(false);
  any |= inward_.receive_message();
  while (!any && --looks > 0 && !outward_.has_entries()) any = inward_.receive_message();
  any |= others_.send(!more);
  any |= more;
  const auto now_ns = os::now_ns();
  next_look_ns_.store(now_ns + (others_.is_sending() ? look_while_sending_ns : look_while_busy_ns),
                      std::memory_order_relaxed);
  // The PE that was woken may need this very processor.
  if (any) last_event_ns_.store(wake_ups_.any() ? 0 : now_ns, std::memory_order_relaxed);
  if (now_ns >= next_sign_ns_) keep_alive();
  if (ending_.load() && !end_told_.load()) tell_end();
  return any;
}

// Looks at the network now and then, since nobody rings when something arrives there. Sleeps rather than
// yields: see request_slots. Not often while the PE of this process waits and looks itself.
void agent::idle(int turns) {
  if (helped_.load(std::memory_order_relaxed) == 0 && may_stay_awake(turns)) return os::pause();
  looked_ns_ = 0;
  auto& job = memory_.job();
  const auto ticket = job.agent_bell.load(std::memory_order_seq_cst);
  job.agent_sleeps.store(1, std::memory_order_seq_cst);
  const auto helped = helped_.exchange(0, std::memory_order_seq_cst); // who still helps counts on
  const bool steadily = helped * turn_of_steady_help >= nap_;
  nap_ = steadily ? std::min<std::chrono::nanoseconds>(2 * nap_, longest_nap) : shortest_nap;
  if (job.agent_inbox.load(std::memory_order_seq_cst) == 0)
    os::futex_wait(job.agent_bell, ticket, helped != 0 ? nap_ : turns <= 1000 ? 20us : 100us);
  job.agent_sleeps.store(0, std::memory_order_seq_cst);
}

// Shortly after something has arrived, more is likely to come.
bool agent::may_stay_awake(int turns) {
  if (is_in_the_way()) return false;
  const auto last_event_ns = last_event_ns_.load(std::memory_order_relaxed);
  if (last_event_ns == 0) return false;
  if (turns <= 20) return true;
  return os::now_ns() <= last_event_ns + awake_after_event_ns && processors_.is_enough();
}

// A thread that only looks and is without its processor for so long has spun for a whole time slice before,
// and others need the processor, maybe those it waits for.
bool agent::is_in_the_way() {
  const auto now_ns = os::now_ns();
  if (looked_ns_ != 0 && now_ns > looked_ns_ + least_slice_ns) yields_until_ns_ = now_ns + yields_ns;
  looked_ns_ = now_ns;
  return now_ns < yields_until_ns_;
}

void agent::keep_alive() {
  const auto now_ns = os::now_ns();
  // This process was stopped itself (by a debugger, with its machine), or had no processor.
  if (next_sign_ns_ != 0 && now_ns > next_sign_ns_ + most_late_ns) others_.was_deaf(now_ns - next_sign_ns_);
  next_sign_ns_ = now_ns + sign_every_ns;
  if (!bye_said_) {
    waits_.tell();
    others_.tell_all(to_pe(record_kind::alive, 0, 0));
  }
  if (silence_limit_ns_ != 0) judge_silence(now_ns);
}

void agent::judge_silence(std::uint64_t now_ns) {
  const auto silent = others_.longest_silence(now_ns);
  if (!silent || silent->ns < std::min(strange_silence_ns, silence_limit_ns_)) {
    silence_said_ = false;
    return;
  }
  const auto sentence =
      fmt::format("host {} (PE {} and those beside it) has not been heard for {} s",
                  others_.name(silent->host), map_.leader(silent->host), silent->ns / second_ns);
  if (silent->ns >= silence_limit_ns_)
    end_with(memory_, sentence + " (WINDROW_LOST_SECONDS); ending the job");
  if (!std::exchange(silence_said_, true))
    base::say(fmt::format(
        "{}: PE {} is stopped, or its link is cut; after {} s (WINDROW_LOST_SECONDS) the job ends", sentence,
        map_.leader(silent->host), silence_limit_ns_ / second_ns));
}

// The PE that has failed may be on its way to say why, and some launchers end all when the first one ends. So
// may this one be, and it then ends by itself. The network is left alone: the lost process was a part of it.
void agent::follow(const inward::loss& loss) {
  end_told_.store(ending_.load());
  const bool failed = memory_.control(map_.leader(map_.here)).state.load() == pe_state::failed;
  if (os::now_ns() > loss.heard_ns + (failed ? time_for_own_reason_ns : time_for_reasons_ns))
    end_with(memory_, loss.sentence);
}

// Once this process has nothing more to say, it says so, and listens until all others have.
bool agent::is_over() {
  bool finalized = true;
  for (pe_t pe = 0; pe < static_cast<pe_t>(memory_.shape().pes); ++pe)
    if (map_.is_here(pe)) {
      const auto state = memory_.control(pe).state.load();
      if (state == pe_state::failed) return true; // its end will be noticed, and told
      finalized &= state == pe_state::finalized;
    }
  if (!finalized || memory_.job().agent_inbox.load() != 0) return false;
  if (!std::exchange(bye_said_, true)) others_.tell_all(to_pe(record_kind::bye, 0, 0));
  return others_.all_said_bye() && others_.is_empty();
}

// The end may have been announced since this turn looked for entries, and what was asked for before goes
// first.
void agent::tell_end() {
  outward_.take_entries();
  if (lost_ >= 0) others_.tell_all(to_pe(record_kind::lost, 0, lost_));
  for (auto until_ns = os::now_ns() + second_ns / 2; os::now_ns() < until_ns && !others_.is_empty();
       os::yield()) {
    inward_.receive_message();
    others_.send(true);
  }
  end_told_.store(true);
}

} // namespace windrow::transport
