// SPDX-License-Identifier: BSD-3-Clause
#include "deferral/scheduler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/fatal.hpp"
#include "base/fiber_local.hpp"
#include "base/options.hpp"
#include "pgas/watchdog.hpp"
#include "transport/host/heap_size.hpp"

namespace windrow::deferral {

using aggregation::block_mark;
using aggregation::no_mark;
using detail::running;

namespace {

const base::fiber_local continuations_are_local([]() -> auto& { return continuations_of_thread; });
const base::fiber_local answers_are_local([]() -> auto& { return answers_of_thread; });

constexpr std::uint32_t no_limit = std::numeric_limits<std::uint32_t>::max();
/// How far beyond their limit those may go who cannot wait: continuations and handlers.
constexpr std::uint32_t hard_limit_factor = 8;
/// Loads from loadable memory that are under way together.
constexpr std::uint32_t window = 64;

constexpr std::uint64_t default_limit = std::uint64_t{16} << 20;

// Of PEs that share processors, one that does not run answers nothing, and meanwhile what waits for it, and
// all behind, would grow out of the caches: better to let it run. The more PEs, the more is in blocks that
// are not full yet.
std::uint64_t limit_by_default(pgas::core& c) {
  constexpr std::uint64_t per_pe = std::uint64_t{256} << 10;
  const bool shared = c.shares_processors() && c.latency() == nullptr && c.remote_hosts() == nullptr;
  return shared ? std::min(default_limit, per_pe * static_cast<std::uint64_t>(c.pes())) : default_limit;
}

// Each PE that is asked takes a chunk, so that fewer would mean to wait for every single answer.
std::uint32_t limit_in_chunks(pe_t pes, std::uint64_t by_default) {
  const auto bytes = base::size_option("WINDROW_DEFER_LIMIT", by_default);
  const auto least = 2 * static_cast<std::uint64_t>(pes) + 8;
  return static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(bytes / chunk_bytes, least, no_limit / hard_limit_factor));
}

constexpr transport::wait_kind for_answers{"answers, because more work is deferred than WINDROW_DEFER_LIMIT"};

std::size_t room_in_chunk(const closure_queue& q) {
  return q.empty() ? 0 : static_cast<std::size_t>(chunk_of(q.tail() - 1)->limit() - q.tail());
}

std::byte* aligned(std::byte* at) {
  return at + (0 - reinterpret_cast<std::uintptr_t>(at)) % closure_alignment;
}

/// For threads that cannot defer.
class no_support final : public closure_support {
 public:
  void make_room(closure_queue&, step_function, std::size_t) override { refuse(); }
  void make_room_in_window(step_function, std::size_t) override { refuse(); }
  void run_local() override {}
  void help() override {}
  bool help_once() override { return false; }
  std::byte* take_values(std::size_t) override { refuse(); }
  void give_values(std::byte*, std::size_t) override {}
  std::byte* open_joined(void (*)(void*), std::size_t) override { refuse(); }
  void commit_joined(void*) override {}

  [[noreturn]] static void refuse() { pgas::forbid_thread_to("defer what follows a fetching operation"); }
};
constinit no_support nothing_deferred;
constinit detail::memory_map no_memory{.runs = running::handler, .stats = {}}; // so that nothing runs at once

} // namespace

constinit closure_queue no_answers[transport::most_pes]{};
constinit continuations no_continuations(nothing_deferred, no_memory, no_answers);

/// While it exists, deferred code runs. Made by code that is none.
class scheduler::turn {
 public:
  explicit turn(scheduler& s) : s_(s) {
    s_.core_.map().begin(running::continuation);
    pgas::runs_continuations = true;
  }
  ~turn() {
    pgas::runs_continuations = false;
    s_.core_.map().begin(running::program);
  }
  turn(const turn&) = delete;
  turn& operator=(const turn&) = delete;

 private:
  scheduler& s_;
};

scheduler::scheduler(pgas::core& c, aggregation::engine& e)
    : queues_(static_cast<std::size_t>(c.pes())),
      inlined_(*this, c.map(), queues_.data()),
      core_(c),
      engine_(e),
      states_(static_cast<std::size_t>(c.pes())),
      records_(*this) {
  continuations_of_thread = &inlined_;
  answers_of_thread = queues_.data();
  inlined_.limit_ = limit_in_chunks(c.pes(), limit_by_default(c));
  const auto most = limit_in_chunks(c.pes(), default_limit);
  inlined_.frame_limit_ = most * chunk_bytes;
  hard_limit_ = most * hard_limit_factor;
  engine_.attach(*this);
  engine_.report_replies(this);
}

