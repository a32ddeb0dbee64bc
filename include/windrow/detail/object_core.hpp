// SPDX-License-Identifier: BSD-3-Clause
// What an object_space is made of: the protocol of mobile objects on the aggregation engine.
// src/mobile/README.md describes it.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "windrow/balance.hpp"
#include "windrow/detail/code_address.hpp"
#include "windrow/detail/inline.hpp"
#include "windrow/detail/message_kind.hpp"
#include "windrow/detail/mobile_protocol.hpp"
#include "windrow/detail/object_bytes.hpp"
#include "windrow/detail/object_indices.hpp"
#include "windrow/detail/ticks.hpp"
#include "windrow/detail/variable_items.hpp"
#include "windrow/job.hpp"
#include "windrow/simulation.hpp"

namespace windrow {

namespace trace {
class recorder;
}

/// What a balancing has done.
struct balance_report {
  double before = 1, after = 1; ///< the heaviest PE's load by the mean
  std::size_t objects = 0;
  std::size_t moved = 0;
  std::uint64_t bytes = 0; ///< of those
  double seconds = 0;
  /// Bytes that objects have sent to objects of other PEs since the last balancing, and would have sent from
  /// their new places; 0 where they are not counted.
  double between_pes_before = 0, between_pes_after = 0;
};

/// Where the handlers of mobile objects run.
enum class handlers : std::uint8_t { on_own_thread, on_all_workers };

namespace mobile {

struct cell;
struct object_type;

/// A class of objects, in a list of all that the program has.
struct listed_type {
  explicit listed_type(const object_type& t);

  const object_type& type;
  std::uint64_t portable; ///< the address of `type`, for all PEs
  const listed_type* next;
};

/// What is done with objects of one class.
struct object_type {
  void (*save)(const cell&, std::vector<std::byte>& to);
  cell* (*load)(std::span<const std::byte>);
  void (*destroy)(cell*);
  double (*load_of)(const cell&);
  std::size_t bytes; ///< of the object itself
  std::size_t value; ///< where it begins in its cell
  const void* tag;   ///< of the class
  const listed_type* listed;
  const char* name; ///< the compiler's
  bool tells_load;  ///< by a function of the class; else it is measured
};

/// For messages to the user.
std::string readable_name(const char* type);

/// Its address names the class.
template <class T>
inline constexpr char class_tag = 0;

/// A conversion of pointers that the program has somewhere, in a list of all.
struct base_link {
  base_link(const void* derived, const void* base, void* (*cast)(void*));

  const void* derived; ///< tags
  const void* base;
  void* (*cast)(void*);
  const base_link* next;
};

/// The part of an object that is of the class with this tag, a base. Ends the job if it has none.
void* base_in(cell&, const void* tag);

/// An object that is here; its value lies behind.
struct cell {
  const object_type* type;
  std::uint64_t busy = 0; ///< time spent in its handlers since the last balancing: ticks, or ns
  object_id id = 0;       ///< when it is here
};

/// Where objects of a class begin in their cells.
template <class T>
inline constexpr std::size_t place_in_cell = (sizeof(cell) + alignof(T) - 1) / alignof(T) * alignof(T);
/// Of a class by the compiler's name; 0 if no object is of that class.
std::size_t place_in_cell_of(const char* name);

/// What functions that messages call look like, with the object's type already known. They give the end of
/// the arguments.
using message_function = const std::byte* (*)(cell&, const std::byte* arguments);
class core;
/// What functions of meetings look like: with the objects in the order in which they were named.
using meeting_function = void (*)(std::span<cell* const>, const std::byte* arguments);
using call_function = void (*)(core&, cell&, const std::byte* arguments, pe_t sender, std::uint64_t taker);

/// A function's portable address (code_address.hpp) in its two halves: where it is in a file of code, and
/// which.
struct code {
  std::uint32_t offset;
  std::uint32_t file;
  std::uint64_t portable() const { return std::uint64_t{file} << 32 | offset; }
};
template <class Function>
code code_of(Function* f) {
  const auto portable = aggregation::portable_address(reinterpret_cast<const void*>(f));
  return {static_cast<std::uint32_t>(portable), static_cast<std::uint32_t>(portable >> 32)};
}

/// A member function as the handler of messages, in a list of all that the program has.
struct listed_handler {
  /// The name of the function is in `text`, which is the compiler's.
  listed_handler(code where, const char* text);

