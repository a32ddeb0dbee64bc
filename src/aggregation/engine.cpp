// SPDX-License-Identifier: BSD-3-Clause
#include "aggregation/engine.hpp"

#include <algorithm>
#include <functional>
#include <optional>

#include "base/options.hpp"
#include "pgas/atomics_gate.hpp"
#include "pgas/team_state.hpp"

namespace windrow::aggregation {

namespace {

// Allocations of a PE alone up to which an update that waits for its cache line is cheaper than a message.
constexpr std::size_t cached_memory = std::size_t{4} << 20;

// For messages whose handler is gone.
void drop(run_header&, const work&, void*) {}

std::vector<std::unique_ptr<sender>> make_senders(engine& e, int count) {
  const auto most_open = std::max(1U, e.pool().size() / 2 / static_cast<std::uint32_t>(count));
  std::vector<std::unique_ptr<sender>> all;
  all.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i)
    all.push_back(std::make_unique<sender>(e, i == 0 ? sender_of::pe : sender_of::worker, i, most_open));
  return all;
}

} // namespace

engine::engine(pgas::core& c, int senders)
    : core_(c),
      link_(c.link()),
      kinds_(senders, c.pes()),
      pool_(c, senders > 1),
      senders_(make_senders(*this, senders)),
      main_(*senders_.front()),
      program_threads_(*this),
      outer_lanes_(lanes_of_thread),
      outer_row_(row_of_thread),
      loads_directly_(base::flag_option("WINDROW_DIRECT_LOADS", true) && c.latency() == nullptr &&
                      c.remote_hosts() == nullptr),
      updates_directly_(base::flag_option("WINDROW_DIRECT_UPDATES", true)) {
  lanes_of_thread = &items();
  row_of_thread = kinds_.row_of(0);
  core_.set_progress(this);
  measure_reach();
}

engine::~engine() {
  core_.set_progress(nullptr);
  if (lanes_of_thread != &items()) return;
  lanes_of_thread = outer_lanes_;
  row_of_thread = outer_row_;
}

sender& engine::begin_thread(int number) {
  sender& s = *senders_[static_cast<std::size_t>(number)];
  s.work_again();
  lanes_of_thread = &s.items();
  row_of_thread = kinds_.row_of(number);
  return s;
}

sender* engine::sender_of_thread() {
  const auto mine = std::ranges::find_if(
      senders_, [](const std::unique_ptr<sender>& s) { return &s->items() == lanes_of_thread; });
  return mine == senders_.end() ? nullptr : mine->get();
}

counters engine::stats() const {
  auto all = core_.map().stats;
  each_sender([&](const sender& s) { s.add_to(all); });
  return all;
}

bool engine::may_update_at_once() const {
  return updates_directly_ && core_.pes() == 1 && senders_.size() == 1 && !link_.takes_turns();
}

bool engine::updates_at_once() const {
  return may_update_at_once() && !core_.map().keep_announced &&
         core_.symmetric_heap().in_use() <= cached_memory;
}

// What is carried out at once must not overtake what is under way.
void engine::choose_route() {
  if (!may_update_at_once()) return;
  const bool begins = updates_at_once() && items().own_segment() == nullptr;
  if (!begins || (owes_nothing() && is_idle())) main_.measure_reach();
}

void engine::measure_reach() {
  each_sender([](sender& s) { s.measure_reach(); });
}

void engine::close() {
  each_sender([](sender& s) { s.close(); });
}

void engine::close_in_child() {
  each_sender([](sender& s) {
    s.detach();
    s.close_in_child();
  });
}

void engine::remove_kind(kind_id kind) {
  close_kind(kind);
  kinds_.remove(kind);
}

void engine::close_kind(kind_id kind) {
  main_.close_kind(kind);
  auto& entry = kinds_.at(kind).entry;
  entry = {.apply = drop, .item_bytes = entry.item_bytes};
}

// ---- receiving

void engine::serve_inbox() {
  const pgas::permission as_pe;
  progress();
  for (auto* s : sources_) s->inbox_served();
}

bool engine::progress() {
  if (core_.in_handler()) return false;
  bool any = pool_.spilled() > 0 && drain_spill();
  // A bounded number per call, so that a flood from others cannot keep this PE from its own work for ever.
  for (auto left = link_.pool_size(); left > 0; --left) {
    auto* arrived = link_.receive();
    if (arrived == nullptr) break;
    if (arrived->home != 0)
      come_home(arrived);
    else if (held_.empty() && !must_hold_back())
      handle(arrived);
    else
      held_.push_back(arrived);
    any = true;
  }
  if ((holds_back_ || !held_.empty()) && handle_held(link_.pool_size())) any = true;
  if (any)
    for (auto* s : sources_) s->messages_handled();
  if ((runs_sources_ > 0 || core_.lets_tasks_run()) && run_sources_early()) any = true;
  // While this PE has nothing to do but to wait for the end, what its handlers sent need not wait for
  // company: chains of messages go from PE to PE at the speed of single ones.
  if (!sends_early() || (any && !is_time_to_send())) return any;
  return main_.send_early() || any;
}

