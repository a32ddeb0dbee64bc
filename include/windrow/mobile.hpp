// SPDX-License-Identifier: BSD-3-Clause
// Mobile objects: work is sent to objects, and objects move while the program runs. docs/mobile-objects.md is
// the guide.
#pragma once

#include <algorithm>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "windrow/balance.hpp"
#include "windrow/detail/code_address.hpp"
#include "windrow/detail/object_core.hpp"
#include "windrow/task.hpp"

namespace windrow {

namespace mobile {

template <class T>
struct cell_of : cell {
  template <class... Args>
  explicit cell_of(Args&&... args) : cell{&type}, value(std::forward<Args>(args)...) {}

  T value;

  static void save_value(const cell& c, std::vector<std::byte>& to) {
    save(static_cast<const cell_of&>(c).value, to);
  }
  static cell* load_value(std::span<const std::byte> from) {
    auto result = std::make_unique<cell_of>();
    load(result->value, from);
    return result.release();
  }
  static void destroy(cell* c) { delete static_cast<cell_of*>(c); }
  static double load_of(const cell& c) {
    if constexpr (requires(const T& t) {
                    { t.load() } -> std::convertible_to<double>;
                  })
      return static_cast<const cell_of&>(c).value.load();
    else
      return static_cast<double>(c.busy);
  }

  static const object_type type;
  static const std::uint64_t portable;
};
template <class T>
const object_type cell_of<T>::type{save_value, load_value, destroy, load_of, sizeof(T), &portable};
template <class T>
const std::uint64_t cell_of<T>::portable = aggregation::portable_address(&type);

template <class>
struct member_function;
template <class C, class R, class... P>
struct member_function<R (C::*)(P...)> {
  using of = C;
  using result = R;
  using arguments = std::tuple<std::decay_t<P>...>;
  template <class T>
  static constexpr bool takes_by_reference =
      (... || (std::is_lvalue_reference_v<P> && !std::is_const_v<std::remove_reference_t<P>>));
};
template <class C, class R, class... P>
struct member_function<R (C::*)(P...) const> : member_function<R (C::*)(P...)> {};
template <class C, class R, class... P>
struct member_function<R (C::*)(P...) noexcept> : member_function<R (C::*)(P...)> {};
template <class C, class R, class... P>
struct member_function<R (C::*)(P...) const noexcept> : member_function<R (C::*)(P...)> {};

using handler = void (*)(core&, cell&, const message_head&, const std::byte* arguments);

/// A member function that messages call: what a body holds is its portable address, for calls who waits, and
/// the arguments.
template <class T, auto Function>
struct method {
  using signature = member_function<decltype(Function)>;
  using result = std::remove_cvref_t<typename signature::result>;
  static constexpr typename signature::arguments* parameters = nullptr; ///< their types
  static_assert(std::is_base_of_v<typename signature::of, T>, "the member function belongs to another class");
  static_assert(!signature::template takes_by_reference<T>,
                "a message cannot change its sender's variables: take arguments by value or const&");

  [[gnu::visibility("hidden")]] static void run(core& c, cell& object, const message_head& head,
                                                const std::byte* at) {
    auto& target = static_cast<cell_of<T>&>(object).value;
    std::uint64_t taker = 0;
    if (head.what == static_cast<std::uint16_t>(what::call)) taker = unpack<std::uint64_t>(at);
    auto arguments = unpack_all(at, parameters);
    const auto invoke = [&]() -> decltype(auto) {
      return std::apply([&](auto&... all) -> decltype(auto) { return (target.*Function)(std::move(all)...); },
                        arguments);
    };
    if constexpr (std::is_void_v<result>) {
      invoke();
      if (taker != 0) c.reply(head.sender, taker);
    } else {
      const result value = invoke();
      if (taker != 0) c.reply(head.sender, taker, value);
    }
  }

