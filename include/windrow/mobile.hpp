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
#include <typeinfo>
#include <utility>
#include <vector>

#include "windrow/balance.hpp"
#include "windrow/detail/code_address.hpp"
#include "windrow/detail/inline.hpp"
#include "windrow/detail/message_arguments.hpp"
#include "windrow/detail/object_core.hpp"
#include "windrow/task.hpp"

namespace windrow {

namespace mobile {

template <class Make>
struct made_by {
  Make& make;
};
template <class T>
struct cell_of : cell {
  static_assert(std::is_default_constructible_v<T>,
                "an object that arrives is default-constructed, then loaded: give its class a constructor "
                "without arguments");

  template <class... Args>
  explicit cell_of(Args&&... args) : cell{&type}, value(std::forward<Args>(args)...) {}
  /// Of what `make(i)` gives, in place.
  template <class Make>
  cell_of(made_by<Make> how, std::uint64_t i) : cell{&type}, value(how.make(i)) {}

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
  static constexpr bool tells_load = requires(const T& t) {
    { t.load() } -> std::convertible_to<double>;
  };
  static double load_of(const cell& c) {
    if constexpr (tells_load)
      return static_cast<const cell_of&>(c).value.load();
    else
      return static_cast<double>(c.busy);
  }

  static const object_type type;
  static const listed_type listed;
};
template <class T>
const object_type cell_of<T>::type{.save = save_value,
                                   .load = load_value,
                                   .destroy = destroy,
                                   .load_of = load_of,
                                   .bytes = sizeof(T),
                                   .value = place_in_cell<T>,
                                   .tag = &class_tag<T>,
                                   .listed = &listed,
                                   .name = typeid(T).name(),
                                   .tells_load = tells_load};
template <class T>
const listed_type cell_of<T>::listed(type);

template <class F>
struct member_function {
  static_assert(!std::is_member_pointer_v<F>,
                "a message calls a member function that is not volatile, has no && behind its parameters, "
                "and takes no ...");
  static_assert(std::is_member_pointer_v<F>,
                "a message calls a member function of its object: &region::refine");
};
template <class C, class R, class... P>
struct member_function<R (C::*)(P...)> {
  using of = C;
  using result = R;
  static constexpr bool shares = false; ///< its object with others that change nothing
  using arguments = std::tuple<std::decay_t<P>...>;
  static constexpr bool changes_arguments = (... || can_change<P>);
};
template <class C, class R, class... P>
struct member_function<R (C::*)(P...) const> : member_function<R (C::*)(P...)> {
  static constexpr bool shares = true;
};
template <class C, class R, class... P>
struct member_function<R (C::*)(P...) noexcept> : member_function<R (C::*)(P...)> {};
template <class C, class R, class... P>
struct member_function<R (C::*)(P...) const noexcept> : member_function<R (C::*)(P...) const> {};
template <class C, class R, class... P>
struct member_function<R (C::*)(P...)&> : member_function<R (C::*)(P...)> {};
template <class C, class R, class... P>
struct member_function<R (C::*)(P...) const&> : member_function<R (C::*)(P...) const> {};
template <class C, class R, class... P>
struct member_function<R (C::*)(P...) & noexcept> : member_function<R (C::*)(P...)> {};
template <class C, class R, class... P>
struct member_function<R (C::*)(P...) const & noexcept> : member_function<R (C::*)(P...) const> {};

/// The object in a cell, if it is of class T itself; else null.
template <class T>
WINDROW_INLINE T* object_of_class(cell& c) {
  if constexpr (!std::is_abstract_v<T>)
    if (c.type->tag == &class_tag<T>) [[likely]]
      return &static_cast<cell_of<T>&>(c).value;
  return nullptr;
}
/// The object in a cell, of class T or of one that has T as a base.
template <class T>
T& object_in(cell& c) {
  auto* const object = object_of_class<T>(c);
  return object != nullptr ? *object : *static_cast<T*>(base_in(c, &class_tag<T>));
}

/// How objects of class D are ones of class B.
template <class D, class B>
struct upcast {
  static void* cast(void* d) { return static_cast<B*>(static_cast<D*>(d)); }
  static const base_link link;
};
template <class D, class B>
const base_link upcast<D, B>::link(&class_tag<D>, &class_tag<B>, cast);

/// A member function that messages call. What a body holds is its portable address, for calls who waits, and
/// the arguments.
template <class T, auto Function>
struct method {
  using signature = member_function<decltype(Function)>;
  using result = std::remove_cvref_t<typename signature::result>;
  static constexpr typename signature::arguments* parameters = nullptr; ///< their types
  static_assert(std::is_base_of_v<typename signature::of, T>, "the member function belongs to another class");
  static_assert(!signature::changes_arguments,
                "a message cannot change its sender's variables: take arguments by value or const&");