scheduler::~scheduler() {
  if (continuations_of_thread == &inlined_) {
    continuations_of_thread = outer_;
    answers_of_thread = outer_->answers();
  }
  engine_.detach(*this);
  engine_.report_replies(nullptr);
  if (closure_queues_ > 0)
    for (auto& queue : queues_) drop(queue);
  drop(inlined_.loading_);
  drop(inlined_.postponed_);
}

void scheduler::drop(closure_queue& q) {
  while (q.head != nullptr) advance(q, q.tail(), no_limit, fate::drop);
}

// ---- memory

chunk* scheduler::take_chunk() {
  count_chunks(1);
  return store_.take();
}
void scheduler::give_chunk(chunk* c) {
  count_chunks(-1);
  store_.give(c);
}

// Ranges are counted to the byte, in sum.
std::byte* scheduler::take_values(std::size_t bytes) {
  require_may_defer();
  auto* const values = static_cast<std::byte*>(::operator new(bytes, std::align_val_t{closure_alignment}));
  count_values(values_bytes_ + bytes);
  return values;
}
void scheduler::give_values(std::byte* values, std::size_t bytes) {
  ::operator delete(values, std::align_val_t{closure_alignment});
  count_values(values_bytes_ - bytes);
}

void scheduler::count_values(std::size_t bytes) {
  const auto chunks = [](std::size_t b) { return static_cast<std::int64_t>(b / chunk_bytes); };
  count_chunks(chunks(bytes) - chunks(values_bytes_));
  values_bytes_ = bytes;
}

void scheduler::count_chunks(std::int64_t more) {
  inlined_.chunks_ = static_cast<std::uint32_t>(inlined_.chunks_ + more);
  auto& most = core_.stats().deferred_bytes_max;
  most = std::max<std::uint64_t>(most, inlined_.chunks_ * chunk_bytes);
  // The program has waited, so what there is now it has asked for at once: a large range. What continuations
  // take comes on top of that.
  const bool by_program = core_.map().now() == running::program;
  of_program_ = by_program ? inlined_.chunks_ : std::min(of_program_, inlined_.chunks_);
  if (inlined_.chunks_ - of_program_ > hard_limit_)
    base::fatal(
        fmt::format("continuations have deferred {} of work, {} times the limit; raise WINDROW_DEFER_LIMIT, "
                    "or let continuations issue fewer fetching operations than they answer",
                    base::format_size((inlined_.chunks_ - of_program_) * chunk_bytes), hard_limit_factor));
}

// A task that any worker may run could do so on some of them only.
void scheduler::require_may_defer() const {
  if (!pgas::may_use_job() && !core_.any_thread()) no_support::refuse();
}

// ---- queueing

void scheduler::make_room(closure_queue& q, step_function step, std::size_t bytes) {
  require_may_defer();
  make_room_at_tail(q, step, bytes, chunk_bytes);
}

// What is queued here is counted only when a piece of room is full.
void scheduler::make_room_in_window(step_function step, std::size_t bytes) {
  require_may_defer();
  inlined_.keep_bound();
  if (loads_waiting() >= window && core_.map().now() == running::program) {
    const turn now(*this);
    run_local(window / 2);
  }
  const auto waiting = loads_waiting();
  make_room_at_tail(inlined_.loading_, step, bytes, waiting < window ? window - waiting : window);
  loads_counted_ = waiting;
  load_bytes_ = bytes;
  loads_uncounted_ = inlined_.loading_.tail();
}

std::uint32_t scheduler::loads_waiting() const {
  const auto uncounted = static_cast<std::size_t>(inlined_.loading_.tail() - loads_uncounted_) / load_bytes_;
  return loads_counted_ + static_cast<std::uint32_t>(uncounted);
}

void scheduler::make_room_at_tail(closure_queue& q, step_function step, std::size_t bytes, std::size_t most) {
  if (q.step != step || room_in_chunk(q) < bytes) begin_batch(q, step, bytes);
  q.limit = q.tail() + std::min(most, room_in_chunk(q) / bytes) * bytes;
}