  template <class... P>
  static std::tuple<P...> unpack_all([[maybe_unused]] const std::byte*& at, std::tuple<P...>*) {
    return std::tuple<P...>{unpack<P>(at)...}; // in their order
  }
  static inline const std::uint64_t portable =
      aggregation::portable_address(reinterpret_cast<const void*>(&run));

  /// Sends it to an object: a message, or a call for `taker`.
  template <what W, class... P, class... Args>
  static void send(core& c, object_id id, std::uint64_t taker, std::tuple<P...>*, const Args&... args) {
    static_assert(sizeof...(P) == sizeof...(Args), "the member function takes another number of arguments");
    static_assert((... && !other_span<P>), "a span of constant plain elements travels, no other");
    if constexpr (sizeof...(P) == sizeof...(Args) && (... && !other_span<P>))
      send_packed<W>(c, id, taker, packed_argument<P, Args>(args)...);
  }

 private:
  /// The argument as the parameter that it becomes.
  template <class P, class Arg>
  struct packed_argument {
    explicit packed_argument(const Arg& arg) : value(arg), content(value) {}
    std::conditional_t<std::is_same_v<P, Arg>, const Arg&, const P> value;
    packed<P> content;
  };
  template <what W, class... Packed>
  static void send_packed(core& c, object_id id, std::uint64_t taker, const Packed&... all) {
    constexpr std::size_t front = W == what::call ? sizeof portable + sizeof taker : sizeof portable;
    c.send(id, W, (front + ... + all.content.bytes()), [&](std::byte* to) {
      std::memcpy(to, &portable, sizeof portable);
      if constexpr (W == what::call) std::memcpy(to + sizeof portable, &taker, sizeof taker);
      to += front;
      ((to = all.content.write(to)), ...);
    });
  }
};

/// Waits for the result of a call.
template <class R>
struct pending_call : reply_taker, tasks::result_of_task<R> {
  std::shared_ptr<pending_call> self; ///< keeps it alive until the reply is here

  pending_call() : reply_taker{take_result} {}
  static void take_result(reply_taker& taker, [[maybe_unused]] std::span<const std::byte> result) {
    auto& to = static_cast<pending_call&>(taker);
    const auto kept = std::move(to.self);
    const auto read = [&]() -> R {
      if constexpr (!std::is_void_v<R>) {
        const auto* at = result.data();
        return unpack<R>(at);
      }
    };
    tasks::fulfil(to, read);
  }
};

} // namespace mobile

/// Names a mobile object of class T, wherever it is: 8 bytes that mean the same on every PE, may travel in
/// messages and never change. Null by default.
///
/// To be used on the thread of a PE that has an object_space, by its program, handlers and tasks there.
/// Messages of one PE to one object are handled in the order in which they were sent, each once, through any
/// number of moves; those of different PEs in any order. They leave in bulk, as other messages do, and are
/// handled by the end of the next `run` or `barrier` of the space.
template <class T>
class mobile_ptr {
 public:
  mobile_ptr() = default;
  explicit operator bool() const { return id_ != 0; }
  bool operator==(const mobile_ptr&) const = default;
  auto operator<=>(const mobile_ptr&) const = default;

  /// Calls a member function of the object where it is, as a message: `r.send<&region::refine>(0.1)`.
  /// Arguments become the function's parameters here; they may be plain, spans and strings (which are not
  /// copied where they are handled), mobile pointers, or anything with a `serialize` in cereal's convention,
  /// of any size.
  template <auto Function, class... Args>
  void send(const Args&... args) const {
    using method = mobile::method<T, Function>;
    method::template send<mobile::what::message>(mobile::this_core(), require(), 0, method::parameters,
                                                 args...);
  }
  /// The same, and gives the future of the result, which may be waited for outside handlers.
  template <auto Function, class... Args>
  auto call(const Args&... args) const {
    using method = mobile::method<T, Function>;
    using result = typename method::result;
    auto& core = mobile::this_core();
    auto state = std::make_shared<mobile::pending_call<result>>();
    state->self = state;
    mobile::reply_taker* const taker = state.get();
    method::template send<mobile::what::call>(core, require(), reinterpret_cast<std::uint64_t>(taker),
                                              method::parameters, args...);
    return future<result>(state);
  }
  /// Moves the object to PE `to`, after the messages that this PE has sent to it before.
  void migrate(pe_t to) const { mobile::this_core().migrate(require(), to); }
  /// Ends the object, after the messages that this PE has sent to it before. A message that reaches it later
  /// ends the job with a sentence.
  void destroy() const {
    mobile::this_core().send(require(), mobile::what::destroy, 0, [](std::byte*) {});
  }
  /// The object, if it is on this PE, until the next call of the library; else null.
  T* local() const {
    auto* const c = id_ == 0 ? nullptr : mobile::this_core().find(id_);
    return c == nullptr ? nullptr : &static_cast<mobile::cell_of<T>*>(c)->value;
  }

