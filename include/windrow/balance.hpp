// SPDX-License-Identifier: BSD-3-Clause
// Load balancing as arithmetic: from the loads of objects and where they are to the moves that even them out.
// Nothing here knows how messages travel, so a policy can be tried on recorded loads.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "windrow/types.hpp"
#include "windrow/version.hpp"

namespace windrow::balance {

/// What a policy knows of an object.
struct object_load {
  double load;             ///< time per step, in any unit: finite, not negative
  pe_t pe;                 ///< where it is
  std::uint64_t bytes = 0; ///< what moving it costs; for reports
};

/// What handlers of an object have sent to another one; both by their numbers in the problem.
struct traffic {
  std::size_t from, to;
  double bytes; ///< per step: finite, not negative
};

/// Objects on PEs 0 … pes - 1.
struct problem {
  std::span<const object_load> objects;
  pe_t pes;
  std::span<const traffic> messages = {}; ///< where it has been counted; else empty
};

/// Object number `object` of the problem goes to PE `to`.
struct move {
  std::size_t object;
  pe_t to;
  bool operator==(const move&) const = default;
};
using moves = std::vector<move>;

// ---- distributed policies

/// What a PE knows when a negotiation begins.
struct share {
  pe_t pe, pes;                    ///< this one; and how many there are
  std::span<const double> objects; ///< the loads of the objects that are here; as long as the negotiator
  double mean;                     ///< load of a PE
  double heaviest;                 ///< object of all
};

/// An object that PEs negotiate about.
struct candidate {
  double load;
  pe_t origin;          ///< where it is
  std::uint32_t number; ///< in the share of that PE
  auto operator<=>(const candidate&) const = default;
};

struct known_load {
  pe_t pe;
  double load;
};

/// What a PE tells another one; `subject` and `value` are the policy's own.
struct message {
  pe_t to;
  pe_t from = 0; ///< filled in on the way
  std::uint32_t subject = 0;
  double value = 0;
  std::vector<known_load> loads{};
  std::vector<candidate> objects{};
};

/// One PE's part of a distributed policy: a state machine that knows of other PEs what messages tell it. All
/// PEs go on in rounds, and stop when all are done. Each object is held by one of them then.
class negotiator {
 public:
  negotiator() = default;
  virtual ~negotiator() = default;
  negotiator(const negotiator&) = delete;
  negotiator& operator=(const negotiator&) = delete;

  /// Reads the messages of the round before, by sender, and writes those of this one.
  virtual std::vector<message> round(std::span<const message>) = 0;
  /// This PE wants nothing and has promised nothing.
  virtual bool is_done() const = 0;
  /// What is to be here.
  virtual std::vector<candidate> objects() const = 0;
};

/// After so many rounds a negotiation is broken off by an exception: the policy never comes to an end.
inline constexpr int most_rounds = 10'000;

/// A policy says which objects move: a pure function from a problem to moves, the same on every PE; or, of a
/// class with `join`, what each PE negotiates. A class that has a static constant `uses_traffic`, true, gets
/// to know which objects write to each other.
class policy {
 public:
  using function = std::function<moves(const problem&)>;

  /// From any callable of that form, `[](const problem&) -> moves`, and from any class with
  /// `std::unique_ptr<negotiator> join(const share&) const`.
  template <class Policy>
    requires(!std::is_same_v<std::remove_cvref_t<Policy>, policy>)
  policy(Policy p) { // NOLINT(google-explicit-constructor): a policy is whatever behaves as one
    if constexpr (requires(const share& s) { p.join(s); })
      join_ = [p = std::move(p)](const share& s) { return p.join(s); };
    else
      central_ = std::move(p);
    if constexpr (requires { Policy::uses_traffic; }) uses_traffic_ = Policy::uses_traffic;
  }

  /// The moves. A distributed policy negotiates here, with all PEs in this thread.
  moves operator()(const problem&) const;
  bool is_distributed() const { return join_ != nullptr; }
  bool uses_traffic() const { return uses_traffic_; }
  /// Throws windrow::error if there is none.
  std::unique_ptr<negotiator> join(const share& s) const;

