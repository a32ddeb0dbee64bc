// SPDX-License-Identifier: BSD-3-Clause
// What fork_join is made of. src/tasks/README.md has the protocol.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

#include "windrow/detail/task.hpp"

namespace windrow::tasks {

/// In the list of the branches that a worker has opened, from the oldest to the newest.
struct branch_link {
  branch_link* newer;
};

/// The second branch of a fork_join, on the stack of the first. Only its worker knows it until it is offered.
struct branch : task, branch_link {
  branch_link* older;
  worker* owner; ///< set when it is offered, as is what follows
  /// Null, the task to resume when the branch has ended, or `has_ended`, after which the worker that ran it
  /// no longer touches it.
  std::atomic<task*> waiting;

  explicit branch(void (*r)(task&)) { run = r; }
  /// To be called last by `run`.
  void end();
  bool ended() const { return waiting.load(std::memory_order_seq_cst) == &has_ended; }
  static task has_ended;
};

/// The open branches of a stack: the newest one, and the newest of those that are offered.
struct branch_list {
  branch_link *newest, *offered;
};

/// A worker's open branches: first those that are offered in its deque, then those that nobody else knows.
class open_branches {
 public:
  constexpr open_branches() = default;
  open_branches(const open_branches&) = delete;
  open_branches& operator=(const open_branches&) = delete;

  /// Nobody would steal.
  bool alone() const { return most_offered_ == 0; }
  /// What runs is no branch and no task for any worker: it may use the job, or it is no worker's at all.
  bool may_use_job() const { return *use_of_job_ == detail::job_use::all; }
  /// Others have too little to steal here.
  bool wanted() const {
    return bottom_->load(std::memory_order_relaxed) - top_->load(std::memory_order_relaxed) < most_offered_;
  }

  void open(branch& b) {
    b.belongs_to = scope_;
    b.older = newest_;
    newest_->newer = &b;
    newest_ = &b;
    if (wanted()) [[unlikely]]
      offer_some();
  }

  /// Of the newest: true if it has not begun, so that the caller runs it; false if it has ended elsewhere.
  bool close(branch& b) {
    newest_ = b.older;
    return offered_ != &b || take_back(b);
  }

 protected:
  /// `top` and `bottom` are those of the worker's deque.
  void watch(const std::atomic<std::int64_t>& top, const std::atomic<std::int64_t>& bottom,
             int most_offered) {
    top_ = &top;
    bottom_ = &bottom;
    most_offered_ = most_offered;
  }
  /// Makes this thread open its branches here, or (null) nowhere.
  static void attach_branches(open_branches*);
  branch_list list() const { return {newest_, offered_}; }
  void go_on_with(branch_list list) { newest_ = list.newest, offered_ = list.offered; }
  /// Offers all that are not yet.
  void offer_all() {
    while (offered_ != newest_) offer_next();
  }

  scope* scope_ = nullptr; ///< what a task that is started now belongs to

 private:
  static constexpr detail::job_use whoever = detail::job_use::all;
  static constexpr std::atomic<std::int64_t> no_item = 0;

  void offer_some();
  void offer_next();
  bool take_back(branch&);

  branch_link before_all_{nullptr};
  branch_link* newest_ = &before_all_;
  branch_link* offered_ = &before_all_; ///< the newest that is
  const detail::job_use* use_of_job_ = &whoever;
  const std::atomic<std::int64_t>* top_ = &no_item;
  const std::atomic<std::int64_t>* bottom_ = &no_item;
  std::int64_t most_offered_ = 0; ///< as long as there are fewer items in the deque, more are offered
};

/// Where this thread opens its branches. Never null.
extern constinit thread_local open_branches* branches_of_thread;

/// While it lives, what runs on this thread may not use the job.
class without_job {
 public:
  /// Ends the job, naming `call`, if the thread is no worker of a PE or what runs may not wait.
  explicit without_job(const char* call);
  ~without_job();
  without_job(const without_job&) = delete;
  without_job& operator=(const without_job&) = delete;

  /// What runs is a handler, and in no finish of its own.
  bool needs_finish() const { return needs_finish_; }

 private:
  detail::job_use before_;
  bool needs_finish_;
};

/// The result of what returns nothing.
struct nothing {};

template <class F>
using result_of =
    std::conditional_t<std::is_void_v<std::invoke_result_t<F&>>, nothing, std::invoke_result_t<F&>>;

template <class F>
result_of<F> call(F& f) {
  static_assert(!std::is_reference_v<result_of<F>>, "the result of a branch outlives what it refers to");
  if constexpr (std::is_void_v<std::invoke_result_t<F&>>)
    return f(), nothing{};
  else
    return f();
}

template <class G>
class second_branch final : public branch {
 public:
  explicit second_branch(G& g) : branch(run_elsewhere), g_(g) {}
  ~second_branch() {}
  second_branch(const second_branch&) = delete;
  second_branch& operator=(const second_branch&) = delete;

  /// Runs it, unless another worker has it. Returns, or throws, what it does.
  result_of<G> join(open_branches& here) { return here.close(*this) ? call(g_) : take_result(); }

 private:
  struct outcome {
    std::optional<result_of<G>> value;
    std::exception_ptr failure;
  };

  static void run_elsewhere(task& t) {
    auto& self = static_cast<second_branch&>(t);
    auto* const o = new (&self.outcome_) outcome;
    try {
      o->value.emplace(call(self.g_));
    } catch (...) { // for join
      o->failure = std::current_exception();
    }
    self.end();
  }

  result_of<G> take_result() {
    struct holder {
      outcome& o;
      ~holder() { o.~outcome(); }
    } held{outcome_};
    if (held.o.failure) std::rethrow_exception(held.o.failure);
    return *std::move(held.o.value);
  }

  G& g_;
  union {
    outcome outcome_; ///< exists when another worker has ended the branch
  };
};

/// What `f` returns, and then what `join` does. `join` is called once, also if `f` throws; then what `f`
/// throws goes on.
template <class F, class Join>
std::pair<result_of<F>, result_of<Join>> first_and(F& f, Join join) {
  auto first = [&] {
    try {
      return call(f);
    } catch (...) { // goes on after the join
      try {
        join();
      } catch (...) { // only one can go on
      }
      throw;
    }
  }();
  return {std::move(first), call(join)};
}

/// Calls `f` and, on any worker, `g`. For what runs without the job.
template <class F, class G>
std::pair<result_of<F>, result_of<G>> both(open_branches& here, F& f, G& g) {
  if (here.alone()) return first_and(f, [&] { return call(g); });
  second_branch<G> second(g);
  here.open(second);
  return first_and(f, [&] { return second.join(here); });
}

/// The results of both branches without the nothings.
template <class A, class B>
auto joined(std::pair<A, B> results) {
  if constexpr (std::is_same_v<B, nothing> && std::is_same_v<A, nothing>)
    return;
  else if constexpr (std::is_same_v<B, nothing>)
    return std::move(results.first);
  else if constexpr (std::is_same_v<A, nothing>)
    return std::move(results.second);
  else
    return results;
}

} // namespace windrow::tasks
