// SPDX-License-Identifier: BSD-3-Clause
#include "aggregation/sender.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "aggregation/engine.hpp"
#include "base/fatal.hpp"
#include "base/fiber_local.hpp"
#include "os/process_fence.hpp"
#include "transport/host/heap_size.hpp"
#include "windrow/detail/round_up.hpp"

namespace windrow::aggregation {

namespace {

const base::fiber_local lanes_are_local([]() -> auto& { return lanes_of_thread; });
const base::fiber_local row_is_local([]() -> auto& { return row_of_thread; });
const base::fiber_local program_sender_is_local([]() -> auto& { return sender_of_program_thread; });
using detail::round_up;
using pgas::count;

// Space is given to a run in pieces that double up to this size. So a kind that sends little wastes little of
// a block, and one that sends much takes the slow path, and looks at the inbox, once per piece.
constexpr std::uint32_t first_piece = 128;
constexpr std::uint32_t largest_piece = 2048;

constexpr transport::wait_kind for_block{.text = "a free block, to send to PE {pe}",
                                         .in_continuations = true};
constexpr transport::wait_kind for_spill{.text = "its handlers' spilled messages to leave",
                                         .in_continuations = true};

/// Of all kinds that have none yet, by PE.
constinit writer closed_writers[transport::most_pes]{};

/// For threads that are no sender of a PE.
class no_room final : public room_source {
 public:
  writer& make_room(kind_id, pe_t, std::uint64_t, std::uint32_t) override { refuse(); }
  writer& make_room_for_call(const remote_function&, pe_t, std::uint64_t) override { refuse(); }
  void close_run_of_call(const remote_function&, pe_t) override {}
  void close_stretch(pe_t) override {}
  std::uint64_t reachable_bytes() const override { return 0; }
  [[noreturn]] void bad_target(pe_t, std::uint64_t, std::size_t) const override { refuse(); }
  void require_range(pe_t, std::uint64_t, std::size_t) const override { refuse(); }