  // For the library.
  explicit mobile_ptr(mobile::object_id id) : id_(id) {}
  mobile::object_id id() const { return id_; }

 private:
  mobile::object_id require() const {
    if (id_ == 0) [[unlikely]]
      mobile::refuse_null();
    return id_;
  }

  mobile::object_id id_ = 0;
};

template <class T>
inline constexpr bool is_transferable<mobile_ptr<T>> = true;

/// Where mobile objects live: all PEs of a job. One at a time for each job; construction and destruction are
/// collective, and destruction ends the objects. For the PE's own thread: with WINDROW_WORKERS above 1, tasks
/// on other workers cannot send to objects.
///
/// *Handlers* are the member functions that messages call. Those of a PE run one at a time, on its own
/// thread, inside library calls, so none of an object runs beside another. They may send, on streams and
/// contexts too, make objects and start tasks, but not wait, and must not throw.
class object_space {
 public:
  /// After `most_records` objects that a PE has sent to or has seen, `barrier` makes all PEs forget where
  /// those are that are elsewhere; they are asked for at their homes then.
  explicit object_space(job& j, std::size_t most_records = std::size_t{1} << 20) : core_(j, most_records) {}

  /// Makes an object here. Local.
  template <class T, class... Args>
  mobile_ptr<T> make(Args&&... args) {
    static_assert(std::is_default_constructible_v<T>,
                  "an object that arrives is default-constructed, then loaded");
    mobile::require_travels<T>();
    using cell = mobile::cell_of<T>;
    return mobile_ptr<T>(core_.create(core_.reserve(1), new cell(std::forward<Args>(args)...)));
  }

  /// Collective: an epoch. Begins when every PE has come, runs `body`, and ends with `barrier`.
  template <std::invocable Body>
  void run(Body&& body) {
    core_.of().barrier();
    std::forward<Body>(body)();
    barrier();
  }
  /// Collective: returns when every message to an object, and all that was sent because of it, has been
  /// handled, and every object has arrived; so have the items of streams, contexts and mailboxes.
  void barrier() { core_.barrier(); }

  /// Collective: `barrier`, then moves objects as the policy wants, by the time spent in their handlers since
  /// the last balancing, or by `double load() const` of their class if it has that. Throws windrow::error on
  /// every PE if the policy answers nonsense. With WINDROW_STATS=1, PE 0 prints a line.
  balance_report balance(const balance::policy& policy) { return core_.balance(policy); }
  /// Collective: PE 0 writes the loads that `balance` would use, for `windrow balance replay`. Throws
  /// windrow::error there if it cannot.
  void write_loads(const std::string& file) { core_.write_loads(file); }

  // For the library.
  mobile::core& core() { return core_; }