void scheduler::begin_batch(closure_queue& q, step_function step, std::size_t bytes) {
  if (q.newest != nullptr) q.newest->end = q.tail();
  auto* at = aligned(q.tail());
  if (room_in_chunk(q) < sizeof(closure_batch) + closure_alignment + bytes) {
    extend(q);
    at = q.tail();
  }
  q.newest = new (at) closure_batch{step, nullptr};
  q.step = step;
  q.tail() = at + sizeof(closure_batch);
  if (q.empty()) {
    q.head = q.tail();
    q.oldest = q.newest;
  }
}

void scheduler::extend(closure_queue& q) {
  chunk* const fresh = take_chunk();
  if (q.empty()) {
    if (awaits_answers(q)) ++closure_queues_;
  } else {
    chunk* const last = chunk_of(q.tail() - 1);
    last->end = q.tail();
    last->next = fresh;
  }
  q.tail() = fresh->first();
}

// ---- running

// What the steps run may queue more, here too.
bool scheduler::advance(closure_queue& q, std::byte* stop, std::uint32_t most, fate what) {
  chunk* const c = chunk_of(q.head);
  const bool stops_here = stop > c->first() && stop <= c->limit();
  auto* const end = q.oldest->end == nullptr ? q.tail() : q.oldest->end;
  const auto done = q.oldest->step(q.head, stops_here ? std::min(stop, end) : end, most, what);
  core_.stats().deferred += done.count;
  if (what == fate::run_loading) count_loads(done);
  q.head = done.at;
  if (q.head == q.tail()) {
    q = {};
    if (awaits_answers(q)) --closure_queues_;
    leave(q, c);
  } else if (q.head == q.oldest->end) {
    begin_next_batch(q, c);
  }
  return done.at == stop;
}

void scheduler::count_loads(const progress& done) {
  core_.stats().direct_operations += done.count;
  core_.stats().direct_bytes += done.loaded;
  loads_run_ += done.count;
  loads_counted_ = loads_waiting() - done.count;
  loads_uncounted_ =
      done.at == inlined_.loading_.tail() ? nullptr : inlined_.loading_.tail(); // which then begins anew
}

void scheduler::begin_next_batch(closure_queue& q, chunk* c) {
  const bool leaves_chunk = c->next != nullptr && q.head == c->end;
  auto* const at = leaves_chunk ? c->next->first() : aligned(q.head);
  q.oldest = reinterpret_cast<closure_batch*>(at);
  q.head = at + sizeof(closure_batch);
  if (leaves_chunk) leave(q, c);
}

// A tail of this queue that is in the chunk later on is another one than the one that was marked.
void scheduler::leave(closure_queue& q, chunk* c) {
  if (awaits_answers(q)) {
    auto& marked = state_of(static_cast<pe_t>(&q - inlined_.answers_)).marked;
    if (marked != nullptr && chunk_of(marked - 1) == c) marked = nullptr;
  }
  give_chunk(c);
}

bool scheduler::run_answers() {
  const bool any = !arrived_.empty();
  for (std::size_t i = 0; i < arrived_.size(); ++i) run_answers_of(arrived_[i]); // more may arrive meanwhile
  arrived_.clear();
  return any;
}

void scheduler::run_answers_of(pe_t pe) {
  auto& queue = inlined_.answers_[pe];
  auto& state = state_of(pe);
  std::byte* stop = nullptr;
  do {
    stop = state.ready;
    while (!advance(queue, stop, no_limit, fate::run)) {
    }
  } while (stop != state.ready); // blocks came home meanwhile
  state.ready = nullptr;
}

bool scheduler::run_local(std::uint32_t most_left) {
  for (bool any = false;; any = true) {
    const auto waiting = loads_waiting();
    if (!inlined_.postponed_.empty())
      advance(inlined_.postponed_, inlined_.postponed_.tail(), no_limit, fate::run);
    else if (waiting > most_left)
      advance(inlined_.loading_, inlined_.loading_.tail(), waiting - most_left, fate::run_loading);
    else
      return any;
  }
}

void scheduler::run_local() {
  const turn now(*this);
  run_local(0);
}

void scheduler::run_arrived() {
  if ((arrived_.empty() && !records_.ready()) || core_.map().now() != running::program) return;
  const turn now(*this);
  for (bool more = true; more;) {
    more = run_answers();
    const auto ran = records_.run_ready();
    core_.stats().deferred += ran;
    more = run_local(0) || ran > 0 || more;
  }
}

void scheduler::run() {
  if (core_.map().now() != running::program) return;
  while (ready()) {
    inlined_.loads().drain();
    run_arrived();
    const turn now(*this);
    run_local(0);
  }
}