 private:
  [[noreturn]] static void refuse() { pgas::forbid_thread_to("send"); }
};
constinit no_room nothing_to_send;

} // namespace

constinit lanes no_lanes(nothing_to_send, closed_writers);

sender::sender(engine& e, sender_of of, int number, std::uint32_t most_open)
    : items_(*this, closed_writers),
      engine_(e),
      core_(e.core()),
      pool_(e.pool()),
      kinds_(e.kinds()),
      of_(of),
      number_(number),
      most_open_(most_open),
      builtin_writers_(builtin_kinds),
      lanes_(static_cast<std::size_t>(core_.pes())),
      stats_(is_of_pe() ? core_.stats() : own_stats_),
      guard_(!os::can_fence_all_threads()) {
  const auto& map = core_.map();
  items_.loads_.set_memory(map.first, map.stride, static_cast<std::size_t>(map.pes));
  items_.pes_ = static_cast<unsigned>(core_.pes());
  items_.largest_item_ = (pool_.capacity() - static_cast<std::uint32_t>(sizeof(run_header))) / 16 * 16;
}

void sender::measure_reach() {
  items_.own_ = engine_.updates_at_once() ? core_.map().segment(core_.pe()) : nullptr;
  for (std::size_t width_log2 = 0; width_log2 < items_.reach_.size(); ++width_log2) {
    const auto values = core_.map().bytes >> width_log2;
    items_.reach_[width_log2] = values <= (std::uint64_t{1} << 32) ? values : 0;
  }
}

void sender::close() {
  items_.builtin_.fill(closed_writers);
  items_.reach_ = {};
  items_.own_ = nullptr;
  items_.pes_ = 0;
  items_.function_count_ = 0;
}

void sender::close_in_child() {
  for (const auto to : filling_) {
    close_stretch(to);
    for (const auto& run : lane_of(to).open) writer_of(run.kind, to) = {};
  }
  close();
}

void sender::add_to(counters& all) const {
  if (is_of_pe()) { // the rest is in `all`
    all.direct_operations += items_.loads_.count() - counted_loads_;
    all.direct_bytes += items_.loads_.bytes() - counted_bytes_;
    return;
  }
  all.items_sent += items_sent();
  all.runs_sent += read(stats_.runs_sent);
  all.blocks_sent += read(stats_.blocks_sent);
  all.blocks_full += read(stats_.blocks_full);
  all.bytes_sent += read(stats_.bytes_sent);
  all.polls += read(stats_.polls);
  all.spilled_blocks += read(stats_.spilled_blocks);
  all.direct_operations += read(stats_.direct_operations);
  all.direct_bytes += read(stats_.direct_bytes);
}

// ---- kinds

void sender::make_writers(kind_id kind) {
  builtin_writers_[kind] = writers_by_pe(lanes_.size());
  items_.builtin_[kind] = builtin_writers_[kind].data();
}

writer& sender::make_room_for_call(const remote_function& f, pe_t to, std::uint64_t argument) {
  if (f.number >= items_.function_count_ || function_writers_[f.number].data() == nullptr)
    add_function(f.number, f);
  return make_room(first_own_function + f.number, to, argument, f.item_bytes);
}

void sender::add_function(std::uint32_t number, const remote_function& f) {
  items_.require_pe(0); // the job has not ended
  if (number >= functions_.size()) {
    functions_.resize(number + 1);
    function_writers_.resize(number + 1);
    function_table_.resize(number + 1, closed_writers);
  }
  function_writers_[number] = writers_by_pe(lanes_.size());
  function_table_[number] = function_writers_[number].data();
  functions_[number] = {
      .deliver = f.answers ? reinterpret_cast<decltype(kind_entry::deliver)>(f.argument) : nullptr,
      .item_bytes = f.item_bytes,
      .code = f.code};
  items_.functions_ = function_table_.data();
  items_.function_count_ = static_cast<std::uint32_t>(function_table_.size());
}

// What is open still leaves with its block.
void sender::close_kind(kind_id kind) {
  for (const auto to : filling_) {
    auto& lane = lane_of(to);
    if (std::ranges::any_of(lane.open, [kind](const open_run& r) { return r.kind == kind; }))
      close_run(lane, kind, to);
  }
}

// ---- room

// Gives an open run the piece behind it, if it is the last in its block, hence the newest one, and there is
// enough for `bytes` more.
bool sender::grow(lane& l, kind_id kind, writer& w, std::uint32_t bytes) {
  auto* end = l.filling->payload() + l.used;
  const auto& run = l.open.back();
  if (run.kind != kind || run.header->items() + run.header->bytes != end) return false;
  const auto missing = round_up(bytes - std::min(bytes, static_cast<std::uint32_t>(end - w.cursor)), 16);
  const auto piece =
      std::min(std::max(std::min(run.header->bytes, largest_piece), missing), pool_.capacity() - l.used);
  const auto item = entry(kind).item_bytes;
  const auto room = static_cast<std::uint32_t>(end + piece - w.cursor) / item * item;
  if (room < bytes) return false;
  run.header->bytes += piece;
  l.used += piece;
  given_ += piece;
  w.limit = w.cursor + room;
  return true;
}

writer& sender::make_room(kind_id kind, pe_t to, std::uint64_t operand, std::uint32_t bytes) {
  if (lanes_of_thread != &items_) core_.require_may_send();
  items_.require_pe(to); // streams do not ask after the end of the job
  if (kind < builtin_kinds && builtin_writers_[kind].data() == nullptr) make_writers(kind);
  if (of_ == sender_of::worker && is_asked()) flush();
  if (given_ >= largest_piece) poll();
  auto& lane = lane_of(to);
  for (;;) {
    // Whatever waited below may have run handlers, and these may have used this very lane.
    if (!is_user_defined(kind)) close_stretch(to); // runs of others are not touched here
    writer& w = writer_of(kind, to);
    const bool same_run = w.cursor != nullptr && w.operand == operand;
    if (same_run && (w.has_room(bytes) || grow(lane, kind, w, bytes))) return w;
    if (w.cursor != nullptr) close_run(lane, kind, to);
    if (lane.filling == nullptr)
      new_block(lane, to);
    else if (!open(lane, to, kind, operand, bytes))
      send(to, true);
  }
}

void sender::close_run_of_call(const remote_function& f, pe_t to) {
  if (f.number < items_.function_count_) close_if_open(lane_of(to), first_own_function + f.number, to);
}

void sender::close_stretch(pe_t to) {
  if (is_of_pe() && engine_.replies() != nullptr) engine_.replies()->close_stretch(to);
}

std::uint64_t sender::reachable_bytes() const {
  return items_.pes_ == 0 ? 0 : core_.map().bytes;
}

void sender::bad_target(pe_t to, std::uint64_t offset, std::size_t size) const {
  const auto& map = core_.map();
  const bool reached =
      map.bytes > 0 && to >= 0 && to < map.pes && map.bytes >= size && offset <= map.bytes - size;
  if (reached)
    base::fatal(fmt::format("aggregated operation: offset {} is not a multiple of the value's {} bytes",
                            offset, size));
  map.bad_access(to, offset, size, size == 0 ? "message" : "aggregated operation"); // a message has no place
}

void sender::require_range(pe_t to, std::uint64_t offset, std::size_t bytes) const {
  const auto& map = core_.map();
  if (items_.pes_ == 0) map.bad_access(to, offset, bytes, "get");
  map.address(to, offset, bytes, "get");
}

bool sender::must_not_wait() const {
  if (of_ == sender_of::program_thread) return false; // in a handler it sends by the PE's own sender
  return is_of_pe() ? core_.in_handler() : engine_.threads()->keeps_handler();
}

template <class Done>
void sender::wait(pgas::wait_reason reason, Done done) {
  if (of_ == sender_of::worker) return engine_.wait_on_thread(done);
  if (of_ == sender_of::program_thread) return without_guard([&] { core_.wait(reason, done); });
  const pgas::permission as_pe;
  core_.wait(reason, done);
}

// Meanwhile others may send what this thread has stored, and handlers may run on it.
template <class Do>
void sender::without_guard(Do d) {
  guard_.unlock();
  d();
  guard_.lock();
}

// The inbox is served here at least once per `largest_piece` bytes of items, whatever the program does:
// nobody starves because a PE is busy sending, even to itself. Not with each of the small pieces that runs
// begin with.
void sender::poll() {
  if (must_not_wait()) return;
  given_ = 0;
  count(stats_.polls);
  if (is_of_pe()) engine_.serve_inbox();
  if (of_ == sender_of::program_thread) without_guard([this] { core_.progress(); });
  // Handlers may have produced more than could leave. Code outside handlers waits
  // until that has shrunk.
  if (pool_.spills_much()) wait({for_spill}, [this] { return !pool_.spills_much(); });
}

bool sender::open(lane& l, pe_t to, kind_id kind, std::uint64_t operand, std::uint32_t least) {
  if (const auto other = other_form(kind); other != no_kind) close_if_open(l, other, to);
  const auto& description = entry(kind);
  const auto wanted = std::max(first_piece, round_up(least, 16));
  const auto left = pool_.capacity() - l.used;
  if (left < sizeof(run_header) + round_up(least, 16)) return false;
  const auto bytes = std::min(wanted, (left - static_cast<std::uint32_t>(sizeof(run_header))) / 16 * 16);
  auto* header = new (l.filling->payload() + l.used) run_header{kind, bytes, 0, 0, operand};
  if (kind >= first_own_function)
    *header = {description.deliver == nullptr ? function_kind : answering_function_kind,
               bytes,
               0,
               description.item_bytes,
               description.code,
               operand};
  l.used += static_cast<std::uint32_t>(sizeof(run_header)) + bytes;
  given_ += bytes;
  l.open.push_back({kind, header});

  writer& w = writer_of(kind, to);
  w.cursor = header->items();
  w.limit = w.cursor + (bytes - bytes % description.item_bytes);
  w.operand = operand;
  if (description.deliver != nullptr) w.notes = notes_for(l) - l.filling->payload();
  return true;
}

std::byte* sender::notes_for(lane& l) {
  if (l.notes == nullptr) l.notes = l.spilling ? new std::byte[pool_.capacity()] : pool_.notes_for(l.filling);
  return l.notes;
}

void sender::close_run(lane& l, kind_id kind, pe_t to) {
  const auto run =
      std::find_if(l.open.begin(), l.open.end(), [&](const open_run& r) { return r.kind == kind; });
  finish_run(l, *run, to);
  l.open.erase(run);
}

void sender::close_if_open(lane& l, kind_id kind, pe_t to) {
  if (writer_of(kind, to).cursor != nullptr) close_run(l, kind, to);
}

void sender::finish_run(lane& l, const open_run& run, pe_t to) {
  writer& w = writer_of(run.kind, to);
  const auto filled = static_cast<std::uint32_t>(w.cursor - run.header->items());
  run.header->count = filled / entry(run.kind).item_bytes;
  if (run.header->items() + run.header->bytes ==
      l.filling->payload() + l.used) { // the last run needs no spare room
    l.used -= run.header->bytes;
    run.header->bytes = round_up(filled, 16);
    l.used += run.header->bytes;
  }
  count(stats_.items_sent, run.header->count);
  if (is_user_defined(run.kind)) kinds_.count_sent(run.kind, number_, to, run.header->count);
  count(stats_.runs_sent);
  w = {};
}

// ---- blocks

// All senders together hold at most half of the pool, so the other half is on its way to where it becomes
// free.
void sender::new_block(lane& l, pe_t to) {
  while (filling_.size() >= most_open_) send(filling_.front(), false);
  auto* fresh = free_block(l, to);
  if (l.filling != nullptr) { // a handler was here while we waited
    if (fresh != nullptr) pool_.discard(fresh);
    return;
  }
  l.spilling = fresh == nullptr;
  if (l.spilling) count(stats_.spilled_blocks);
  l.filling = fresh != nullptr ? fresh : pool_.spare_block();
  l.notes = nullptr;
  l.used = 0;
  filling_.push_back(to);
  open_.store(static_cast<std::uint32_t>(filling_.size()), std::memory_order_relaxed);
  begun_.store(begun_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

// Returns null if there is no free block and the caller must not wait. No block may overtake those that the
// lane has spilled: items of a kind are handled in the order in which they were sent.
transport::block* sender::free_block(const lane& l, pe_t to) {
  transport::block* fresh = nullptr;
  const auto found = [&] { // once there is one, waits may ask again
    if (fresh == nullptr && l.spilled.load(std::memory_order_acquire) == 0) fresh = pool_.acquire();
    return fresh != nullptr;
  };
  if (!found() && !must_not_wait())
    wait({for_block, to}, [&] { return found() || (engine_.free_some(), found()); });
  return fresh;
}

void sender::send(pe_t to, bool full) {
  auto& l = lane_of(to);
  close_stretch(to);
  for (auto run = l.open.rbegin(); run != l.open.rend(); ++run) finish_run(l, *run, to);
  l.open.clear();
  std::erase(filling_, to);
  open_.store(static_cast<std::uint32_t>(filling_.size()), std::memory_order_relaxed);
  auto* const filled = std::exchange(l.filling, nullptr);
  filled->used = l.used;
  if (full) count(stats_.blocks_full);
  if (full && is_of_pe()) withdrawal_.block_leaves(core_.map());
  count(stats_.blocks_sent);
  count(stats_.bytes_sent, filled->used);
  const filled_block b{filled, l.spilling ? l.notes : nullptr,
                       to,     is_of_pe() ? engine_.mark_for(to) : no_mark,
                       this,   pool_.stamp()};
  if (l.spilling)
    pool_.spill(b);
  else
    pool_.commit(b);
}

void sender::send_all() {
  while (!filling_.empty()) send(filling_.back(), false);
}

// What handlers have stored while no shared block was free leaves too, once everything that was spilled
// before has.
bool sender::send_early() {
  const auto leaves = [this](pe_t to) { return !lane_of(to).spilling || pool_.spilled() == 0; };
  bool any = false;
  for (auto to = std::ranges::find_if(filling_, leaves); to != filling_.end();
       to = std::ranges::find_if(filling_, leaves)) {
    send(*to, false);
    any = true;
  }
  return any;
}

// ---- completion

bool sender::is_asked() const {
  return answered_.load(std::memory_order_relaxed) != engine_.request();
}

void sender::flush() {
  const auto request = engine_.request();
  items_.loads_.drain();
  count_loads();
  send_all();
  if (request == answered_.load(std::memory_order_relaxed)) return;
  answered_.store(request, std::memory_order_seq_cst);
  core_.link().ring(core_.pe());
}

void sender::count_loads() {
  const auto loads = items_.loads_.count(), bytes = items_.loads_.bytes();
  count(stats_.direct_operations, loads - std::exchange(counted_loads_, loads));
  count(stats_.direct_bytes, bytes - std::exchange(counted_bytes_, bytes));
}

void sender::rest() {
  flush();
  rests_.store(true, std::memory_order_seq_cst);
}

void sender::complete(pgas::wait_reason what) {
  if (must_not_wait()) pgas::forbid_handler_to_wait(what);
  for (flush(); begun() != home(); flush()) wait(what, [this] { return begun() == home() || open() > 0; });
}

void sender::leave() {
  if (!detached_.load(std::memory_order_relaxed)) {
    const std::lock_guard own(guard_);
    if (!detached_.load(std::memory_order_relaxed)) flush();
  }
  vacant_.store(true, std::memory_order_release);
}

} // namespace windrow::aggregation
