// SPDX-License-Identifier: BSD-3-Clause
#include "transport/hosts/agent.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <utility>

#include "base/fatal.hpp"
#include "base/options.hpp"
#include "base/shared_copy.hpp"
#include "os/cpu.hpp"
#include "os/futex.hpp"
#include "os/process.hpp"
#include "transport/host/posting.hpp"
#include "transport/hosts/agent_inbox.hpp"
#include "transport/hosts/apply_change.hpp"
#include "windrow/detail/round_up.hpp"

namespace windrow::transport {

namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t second_ns = 1'000'000'000;
constexpr std::uint64_t sign_every_ns = second_ns / 2;
constexpr int letters_received_at_once = 8;
constexpr auto nothing = [](std::byte*) {};

record to_pe(record_kind kind, pe_t from, pe_t to) {
  record r{};
  r.kind = kind;
  r.from = from;
  r.to = to;
  return r;
}

} // namespace

agent::agent(network& net, const host_memory& memory, const host_map& map, std::vector<std::string> names)
    : net_(net),
      memory_(memory),
      map_(map),
      names_(std::move(names)),
      segments_(memory.heaps()),
      patience_ns_(static_cast<std::uint64_t>(base::integer_option("WINDROW_LOST_SECONDS", 8, 1, 86'400)) *
                   second_ns) {
  host_of_rank_.assign(map_.host_of.begin(), map_.host_of.end());
  for (int host = 0; host < map_.hosts; ++host)
    hosts_.push_back({outgoing_mail(net_, map_.leader(host)), os::now_ns()});
  net_.listen(letter_bytes, letters_received_at_once);
  const os::signals_blocked here;
  thread_ = std::thread([this] { run(); });
}

agent::~agent() {
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

void agent::run() {
  base::set_speaker(fmt::format("host {}", names_[static_cast<std::size_t>(map_.here)]));
  os::sleep_precisely();
  try {
    for (int idle_turns = 0; !is_over();) {
      idle_turns = turn() ? 0 : idle_turns + 1;
      if (idle_turns > 0) idle(idle_turns);
    }
  } catch (const std::exception& e) {
    end(e.what());
  }
  end_told_.store(true);
}

bool agent::turn() {
  bool any = take_entries();
  any |= read_mail();
  any |= send_mail();
  keep_alive();
  if (ending_.load() && !end_told_.load()) tell_end();
  return any;
}

// Looks at the network now and then, since nobody rings when something arrives there. Sleeps rather than
// yields: see other_hosts::await.
void agent::idle(int turns) {
  const int awake = memory_.processors() > 2 ? 200 : 20;
  if (turns <= awake) return os::pause();
  auto& job = memory_.job();
  const auto ticket = job.agent_bell.load(std::memory_order_seq_cst);
  job.agent_sleeps.store(1, std::memory_order_seq_cst);
  if (job.agent_inbox.load(std::memory_order_seq_cst) == 0)
    os::futex_wait(job.agent_bell, ticket, turns <= 1000 ? 20us : 100us);
  job.agent_sleeps.store(0, std::memory_order_seq_cst);
}

bool agent::send_mail() {
  bool any = false;
  for (int host = 0; host < map_.hosts; ++host)
    if (host != map_.here) any |= hosts_[static_cast<std::size_t>(host)].mail.send();
  return any;
}

void agent::keep_alive() {
  const auto now_ns = os::now_ns();
  if (now_ns < next_sign_ns_) return;
  next_sign_ns_ = now_ns + sign_every_ns;
  if (!bye_said_) tell_all(to_pe(record_kind::alive, 0, 0), nothing);
  for (int host = 0; host < map_.hosts; ++host) {
    const auto& other = hosts_[static_cast<std::size_t>(host)];
    if (host == map_.here || other.said_bye || now_ns < other.heard_ns + patience_ns_) continue;
    end(
        fmt::format("host {} (PE {} and those beside it) has not been heard for {} s (WINDROW_LOST_SECONDS); "
                    "ending the job",
                    names_[static_cast<std::size_t>(host)], map_.leader(host), patience_ns_ / second_ns));
  }
}

// Once this process has nothing more to say, it says so, and listens until all others have.
bool agent::is_over() {
  if (!closing_.load()) return false;
  bool finalized = true;
  for (pe_t pe = 0; pe < static_cast<pe_t>(memory_.shape().pes); ++pe)
    if (map_.is_here(pe)) {
      const auto state = memory_.control(pe).state.load();
      if (state == pe_state::failed) return true; // its end will be noticed, and told
      finalized &= state == pe_state::finalized;
    }
  if (!finalized || memory_.job().agent_inbox.load() != 0) return false;
  if (!std::exchange(bye_said_, true)) tell_all(to_pe(record_kind::bye, 0, 0), nothing);
  for (int host = 0; host < map_.hosts; ++host) {
    const auto& other = hosts_[static_cast<std::size_t>(host)];
    if (host != map_.here && (!other.said_bye || !other.mail.is_empty())) return false;
  }
  return true;
}

void agent::tell_end() {
  if (lost_ >= 0) tell_all(to_pe(record_kind::lost, 0, lost_), nothing);
  for (auto until_ns = os::now_ns() + second_ns / 2; os::now_ns() < until_ns; os::yield()) {
    send_mail();
    if (std::all_of(hosts_.begin(), hosts_.end(), [](const other_host& h) { return h.mail.is_empty(); }))
      break;
  }
  end_told_.store(true);
}

void agent::end(const std::string& sentence) {
  if (memory_.job().loss_reported.exchange(1) == 0) base::say(sentence);
  std::_Exit(EXIT_FAILURE);
}

template <class Fill>
void agent::tell_all(const record& r, Fill fill) {
  for (int host = 0; host < map_.hosts; ++host)
    if (host != map_.here) fill(hosts_[static_cast<std::size_t>(host)].mail.append(r));
}

// ---- for other hosts

bool agent::take_entries() {
  auto& inbox = memory_.job().agent_inbox;
  if (inbox.load(std::memory_order_relaxed) == 0) return false;
  entries_.clear();
  for (auto word = inbox.exchange(0, std::memory_order_acquire); word != 0;) {
    entries_.push_back(word);
    word = inbox_entry::of(word).next(memory_);
  }
  std::for_each(entries_.rbegin(), entries_.rend(), [this](std::uint32_t word) { // the oldest first
    const auto entry = inbox_entry::of(word);
    if (entry.is_request)
      forward(memory_.request_number(entry.number), entry.number);
    else
      forward(*memory_.block_number(entry.number), entry.number);
  });
  return true;
}

void agent::forward(const block& b, std::uint32_t number) {
  const bool outward = b.home == 0;
  auto r = to_pe(outward ? record_kind::block : record_kind::home, b.source, outward ? b.target : b.source);
  r.number = number;
  r.flags = b.brings_answers;
  r.bytes = outward || b.brings_answers != 0 ? b.used : 0;
  auto* const content = mail_to(r.to).append(r);
  std::memcpy(content, b.payload(), r.bytes);
}

void agent::forward(request& asked, std::uint32_t number) {
  auto r = to_pe(record_kind::put, asked.from, asked.to);
  r.number = number;
  r.offset = asked.offset;
  switch (asked.kind) {
    case request_kind::put:
      r.bytes = asked.bytes;
      std::memcpy(mail_to(r.to).append(r), asked.data, r.bytes);
      return; // it is answered later
    case request_kind::get:
      r.kind = record_kind::get;
      r.operand = asked.bytes;
      mail_to(r.to).append(r);
      return;
    case request_kind::change:
      r.kind = record_kind::change;
      r.verb = asked.verb;
      r.type = asked.type;
      r.operand = asked.operand;
      r.expected = asked.expected;
      mail_to(r.to).append(r);
      return;
    case request_kind::show:
      forward_part(asked);
      break;
    case request_kind::leave:
      r.kind = record_kind::leave;
      r.team = asked.team;
      r.size = asked.size;
      if (map_.is_here(r.to))
        leave(r);
      else
        mail_to(r.to).append(r);
      break;
    case request_kind::reset:
      r.kind = record_kind::reset;
      r.team = asked.team;
      tell_all(r, nothing);
      break;
    case request_kind::ring:
      r.kind = record_kind::ring;
      mail_to(r.to).append(r);
      break;
    case request_kind::state:
      r.kind = record_kind::state;
      r.flags = static_cast<std::uint32_t>(memory_.control(asked.from).state.load());
      tell_all(r, nothing);
      break;
    case request_kind::over:
      r.kind = record_kind::over;
      tell_all(r, nothing);
      break;
  }
  asked.phase.store(static_cast<std::uint32_t>(request_phase::free), std::memory_order_release);
}

// What is shown stays as it is until all other members have seen it (pgas/README.md).
void agent::forward_part(const request& asked) {
  const auto& part = memory_.slot(asked.from, asked.team).parts[(asked.step - 1) % 2];
  auto r = to_pe(record_kind::part, asked.from, asked.to);
  r.team = asked.team;
  r.step = asked.step;
  r.turn = asked.turn;
  r.bytes = static_cast<std::uint32_t>(sizeof part) + asked.bytes;
  std::vector<bool> told(hosts_.size());
  told[static_cast<std::size_t>(map_.here)] = true;
  for (pe_t member = 0, pe = asked.to; member < asked.size; ++member, pe += asked.stride) {
    if (told[index_of(pe)]) continue;
    told[index_of(pe)] = true;
    auto* const content = mail_to(pe).append(r);
    std::memcpy(content, &part, sizeof part);
    std::memcpy(content + sizeof part, memory_.bounce(asked.from, static_cast<int>(asked.turn)), asked.bytes);
  }
}

// The other hosts learn that the slot is free before any PE of this one does, and so before any later step of
// it.
void agent::leave(const record& r) {
  auto& slot = memory_.slot(r.to, r.team);
  if (slot.released.fetch_add(1, std::memory_order_acq_rel) + 1 < static_cast<std::uint32_t>(r.size)) return;
  slot.released.store(0, std::memory_order_relaxed);
  auto news = to_pe(record_kind::generation, r.to, r.to);
  news.team = r.team;
  news.step = slot.generation.load(std::memory_order_relaxed) + 1;
  tell_all(news, nothing);
  slot.generation.store(news.step, std::memory_order_release);
}

// ---- from other hosts

bool agent::read_mail() {
  bool any = false;
  for (int left = letters_received_at_once; left > 0; --left) {
    const auto letter = net_.receive();
    if (letter.data == nullptr) break;
    read(letter.data, letter.bytes, host_of_rank_[static_cast<std::size_t>(letter.source)]);
    net_.release();
    any = true;
  }
  return any;
}

void agent::read(const std::byte* text, std::size_t bytes, int host) {
  auto& sender = hosts_[static_cast<std::size_t>(host)];
  sender.heard_ns = os::now_ns();
  for (const auto* end = text + bytes; text < end;) {
    record r{};
    std::memcpy(&r, text, sizeof r);
    const auto* content = text + sizeof r;
    text = content + detail::round_up(std::size_t{r.bytes}, std::size_t{8});
    if (r.kind == record_kind::bye)
      sender.said_bye = true;
    else
      obey(r, content, host);
  }
}

void agent::obey(const record& r, const std::byte* content, int host) {
  auto answer = to_pe(record_kind::done, r.to, r.from);
  answer.number = r.number;
  switch (r.kind) {
    case record_kind::block:
      return deliver(r, content);
    case record_kind::home:
      return bring_home(r, content);
    case record_kind::put:
      base::store_shared(place(r), content, r.bytes);
      mail_to(r.from).append(answer);
      return ring(memory_, r.to);
    case record_kind::get:
      answer.kind = record_kind::data;
      answer.bytes = static_cast<std::uint32_t>(r.operand);
      base::load_shared(mail_to(r.from).append(answer), place(r), answer.bytes);
      return;
    case record_kind::change:
      answer.kind = record_kind::value;
      answer.operand =
          apply_change(place(r), {static_cast<detail::change_verb>(r.verb),
                                  static_cast<detail::change_type>(r.type), r.operand, r.expected});
      mail_to(r.from).append(answer);
      return ring(memory_, r.to);
    case record_kind::done:
    case record_kind::data:
    case record_kind::value:
      return take_answer(r, content);
    case record_kind::part:
      return take_part(r, content);
    case record_kind::leave:
      return leave(r);
    case record_kind::generation:
      return memory_.slot(r.to, r.team).generation.store(r.step, std::memory_order_release);
    case record_kind::reset:
      for (auto& part : memory_.slot(r.from, r.team).parts) part.arrived.store(0, std::memory_order_release);
      return;
    case record_kind::ring:
      return ring(memory_, r.to);
    case record_kind::state:
      memory_.control(r.from).state.store(static_cast<pe_state>(r.flags), std::memory_order_seq_cst);
      return ring_here();
    case record_kind::over:
      memory_.job().over.store(1, std::memory_order_seq_cst);
      std::_Exit(EXIT_SUCCESS); // and the other PEs of this host with it
    case record_kind::lost:
      memory_.control(r.to).state.store(pe_state::failed);
      end(fmt::format("PE {} on host {} has ended without finalizing the job; ending the others", r.to,
                      names_[static_cast<std::size_t>(host)]));
    case record_kind::alive:
    case record_kind::bye:
      return;
  }
}

// Every block of the job has a place at every host, so there is always room for it.
void agent::deliver(const record& r, const std::byte* content) {
  auto& b = *memory_.block_number(r.number);
  b.source = r.from;
  b.used = r.bytes;
  b.home = 0;
  b.target = r.to;
  b.brings_answers = r.flags;
  b.sent_ns = os::now_ns(); // clocks of hosts differ
  std::memcpy(b.payload(), content, r.bytes);
  post(memory_, r.to, &b);
  ring(memory_, r.to);
}

void agent::bring_home(const record& r, const std::byte* content) {
  auto& b = *memory_.block_number(r.number);
  std::memcpy(b.payload(), content, r.bytes);
  b.home = 1;
  post(memory_, b.source, &b);
  ring(memory_, b.source);
}

void agent::take_answer(const record& r, const std::byte* content) {
  auto& asked = memory_.request_number(r.number);
  std::memcpy(asked.data, content, r.bytes);
  asked.operand = r.operand;
  asked.phase.store(static_cast<std::uint32_t>(request_phase::answered), std::memory_order_release);
  os::futex_wake(asked.phase);
}

void agent::take_part(const record& r, const std::byte* content) {
  auto& part = memory_.slot(r.from, r.team).parts[(r.step - 1) % 2];
  constexpr auto beyond = offsetof(collective_slot, apart);
  std::memcpy(part.beside, content, sizeof part.beside);
  std::memcpy(part.apart, content + beyond, sizeof part - beyond);
  std::memcpy(memory_.bounce(r.from, static_cast<int>(r.turn)), content + sizeof part, r.bytes - sizeof part);
  part.arrived.store(r.step, std::memory_order_seq_cst);
  ring_here();
}

void agent::ring_here() {
  for (pe_t pe = 0; pe < static_cast<pe_t>(memory_.shape().pes); ++pe)
    if (map_.is_here(pe)) ring(memory_, pe);
}

} // namespace windrow::transport