  code where;
  std::string name;
  const listed_handler* next;
};
/// Lasts as long as the program. "a handler" if the program has none there.
const char* name_of_handler(std::uint64_t portable);
template <auto Function>
constexpr const char* text_with_name() {
  return __PRETTY_FUNCTION__;
}

/// Somebody who waits for a result.
struct reply_taker {
  /// `failure`: an exception in place of the result; null: there is none.
  void (*take)(reply_taker&, std::span<const std::byte> result, std::exception_ptr failure);
  object_id object = 0; ///< that was called
  const listed_handler* handler = nullptr;
  reply_taker *next = nullptr, *previous = nullptr; ///< others of this PE that wait
};

enum class what : std::uint16_t {
  message,
  call,
  migrate,
  destroy,
  object,
  news,
  reply,
  balancing,
  failure,
  idle,     ///< sent by a PE to itself: the handlers that ran on the object have ended
  collect,  ///< of a multicast: holds the object where it is
  gather,   ///< of a multicast: moves the held object to where the function runs
  all_held, ///< of a multicast, to where its function runs: all its objects are held
  finished, ///< of a multicast, sent by a PE to itself: the function has run
  ask,      ///< of a PE that is idle: is to be told when handlers wait
  offer,    ///< to that PE: some wait
  take,     ///< of that PE, which is idle still: is to get objects whose handlers wait
  given,    ///< to that PE: it gets some, and may take again
};
/// Beside it, of messages and calls: the function changes nothing.
inline constexpr std::uint16_t shares_object = 1 << 8;
inline what what_of(const message_head& head) {
  return static_cast<what>(head.what & ~shares_object);
}

class core {
 public:
  core(job&, handlers where, std::size_t most_records);
  ~core();
  core(const core&) = delete;
  core& operator=(const core&) = delete;

  /// So many numbers of objects, the first of which is the result.
  std::uint64_t reserve(std::uint64_t count) {
    const guard locked(*this);
    return std::exchange(next_serial_, next_serial_ + count);
  }
  /// Of an object that is made here with that number.
  object_id id_of(std::uint64_t serial) const { return make_id(job_.pe(), serial); }
  /// A new object, with a number of its own.
  object_id create(std::uint64_t serial, cell*);
  /// Sends a message to an object; `fill(place)` writes its body, of whole units.
  template <class Fill>
  void send(object_id id, what w, std::size_t body_bytes, Fill fill, bool shares = false) {
    if (traffic_ != nullptr && (w == what::message || w == what::call)) [[unlikely]]
      count_message(id, body_bytes);
    const auto at = number(id);
    const auto flag = shares ? shares_object : std::uint16_t{0};
    const message_head head{id,         at.number,
                            at.version, job_.pe(),
                            0,          static_cast<std::uint16_t>(static_cast<std::uint16_t>(w) | flag)};
    put(at.to, head, body_bytes, fill);
  }
  /// Sends a message that calls a message_function; `fill(place)` writes the arguments. `shares`: the
  /// function changes nothing. hot: about 35 instructions.
  template <class Fill>
  WINDROW_INLINE void send_call(object_id id, const code& function, bool shares, std::size_t bytes,
                                Fill fill) {
    const auto size = sizeof(short_head) + bytes;
    const bool fits = size <= always_fits || size <= largest_;
    if (function.file != short_file_ || !fits) [[unlikely]]
      return send_call_with_head(id, function, shares, bytes, fill);
    const auto at = protocol_.next(id);
    std::byte* const place =
        kind_.append_space(static_cast<unsigned>(at.to), static_cast<std::uint32_t>(size));
    // One by one: compilers write whole structures to the stack first.
    set(place, offsetof(short_head, bytes), static_cast<std::uint32_t>(size - unit));
    set(place, offsetof(short_head, function), function.offset);
    set(place, offsetof(short_head, id), id);
    set(place, offsetof(short_head, number), at.number);
    set(place, offsetof(short_head, version), at.version);
    fill(place + sizeof(short_head));
  }
  template <class R>
  void reply(pe_t to, std::uint64_t taker, const R& result) {
    const packed<R> content(result);
    hurry();
    put(to, {taker, 0, 0, 0, 0, static_cast<std::uint16_t>(what::reply)}, content.bytes(),
        [&](std::byte* place) { content.write(place); });
  }
  void reply(pe_t to, std::uint64_t taker) {
    hurry();
    put(to, {taker, 0, 0, 0, 0, static_cast<std::uint16_t>(what::reply)}, 0, [](std::byte*) {});
  }