// Where something arrives all the time, that may end only when others get what this PE has stored.
bool engine::is_time_to_send() {
  constexpr std::uint64_t between_ns = 1'000'000;
  const auto now_ns = link_.now_ns();
  if (now_ns < time_to_send_ns_) return false;
  time_to_send_ns_ = now_ns + between_ns;
  return true;
}

bool engine::has_work() {
  return core_.map().now() == detail::running::program &&
         std::ranges::any_of(sources_, [this](work_source* s) {
           return goes_on(*s) || (core_.lets_tasks_run() && s->can_help());
         });
}

bool engine::run_sources_early() {
  if (core_.map().now() != detail::running::program) return false;
  bool any = false;
  for (auto* s : sources_) {
    const bool goes = goes_on(*s);
    if (!goes && !(core_.lets_tasks_run() && s->can_help())) continue;
    const auto sent = std::exchange(sends_early_, 0), ran = std::exchange(runs_sources_, 0);
    const bool let = core_.let_tasks_run(false);
    goes ? s->run() : s->help();
    core_.let_tasks_run(let);
    sends_early_ += sent;
    runs_sources_ += ran;
    any = true;
  }
  return any;
}

bool engine::progress_of_waiting() {
  if (several_threads()) {
    const waiting_thread meanwhile(*this);
    return core_.progress();
  }
  const waiting meanwhile(*this, true);
  return core_.progress();
}

// While much of what handlers have sent cannot leave, what arrives waits where it is: its senders run out of
// blocks then, and hold back in turn, or wait. README.md says why somebody always goes on.
bool engine::must_hold_back() {
  if (!pool_.spills_much() && !holds_back_) return false;
  if (pool_.spills_much()) drain_spill(); // nobody works on blocks that have come home
  const bool holds = pool_.spills_much() && another_works_on_ours();
  if (holds == holds_back_) return holds;
  holds_back_ = holds;
  core_.host().control(core_.pe()).holds_back.store(holds ? 1 : 0, std::memory_order_seq_cst);
  for (pe_t pe = 0; holds && pe < core_.pes(); ++pe) // those may count on this one
    if (pe != core_.pe() && !core_.map().is_on_other_host(pe)) link_.ring(pe);
  return holds;
}

// Those on other hosts cannot be seen.
bool engine::another_works_on_ours() const {
  for (pe_t pe = 0; pe < core_.pes(); ++pe)
    if (pe != core_.pe() && pool_.has_out_at(pe) && !core_.map().is_on_other_host(pe) &&
        core_.host().control(pe).holds_back.load(std::memory_order_seq_cst) == 0)
      return true;
  return false;
}

bool engine::handle_held(std::uint32_t most) {
  bool any = false;
  for (; most > 0 && !must_hold_back() && !held_.empty(); --most) {
    auto* const oldest = held_.front();
    held_.pop_front();
    handle(oldest);
    any = true;
  }
  return any;
}

bool engine::drain_spill() {
  free_some();
  return pool_.drain_spill();
}

void engine::free_some() {
  if (core_.has_threads() && pool_.out() == 0) program_threads_.flush();
}

template <class Visit>
void for_each_run(transport::block* b, Visit visit) {
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
  const auto now_ns = std::max(link_.now_ns(), b->sent_ns); // clocks of processors may differ by a little
  stats.inbox_age_max_ns = std::max(stats.inbox_age_max_ns, now_ns - b->sent_ns);
  auto* segment = core_.map().segment(core_.pe());
  const auto interrupted = core_.map().begin(detail::running::handler);
  auto* const sender_before = std::exchange(sender_of_program_thread, &main_);
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
    if (is_user_defined(run.kind))
      kinds_.at(run.kind).handled[static_cast<std::size_t>(b->source)] += run.count;
  });
  applying.reset();
  sender_of_program_thread = sender_before;
  core_.map().begin(interrupted);
  if (b->source == core_.pe())
    come_home(b);
  else
    link_.send_home(b);
}

void engine::come_home(transport::block* b) {
  if (const auto* const notes = pool_.notes_of(b); notes != nullptr)
    for_each_run(b, [&](run_header& run) {
      const auto deliver = entry(run.kind).deliver;
      if (deliver != nullptr) deliver(run, notes + (run.items() - b->payload()));
    });
  const auto mark = pool_.mark_of(b);
  if (mark != no_mark) replies_->block_is_home(b->target, mark);
  pool_.come_home(b).block_is_home();
  if (waiting_threads_.load(std::memory_order_seq_cst) > 0) threads_->wake();
  if (core_.has_threads()) link_.ring(core_.pe()); // another thread may wait for this block
}

// ---- completion

// What is home is read first: if then as many have begun, those were home when the reading ended, and no
// other one had begun by then.
bool engine::all_home() const {
  std::uint64_t home = 0, begun = 0;
  each_sender([&](const sender& s) { home += s.home(); });
  each_sender([&](const sender& s) { begun += s.begun(); });
  return home == begun;
}

