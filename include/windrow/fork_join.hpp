// SPDX-License-Identifier: BSD-3-Clause
// Fork-join inside a PE, in the manner of Cilk (Frigo, Leiserson and Randall, "The implementation of the
// Cilk-5 multithreaded language", PLDI 1998): recursion and loops on the workers of windrow/task.hpp. A fork
// allocates nothing and costs little more than a call, because the branch that others may steal stays on the
// caller's stack, and is shown to them only when they have too little to do.
//
// All of this may be called wherever `finish` may: by the thread that made the job, in tasks, in branches
// and in message handlers. Branches and loop bodies may start tasks, wait for them, and fork; not wait for
// each other. Of the job they may use what a task of `async` may (windrow/task.hpp), and no more where the
// caller may. In a message handler the calls make the message a blocking one, as a `finish` around them does.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "windrow/detail/fold.hpp"
#include "windrow/detail/fork.hpp"
#include "windrow/task.hpp"

namespace windrow {

namespace tasks {

/// Runs `body` as branches run, from code that may use the job.
template <class Body>
[[gnu::noinline]] auto without_using_job(const char* call, Body body) {
  const without_job held(call);
  if (!held.needs_finish()) return body();
  std::optional<decltype(body())> result;
  finish([&] { result.emplace(body()); });
  return *std::move(result);
}

template <class Body>
auto as_branch(const char* call, Body body) {
  open_branches& here = *branches_of_thread;
  if (here.may_use_job()) [[unlikely]]
    return without_using_job(call, [&] { return body(here); });
  return body(here);
}

} // namespace tasks

/// Calls `f` here and, at the same time if another worker is free, `g`; returns when both have returned. What
/// the caller has seen, both see; what both have written, the caller sees. Tasks that they start belong to
/// the `finish` around the call, which does not wait for them. Who waits for a stolen `g` runs tasks
/// meanwhile, as `finish` does.
///
/// Returns a pair of both results; the only one if the other function returns nothing; nothing if neither
/// returns anything.
///
/// If one throws, the other still runs to its end, and then the exception is rethrown; if both throw, that of
/// `f` is. With one worker, `f` and `g` are called in turn.
template <std::invocable F, std::invocable G>
auto fork_join(F&& f, G&& g) {
  return tasks::joined(
      tasks::as_branch("fork_join", [&](tasks::open_branches& here) { return tasks::both(here, f, g); }));
}

/// An index of a loop.
template <class T>
concept loop_index = std::integral<T> && !std::same_as<std::remove_cv_t<T>, bool>;

/// Calls `body(i)` for each `i` of first … last - 1, in any order, on any workers, and returns when all have
/// returned; nothing if `last <= first`. There is no grain to choose: a worker goes through its part in
/// portions of some microseconds, and in between gives half of what is left to those who have nothing to do.
///
/// If `body` throws, its part of the loop ends; the other parts go on. Then the exception is rethrown; if
/// there are several, that of the lowest index.
template <loop_index Index, std::invocable<Index> Body>
void parallel_for(Index first, Index last, Body&& body) {
  auto step = [&](tasks::nothing, Index i) {
    body(i);
    return tasks::nothing{};
  };
  auto combine = [](tasks::nothing, tasks::nothing) { return tasks::nothing{}; };
  tasks::as_branch("parallel_for", [&](tasks::open_branches& here) {
    return tasks::fold(first, tasks::nothing{}, step, combine).over(here, tasks::count_of(first, last));
  });
}

/// Calls `term(i)` as `parallel_for` does, and returns all results combined: `combine(a, b)` of two parts,
/// each in the order of its indices, a before b. `combine` must be associative, not commutative. How the
/// terms are grouped differs from run to run, so sums of floating-point numbers may differ in their last
/// digits. `identity` is combined with terms any number of times; it is the result if there are no terms.
template <loop_index Index, std::copyable T, std::invocable<Index> Term, class Combine>
  requires std::convertible_to<std::invoke_result_t<Term&, Index>, T> &&
           std::convertible_to<std::invoke_result_t<Combine&, T, T>, T>
T parallel_reduce(Index first, Index last, T identity, Term&& term, Combine&& combine) {
  auto step = [&](T sum, Index i) -> T { return combine(std::move(sum), term(i)); };
  return tasks::as_branch("parallel_reduce", [&](tasks::open_branches& here) {
    return tasks::fold(first, identity, step, combine).over(here, tasks::count_of(first, last));
  });
}

} // namespace windrow