  /// In place of a result: why there is none.
  void reply_failure(pe_t to, std::uint64_t taker, const std::string& sentence);

  /// `taker` waits from now on until the reply to it is here.
  void expect(reply_taker& taker, object_id id, const listed_handler& handler);
  /// Ends the job if a handler waits for a call of its own object, which cannot run before it has ended.
  void require_other_object(const reply_taker& taker) const;

  cell* find(object_id id) const {
    const guard locked(*this);
    return static_cast<cell*>(protocol_.find(id));
  }
  /// Of an object that is here. Ends the job if there is none in that cell.
  object_id id_of(const cell*) const;
  /// The objects that are here now, by id.
  std::vector<object_id> ids() const;
  /// Calls `visit(cell)` for an object, if it is here, with its messages held meanwhile.
  template <class Visit>
  void visit(object_id id, Visit visit) {
    const holding held(*this, id);
    if (held.object() != nullptr) visit(*held.object());
  }
  /// While it lives, no object leaves or is asked for because a PE is idle.
  class staying {
   public:
    explicit staying(core& c) : core_(c) { ++core_.stays_; }
    ~staying() { --core_.stays_; }
    staying(const staying&) = delete;
    staying& operator=(const staying&) = delete;

   private:
    core& core_;
  };
  /// Sends a message to several objects in one place. Ends the job if one is named twice.
  void multicast(std::span<const object_id>, const listed_handler&, std::vector<std::byte> arguments);
  /// Sends a message that moves the object. Ends the job if there is no such PE.
  void migrate(object_id, pe_t to);

  /// Ends objects that are here.
  void destroy(std::span<const object_id>);

  void barrier();
  balance_report balance(const balance::policy&, bool only_if_it_pays = false);
  void balance_every(double seconds, balance::policy);
  void balance_when_idle(bool);
  void remember_loads(int periods);
  /// From the next barrier on, what objects send to objects is counted.
  void count_traffic() { wants_traffic_ = true; }
  /// `barrier`, and a balancing if it is time for that.
  void end_epoch();
  void write_loads(const std::string& file);
  job& of() { return job_; }

  void save(const std::string& directory);
  void restore(const std::string& directory);
  /// The next collection that is made begins so, with its objects from the checkpoint; null: it is new. Ends
  /// the job if it had another class or size.
  std::unique_ptr<index_set> restored_collection(const object_type&, std::uint64_t size, std::uint64_t most);
  /// So many serials for objects that are inserted later, the same on all PEs; the first.
  std::uint64_t promise(std::uint64_t count);
  /// The number of the collection.
  std::size_t add_collection(std::unique_ptr<index_set>);
  const index_set& indices(std::size_t collection) const { return *collections_[collection]; }
  /// Collective: ends the collection and its objects, when what was sent to them has been handled. Nothing in
  /// a job that is closed.
  void end_collection(std::size_t number);
  /// A new object with an index that the collection has not. Other PEs know it from the next barrier on. Ends
  /// the job if it has.
  object_id insert(std::size_t collection, std::uint64_t i, cell*);

  // For the protocol.

  void send_message(pe_t to, const message_head&, std::span<const std::byte> body);
  void send_object(pe_t to, const passage&, void* object);
  void send_news(pe_t to, const news&);
  void handle(void* object, const message_head&, std::span<const std::byte> body);
  [[noreturn]] void refuse(const message_head&, std::span<const std::byte> body) const;

  // For the report of a stall.

  std::size_t waiting() const;
  /// A line for each message and each call that waits here, and for each handler on a worker.
  std::string list_waiting() const;

 private:
  class early_sender;
  struct address {
    std::uint64_t portable = 0;
    void* here = nullptr;
    const char* name = nullptr; ///< of a handler, once it was asked for
  };
  class all_workers;
  class idle_balancing;
  struct meeting;
  class meetings;
  struct use;
  using uses = std::vector<std::unique_ptr<use>>; ///< of one object, in the order of their turns
  struct act;
  std::unique_lock<std::mutex> try_lock() const; ///< empty where there is no lock
  static void lock(all_workers&);
  static void unlock(all_workers&);
  /// While it lives, no other worker uses what handlers on all workers share. Nothing where they do not.
  class guard {
   public:
    explicit guard(const core& c) : of_(c.all_workers_.get()) {
      if (of_ != nullptr) [[unlikely]]
        lock(*of_);
    }
    ~guard() {
      if (of_ != nullptr) [[unlikely]]
        unlock(*of_);
    }
    guard(const guard&) = delete;
    guard& operator=(const guard&) = delete;