 private:
  function central_;
  std::function<std::unique_ptr<negotiator>(const share&)> join_;
  bool uses_traffic_ = false;
};

// ---- the policies
//
// Distributed ones take a tolerance below 1 for 1: nobody can be asked to have less than the mean.

/// Moves nothing.
struct none {
  moves operator()(const problem&) const;
};

/// Every object to the next PE: finds out whether a program's objects can move at all.
struct rotate {
  moves operator()(const problem&) const;
};

/// Every object anywhere.
struct random {
  std::uint64_t seed = 1;
  moves operator()(const problem&) const;
};

/// The heaviest object first, always to the least loaded PE, wherever the object is: the best balance (LPT:
/// Graham, "Bounds on multiprocessing timing anomalies", 1969), with nearly every object moved.
struct greedy {
  moves operator()(const problem&) const;
};

/// As few moves as it takes to bring every PE below `tolerance` times the mean load: PEs above give away
/// their heaviest objects that fit elsewhere. Where objects are too large for that it comes as close as it
/// can; no PE becomes heavier than the heaviest was.
struct refine {
  double tolerance = 1.01;
  moves operator()(const problem&) const;
};

/// `refine` between groups of neighbouring PEs, then inside each group: most moves stay in a group, and the
/// groups could decide at the same time.
struct hierarchical {
  double tolerance = 1.01;
  pe_t group = 0; ///< PEs in a group; 0: the square root of all
  moves operator()(const problem&) const;
};

/// `refine`, and then objects go to the PE with which they exchange most, in exchange for others where it has
/// no room, as long as the tolerance holds (local improvement in the manner of Kernighan and Lin, "An
/// efficient heuristic procedure for partitioning graphs", 1970). An object that `refine` leaves in its place
/// goes only if that saves more bytes than it has itself. Without traffic it is `refine`.
struct refine_communication {
  static constexpr bool uses_traffic = true;
  double tolerance = 1.05;
  moves operator()(const problem&) const;
};

/// Distributed: PEs below the mean let others know by gossip, and PEs above the limit offer them objects,
/// each of which is taken only if it fits (after Menon and Kalé, "A distributed dynamic load balancer for
/// iterative applications", 2013). Every PE knows a few others.
struct gossip {
  double tolerance = 1.01;
  int fanout = 4;      ///< PEs that each one tells
  int iterations = 12; ///< at most
  std::uint64_t seed = 1;
  std::unique_ptr<negotiator> join(const share&) const;
};

/// Distributed: PEs meet in pairs, at first their neighbours in a hypercube, and the heavier gives half of
/// the difference (dimension exchange: Cybenko, "Dynamic load balancing for distributed memory
/// multiprocessors", 1989), but no more than what it has above the mean; what is on its way goes first, so
/// that few objects move. For what is left, a PE below the mean asks others for their loads and the heaviest
/// of them for objects, and asks other ones where there is nothing to get.
struct diffusion {
  double tolerance = 1.01;
  int neighbours = 4;  ///< that a PE asks
  int iterations = 60; ///< at most, of asking
  std::uint64_t seed = 1;
  std::unique_ptr<negotiator> join(const share&) const;
};

/// Distributed: PEs below the mean ask others at random, and those that had something the last time, and PEs
/// above the limit give up to half of the difference (random work stealing: Blumofe and Leiserson,
/// "Scheduling multithreaded computations by work stealing", 1999). No PE knows more than what others ask it.
struct stealing {
  double tolerance = 1.01;
  int victims = 4;   ///< that a PE asks at a time
  int attempts = 60; ///< at most
  std::uint64_t seed = 1;
  std::unique_ptr<negotiator> join(const share&) const;
};

/// Distributed: PEs hand over to a master what they have too much, and it deals that out, the heaviest object
/// first, always to the PE with least load. In three rounds, whatever the problem is; but one PE hears from
/// all, so for some hundred PEs at most.
struct master_worker {
  double tolerance = 1.01;
  pe_t master = 0;
  std::unique_ptr<negotiator> join(const share&) const;
};

/// The policy of that name (`policy_names`), or, if there is a '/' in it, of that file: a library that has
/// WINDROW_POLICY in it. Throws windrow::error if there is no such policy, or the library is none of this
/// version.
policy named_policy(std::string_view name);
std::span<const std::string_view> policy_names();

/// Throws windrow::error if a sum of loads is not finite.
void require_finite(double sum);
/// What the policy wants, without moves to where an object is already. Throws windrow::error if that is
/// nonsense: an object or a PE that is not there, an object that moves twice; or if the problem is.
moves plan(const policy&, const problem&);

/// The load of each PE, before and after.
std::vector<double> loads(const problem&);
std::vector<double> loads(const problem&, const moves&);
/// The heaviest PE's load by the mean: 1 is ideal. 1 if there is no load.
double imbalance(std::span<const double> loads);
/// The bytes that objects write to objects of other PEs.
double bytes_between_pes(const problem&);
double bytes_between_pes(const problem&, const moves&);
/// The bytes of the objects that move.
std::uint64_t moved_bytes(const problem&, const moves&);

/// What a library of a policy has: which headers it was compiled with, and the policy.
struct loadable_policy {
  const char* version;
  policy (*make)();
};

} // namespace windrow::balance

/// Makes a policy that `named_policy` and `windrow balance replay` load, in a file of its own that is
/// compiled as a shared library: `WINDROW_POLICY(my_policy)`, with a class or a function.
#define WINDROW_POLICY(...)                                                                         \
  extern "C" [[gnu::visibility("default")]] const windrow::balance::loadable_policy windrow_policy; \
  extern "C" const windrow::balance::loadable_policy windrow_policy{                                \
      WINDROW_VERSION, []() -> windrow::balance::policy { return __VA_ARGS__; }};
