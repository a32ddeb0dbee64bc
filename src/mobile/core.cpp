// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <string>

#include "aggregation/engine.hpp"
#include "base/fatal.hpp"
#include "base/fiber_local.hpp"
#include "mobile/all_workers.hpp"
#include "mobile/idle_balancing.hpp"
#include "mobile/load_history.hpp"
#include "mobile/meetings.hpp"
#include "mobile/traffic.hpp"
#include "pgas/core.hpp"
#include "pgas/owner_process.hpp"
#include "trace/recorder.hpp"
#include "windrow/detail/code_address.hpp"
#include "windrow/detail/object_core.hpp"
#include "windrow/detail/ticks.hpp"
#include "windrow/error.hpp"
#include "windrow/object_event.hpp"
#include "windrow/task.hpp"

namespace windrow::mobile {

namespace {

const base::fiber_local core_is_local([]() -> auto& { return core_of_thread; });
/// What has happened to an object. Lasts as long as what is returned.
trace::event event_of(const char* name, pe_t pe, object_id id, std::size_t bytes) {
  return {name, trace::category::object, nullptr, pe, id, bytes};
}

template <class T>
void append(std::vector<std::byte>& to, const T& value) {
  append_bytes(to, &value, sizeof value);
}

const base_link* all_bases = nullptr;

/// `object`, of the class `from`, as one of the class `to`; null if it is none.
void* as_base(void* object, const void* from, const void* to) {
  if (from == to) return object;
  for (const auto* b = all_bases; b != nullptr; b = b->next)
    if (b->derived == from)
      if (void* const found = as_base(b->cast(object), b->base, to)) return found;
  return nullptr;
}

} // namespace

base_link::base_link(const void* d, const void* b, void* (*c)(void*))
    : derived(d), base(b), cast(c), next(std::exchange(all_bases, this)) {}

void* base_in(cell& c, const void* tag) {
  void* const found = as_base(reinterpret_cast<std::byte*>(&c) + c.type->value, c.type->tag, tag);
  if (found == nullptr)
    base::fatal(
        fmt::format("a message or `local` takes an object of class {} for one of another class, which is "
                    "no base of that",
                    readable_name(c.type->name)));
  return found;
}

void append_bytes(std::vector<std::byte>& to, const void* from, std::size_t size) {
  const auto* const bytes = static_cast<const std::byte*>(from);
  to.insert(to.end(), bytes, bytes + size);
}

void require_same_bytes(std::size_t written, std::size_t read) {
  throw error(
      fmt::format("a mobile object or argument was written in {} bytes, and is read as {}: its serialize "
                  "does not read what it writes",
                  written, read));
}

void no_core() {
  base::fatal(
      "a mobile object is used on a thread that has no object_space: make one, and use objects on the PE's "
      "own "
      "thread");
}

void refuse_signal() {
  base::fatal(
      "an object_event is signalled more often than its send_after has said; give it the number of its "
      "signals");
}

void refuse_null_event() {
  base::fatal(
      "an object_event that is null is signalled: it was not made by send_after, or for 0 signals, and needs "
      "none");
}

void refuse_null() {
  base::fatal("a message is sent through a mobile_ptr that is null: make an object first");
}

/// What handlers have sent for somebody who waits leaves when they have run, though the block is not full:
/// its PE may be in a barrier and send no more.
class core::early_sender final : public aggregation::work_source {
 public:
  explicit early_sender(core& c) : core_(c), engine_(c.job_.engine()) { engine_.attach(*this); }
  ~early_sender() override {
    if (!pgas::in_forked_child()) engine_.detach(*this);
  }
  early_sender(const early_sender&) = delete;
  early_sender& operator=(const early_sender&) = delete;

  bool pending() const override { return false; }
  bool ready() const override { return false; }
  void run() override {}
  std::uint64_t started() const override { return 0; }
  void messages_handled() override {
    if (!core_.urgent_.load(std::memory_order_relaxed)) return;
    engine_.main_sender().send_early();
    const bool more = engine_.main_sender().any_open(); // without a shared block
    core_.urgent_.store(more, std::memory_order_relaxed);
  }
  void describe(transport::wait_details& details) const override {
    if (core_.waiting() > 0) details.add("messages that wait for objects", core_.waiting());
  }
  std::string list_waiting() const override { return core_.list_waiting(); }