   private:
    all_workers* of_;
  };
  /// While it lives, in what is guarded, it is not: for the user's code, and for what may wait.
  class unguarded {
   public:
    explicit unguarded(const core& c) : of_(c.all_workers_.get()) {
      if (of_ != nullptr) unlock(*of_);
    }
    ~unguarded() {
      if (of_ != nullptr) lock(*of_);
    }
    unguarded(const unguarded&) = delete;
    unguarded& operator=(const unguarded&) = delete;

   private:
    all_workers* of_;
  };
  /// While it lives, the object is visited: its messages wait.
  class holding {
   public:
    holding(core& c, object_id id) : core_(c), id_(id), object_(c.begin_visit(id, lets_go_)) {}
    ~holding() { core_.end_visit(id_, object_ != nullptr, lets_go_); }
    holding(const holding&) = delete;
    holding& operator=(const holding&) = delete;
    cell* object() const { return object_; }

   private:
    core& core_;
    object_id id_;
    bool lets_go_ = false; ///< this visit has found the object free
    cell* object_;
  };
  struct known_load;
  /// Of an index, on one PE since the last barrier.
  struct index_change {
    std::uint32_t collection;
    std::uint32_t is_end; ///< 1: it was erased, 0: inserted
    std::uint64_t index;
  };
  class checkpoint_reader;
  class negotiation;
  class traffic_counts;
  class load_history;
  class acting;

  static constexpr std::uint32_t unit = 8;
  /// Items begin with a length, which counts what is behind the first unit, and flags. Without flags they are
  /// a short_head and the arguments of a function in the library's own file: what is sent most.
  struct short_head {
    std::uint32_t bytes;
    std::uint32_t function; ///< its offset in that file
    object_id id;
    std::uint32_t number, version; ///< as in message_head; the sender is that of the block
  };
  static constexpr std::size_t always_fits = 512; ///< bytes; in a block of whatever size
  template <class T>
  WINDROW_INLINE static void set(std::byte* item, std::size_t offset, T value) {
    std::memcpy(item + offset, &value, sizeof value);
  }
  template <class T>
  WINDROW_INLINE static T get(const std::byte* item, std::size_t offset) {
    T value;
    std::memcpy(&value, item + offset, sizeof value);
    return value;
  }
  /// In the length: a message_head is in the second unit and those behind it, then the body.
  static constexpr std::uint32_t long_flag = std::uint32_t{1} << 30;