// ---- bounds

void scheduler::help() {
  if (core_.map().now() != running::program) return;
  ++core_.stats().deferred_helps;
  do {
    run();
  } while (inlined_.chunks_ > inlined_.limit_ / 2 && engine_.await_reply(*this, {for_answers}));
}

bool scheduler::help_once() {
  if (core_.map().now() != running::program || (!pgas::may_use_job() && !core_.any_thread())) return false;
  ++core_.stats().deferred_helps;
  if (!ready() && !engine_.await_reply(*this, {for_answers})) return false;
  run();
  return true;
}

// ---- records

// Records that wait for loads from loadable memory are ready as soon as they are complete: they run when a
// chunk is full of them.
record& scheduler::open(void (*body)(void*), std::size_t bytes, record* parent, std::uint32_t level,
                        record_kind kind) {
  if (level == 0) {
    if (records_.is_full(bytes)) run_loads();
    inlined_.keep_bound();
  }
  return records_.open(body, bytes, parent, level, kind);
}

// A record that was opened by a call, and whose load is not finished, would hold up all behind it.
void scheduler::run_loads() {
  inlined_.loads().drain();
  run_arrived();
}

void scheduler::run_before_end(std::uint64_t limit_ns) {
  const auto now = core_.map().now();
  if (now == running::handler || core_.has_threads() || !records_.any()) return;
  const auto due_ns = core_.link().now_ns() + limit_ns;
  const auto run_more = [&] {
    if (now == running::program) return run(), ready();
    inlined_.loads().drain();
    return records_.run_ready_behind() > 0;
  };
  while (run_more() || !engine_.owes_nothing())
    if (!engine_.complete_own_until(due_ns)) return;
}

void scheduler::commit(record& r) {
  records_.commit(r);
  if (core_.map().now() != running::program || !records_.ready()) return;
  const turn now(*this);
  const auto before = started();
  core_.stats().deferred += records_.run_ready();
  if (started() != before) run_local(0);
}

std::byte* scheduler::open_joined(void (*body)(void*), std::size_t bytes) {
  require_may_defer();
  return static_cast<std::byte*>(open(body, bytes, nullptr, 0, record_kind::with_drop).payload());
}
void scheduler::commit_joined(void* payload) {
  commit(record::of(payload));
}
// ---- for the engine

block_mark scheduler::block_leaves(pe_t to) {
  const auto& queue = inlined_.answers_[to];
  auto& state = state_of(to);
  if (queue.tail() == state.marked) return no_mark;
  state.marked = queue.tail();
  if (!state.segments) state.segments = std::make_unique<std::deque<segment>>();
  state.segments->push_back({queue.tail(), false});
  return state.first + state.segments->size() - 1;
}

// Blocks that left as spilled ones may have been overtaken.
void scheduler::block_is_home(pe_t from, block_mark mark) {
  auto& state = state_of(from);
  auto& segments = *state.segments;
  segments[mark - state.first].home = true;
  const bool known = state.ready != nullptr;
  for (; !segments.empty() && segments.front().home; ++state.first) {
    state.ready = segments.front().end;
    segments.pop_front();
  }
  if (!known && state.ready != nullptr) arrived_.push_back(from);
}

bool scheduler::pending() const {
  return closure_queues_ > 0 || any_local() || records_.any();
}

void scheduler::describe(transport::wait_details& details) const {
  if (pending()) details.add("bytes of deferred code", std::size_t{inlined_.chunks_} * chunk_bytes);
}

bool scheduler::ready() const {
  return !arrived_.empty() || any_local() || records_.ready() || (records_.any() && !inlined_.loads_.empty());
}

void scheduler::require_complete() {
  if (records_.uncommitted() || records_.opened_elsewhere())
    base::fatal("a quiet while a piece of deferred code has been opened but not committed");
  records_.adopt();
}

constexpr report_column columns[] = {
    {" deferred", 9, &counters::deferred},
    {" kept max", 9, &counters::deferred_bytes_max, true},
    {" helps", 6, &counters::deferred_helps},
};

constinit const room_type room_of_jobs{
    .begin = [](pgas::core& c, aggregation::engine& e) -> std::unique_ptr<room> {
      return std::make_unique<scheduler>(c, e);
    },
    .columns = columns,
};

scheduler& scheduler_of(const job& j) {
  return static_cast<scheduler&>(j.room_of(room_of_jobs));
}

} // namespace windrow::deferral