  [[gnu::visibility("hidden")]] static const std::byte* handle(cell& object, const std::byte* at) {
    auto* const target = object_of_class<T>(object);
    if (target == nullptr) [[unlikely]]
      return handle_as_base(object, at);
    return call_with(*target, at);
  }
  [[gnu::visibility("hidden")]] static void answer(core& c, cell& object, const std::byte* at, pe_t sender,
                                                   std::uint64_t taker) {
    auto arguments = unpack_all(at, parameters);
    if constexpr (std::is_void_v<result>) {
      invoke(object_in<T>(object), arguments);
      c.reply(sender, taker);
    } else {
      const result value = invoke(object_in<T>(object), arguments);
      c.reply(sender, taker, value);
    }
  }

  /// Sends it to an object as a message.
  template <class... Args>
  WINDROW_INLINE static void send(core& c, object_id id, const Args&... args) {
    pack(
        parameters,
        [&](auto&&... all) WINDROW_INLINE_LAMBDA {
          const auto bytes = (std::size_t{0} + ... + all.content.bytes());
          // By value, what is small need not be in memory.
          if constexpr ((... && std::is_trivially_copyable_v<std::remove_cvref_t<decltype(all)>>))
            c.send_call(id, sent.where, signature::shares, bytes,
                        [=]([[maybe_unused]] std::byte* to)
                            WINDROW_INLINE_LAMBDA { ((to = all.content.write(to)), ...); });
          else
            c.send_call(id, sent.where, signature::shares, bytes,
                        [&](std::byte* to) WINDROW_INLINE_LAMBDA { ((to = all.content.write(to)), ...); });
        },
        args...);
  }
  /// The body of the message, for who sends it later.
  template <class... Args>
  static std::vector<std::byte> bytes_of(const Args&... args) {
    return pack_behind(std::as_bytes(std::span(&sent.where, 1)), parameters, args...);
  }
  static constexpr bool shares = signature::shares;
  /// Sends it as a call for `taker`, which is kept from then on: what an argument throws when it is written
  /// comes before.
  template <class Taker, class... Args>
  static void call(core& c, object_id id, const std::shared_ptr<Taker>& taker, const Args&... args) {
    pack(
        parameters,
        [&](const auto&... all) {
          taker->self = taker;
          const code function = called.where;
          const auto address = reinterpret_cast<std::uint64_t>(static_cast<reply_taker*>(taker.get()));
          constexpr auto front = sizeof function + sizeof address;
          c.expect(*taker, id, called);
          const auto write = [&](std::byte* to) {
            std::memcpy(to, &function, sizeof function);
            std::memcpy(to + sizeof function, &address, sizeof address);
            to += front;
            ((to = all.content.write(to)), ...);
          };
          c.send(id, what::call, (front + ... + all.content.bytes()), write, signature::shares);
        },
        args...);
  }

 private:
  static inline const listed_handler sent{code_of(&handle), text_with_name<Function>()},
      called{code_of(&answer), text_with_name<Function>()};