  template <class Fill>
  void put(pe_t to, const message_head& head, std::size_t body_bytes, Fill fill) {
    const auto content = sizeof head + body_bytes;
    if (content + unit > largest_) [[unlikely]]
      return put_large(to, head, body_bytes, fill);
    std::byte* const place =
        kind_.append_space(static_cast<unsigned>(to), static_cast<std::uint32_t>(unit + content));
    detail::store_length(place, static_cast<std::uint32_t>(content) | long_flag);
    std::memcpy(place + unit, &head, sizeof head);
    fill(place + unit + sizeof head);
  }
  template <class Fill>
  [[gnu::noinline]] void send_call_with_head(object_id id, const code& function, bool shares,
                                             std::size_t bytes, Fill fill) {
    const auto write = [&](std::byte* place) {
      std::memcpy(place, &function, sizeof function);
      fill(place + sizeof function);
    };
    send(id, what::message, sizeof function + bytes, write, shares);
  }
  template <class Fill>
  [[gnu::noinline]] void put_large(pe_t to, const message_head& head, std::size_t body_bytes, Fill fill) {
    std::vector<std::byte> item(sizeof head + body_bytes);
    std::memcpy(item.data(), &head, sizeof head);
    fill(item.data() + sizeof head);
    send_in_fragments(to, item);
  }
  void send_in_fragments(pe_t to, std::span<const std::byte> item);
  static void receive(aggregation::run_header&, const aggregation::work&, void* self) noexcept;
  stamp number(object_id id) {
    const guard locked(*this);
    return protocol_.next(id);
  }
  /// Somebody may wait for what is sent.
  void hurry() { urgent_.store(true, std::memory_order_relaxed); }
  cell* begin_visit(object_id, bool& lets_go);
  void end_visit(object_id, bool was_here, bool lets_go);
  void end_visit_before_meeting(object_id);
  bool is_in_use(object_id) const;
  static bool is_act(const message_head&);
  static act act_of(const message_head&, std::span<const std::byte> body);
  void carry_out(object_id, const act&);
  void move(object_id, pe_t to);
  void end_object(object_id);
  void note_end(object_id);
  /// The indices of all collections: of those that were made, then of those that are yet to be made from a
  /// checkpoint, under the numbers that they will have. Null: the collection has ended.
  std::size_t index_sets() const { return collections_.size() + restored_.size(); }
  index_set* index_set_of(std::size_t number) const {
    const auto made = collections_.size();
    return (number < made ? collections_[number] : restored_[restored_.size() - 1 - (number - made)]).get();
  }
  /// Where an object stands in a collection, or `none` as its index.
  struct numbered {
    std::size_t collection;
    std::uint64_t index;
  };
  numbered find_index(object_id) const;
  void require_all_workers(const char* wish) const;
  void begin_on_all_workers();
  void end_on_all_workers(bool unwinding);
  void require_program(const char* call) const;
  void take_turns(void* object, const message_head&, std::span<const std::byte> body);
  void add_use(std::unique_ptr<use>);
  void call_uses(object_id);
  void run_uses(object_id);
  std::unique_ptr<use> begin_use(object_id);
  std::uint64_t run_use(use&);
  std::unique_ptr<use> end_use(const use&, std::uint64_t busy, bool goes_on);
  void take_idle(object_id);
  static void append_uses(std::vector<std::byte>& to, const uses&);
  uses unpack_uses(const std::byte*& at);
  void take_uses(object_id, cell*, uses);
  void hold_next(const meeting&);
  void hold_for_meeting(object_id, std::span<const std::byte> body);
  void take_gather(object_id, pe_t to);
  void take_all_held(std::span<const std::byte> body);
  void take_seat(object_id);
  void meet(meeting);
  void run_meeting(const meeting&, const address& function, const std::vector<cell*>& objects) const;
  void take_finished(std::span<const std::byte> body);
  void part(const meeting&);
  void list_uses(std::size_t most, std::string& lines) const;
  void take(std::byte* item, pe_t from);
  void take_whole(const std::byte* content, std::size_t bytes);
  /// Of the clock by which loads are measured.
  std::uint64_t now() const { return is_simulated_ ? detail::clock_ns(job_) : detail::ticks(); }
  void count_time(cell& c) {
    const auto ended = now();
    c.busy += ended - since_;
    since_ = ended;
  }
  void take_object(const message_head&, std::span<const std::byte> body);
  void take_reply(reply_taker&, std::span<const std::byte> result, std::exception_ptr failure = nullptr);
  void fail_calls();
  void fail_call(reply_taker&);
  address& here(std::uint64_t portable);
  const address& handler_at(std::uint64_t portable);
  void run_handler(cell&, const message_head&, const address& function, const std::byte* arguments);
  void run_traced(cell&, const message_head&, const address& function, std::span<const std::byte> arguments);
  /// What is known of the exception that is being handled.
  std::string sentence_on_exception(object_id, const char* type, const std::string& part) const;
  static std::string handler_text(const char* name);
  [[noreturn]] void end_by_exception(object_id, const char* type, const std::string& part) const;
  [[noreturn]] void end_by_exception(object_id, const char* handler) const;
  void take_message(const message_head&, std::span<const std::byte> body);
  /// How many wait, and the first of them; empty: none.
  std::string messages_without_object() const;
  std::string name_of(object_id) const;
  std::string name_with_index(object_id, const char* type = nullptr) const;
  std::string text_of_wait(object_id, wait_for) const;
  void trace_made(object_id, const cell&) const;
  void agree_on_indices();
  /// Collective: `barrier`; what has been measured since the last `begin_period` is a period's.
  void end_period();
  void begin_period();
  double load_of(object_id, const cell&) const;
  static std::vector<balance::object_load> loads_of(const std::vector<known_load>&);
  std::vector<known_load> own_loads() const;
  std::vector<known_load> all_loads();
  std::vector<balance::traffic> all_traffic(const std::vector<known_load>&);
  void count_message(object_id to, std::size_t bytes);
  void begin_to_count();
  balance_report follow_plan(const balance::policy&, bool only_if_it_pays);
  balance_report negotiate(const balance::policy&, bool only_if_it_pays);
  bool pays(double before, double after) const;
  /// Whether balancing is for idle PEs.
  bool read_options();
  void send_balancing(const balance::message&);
  void take_balancing(const message_head&, std::span<const std::byte> body);
  std::vector<balance::message> collect_balancing();

