// SPDX-License-Identifier: BSD-3-Clause
#include "aggregate/engine.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/fatal.hpp"
#include "base/options.hpp"
#include "windrow/detail/round_up.hpp"

namespace windrow::aggregation {

namespace {

using detail::round_up;

// Space is given to a run in pieces that double up to this size. So a kind that sends little wastes little of
// a block, and one that sends much takes the slow path, and looks at the inbox, once per piece.
constexpr std::uint32_t first_piece = 128;
constexpr std::uint32_t largest_piece = 2048;

// Allocations of a PE alone up to which an update that waits for its cache line is cheaper than a message.
constexpr std::size_t cached_memory = std::size_t{4} << 20;

// For messages whose handler is gone.
void drop(run_header&, const work&, void*) {}

} // namespace

engine::engine(pgas::core& c)
    : core_(c),
      link_(c.link()),
      writer_store_(builtin_kinds),
      closed_writers_(std::make_unique<writer[]>(static_cast<std::size_t>(c.pes()))),
      lanes_(static_cast<std::size_t>(c.pes())),
      notes_(link_.pool_size()),
      has_notes_(link_.pool_size(), false),
      marks_(link_.pool_size()),
      loads_directly_(base::flag_option("WINDROW_DIRECT_LOADS", true) && c.far() == nullptr &&
                      c.elsewhere() == nullptr),
      updates_directly_(base::flag_option("WINDROW_DIRECT_UPDATES", true)) {
  const auto block_bytes = link_.block_capacity() + sizeof(transport::block);
  const auto limit = base::size_option("WINDROW_SPILL_LIMIT", std::uint64_t{64} << 20);
  spill_limit_blocks_ = std::max<std::size_t>(1, limit / block_bytes);
  items_.builtin_.fill(closed_writers_.get());
  items_.pes_ = static_cast<unsigned>(c.pes());
  items_.largest_item_ = (static_cast<std::uint32_t>(link_.block_capacity() - sizeof(run_header))) / 16 * 16;
  measure_reach();
  core_.set_progress(this);
}

bool engine::updates_own_memory() const {
  return updates_directly_ && core_.pes() == 1 && !link_.takes_turns() && !core_.map().keep_announced &&
         core_.symmetric_heap().in_use() <= cached_memory;
}

void engine::measure_reach() {
  items_.own_ = core_.map().segment(core_.pe());
  for (std::size_t width_log2 = 0; width_log2 < items_.reach_.size(); ++width_log2) {
    const auto values = core_.map().bytes >> width_log2;
    items_.reach_[width_log2] = values <= (std::uint64_t{1} << 32) ? values : 0;
  }
}

engine::~engine() {
  core_.set_progress(nullptr);
}

void engine::close() {
  items_.builtin_.fill(closed_writers_.get());
  items_.reach_ = {};
  items_.own_ = nullptr;
  items_.pes_ = 0;
  items_.function_count_ = 0;
}

void engine::close_in_child() {
  for (const auto to : filling_) {
    close_stretch(to);
    for (const auto& run : lanes_[static_cast<std::size_t>(to)].open) items_.writer_of(run.kind, to) = {};
  }
  close();
}

kind_id engine::add_kind(const kind_entry& entry) {
  if (!free_kinds_.empty()) return reuse_kind(entry);
  user_kinds_.push_back(entry);
  writer_store_.push_back(std::make_unique<writer[]>(static_cast<std::size_t>(core_.pes())));
  user_writers_.push_back(writer_store_.back().get());
  items_.user_ = user_writers_.data();
  return builtin_kinds + static_cast<kind_id>(user_kinds_.size()) - 1;
}

kind_id engine::reuse_kind(const kind_entry& entry) {
  const auto kind = free_kinds_.back();
  free_kinds_.pop_back();
  user_kinds_[kind - builtin_kinds] = entry;
  ensure_writers(kind);
  return kind;
}

void engine::remove_kind(kind_id kind) {
  close_kind(kind);
  free_kinds_.push_back(kind);
}

void engine::abandon_kind(kind_id kind) {
  close_kind(kind);
}

// A run that is open still leaves with its block.
void engine::close_kind(kind_id kind) {
  for (const auto to : filling_) {
    auto& lane = lanes_[static_cast<std::size_t>(to)];
    if (std::ranges::any_of(lane.open, [kind](const open_run& r) { return r.kind == kind; }))
      close_run(lane, kind, to);
  }
  auto& entry = user_kinds_[kind - builtin_kinds];
  entry = {.apply = drop, .item_bytes = entry.item_bytes};
  writers(kind) = closed_writers_.get();
  writer_store_[kind].reset();
}

writer& engine::make_room_for_call(const remote_function& f, pe_t to, std::uint64_t argument) {
  if (f.number >= items_.function_count_ || function_writers_[f.number] == nullptr) add_function(f.number, f);
  return make_room(first_own_function + f.number, to, argument, f.item_bytes);
}

void engine::add_function(std::uint32_t number, const remote_function& f) {
  items_.require_pe(0); // the job has not ended
  if (number >= functions_.size()) {
    functions_.resize(number + 1);
    function_writers_.resize(number + 1);
    function_table_.resize(number + 1, closed_writers_.get());
  }
  function_writers_[number] = std::make_unique<writer[]>(static_cast<std::size_t>(core_.pes()));
  function_table_[number] = function_writers_[number].get();
  functions_[number] = {.item_bytes = f.item_bytes, .code = f.code};
  items_.functions_ = function_table_.data();
  items_.function_count_ = static_cast<std::uint32_t>(function_table_.size());
}

// ---- sending

writer& engine::make_room(kind_id kind, pe_t to, std::uint64_t operand, std::uint32_t bytes) {
  core_.require_may_send();
  ensure_writers(kind);
  if (given_ >= largest_piece) poll();
  auto& lane = lanes_[static_cast<std::size_t>(to)];
  for (;;) {
    // Whatever waited below may have run handlers, and these may have used this very lane.
    close_stretch(to);
    writer& w = items_.writer_of(kind, to);
    const bool same_run = w.cursor != nullptr && w.operand == operand;
    if (same_run && (w.has_room(bytes) || grow(lane, kind, w, bytes))) return w;
    if (w.cursor != nullptr) close_run(lane, kind, to);
    if (lane.filling == nullptr)
      new_block(lane, to);
    else if (!open(lane, to, kind, operand, bytes))
      send(lane, to, true);
  }
}

void engine::close_stretch(pe_t to) {
  if (replies_ != nullptr) replies_->close_stretch(to);
}

std::uint64_t engine::reachable_bytes() const {
  return items_.pes_ == 0 ? 0 : core_.map().bytes;
}

void engine::bad_target(pe_t to, std::uint64_t offset, std::size_t size) const {
  const auto& map = core_.map();
  const bool reached =
      map.bytes > 0 && to >= 0 && to < map.pes && map.bytes >= size && offset <= map.bytes - size;
  if (reached)
    base::fatal(fmt::format("aggregated operation: offset {} is not a multiple of the value's {} bytes",
                            offset, size));
  map.bad_access(to, offset, size, "aggregated operation");
}

void engine::require_range(pe_t to, std::uint64_t offset, std::size_t bytes) const {
  const auto& map = core_.map();
  if (items_.pes_ == 0) map.bad_access(to, offset, bytes, "get");
  map.address(to, offset, bytes, "get");
}

// The inbox is served here at least once per `largest_piece` bytes of items, whatever the program does:
// nobody starves because a PE is busy sending, even to itself. Not with each of the small pieces that runs
// begin with.
void engine::poll() {
  if (core_.in_handler()) return;
  given_ = 0;
  ++core_.stats().polls;
  progress();
  for (auto* s : sources_) s->inbox_served();
  // Handlers may have produced more than could leave. Whoever sends outside handlers waits until that has
  // shrunk.
  if (spill_.size() > spill_limit_blocks_ / 2)
    core_.wait({transport::wait_kind::spill}, [this] { return spill_.size() <= spill_limit_blocks_ / 2; });
}

void engine::ensure_writers(kind_id kind) {
  if (kind >= first_own_function || writer_store_[kind] != nullptr) return;
  writer_store_[kind] = std::make_unique<writer[]>(static_cast<std::size_t>(core_.pes()));
  writers(kind) = writer_store_[kind].get();
}

// Gives an open run the piece behind it, if it is the last in its block and there is enough for `bytes` more.
bool engine::grow(lane& l, kind_id kind, writer& w, std::uint32_t bytes) {
  auto* end = l.filling->payload() + l.used;
  const auto run =
      std::find_if(l.open.begin(), l.open.end(), [&](const open_run& r) { return r.kind == kind; });
  if (run->header->items() + run->header->bytes != end) return false;
  const auto capacity = static_cast<std::uint32_t>(link_.block_capacity());
  const auto missing = round_up(bytes - std::min(bytes, static_cast<std::uint32_t>(end - w.cursor)), 16);
  const auto piece =
      std::min(std::max(std::min(run->header->bytes, largest_piece), missing), capacity - l.used);
  const auto item = entry(kind).item_bytes;
  const auto room = static_cast<std::uint32_t>(end + piece - w.cursor) / item * item;
  if (room < bytes) return false;
  run->header->bytes += piece;
  l.used += piece;
  given_ += piece;
  w.limit = w.cursor + room;
  return true;
}

bool engine::open(lane& l, pe_t to, kind_id kind, std::uint64_t operand, std::uint32_t least) {
  const auto& description = entry(kind);
  const auto capacity = static_cast<std::uint32_t>(link_.block_capacity());
  const auto wanted = std::max(first_piece, round_up(least, 16));
  const auto left = capacity - l.used;
  if (left < sizeof(run_header) + round_up(least, 16)) return false;
  const auto bytes = std::min(wanted, (left - static_cast<std::uint32_t>(sizeof(run_header))) / 16 * 16);
  auto* header = new (l.filling->payload() + l.used) run_header{kind, bytes, 0, 0, operand};
  if (kind >= first_own_function)
    *header = {function_kind, bytes, 0, description.item_bytes, description.code, operand};
  l.used += static_cast<std::uint32_t>(sizeof(run_header)) + bytes;
  given_ += bytes;
  l.open.push_back({kind, header});

  writer& w = items_.writer_of(kind, to);
  w.cursor = header->items();
  w.limit = w.cursor + (bytes - bytes % description.item_bytes);
  w.operand = operand;
  if (description.deliver != nullptr) w.notes = notes_for(l) - l.filling->payload();
  return true;
}

// The notes of a block mirror its payload: what the sender must remember about an item is at the item's
// place.
std::byte* engine::notes_for(lane& l) {
  if (l.notes != nullptr) return l.notes;
  if (l.spilling) return l.notes = new std::byte[link_.block_capacity()];
  const auto index = link_.pool_index(l.filling);
  if (notes_[index] == nullptr)
    notes_[index] = std::make_unique_for_overwrite<std::byte[]>(link_.block_capacity());
  has_notes_[index] = true;
  return l.notes = notes_[index].get();
}

void engine::close_run(lane& l, kind_id kind, pe_t to) {
  const auto run =
      std::find_if(l.open.begin(), l.open.end(), [&](const open_run& r) { return r.kind == kind; });
  finish_run(l, *run, to);
  l.open.erase(run);
}

void engine::finish_run(lane& l, const open_run& run, pe_t to) {
  writer& w = items_.writer_of(run.kind, to);
  const auto filled = static_cast<std::uint32_t>(w.cursor - run.header->items());
  run.header->count = filled / entry(run.kind).item_bytes;
  if (run.header->items() + run.header->bytes ==
      l.filling->payload() + l.used) { // the last run needs no spare room
    l.used -= run.header->bytes;
    run.header->bytes = round_up(filled, 16);
    l.used += run.header->bytes;
  }
  core_.stats().items_sent += run.header->count;
  if (is_user_defined(run.kind)) user_kind(run.kind).sent += run.header->count;
  ++core_.stats().runs_sent;
  w = {};
}

void engine::new_block(lane& l, pe_t to) {
  auto* fresh = free_block(l, to);
  if (l.filling != nullptr) { // a handler was here while we waited
    if (fresh != nullptr) link_.discard(fresh);
    return;
  }
  l.spilling = fresh == nullptr;
  l.filling = fresh != nullptr ? fresh : spare_block();
  l.notes = nullptr;
  l.used = 0;
  filling_.push_back(to);
}

// Null inside a handler when there is none, because a handler must not wait. None may overtake what the lane
// has spilled: items of a kind are handled in the order in which they were sent.
transport::block* engine::free_block(const lane& l, pe_t to) {
  transport::block* fresh = nullptr;
  const auto found = [&] { return l.spilled == 0 && (fresh = link_.acquire()) != nullptr; };
  if (!found() && !core_.in_handler()) core_.wait({transport::wait_kind::free_block, to}, found);
  return fresh;
}

void engine::send(lane& l, pe_t to, bool full) {
  close_stretch(to);
  for (auto run = l.open.rbegin(); run != l.open.rend(); ++run) finish_run(l, *run, to);
  l.open.clear();
  std::erase(filling_, to);
  auto* filled = std::exchange(l.filling, nullptr);
  filled->used = l.used;
  if (full) {
    ++core_.stats().blocks_full;
    withdrawal_.block_leaves(core_.map());
  }
  const auto mark = replies_ == nullptr ? no_mark : replies_->block_leaves(to);
  if (l.spilling)
    spill(l, {filled, l.notes, to, mark});
  else
    commit(filled, to, mark);
}

void engine::commit(transport::block* filled, pe_t to, block_mark mark) {
  ++core_.stats().blocks_sent;
  core_.stats().bytes_sent += filled->used;
  marks_[link_.pool_index(filled)] = mark;
  filled->brings_answers = has_notes_[link_.pool_index(filled)] ? 1 : 0;
  ++in_flight_;
  ++lanes_[static_cast<std::size_t>(to)].in_flight;
  link_.commit(filled, to);
}

void engine::send_all() {
  while (!filling_.empty()) {
    const auto to = filling_.back();
    send(lanes_[static_cast<std::size_t>(to)], to, false);
  }
}

// ---- spilling

void engine::spill(lane& l, const spilled_block& b) {
  spill_.push_back(b);
  ++l.spilled;
}

transport::block* engine::spare_block() {
  if (spill_.size() >= spill_limit_blocks_)
    base::fatal(
        fmt::format("handlers have produced {} of messages that cannot leave, the limit; raise "
                    "WINDROW_SPILL_LIMIT or make handlers send less than they receive",
                    base::format_size(spill_.size() * (link_.block_capacity() + sizeof(transport::block)))));
  ++core_.stats().spilled_blocks;
  auto* memory = ::operator new(link_.block_capacity() + sizeof(transport::block),
                                std::align_val_t{alignof(transport::block)});
  return new (memory) transport::block{};
}

bool engine::drain_spill() {
  bool any = false;
  while (!spill_.empty()) {
    auto* shared = link_.acquire();
    if (shared == nullptr) break;
    const auto [content, notes, to, mark] = spill_.front();
    spill_.pop_front();
    --lanes_[static_cast<std::size_t>(to)].spilled;
    std::memcpy(shared->payload(), content->payload(), content->used);
    shared->used = content->used;
    if (notes != nullptr) {
      notes_[link_.pool_index(shared)].reset(notes);
      has_notes_[link_.pool_index(shared)] = true;
    }
    ::operator delete(content, std::align_val_t{alignof(transport::block)});
    commit(shared, to, mark);
    any = true;
  }
  return any;
}

// ---- receiving

bool engine::progress() {
  if (core_.in_handler()) return false;
  bool any = drain_spill();
  // A bounded number per call, so that a flood from others cannot keep this PE from its own work for ever.
  for (auto left = link_.pool_size(); left > 0; --left) {
    auto* arrived = link_.receive();
    if (arrived == nullptr) break;
    if (arrived->home != 0)
      come_home(arrived);
    else
      handle(arrived);
    any = true;
  }
  if (any)
    for (auto* s : sources_) s->messages_handled();
  if (runs_sources_ && run_sources_early()) return true;
  return any || (sends_early_ && send_early());
}

bool engine::run_sources_early() {
  if (core_.map().now() != detail::running::program) return false;
  bool any = false;
  for (auto* s : sources_) {
    if (!s->runs_in_all_waits() || !s->ready()) continue;
    sends_early_ = runs_sources_ = false;
    s->run();
    sends_early_ = runs_sources_ = true;
    any = true;
  }
  return any;
}

bool engine::progress_of_waiting() {
  if (several_threads()) return core_.progress();
  const waiting meanwhile(*this, true);
  return core_.progress();
}

// While this PE has nothing to do but to wait for the end, what its handlers sent need not wait for company:
// chains of messages go from PE to PE at the speed of single ones. What has no shared block cannot leave.
bool engine::send_early() {
  const auto leaves = [this](pe_t to) { return !lanes_[static_cast<std::size_t>(to)].spilling; };
  bool any = false;
  for (auto to = std::ranges::find_if(filling_, leaves); to != filling_.end();
       to = std::ranges::find_if(filling_, leaves)) {
    send(lanes_[static_cast<std::size_t>(*to)], *to, false);
    any = true;
  }
  return any;
}

template <class Visit>
void engine::for_each_run(transport::block* b, Visit visit) {
  for (auto* at = b->payload(); at < b->payload() + b->used;) {
    auto& run = *reinterpret_cast<run_header*>(at);
    visit(run);
    at = run.items() + run.bytes;
  }
}

// Kinds that the library has itself are 0, others have the number that reports of stalls give them.
trace::event engine::event_of(const run_header& run, pe_t from) {
  const bool user = is_user_defined(run.kind);
  return {user ? "handler" : "items",
          trace::category::handler,
          nullptr,
          from,
          user ? run.kind - builtin_kinds + 1 : 0,
          run.count};
}

void engine::handle(transport::block* b) {
  auto& stats = core_.stats();
  stats.inbox_age_max_ns = std::max(stats.inbox_age_max_ns, link_.now_ns() - b->sent_ns);
  auto* segment = core_.map().segment(core_.pe());
  const auto interrupted = core_.map().begin(detail::running::handler);
  // Held over neighbouring gated runs only: other handlers may themselves use direct atomic operations.
  std::optional<pgas::applying> applying;
  auto* const trace = core_.trace();
  for_each_run(b, [&](run_header& run) {
    const trace::span event(trace, event_of(run, b->source));
    const auto& kind = entry(run.kind);
    if (!kind.gated)
      applying.reset();
    else if (!applying)
      applying.emplace(core_.host(), core_.pe());
    kind.apply(run, {segment, applying && applying->exclusive(), b->source}, kind.object);
    stats.items_handled += run.count;
    if (is_user_defined(run.kind)) user_kind(run.kind).handled += run.count;
  });
  applying.reset();
  core_.map().begin(interrupted);
  if (b->source == core_.pe())
    come_home(b);
  else
    link_.send_home(b);
}

void engine::come_home(transport::block* b) {
  const auto index = link_.pool_index(b);
  if (has_notes_[index]) {
    has_notes_[index] = false;
    for_each_run(b, [&](run_header& run) {
      const auto deliver = entry(run.kind).deliver;
      if (deliver != nullptr) deliver(run, notes_[index].get() + (run.items() - b->payload()));
    });
  }
  if (marks_[index] != no_mark) replies_->block_is_home(b->target, marks_[index]);
  --in_flight_;
  --lanes_[static_cast<std::size_t>(b->target)].in_flight;
  link_.discard(b);
}

// ---- completion

// Handlers start tasks and defer work, and these send: neither is complete while the other goes on. What
// handlers have sent meanwhile leaves whenever there is nothing else to do.
void engine::complete_own(pgas::wait_reason what) {
  core_.require_may_wait(what);
  for (auto* s : sources_) s->require_complete();
  while (!filling_.empty() || !all_home() || !is_idle()) {
    send_all();
    wait_for_end(what);
    run_ready();
  }
  items_.reads_.drain();
  core_.map().complete();
}

void engine::wait_for_end(pgas::wait_reason what) {
  const waiting meanwhile(*this, false);
  core_.wait(what, [this] { return is_ready() || (all_home() && (is_idle() || !filling_.empty())); });
}

void engine::run_ready() {
  for (auto* s : sources_)
    if (s->ready()) s->run();
}

bool engine::await_reply(const work_source& s) {
  if (in_flight_ == 0) send_all();
  if (all_home()) return false;
  core_.wait({transport::wait_kind::deferred}, [&] { return s.ready() || all_home(); });
  return true;
}

// README.md proves that two rounds with the same total mean that nothing is under way anywhere.
void engine::quiesce(const team& members, pgas::wait_reason what) {
  pgas::withdraw_atomics(core_.map());
  withdrawal_.reset();
  for (std::uint64_t before = ~std::uint64_t{0};;) {
    complete_own(what);
    std::uint64_t total[] = {started()};
    add_up(members, total);
    if (total[0] == before) return;
    before = total[0];
  }
}

// README.md has the proof.
void engine::drain(kind_id kind, const team& members, pgas::wait_reason what) {
  core_.require_may_wait(what);
  for (std::uint64_t handled = ~std::uint64_t{0};;) {
    core_.progress(); // a member alone does not wait for sums
    send_all();       // so that what has been stored counts as sent
    const auto& k = user_kind(kind);
    std::uint64_t sums[] = {k.sent, k.handled};
    add_up(members, sums);
    if (sums[0] == handled) return;
    handled = sums[1];
  }
}

// What this PE adds to the sums stays right: what deferred code sends meanwhile counts for the next ones.
void engine::add_up(const team& members, std::span<std::uint64_t> sums) {
  const waiting meanwhile(*this, !several_threads());
  members.reduce(std::span<const std::uint64_t>(sums), sums, std::plus<>());
}

std::uint64_t engine::started() const {
  auto all = core_.stats().items_sent;
  for (const auto* s : sources_) all += s->started();
  return all;
}

void engine::describe(transport::wait_record& record) const {
  record.open_lanes.store(static_cast<std::uint32_t>(filling_.size()), std::memory_order_relaxed);
  record.in_flight.store(in_flight_, std::memory_order_relaxed);
  const auto most = std::max_element(lanes_.begin(), lanes_.end(),
                                     [](const lane& a, const lane& b) { return a.in_flight < b.in_flight; });
  record.holder.store(static_cast<std::int32_t>(most - lanes_.begin()), std::memory_order_relaxed);
  record.spilled.store(static_cast<std::uint32_t>(spill_.size()), std::memory_order_relaxed);
}

} // namespace windrow::aggregation