  WINDROW_INLINE static const std::byte* call_with(T& target, const std::byte* at) {
    auto arguments = unpack_all(at, parameters);
    invoke(target, arguments);
    return at;
  }
  // On its own, so that the usual case saves no registers for it.
  [[gnu::noinline]] static const std::byte* handle_as_base(cell& object, const std::byte* at) {
    return call_with(object_in<T>(object), at);
  }
  template <class Arguments>
  WINDROW_INLINE static decltype(auto) invoke(T& target, Arguments& arguments) {
    auto& of = static_cast<typename signature::of&>(target);
    return std::apply([&](auto&... all) -> decltype(auto) { return (of.*Function)(std::move(all)...); },
                      arguments);
  }
};

/// Waits for the result of a call.
template <class R>
struct pending_call : reply_taker, tasks::result_of_task<R> {
  std::shared_ptr<pending_call> self; ///< keeps it alive until the reply is here

  pending_call() : reply_taker{take_result} {
    this->before_wait = require_other_object;
    this->comes_by_message();
  }
  static void require_other_object(const tasks::future_state& waited_for) {
    if (core_of_thread != nullptr)
      core_of_thread->require_other_object(static_cast<const pending_call&>(waited_for));
  }
  static void take_result(reply_taker& taker, [[maybe_unused]] std::span<const std::byte> result,
                          std::exception_ptr failure) {
    auto& to = static_cast<pending_call&>(taker);
    const auto kept = std::move(to.self);
    const auto read = [&]() -> R {
      if (failure != nullptr) std::rethrow_exception(std::move(failure));
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
  /// As a pointer to a base.
  template <class D>
    requires(std::derived_from<D, T> && !std::same_as<D, T>)
  mobile_ptr(mobile_ptr<D> p) : id_(p.id()) { // NOLINT(google-explicit-constructor): as pointers do
    static_cast<void>(&mobile::upcast<D, T>::link);
  }
  explicit operator bool() const { return id_ != 0; }
  bool operator==(const mobile_ptr&) const = default;
  auto operator<=>(const mobile_ptr&) const = default;

  /// Calls a member function of the object where it is, as a message: `r.send<&region::refine>(0.1)`.
  /// Arguments become the function's parameters here; they may be plain, spans and strings (which are not
  /// copied where they are handled), mobile pointers, or anything with a `serialize` in cereal's convention,
  /// of any size.
  template <auto Function, class... Args>
  void send(const Args&... args) const {
    mobile::method<T, Function>::send(mobile::this_core(), require(), args...);
  }
  /// Like `send`, and returns the future of the result, which may be waited for outside handlers. If an
  /// exception leaves the function, the future throws windrow::error, which names handler, object and PE and
  /// says what the exception said; if nobody asks for the result, it is dropped.
  template <auto Function, class... Args>
  auto call(const Args&... args) const {
    using method = mobile::method<T, Function>;
    using result = typename method::result;
    static_assert(
        !detail::variable_item<result> && !mobile::other_span<result>,
        "a view of what is on another PE refers to nothing here: give a std::string or a std::vector");
    auto& core = mobile::this_core();
    auto state = std::make_shared<mobile::pending_call<result>>();
    method::call(core, require(), state, args...);
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
    return c == nullptr ? nullptr : &mobile::object_in<T>(*c);
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

/// The pointer to an object that is here, not to a part of one: what a handler, or who visits, has as a
/// reference. So `pointer_to(*this)` in a handler; not in constructors, destructors and `serialize`, where
/// the object is not here. Anything that is no mobile object ends the job with a sentence.
template <class T>
mobile_ptr<T> pointer_to(const T& object) {
  const void* whole = &object;
  auto place = mobile::place_in_cell<T>;
  if constexpr (std::is_polymorphic_v<T>) { // perhaps a base of it
    whole = dynamic_cast<const void*>(&object);
    place = mobile::place_in_cell_of(typeid(object).name());
  }
  const auto* const c = static_cast<const std::byte*>(whole) - place;
  return mobile_ptr<T>(mobile::this_core().id_of(reinterpret_cast<const mobile::cell*>(c)));
}

/// Where mobile objects live: all PEs of a job. One at a time for each job; construction and destruction are
/// collective, and destruction ends the objects. For the PE's own thread: with WINDROW_WORKERS above 1, tasks
/// on other workers cannot send to objects, unless handlers run on all workers.
///
/// *Handlers* are the member functions that messages call. Those of a PE run one at a time, on its own
/// thread, inside library calls, so none of an object runs beside another. They may send, on streams and
/// contexts too, make objects and start tasks, but not wait. An exception that leaves one ends the job with a
/// sentence that names the object and the handler, unless it was called for a result (`call`).
///
/// `handlers::on_all_workers`: those of different objects run on all workers of a PE, also while its own
/// thread computes. Of one object, const member functions run side by side (they share it), any other alone,
/// in the order of arrival. Each is a light thread: it may do what `spawn` allows, so it may wait, and has
/// its object until it has ended; to wait for a call of its own object ends the job with a sentence. What
/// handlers use besides their objects is for who wrote them to protect. Tasks on all workers may send to
/// objects then. Visits (`for_each_local`, `reduce`) wait for the handlers of the object. `barrier`, visits
/// and all that is collective are for main code.
class object_space {
 public:
  /// After `most_records` objects that a PE has sent to or has seen, or when most of them have ended,
  /// `barrier` makes all PEs forget where those are that are elsewhere; they are asked for at their homes
  /// then.
  explicit object_space(job& j, std::size_t most_records = std::size_t{1} << 20)
      : object_space(j, handlers::on_own_thread, most_records) {}
  /// `where` and `most_records` are the same on all PEs.
  object_space(job& j, handlers where, std::size_t most_records = std::size_t{1} << 20)
      : core_(j, where, most_records) {}

  /// Makes an object here. Local.
  template <class T, class... Args>
  mobile_ptr<T> make(Args&&... args) {
    mobile::require_travels<T>();
    using cell = mobile::cell_of<T>;
    return mobile_ptr<T>(core_.create(core_.reserve(1), new cell(std::forward<Args>(args)...)));
  }

  /// Collective: an epoch. Begins when every PE has come, runs `body`, and ends with `barrier`.
  template <std::invocable Body>
  void run(Body&& body) {
    core_.of().barrier();
    std::forward<Body>(body)();
    core_.end_epoch();
  }
  /// Collective: returns when every message to an object, and all that was sent because of it, has been
  /// handled, and every object has arrived; so have the items of streams, contexts and mailboxes.
  void barrier() { core_.barrier(); }

  /// Collective: `barrier`, then moves objects as the policy wants, by the time spent in their handlers since
  /// the last balancing, in seconds, or by `double load() const` of their class if it has that. Throws
  /// windrow::error on every PE if the policy answers nonsense, or if on one PE it throws, whatever it is, or
  /// the `load` of an object. With WINDROW_STATS=1, PE 0 prints a line.
  balance_report balance(const balance::policy& policy) { return core_.balance(policy); }
  /// Collective: the same, if that pays: if what the heaviest PE is rid of, in as much time as has gone by
  /// since the last balancing, is more than the last one that moved anything has cost. Else nothing moves.
  balance_report balance_if_it_pays(const balance::policy& policy) { return core_.balance(policy, true); }
  /// Collective: from now on each `run` ends with `balance_if_it_pays`, if `seconds` have gone by since the
  /// last balancing. 0: no more of that. WINDROW_BALANCE does the same from the beginning.
  void balance_every(double seconds, const balance::policy& policy) { core_.balance_every(seconds, policy); }
  /// Collective: from now on a PE that has no handler left to begin, and waits in `run`, `barrier` or any
  /// other call that lets messages come, asks others for objects whose handlers wait there: in the midst of
  /// an epoch, and with them. What it gets is half of what waits, if that takes longer than to move it.
  /// While a PE visits objects, all of its objects stay. For spaces whose handlers run on all workers; else
  /// throws windrow::error. WINDROW_BALANCE=idle does the same from the beginning.
  void balance_when_idle(bool on = true) { core_.balance_when_idle(on); }
  /// Collective: from now on the load of an object is the median of what its handlers have taken in so many
  /// periods between balancings, from 1 (as from the beginning) to 100, each beside the length of its period:
  /// so what happens once, as when the system runs something else meanwhile, moves nothing. Costs memory for
  /// each object and period, which go along when an object moves, and time: what has changed for good is seen
  /// after half of the periods. Classes that have `load` say it as before.
  void remember_loads(int periods) { core_.remember_loads(periods); }
  /// From the next barrier on, what handlers of objects send to objects is counted, for policies that know it
  /// and for `write_loads`; the same on all PEs. Policies that use it see to that themselves, from their
  /// first balancing on. A message costs some 10 times as much while it is counted, and each pair of objects
  /// some 100 bytes until the next balancing.
  void count_traffic() { core_.count_traffic(); }
  /// Collective: PE 0 writes the loads that `balance` would use, for `windrow balance replay`. Throws
  /// windrow::error there if it cannot, and on every PE if a load is nonsense.
  void write_loads(const std::string& file) { core_.write_loads(file); }

  /// Collective: `barrier`, then writes all objects to a directory, which is made if it is not there: a file
  /// for each PE, and one that says what belongs together. A checkpoint that was there is replaced. Throws
  /// windrow::error on every PE if one cannot write, `serialize` throws, or unnamed namespaces of two files
  /// have classes of one name; the one before is there then.
  void save(const std::string& directory) { core_.save(directory); }
  /// Collective, before objects are made: those of a checkpoint are there again, in blocks of PEs, as many
  /// PEs as there may be, and each mobile_ptr means what it meant. Collections that are made afterwards, in
  /// the order in which they were made before the checkpoint and of the same classes and sizes, have their
  /// objects again, and make none. Throws windrow::error on every PE if the files are not there, not whole,
  /// not of one checkpoint, have objects of a class that this program has not, or that has other bytes, or
  /// `serialize` throws; the space is empty then, and may restore another checkpoint.
  void restore(const std::string& directory) { core_.restore(directory); }

  // For the library.
  mobile::core& core() { return core_; }

 private:
  mobile::core core_;
};

/// `size` objects of class T with indices, in blocks at first: the first size / PEs on PE 0, and so on.
/// Others may be inserted later, with indices from `size` up to `most`, and any may be erased. Collective
/// construction and destruction, the latter with a `barrier`; destruction ends the objects. After
/// `job::finalize` it is local, and leaves them to the end of the space.
///
/// Which indices there are is agreed by all PEs at each `barrier` of the space (and so at the ends of `run`),
/// and what concerns all of them (`size`, `contains`, `broadcast`, sections) goes by that. Each PE knows the
/// indices that were inserted and erased: 8 bytes each.
template <class T>
class collection {
 public:
  /// `make(i)` gives object i; called on the PE where that begins. Not if the space has restored them. `most`
  /// is the same on all PEs; `size` if it is less.
  template <std::invocable<std::uint64_t> Make>
  collection(object_space& space, std::uint64_t size, Make make, std::uint64_t most = 0) : space_(space) {
    auto& core = space.core();
    most = std::max(size, most);
    auto all = core.restored_collection(mobile::cell_of<T>::type, size, most);
    if (all == nullptr) all = make_objects(core, size, most, make);
    indices_ = all.get();
    number_ = core.add_collection(std::move(all));
    begun_with_ = size;
    if (size > 0)
      blocks_per_index_ = static_cast<double>(indices_->blocks.size() - 1) / static_cast<double>(size);
  }
  ~collection() { // NOLINT(bugprone-exception-escape): the terminate handler says which, and ends the job
    if (std::uncaught_exceptions() <= exceptions_) space_.core().end_collection(number_);
  }
  collection(const collection&) = delete;
  collection& operator=(const collection&) = delete;

  /// How many objects there are, as of the last `barrier`.
  std::uint64_t size() const { return indices_->count(); }
  /// Whether there is an object i, as of the last `barrier`.
  bool contains(std::uint64_t i) const { return indices_->contains(i); }
  /// Object i. One that is yet to be inserted may be sent to: its messages wait for it, but no longer than to
  /// the next `barrier`, which ends the job with a sentence if there is still none.
  mobile_ptr<T> operator[](std::uint64_t i) const {
    if (i >= begun_with_) [[unlikely]]
      require_usable(i);
    return mobile_ptr<T>(id_of(i));
  }

  /// Makes object i here, from these arguments: `begun with` <= i < most, and each index is used once. Local;
  /// in handlers too. Ends the job with a sentence, at the next `barrier` at the latest, if there is one.
  template <class... Args>
  mobile_ptr<T> insert(std::uint64_t i, Args&&... args) {
    return mobile_ptr<T>(
        space_.core().insert(number_, i, new mobile::cell_of<T>(std::forward<Args>(args)...)));
  }
  /// Ends object i, as `mobile_ptr::destroy` does. Its index is not used again.
  void erase(std::uint64_t i) {
    if (indices_->was_erased(i)) mobile::refuse_erased(i);
    (*this)[i].destroy();
  }

  /// Sends the message to each object, as `(*this)[i].send<Function>(args…)` for all indices does.
  template <auto Function, class... Args>
  void broadcast(const Args&... args) const {
    indices_->for_each([&](std::uint64_t i) { (*this)[i].template send<Function>(args...); });
  }
  /// Calls `visit(object)` or `visit(i, object)` for those that are here at the call, in the order of their
  /// indices. Messages to an object wait while it is visited. `visit` may send.
  template <class Visit>
  void for_each_local(Visit visit) {
    visit_these(here(), visit);
  }
  /// Collective: `op` over `of(object)` of all objects, beginning with `identity`; the result everywhere.
  /// Begins with a `barrier`: what was sent before has been handled, and no object is on its way. In the
  /// order of PEs and, on each, of indices: where the order matters (floating point), the result changes
  /// when objects move.
  template <transferable R, class Of, class Op>
  R reduce(R identity, Of of, Op op) {
    return reduce_these([this] { return here(); }, identity, of, op);
  }

  // For sections.

  using numbered = std::pair<std::uint64_t, mobile::object_id>; ///< an object and its index

  /// Those that are here of these, in their order. It looks for each of them, and at no other objects.
  std::vector<numbered> here_of(const std::vector<std::uint64_t>& indices) const {
    const auto& core = mobile::this_core();
    std::vector<numbered> result;
    for (const auto i : indices)
      if (i < indices_->most)
        if (const auto id = id_of(i); core.find(id) != nullptr) result.emplace_back(i, id);
    return result;
  }
  template <class Visit>
  void visit_these(const std::vector<numbered>& objects, Visit& visit) {
    const mobile::core::staying all_of_them(space_.core());
    for (const auto& [i, id] : objects)
      space_.core().visit(id, [&, number = i](mobile::cell& c) {
        auto& object = static_cast<mobile::cell_of<T>&>(c).value;
        if constexpr (std::is_invocable_v<Visit&, std::uint64_t, T&>)
          visit(number, object);
        else
          visit(object), static_cast<void>(number);
      });
  }
  template <class Find, class R, class Of, class Op>
  R reduce_these(Find find, R identity, Of of, Op op) {
    space_.barrier(); // an object on its way would be left out, or taken twice
    R result = identity;
    auto add = [&](T& object) { result = op(result, of(object)); };
    visit_these(find(), add);
    return space_.core().of().world().reduce(result, op);
  }

 private:
  using block = mobile::block;

  template <class Make>
  std::unique_ptr<mobile::index_set> make_objects(mobile::core& core, std::uint64_t size, std::uint64_t most,
                                                  Make& make) {
    const auto pe = core.of().pe();
    const auto pes = static_cast<std::uint64_t>(core.of().pes());
    const auto share = [&](std::uint64_t p) { return p * size / pes; };
    const auto begin = share(static_cast<std::uint64_t>(pe)),
               count = share(static_cast<std::uint64_t>(pe) + 1) - begin;
    const auto base = core.reserve(count);
    const mobile::made_by<Make> how{make};
    for (std::uint64_t i = 0; i < count; ++i) core.create(base + i, new mobile::cell_of<T>(how, begin + i));
    const auto bases = core.of().world().allgather(base); // nobody sends before all are there
    auto result = std::make_unique<mobile::index_set>();
    for (std::uint64_t p = 0; p <= pes; ++p) {
      const auto last = std::min(p, pes - 1);
      const auto id_of_first =
          mobile::make_id(static_cast<pe_t>(last), bases[static_cast<std::size_t>(last)]);
      result->blocks.push_back({share(p), id_of_first - share(p)});
    }
    result->type = &mobile::cell_of<T>::type;
    result->most = most;
    if (most > size) result->first_promised = core.promise(most / pes + 1);
    return result;
  }
  // A multiplication guesses it, which is right or one off, and costs less than a division.
  const block& block_of(std::uint64_t i) const {
    const auto guess = static_cast<double>(static_cast<std::int64_t>(i)) * blocks_per_index_;
    const auto* b = &indices_->blocks[static_cast<std::size_t>(static_cast<std::int64_t>(guess))];
    while (b[1].first <= i) ++b;
    while (b->first > i) --b;
    return *b;
  }
  mobile::object_id id_of(std::uint64_t i) const {
    if (i >= begun_with_) [[unlikely]]
      return indices_->promised_id(i);
    return block_of(i).id_of_0 + i;
  }
  void require_usable(std::uint64_t i) const {
    if (i >= indices_->most) mobile::refuse_index(i, indices_->most);
    if (indices_->was_erased(i)) mobile::refuse_erased(i);
  }
  /// Those that are here, in the order of their indices.
  std::vector<numbered> here() const {
    std::vector<numbered> result;
    for (const auto id : space_.core().ids())
      if (const auto i = indices_->index(id); i != mobile::index_set::none) result.emplace_back(i, id);
    std::sort(result.begin(), result.end());
    return result;
  }

  object_space& space_;
  const mobile::index_set* indices_;
  std::uint64_t begun_with_;
  std::size_t number_; ///< of the collection
  double blocks_per_index_ = 0;
  int exceptions_ = std::uncaught_exceptions();
};

/// Some of the objects of a collection, which lives longer. Local to make: PEs may have different ones, and
/// those that `reduce` together have the same. Indices that the collection has not, as of the last `barrier`,
/// are left out as long as it has not.
template <class T>
class section {
 public:
  section(collection<T>& of, std::vector<std::uint64_t> indices) : of_(of), indices_(std::move(indices)) {
    std::sort(indices_.begin(), indices_.end());
    indices_.erase(std::unique(indices_.begin(), indices_.end()), indices_.end());
  }

  /// The indices, each once, in order.
  const std::vector<std::uint64_t>& indices() const { return indices_; }
  /// As of the collection.
  template <auto Function, class... Args>
  void broadcast(const Args&... args) const {
    for (const auto i : indices_)
      if (of_.contains(i)) of_[i].template send<Function>(args...);
  }
  template <class Visit>
  void for_each_local(Visit visit) {
    of_.visit_these(of_.here_of(indices_), visit);
  }
  /// Collective over all PEs.
  template <transferable R, class Of, class Op>
  R reduce(R identity, Of of, Op op) {
    return of_.reduce_these([this] { return of_.here_of(indices_); }, identity, of, op);
  }

 private:
  collection<T>& of_;
  std::vector<std::uint64_t> indices_;
};

} // namespace windrow

template <class T>
struct std::hash<windrow::mobile_ptr<T>> {
  std::size_t operator()(windrow::mobile_ptr<T> p) const { return std::hash<std::uint64_t>()(p.id()); }
};
