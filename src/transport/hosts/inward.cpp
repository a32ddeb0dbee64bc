// SPDX-License-Identifier: BSD-3-Clause
#include "transport/hosts/inward.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/shared_copy.hpp"
#include "os/cpu.hpp"
#include "transport/host/apply_change.hpp"
#include "transport/host/posting.hpp"
#include "transport/hosts/team_exit.hpp"
#include "windrow/detail/copy.hpp"
#include "windrow/detail/round_up.hpp"

namespace windrow::transport {

namespace {

std::ptrdiff_t stride_of(const record& r) {
  return static_cast<std::ptrdiff_t>(r.expected);
}

} // namespace

inward::inward(network& net, const host_memory& memory, const host_map& map, peer_hosts& others, outward& out,
               wake_ups& woken, wait_states& waits)
    : net_(net),
      memory_(memory),
      map_(map),
      others_(others),
      outward_(out),
      wake_ups_(woken),
      waits_(waits),
      segments_(memory.heaps()) {
  net_.listen(message_bytes, messages_received_at_once);
}

bool inward::receive_message() {
  const auto message = net_.receive();
  if (message.data == nullptr) return false;
  read(message, others_.host_of_rank(message.source));
  return true;
}

void inward::read(const network::message& message, int host) {
  others_.heard(host, os::now_ns());
  for (const auto *text = message.data, *end = text + message.bytes; text < end;) {
    const auto r = read_record(text);
    const auto* content = text + wire_bytes(r.kind);
    text = content + detail::round_up(std::size_t{r.bytes}, std::size_t{8});
    obey(r, content, host);
  }
  if (std::exchange(has_parts_, false)) ring_here();
}

void inward::obey(const record& r, const std::byte* content, int host) {
  if (access(r, content)) return;
  switch (r.kind) {
    case record_kind::block:
      return deliver(r, content);
    case record_kind::home:
      return outward_.come_home(r, content, host);
    case record_kind::done:
    case record_kind::data:
    case record_kind::value:
      return take_answer(r, content);
    case record_kind::part:
      return take_part(r, content);
    case record_kind::waits:
      return waits_.hear(r, content);
    default:
      return take_state(r, host);
  }
}

// Whether it is one of the operations on memory, which are answered.
bool inward::access(const record& r, const std::byte* content) {
  auto answer = to_pe(record_kind::done, r.to, r.from);
  answer.number = r.number;
  switch (r.kind) {
    case record_kind::put:
      store(r, content);
      others_.append(r.from, answer);
      break;
    case record_kind::get:
      answer.kind = record_kind::data;
      answer.bytes = static_cast<std::uint32_t>(r.operand);
      load(others_.append(r.from, answer), r);
      return true;
    case record_kind::change:
      answer.kind = record_kind::value;
      answer.operand =
          apply_change(place(r), {static_cast<detail::verb>(r.verb), r.type, r.operand, r.expected});
      others_.append(r.from, answer);
      break;
    case record_kind::changes:
      change_all(r, content);
      others_.append(r.from, answer);
      break;
    default:
      return false;
  }
  ring_for_value(r.to);
  return true;
}

void inward::store(const record& r, const std::byte* content) const {
  if (r.step == 0) return base::store_shared(place(r), content, r.bytes);
  detail::copy_strided(place(r), content, {stride_of(r), std::ptrdiff_t{r.step}, r.step, r.bytes / r.step});
}

void inward::load(std::byte* to, const record& r) const {
  if (r.step == 0) return base::load_shared(to, place(r), r.operand);
  detail::copy_strided(to, place(r), {std::ptrdiff_t{r.step}, stride_of(r), r.step, r.operand / r.step});
}

void inward::change_all(const record& r, const std::byte* content) const {
  auto* const segment = segments_.first + static_cast<std::size_t>(r.to) * segments_.stride;
  for (const auto* const end = content + r.bytes; content < end; content += sizeof(detail::placed_change)) {
    detail::placed_change one;
    std::memcpy(&one, content, sizeof one);
    apply_change(segment + one.offset, one.change());
  }
}

// Other waits are not for what a direct operation does.
void inward::ring_for_value(pe_t pe) {
  if (memory_.control(pe).waiting.unrung.load(std::memory_order_relaxed) > 0) wake_ups_.ring(pe);
}

void inward::take_state(const record& r, int host) {
  switch (r.kind) {
    case record_kind::leave:
      return count_out(memory_, others_, r);
    case record_kind::generation:
      return memory_.slot(r.to, r.number).generation.store(r.step, std::memory_order_release);
    case record_kind::reset:
      for (auto& part : memory_.slot(r.from, r.number).parts)
        part.arrived.store(0, std::memory_order_release);
      return;
    case record_kind::ring:
      return wake_ups_.ring(r.to);
    case record_kind::state:
      memory_.set_state(r.from, static_cast<pe_state>(r.flags));
      return ring_here();
    case record_kind::over:
      memory_.job().over.store(1, std::memory_order_seq_cst);
      net_.take_leave();
      std::_Exit(EXIT_SUCCESS); // and the other PEs of this host with it
    case record_kind::lost:
      return note_loss(r.to, host);
    case record_kind::bye:
      return note_end(host);
    default:
      return;
  }
}

// What another host has told before this may still be under way to here, so that nobody takes it for a reason
// to end the job at once.
void inward::note_end(int host) {
  others_.said_bye(host);
  for (pe_t pe = 0; pe < static_cast<pe_t>(memory_.shape().pes); ++pe)
    if (map_.of(pe) == host) memory_.control(pe).state.store(pe_state::finalized);
}

void inward::note_loss(pe_t lost, int host) {
  memory_.set_state(lost, pe_state::failed);
  ring_here();
  if (first_loss_) return;
  first_loss_ = {os::now_ns(),
                 fmt::format("PE {} on host {} has ended without finalizing the job; ending the others", lost,
                             others_.name(host))};
}

// Every block that may leave has a place here (send_window.hpp), so there is always room for it.
void inward::deliver(const record& r, const std::byte* content) {
  auto& b = *memory_.block_number(r.number);
  b.source = r.from;
  b.used = r.bytes;
  b.home = 0;
  b.target = r.to;
  b.brings_answers = r.flags;
  b.sent_ns = os::now_ns(); // clocks of hosts differ
  std::memcpy(b.payload(), content, r.bytes);
  post(memory_, r.to, &b);
  wake_ups_.ring(r.to);
}

void inward::take_answer(const record& r, const std::byte* content) {
  auto& asked = memory_.request_number(r.number);
  std::memcpy(memory_.request_data(r.number, r.bytes), content, r.bytes);
  asked.operand = r.operand;
  // Nobody but a sleeper changes the phase of a request that was sent.
  const auto sent = asked.phase.load(std::memory_order_relaxed) & ~request_awaited;
  wake_ups_.settle(asked, static_cast<request_phase>(sent + 1));
}

void inward::take_part(const record& r, const std::byte* content) {
  auto& part = memory_.slot(r.from, r.number).parts[(r.step - 1) % 2];
  constexpr auto beyond = offsetof(collective_slot, apart);
  std::memcpy(part.beside, content, sizeof part.beside);
  std::memcpy(part.apart, content + beyond, sizeof part - beyond);
  std::memcpy(memory_.bounce(r.from, r.flags), content + sizeof part, r.bytes - sizeof part);
  part.arrived.store(r.step, std::memory_order_seq_cst);
  has_parts_ = true;
}

void inward::ring_here() {
  for (pe_t pe = 0; pe < static_cast<pe_t>(memory_.shape().pes); ++pe)
    if (map_.is_here(pe)) wake_ups_.ring(pe);
}

} // namespace windrow::transport