std::uint64_t engine::ask_senders() {
  const auto newest = request();
  return all_have_flushed(newest + 1) ? newest : request_.fetch_add(1, std::memory_order_seq_cst) + 1;
}

bool engine::all_have_flushed(std::uint64_t request) const {
  return std::all_of(senders_.begin() + 1, senders_.end(),
                     [=](const std::unique_ptr<sender>& s) { return s->has_flushed(request); });
}

bool engine::is_complete(std::uint64_t request) const {
  return is_idle() && all_have_flushed(request) && all_home();
}

// Something has been stored that may stay where it is unless it is asked for.
bool engine::has_more_to_send(std::uint64_t request) const {
  if (main_is_home() && main_.any_open()) return true;
  bool program_threads_have = false;
  program_threads_.each([&](const sender& s) { program_threads_have |= s.open() > 0; });
  if (program_threads_have) return true;
  return is_idle() && all_have_flushed(request) &&
         std::any_of(senders_.begin() + 1, senders_.end(),
                     [](const std::unique_ptr<sender>& s) { return s->open() > 0; });
}

// Handlers start tasks and defer work, and these send: neither is complete while the other goes on. What
// handlers have sent meanwhile leaves whenever there is nothing else to do. Tasks that have ended since the
// senders were asked may have stored something since they answered, so it takes a round without any.
void engine::complete_own(pgas::wait_reason what) {
  if (!pgas::may_use_job() && !core_.any_thread())
    if (auto* const of_task = sender_of_thread()) return of_task->complete(what);
  core_.require_may_wait(what);
  for (auto* s : sources_) s->require_complete();
  for (bool complete = false; !complete;) {
    const bool idle = is_idle();
    const auto before = started_by_sources();
    main_.send_all();
    program_threads_.flush();
    const auto request = ask_senders();
    { // where all is complete, too: a program may do so again and again until a handler has run
      const waiting meanwhile(*this, false);
      core_.wait(what, [&] { return is_ready() || is_complete(request) || has_more_to_send(request); });
    }
    run_ready();
    complete = idle && is_complete(request) && started_by_sources() == before;
  }
  main_.flush();
  core_.map().complete();
  choose_route();
}

// What runs on the PE's own thread says nothing of a task on another one.
bool engine::may_wait_here() const {
  if (pgas::may_use_job() || core_.any_thread() || threads_ == nullptr) return core_.runs_program();
  return !threads_->keeps_handler();
}

bool engine::complete_own_until(std::uint64_t due_ns) {
  const waiting meanwhile(*this, false);
  main_.send_all();
  for (int spins = core_.shares_processors() ? 0 : 1000; !all_home();) {
    if (link_.now_ns() >= due_ns) return false;
    if (main_is_home()) main_.send_all();
    if (core_.progress() || all_home()) continue;
    if (spins-- > 0)
      os::pause();
    else
      link_.sleep_until(due_ns);
  }
  main_.flush();
  return true;
}

void engine::run_ready() {
  for (auto* s : sources_)
    if (s->ready()) s->run();
}

bool engine::await_reply(const work_source& s, pgas::wait_reason reason) {
  if (main_is_home()) main_.send_all();
  if (main_is_home()) return false;
  core_.wait(reason, [&] { return s.ready() || main_is_home(); });
  return true;
}

// README.md proves that two rounds with the same total mean that nothing is under way anywhere.
void engine::quiesce(const team& members, pgas::wait_reason what) {
  core_.require_may_wait(what); // also where `complete_own` would do with less
  pgas::withdraw_atomics(core_.map());
  main_.begin_phase();
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
  const auto& pes = members.member("drain").members();
  for (std::uint64_t handled = ~std::uint64_t{0};;) {
    core_.progress(); // a member alone does not wait for sums
    main_.send_all(); // so that what has been stored counts as sent
    core_.wait(what, [this, request = ask_senders()] { return all_have_flushed(request); });
    std::uint64_t sums[] = {kinds_.sent(kind, pes), kinds_.handled(kind, pes)};
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

std::uint64_t engine::started_by_sources() const {
  std::uint64_t all = 0;
  for (const auto* s : sources_) all += s->started();
  return all;
}

std::uint64_t engine::started() const {
  auto all = started_by_sources();
  each_sender([&](sender& s) { all += s.items_sent(); });
  return all;
}

void engine::describe(transport::wait_details& details) const {
  std::uint32_t open = 0;
  each_sender([&](const sender& s) { open += s.open(); });
  details.add("lanes open", open);
  details.add("spilled blocks", pool_.spilled());
  details.add("blocks in flight", pool_.out(), pool_.out() > 0 ? pool_.holder_of_most() : -1);
  for (const auto* s : sources_) s->describe(details);
}

std::string engine::list_waiting() const {
  std::string lines;
  for (const auto* s : sources_) lines += s->list_waiting();
  return lines;
}

} // namespace windrow::aggregation