 private:
  core& core_;
  aggregation::engine& engine_;
};

core::core(job& j, handlers where, std::size_t most_records)
    : job_(j),
      stats_(j.core().stats()),
      trace_(j.core().trace()),
      is_simulated_(is_simulated(j)),
      most_records_(most_records),
      meetings_(std::make_unique<meetings>()),
      all_workers_(where == handlers::on_all_workers ? std::make_unique<all_workers>() : nullptr),
      kind_(j, unit, receive, this),
      largest_(kind_.largest()),
      protocol_(*this, j.pe(), j.pes()),
      balanced_ns_(detail::clock_ns(j)),
      balanced_at_(now()),
      early_(std::make_unique<early_sender>(*this)),
      idle_balancing_(all_workers_ != nullptr ? std::make_unique<idle_balancing>(*this) : nullptr),
      outer_(core_of_thread) {
  if (outer_ != nullptr && &outer_->job_ == &j)
    base::fatal("object_space: this job has one already; its objects can be of any class");
  const bool idle = read_options(); // throws, so nobody knows this object before
  core_of_thread = this;
  const auto& own = *reinterpret_cast<const std::byte*>(&no_core);
  const auto code = code_of(&no_core);
  own_code_ = &own - code.offset;
  // Nobody may send before everybody can handle.
  const bool alike = j.world().min(code.file) == j.world().max(code.file);
  own_file_ = short_file_ = alike && all_workers_ == nullptr ? code.file : 0;
  begin_on_all_workers();
  if (idle) idle_balancing_->use(true);
}

core::~core() {
  const bool unwinding = std::uncaught_exceptions() > exceptions_;
  if (unwinding && idle_balancing_ != nullptr) idle_balancing_->use(false); // nothing is to be sent any more
  kind_.leave(unwinding);
  if (unwinding) fail_calls();
  end_on_all_workers(unwinding);
  core_of_thread = outer_;
  protocol_.for_each_object([](object_id, void* object) {
    auto* const c = static_cast<cell*>(object);
    c->type->destroy(c);
  });
}

object_id core::create(std::uint64_t serial, cell* c) {
  this_core(); // only threads that have objects make and visit some: where handlers run there is no lock
  const auto id = make_id(job_.pe(), serial);
  trace_made(id, *c);
  const guard locked(*this);
  c->id = id;
  protocol_.create(id, c);
  return id;
}

object_id core::id_of(const cell* c) const {
  const guard locked(*this);
  if (protocol_.find(c->id) != c)
    base::fatal(
        "pointer_to: this is no mobile object that is here, or a part of one; in a constructor or destructor "
        "it is not there, and of a class without virtual functions, pass it as what it was made");
  return c->id;
}

void core::trace_made(object_id id, const cell& c) const {
  const trace::span event(trace_, event_of("create", job_.pe(), id, c.type->bytes));
}

void core::migrate(object_id id, pe_t to) {
  if (to < 0 || to >= job_.pes()) job_.core().map().bad_access(to, 0, 0, "migrate");
  const auto pe = static_cast<std::uint64_t>(to);
  send(id, what::migrate, sizeof pe, [=](std::byte* place) { std::memcpy(place, &pe, sizeof pe); });
}

std::vector<object_id> core::ids() const {
  this_core();
  std::vector<object_id> result;
  const guard locked(*this);
  protocol_.for_each_object([&](object_id id, void*) { result.push_back(id); });
  if (!std::ranges::is_sorted(result)) std::ranges::sort(result); // those that were made here come in order
  return result;
}

void core::destroy(std::span<const object_id> ids) {
  const guard locked(*this);
  for (const auto id : ids) end_object(id);
}

// In a process that the PE has forked, too, the job is closed.
void core::end_collection(std::size_t number) {
  if (job_.map().bytes == 0) return;
  barrier();
  const auto all = std::exchange(collections_[number], nullptr); // whose ends nobody need know any more
  auto mine = ids();
  std::erase_if(mine, [&](object_id id) { return all->index(id) == index_set::none; });
  destroy(mine);
  while (!collections_.empty() && collections_.back() == nullptr) collections_.pop_back(); // all are searched
  barrier();
}

void core::end_object(object_id id) {
  auto* const c = static_cast<cell*>(protocol_.find(id));
  const trace::span event(trace_, event_of("destroy", job_.pe(), id, c->type->bytes));
  note_end(id);
  if (history_ != nullptr) history_->take(id);
  protocol_.destroy(id);
  const unguarded meanwhile(*this);
  c->type->destroy(c);
}

// An object that is held for a meeting which has not begun is not: that waits for the visit.
bool core::is_in_use(object_id id) const {
  return meetings_->begun.contains(id) || (all_workers_ != nullptr && all_workers_->turn.is_busy(id));
}

cell* core::begin_visit(object_id id, bool& lets_go) {
  require_program("a visit to objects (for_each_local, reduce)");
  ++visits_;
  for (;;) {
    {
      const guard locked(*this);
      auto* const c = static_cast<cell*>(protocol_.find(id));
      if (c == nullptr) return nullptr;
      if (!protocol_.is_held(id)) protocol_.hold(id), lets_go = true;
      if (!is_in_use(id)) {
        if (meetings_->held.contains(id)) ++meetings_->visited[id];
        if (!lets_go) ++further_visits_[id].count;
        return c;
      }
    }
    wait_until([&] { // for its handlers, its meeting, its move or end
      const guard locked(*this);
      return !is_in_use(id);
    });
  }
}

void core::end_visit(object_id id, bool was_here, bool lets_go) {
  --visits_;
  if (!was_here) return;
  const guard locked(*this);
  if (const auto others = further_visits_.find(id); others != further_visits_.end()) {
    if (lets_go)
      lets_go = false, others->second.first_is_over = true;
    else if (--others->second.count == 0)
      lets_go = further_visits_.extract(others).mapped().first_is_over;
  }
  if (lets_go) protocol_.let_go(id);
  end_visit_before_meeting(id);
}

// ---- sending

void core::send_in_fragments(pe_t to, std::span<const std::byte> item) {
  detail::send_fragments(kind_, unit, large_items_.fetch_add(1, std::memory_order_relaxed),
                         static_cast<std::size_t>(to), item.data(), item.size());
}

void core::send_message(pe_t to, const message_head& head, std::span<const std::byte> body) {
  const unguarded meanwhile(*this);
  hurry();
  if (to != job_.pe()) ++stats_.object_forwards;
  put(to, head, body.size(), [=](std::byte* place) {
    if (!body.empty()) std::memcpy(place, body.data(), body.size());
  });
}

void core::send_news(pe_t to, const news& n) {
  const unguarded meanwhile(*this);
  hurry();
  put(to, {n.id, 0, n.version, n.where, 0, static_cast<std::uint16_t>(what::news)}, 0, [](std::byte*) {});
}

// The type, the busy time, what its load was, who sends to it, uses that wait, then the object itself. The
// head has the number of senders.
void core::send_object(pe_t to, const passage& p, void* object) {
  const auto rates = history_ != nullptr ? history_->take(p.id) : std::vector<double>();
  const auto along = all_workers_ != nullptr ? std::exchange(all_workers_->leaving, {}) : uses();
  const unguarded meanwhile(*this);
  auto* const c = static_cast<cell*>(object);
  const trace::span event(trace_, event_of("move", to, p.id, c->type->bytes));
  std::vector<std::byte> body;
  append(body, c->type->listed->portable);
  append(body, c->busy);
  append(body, std::uint64_t{rates.size()});
  for (const auto rate : rates) append(body, rate);
  for (const auto& s : p.senders) {
    append(body, s.sender);
    append(body, s.next);
  }
  append_uses(body, along);
  const auto size_at = body.size();
  append(body, std::uint64_t{0});
  try {
    c->type->save(*c, body);
  } catch (...) { // who wants the move may be anywhere
    end_by_exception(p.id, c->type->name, "serialize");
  }
  const std::uint64_t size = body.size() - size_at - sizeof size;
  std::memcpy(body.data() + size_at, &size, sizeof size);
  body.resize(detail::round_up<std::size_t>(body.size(), unit));
  if (idle_balancing_ != nullptr) idle_balancing_->note_bytes(*c->type, size);
  c->type->destroy(c);
  moved_bytes_ += size;
  ++stats_.object_moves;
  stats_.object_bytes_moved += size;
  hurry();
  const message_head head{
      p.id,      static_cast<std::uint32_t>(p.senders.size()),  p.version,
      job_.pe(), static_cast<std::uint16_t>(p.is_held ? 1 : 0), static_cast<std::uint16_t>(what::object)};
  put(to, head, body.size(), [&](std::byte* place) { std::memcpy(place, body.data(), body.size()); });
}

void core::reply_failure(pe_t to, std::uint64_t taker, const std::string& sentence) {
  hurry();
  const auto size = static_cast<std::uint32_t>(sentence.size());
  put(to, {taker, size, 0, 0, 0, static_cast<std::uint16_t>(what::failure)},
      detail::round_up<std::size_t>(size, unit),
      [&](std::byte* place) { std::memcpy(place, sentence.data(), size); });
}

// ---- receiving

// hot: about 40 instructions for each message, without what its function does.
void core::receive(aggregation::run_header& run, const aggregation::work& w, void* self) noexcept {
  auto& c = *static_cast<core*>(self);
  const auto from = w.from;
  const auto* const code = c.own_code_;
  std::byte* at = run.items();
  const std::byte* const end = at + std::size_t{run.count} * unit;
  const bool is_usual = c.trace_ == nullptr && c.all_workers_ == nullptr && !c.is_simulated_ &&
                        c.traffic_ == nullptr; // all else takes the other way
  const auto usual = is_usual ? long_flag : 0;
  std::uint64_t handled = 0;
  auto since = c.now();
  try {
    while (at != end) {
      const auto bytes = get<std::uint32_t>(at, offsetof(short_head, bytes));
      if (bytes < usual) [[likely]] {
        void* const object = c.protocol_.admit(get<object_id>(at, offsetof(short_head, id)), from,
                                               get<std::uint32_t>(at, offsetof(short_head, number)));
        if (object != nullptr) [[likely]] {
          const auto call = reinterpret_cast<message_function>(reinterpret_cast<std::uintptr_t>(
              code + get<std::uint32_t>(at, offsetof(short_head, function))));
          at += call(*static_cast<cell*>(object), at + sizeof(short_head)) - at;
          const auto now = detail::ticks();
          static_cast<cell*>(object)->busy += now - since;
          since = now;
          ++handled;
          continue;
        }
      }
      c.since_ = since;
      c.take(at, from);
      since = c.now(); // moves and ends of objects are the load of none
      at += unit + detail::round_up<std::size_t>(bytes & ~(long_flag | detail::fragment_flag), unit);
    }
  } catch (...) { // of a handler that was called here: of others, `run_handler` has caught it
    const mobile::code function{get<std::uint32_t>(at, offsetof(short_head, function)), c.own_file_};
    c.end_by_exception(get<object_id>(at, offsetof(short_head, id)), name_of_handler(function.portable()));
  }
  c.stats_.object_messages += handled;
}

// What is not handled at once gets a whole head. Its function takes the place of the numbers then, in front
// of the arguments.
void core::take(std::byte* item, pe_t from) {
  short_head head;
  std::memcpy(&head, item, sizeof head);
  if ((head.bytes & detail::fragment_flag) != 0) {
    const auto bytes = head.bytes & ~detail::fragment_flag;
    if (const auto whole = assembly_.add(from, item + unit, bytes))
      take_whole(whole->content.get(), whole->bytes);
    return;
  }
  if ((head.bytes & long_flag) != 0) return take_whole(item + unit, head.bytes & ~long_flag);
  const code function{head.function, own_file_};
  std::byte* const body = item + offsetof(short_head, number);
  std::memcpy(body, &function, sizeof function);
  take_message({head.id, head.number, head.version, from, 0, static_cast<std::uint16_t>(what::message)},
               {body, item + unit + head.bytes});
}

void core::take_message(const message_head& head, std::span<const std::byte> body) {
  const guard locked(*this);
  const auto before = protocol_.waiting();
  protocol_.message(head, body);
  if (protocol_.waiting() > before) ++stats_.object_parks;
}

void core::take_whole(const std::byte* item, std::size_t bytes) {
  message_head head;
  std::memcpy(&head, item, sizeof head);
  const std::span body(item + sizeof head, bytes - sizeof head);
  switch (what_of(head)) {
    case what::message:
    case what::call:
    case what::migrate:
    case what::destroy:
    case what::collect:
      return take_message(head, body);
    case what::gather:
      return take_gather(head.id, head.sender);
    case what::all_held:
      return take_all_held(body);
    case what::finished:
      return take_finished(body);
    case what::object:
      return take_object(head, body);
    case what::balancing:
      return take_balancing(head, body);
    case what::news: {
      const guard locked(*this);
      return protocol_.hear({head.id, head.sender, head.version});
    }
    case what::idle:
      return take_idle(head.id);
    case what::ask:
    case what::offer:
    case what::take:
    case what::given:
      return idle_balancing_->take(what_of(head), head.sender);
    case what::reply:
      return take_reply(*reinterpret_cast<reply_taker*>(head.id), body);
    case what::failure: {
      const std::string sentence(reinterpret_cast<const char*>(body.data()), head.number);
      return take_reply(*reinterpret_cast<reply_taker*>(head.id), {},
                        std::make_exception_ptr(error(sentence)));
    }
  }
}

void core::take_object(const message_head& head, std::span<const std::byte> body) {
  const auto* at = body.data();
  const auto& type = *static_cast<const object_type*>(here(unpack<std::uint64_t>(at)).here);
  const auto busy = unpack<std::uint64_t>(at);
  std::vector<double> rates(unpack<std::uint64_t>(at));
  for (auto& rate : rates) rate = unpack<double>(at);
  passage p{head.id, head.version, std::vector<sender_state>(head.number), head.hops != 0};
  for (auto& s : p.senders) {
    std::memcpy(&s.sender, at, sizeof s.sender);
    std::memcpy(&s.next, at + sizeof s.sender, sizeof s.next);
    at += sizeof s.sender + sizeof s.next;
  }
  auto along = unpack_uses(at);
  const auto size = unpack<std::uint64_t>(at);
  try {
    const trace::span event(trace_, event_of("arrive", head.sender, head.id, size));
    auto* const c = type.load({at, size});
    since_ = now(); // of what has waited for it
    c->busy = busy;
    if (idle_balancing_ != nullptr) idle_balancing_->note_bytes(type, size);
    const guard locked(*this);
    if (history_ != nullptr) history_->put(head.id, std::move(rates));
    take_uses(head.id, c, std::move(along));
    const bool meets = p.is_held;
    c->id = head.id;
    protocol_.arrived(std::move(p), c);
    if (meets) take_seat(head.id);
  } catch (...) { // of the user's code only the loading can throw here
    end_by_exception(head.id, type.name, "serialize");
  }
}

void core::expect(reply_taker& taker, object_id id, const listed_handler& handler) {
  taker.object = id;
  taker.handler = &handler;
  bool fails = false;
  {
    const guard locked(*this);
    taker.next = std::exchange(expected_, &taker);
    if (taker.next != nullptr) taker.next->previous = &taker;
    fails = gives_no_replies_;
  }
  if (fails) fail_call(taker);
}

// No reply comes any more, and who waits for one may be what `end_on_all_workers` and the end of the job wait
// for.
void core::fail_calls() {
  const auto next = [this] {
    const guard locked(*this);
    gives_no_replies_ = true;
    return expected_;
  };
  while (auto* const waiting = next()) fail_call(*waiting);
}

void core::fail_call(reply_taker& taker) {
  take_reply(taker, {},
             std::make_exception_ptr(
                 error("object_space: an exception has ended it before the result of a call was here")));
}

void core::take_reply(reply_taker& taker, std::span<const std::byte> result, std::exception_ptr failure) {
  {
    const guard locked(*this);
    (taker.previous == nullptr ? expected_ : taker.previous->next) = taker.next;
    if (taker.next != nullptr) taker.next->previous = taker.previous;
  }
  taker.take(taker, result, std::move(failure));
}

core::address& core::here(std::uint64_t portable) {
  auto& last = addresses_[(portable >> 4) % addresses_.size()];
  if (last.portable != portable) [[unlikely]]
    last = {portable, const_cast<void*>(aggregation::local_address(portable))};
  return last;
}

const core::address& core::handler_at(std::uint64_t portable) {
  auto& at = here(portable);
  if (at.name == nullptr) at.name = name_of_handler(portable);
  return at;
}

void core::handle(void* object, const message_head& head, std::span<const std::byte> body) {
  if (all_workers_ != nullptr) return take_turns(object, head, body);
  auto* const c = static_cast<cell*>(object);
  const auto* at = body.data();
  if (is_act(head)) return carry_out(head.id, act_of(head, body));
  const auto function = handler_at(unpack<std::uint64_t>(at));
  ++stats_.object_messages;
  run_traced(*c, head, function, {at, body.data() + body.size()});
  count_time(*c);
}

// Runs a handler that may run now.
void core::run_traced(cell& c, const message_head& head, const address& function,
                      std::span<const std::byte> arguments) {
  try {
    if (trace_ == nullptr) return run_handler(c, head, function, arguments.data());
    const trace::span event(trace_, event_of(function.name, head.sender, head.id, arguments.size()));
    run_handler(c, head, function, arguments.data());
  } catch (...) { // who has sent the message may be anywhere
    end_by_exception(head.id, function.name);
  }
}

void core::run_handler(cell& c, const message_head& head, const address& function,
                       const std::byte* arguments) {
  const acting now(*this, head.id);
  if (what_of(head) != what::call) {
    reinterpret_cast<message_function>(function.here)(c, arguments);
    return;
  }
  const auto taker = unpack<std::uint64_t>(arguments);
  try {
    reinterpret_cast<call_function>(function.here)(*this, c, arguments, head.sender, taker);
  } catch (...) { // somebody waits for the result, who can do something about it
    reply_failure(head.sender, taker,
                  sentence_on_exception(head.id, c.type->name, handler_text(function.name)));
  }
}

bool core::is_act(const message_head& head) {
  const auto kind = what_of(head);
  return kind == what::migrate || kind == what::destroy || kind == what::collect;
}

core::act core::act_of(const message_head& head, std::span<const std::byte> body) {
  const auto* at = body.data();
  const auto kind = what_of(head);
  if (kind == what::collect) return {kind, nowhere, {body.begin(), body.end()}};
  return {kind, kind == what::migrate ? static_cast<pe_t>(unpack<std::uint64_t>(at)) : nowhere, {}};
}

void core::carry_out(object_id id, const act& a) {
  if (a.kind == what::destroy) return end_object(id);
  if (a.kind == what::collect) return hold_for_meeting(id, a.meeting);
  protocol_.move(id, a.to);
}

// ---- collective

void core::barrier() {
  require_program("barrier");
  kind_.quiesce();
  const staying until_all_leave(*this); // then all PEs begin with the objects that they have now
  begin_to_count();
  // Before the first collective: who has left it goes on, and what it sends next may wait here, rightly.
  const auto lost = messages_without_object();
  constexpr std::uint64_t changed = std::uint64_t{1} << 63, past = std::uint64_t{1} << 62;
  const auto records = protocol_.records() | (protocol_.is_mostly_past() ? past : 0);
  auto most = job_.world().max(records | (changes_.empty() ? 0 : changed));
  if (most >= changed) {
    agree_on_indices();
    most = job_.world().max(records);
  }
  if (!lost.empty()) base::fatal("barrier: what was sent to objects waits for ever: " + lost);
  if (most < past && most <= most_records_) return;
  {
    const guard locked(*this);
    protocol_.forget();
  }
  job_.barrier();
}

} // namespace windrow::mobile