  job& job_;
  counters& stats_;
  trace::recorder* const trace_; ///< null: nobody traces
  const bool is_simulated_;      ///< time passes as a model says
  std::size_t most_records_;
  std::unique_ptr<meetings> meetings_;
  std::unique_ptr<all_workers> all_workers_; ///< null: handlers run on the PE's own thread
  detail::message_kind kind_;
  std::uint32_t largest_;
  std::uint32_t own_file_;    ///< of code: the one that has this library
  std::uint32_t short_file_;  ///< whose functions short heads name now: that one, or 0, none
  const std::byte* own_code_; ///< where that is
  protocol<core> protocol_;
  /// To an object that is visited or held for a meeting already.
  struct further_visits {
    std::size_t count = 0;
    bool first_is_over = false; ///< which would have let go: the last one does
  };
  std::size_t stays_ = 0;  ///< `staying`s
  std::size_t visits_ = 0; ///< that go on: one in the other, or those of light threads side by side
  std::map<object_id, further_visits> further_visits_;
  std::uint64_t next_serial_ = 1;
  std::vector<std::uint64_t> serials_of_all_; ///< of the checkpoint; of PEs that this job has not, still true
  std::uint64_t next_promised_ = 0;
  /// In the order in which they were made; null: ended, and a later one has not.
  std::vector<std::unique_ptr<index_set>> collections_;
  std::vector<std::unique_ptr<index_set>> restored_; ///< those to be made, the last one first
  std::vector<index_change> changes_;                ///< here since the last barrier
  std::atomic<std::uint64_t> large_items_ = 0;
  std::uint64_t since_ = 0; ///< the end of the last handler, in ticks
  std::uint64_t moved_bytes_ = 0;
  balance::policy policy_{balance::none{}}; ///< of balancings that come by themselves
  bool wants_traffic_ = false;
  std::unique_ptr<traffic_counts> traffic_; ///< null: it is not counted
  std::unique_ptr<load_history> history_;   ///< null: loads are those of the present period
  double period_ = 0;                       ///< of them, in seconds; 0: there are none
  std::uint64_t balanced_ns_;               ///< the last time
  std::uint64_t balanced_at_;               ///< by `now`
  double seconds_of_busy_ = 1e-9;           ///< what 1 of `cell::busy` is
  double elapsed_ = 0;                      ///< seconds between the last two, the same on all PEs
  double cost_ = 0; ///< of the last one that moved something, in seconds, the same on all PEs
  std::uint32_t balancing_sent_ = 0;
  std::map<std::pair<pe_t, std::uint32_t>, balance::message> balancing_messages_; ///< by sender and number
  reply_taker* expected_ = nullptr;  ///< who waits, those who came last first
  bool gives_no_replies_ = false;    ///< an exception ends the space
  std::atomic<bool> urgent_ = false; ///< somebody may wait for what a handler has sent
  detail::assembly assembly_;
  std::array<address, 64> addresses_{}; ///< those used last
  std::unique_ptr<early_sender> early_;
  std::unique_ptr<idle_balancing> idle_balancing_; ///< null where all_workers_ is
  core* const outer_;                              ///< of another job that this thread has made before
  int exceptions_ = std::uncaught_exceptions();
};

/// Of the calling thread; null: it has none.
inline constinit thread_local core* core_of_thread = nullptr;
[[noreturn]] void no_core();
[[noreturn]] void refuse_null();
[[noreturn]] void refuse_index(std::uint64_t index, std::uint64_t most);
[[noreturn]] void refuse_erased(std::uint64_t index);
inline core& this_core() {
  if (core_of_thread == nullptr) [[unlikely]]
    no_core();
  return *core_of_thread;
}

} // namespace mobile
} // namespace windrow