 private:
  mobile::core core_;
};

/// `size` objects of class T with numbers, in blocks at first: the first size / PEs on PE 0, and so on.
/// Collective construction and destruction, the latter with a `barrier`; destruction ends the objects.
template <class T>
class collection {
 public:
  /// `make(i)` gives object i; called on the PE where that begins.
  template <std::invocable<std::uint64_t> Make>
  collection(object_space& space, std::uint64_t size, Make make) : space_(space), size_(size) {
    auto& core = space.core();
    const auto pe = core.of().pe();
    const auto pes = static_cast<std::uint64_t>(core.of().pes());
    const auto begin = share(pe, pes), count = share(pe + 1, pes) - begin;
    const auto base = core.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i) core.create(base + i, new mobile::cell_of<T>(make(begin + i)));
    for (std::uint64_t p = 0; p <= pes; ++p) starts_.push_back(share(static_cast<pe_t>(p), pes));
    bases_ = core.of().world().allgather(base); // nobody sends before all are there
  }
  ~collection() {
    if (std::uncaught_exceptions() > exceptions_) return;
    space_.barrier();
    std::vector<mobile::object_id> mine;
    for (const auto id : space_.core().ids())
      if (index(id) < size_) mine.push_back(id);
    space_.core().destroy(mine);
    space_.barrier();
  }
  collection(const collection&) = delete;
  collection& operator=(const collection&) = delete;

  std::uint64_t size() const { return size_; }
  mobile_ptr<T> operator[](std::uint64_t i) const {
    if (i >= size_) [[unlikely]]
      mobile::refuse_index(i, size_);
    const auto pe = first_home(i);
    return mobile_ptr<T>(mobile::make_id(pe, bases_[static_cast<std::size_t>(pe)] + (i - first(pe))));
  }

  /// Calls `visit(object)` or `visit(i, object)` for those that are here at the call, in the order of their
  /// numbers. Messages to an object wait while it is visited. `visit` may send.
  template <class Visit>
  void for_each_local(Visit visit) {
    std::vector<std::pair<std::uint64_t, mobile::object_id>> here;
    for (const auto id : space_.core().ids())
      if (const auto i = index(id); i < size_) here.emplace_back(i, id);
    std::sort(here.begin(), here.end());
    for (const auto& [i, id] : here)
      space_.core().visit(id, [&, number = i](mobile::cell& c) {
        auto& object = static_cast<mobile::cell_of<T>&>(c).value;
        if constexpr (std::is_invocable_v<Visit&, std::uint64_t, T&>)
          visit(number, object);
        else
          visit(object), static_cast<void>(number);
      });
  }

  /// Collective: `op` over `of(object)` of all objects, beginning with `identity`; the result everywhere. In
  /// the order of PEs and, on each, of numbers: where the order matters (floating point), the result changes
  /// when objects move.
  template <transferable R, class Of, class Op>
  R reduce(R identity, Of of, Op op) {
    R result = identity;
    for_each_local([&](T& object) { result = op(result, of(object)); });
    return space_.core().of().world().reduce(result, op);
  }

 private:
  std::uint64_t pes() const { return bases_.size(); }
  std::uint64_t share(pe_t pe, std::uint64_t pes) const {
    return static_cast<std::uint64_t>(pe) * size_ / pes;
  }
  std::uint64_t first(pe_t pe) const { return starts_[static_cast<std::size_t>(pe)]; }
  pe_t first_home(std::uint64_t i) const {
    auto pe = static_cast<pe_t>(i * pes() / size_);
    while (first(pe + 1) <= i) ++pe;
    while (first(pe) > i) --pe;
    return pe;
  }
  /// Of an object; `size` or more if it is none of this collection.
  std::uint64_t index(mobile::object_id id) const {
    const auto home = mobile::home_of(id);
    const auto place = mobile::serial_of(id) - bases_[static_cast<std::size_t>(home)];
    return place < first(home + 1) - first(home) ? first(home) + place : size_;
  }

  object_space& space_;
  std::uint64_t size_;
  std::vector<std::uint64_t> starts_; ///< the first number, by PE; behind the last, the size
  std::vector<std::uint64_t> bases_;  ///< the first serial, by PE
  int exceptions_ = std::uncaught_exceptions();
};

} // namespace windrow

template <class T>
struct std::hash<windrow::mobile_ptr<T>> {
  std::size_t operator()(windrow::mobile_ptr<T> p) const { return std::hash<std::uint64_t>()(p.id()); }
};
