// SPDX-License-Identifier: BSD-3-Clause
#include "transport/host/host_transport.hpp"

#include <utility>

#include "base/other_processes.hpp"
#include "os/cpu.hpp"
#include "os/memory.hpp"
#include "transport/host/posting.hpp"

namespace windrow::transport {

host_transport::host_transport(std::string name, host_memory memory, pe_t pe,
                               std::shared_ptr<const os::descriptor> file, std::shared_ptr<void> mapping)
    : name_(std::move(name)),
      file_(std::move(file)),
      mapping_(std::move(mapping)),
      memory_(memory),
      pe_(pe),
      heaps_(memory.heaps()),
      first_block_(static_cast<std::uint32_t>(pe) * memory.shape().blocks_per_pe) {}

void host_transport::adopt(std::byte* begin, std::size_t bytes, std::size_t offset) {
  auto* const place = heaps_.first + static_cast<std::size_t>(pe_) * heaps_.stride + offset;
  adopted_.push_back({begin, bytes, static_cast<std::size_t>(place - memory_.base())});
  os::replace_by_shared(begin, bytes, file_->get(), adopted_.back().place, place);
}

void host_transport::disown() {
  for (const auto& a : adopted_) os::replace_by_private(a.begin, a.bytes, file_->get(), a.place);
}

block* host_transport::acquire() {
  if (free_.empty()) {
    if (begun_ == pool_size()) return nullptr;
    free_.push_back(first_block_ + begun_++);
  }
  block* b = memory_.block_number(free_.back());
  free_.pop_back();
  b->source = pe_;
  b->used = 0;
  b->home = 0;
  return b;
}

void host_transport::discard(block* b) {
  free_.push_back(memory_.number_of(b));
}

void host_transport::commit(block* b, pe_t to) {
  b->sent_ns = os::now_ns();
  b->target = to;
  push(to, b);
}

void host_transport::send_home(block* b) {
  b->home = 1;
  push(b->source, b);
}

void host_transport::push(pe_t to, block* b) {
  post(memory_, to, b);
  if (to != pe_) ring(to);
}

bool host_transport::has_arrivals() const {
  return arrived_.load(std::memory_order_relaxed) != 0 ||
         memory_.control(pe_).inbox.load(std::memory_order_seq_cst) != 0;
}

block* host_transport::receive() {
  auto oldest = arrived_.load(std::memory_order_relaxed);
  if (oldest == 0) {
    auto& inbox = memory_.control(pe_).inbox;
    if (inbox.load(std::memory_order_relaxed) == 0) return nullptr;
    auto entry = inbox.exchange(0, std::memory_order_acquire);
    while (entry != 0) { // newest first; turn round
      block* b = memory_.block_number(entry - 1);
      base::follows_release(b);
      const auto older = b->next;
      b->next = oldest;
      oldest = entry;
      entry = older;
    }
  }
  block* b = memory_.block_number(oldest - 1);
  arrived_.store(b->next, std::memory_order_relaxed);
  return b;
}

void host_transport::ring(pe_t pe) {
  windrow::transport::ring(memory_, pe);
}

std::uint32_t host_transport::prepare_sleep() {
  return memory_.control(pe_).bell.prepare();
}

void host_transport::sleep(std::uint32_t ticket, std::chrono::nanoseconds limit) {
  memory_.control(pe_).bell.sleep(ticket, limit);
}

void host_transport::cancel_sleep() {
  memory_.control(pe_).bell.cancel();
}

void host_transport::set_state(pe_state state) {
  memory_.set_state(pe_, state);
  if (state == pe_state::running) return;
  for (pe_t pe = 0; pe < pes(); ++pe)
    if (pe != pe_) ring(pe);
}

} // namespace windrow::transport
