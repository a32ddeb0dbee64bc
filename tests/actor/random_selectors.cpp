// SPDX-License-Identifier: BSD-3-Clause
#include "tests/actor/random_selectors.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "windrow/windrow.hpp"

namespace windrow::test {

namespace {

constexpr std::uint32_t mailboxes = 4;
constexpr std::uint64_t never_written = ~std::uint64_t{0};

/// Pseudo-random numbers that are a function of what they belong to (the finalizer of SplitMix64).
std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  auto x = a + (b + 1) * 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/// Which mailboxes may be sent to: those of the first `selectors`, from the first open one of each on.
struct stages {
  std::uint8_t selectors = 0;
  std::uint8_t first[4] = {};
};

/// What a message says. The tree that begins with it follows from it and its sender.
struct ticket {
  std::uint64_t hash;
  std::uint8_t depth;
  stages open; ///< travels along, since a message may be here before this PE has come so far itself
};
/// A ticket in a larger item.
struct wide {
  ticket t;
  std::uint64_t ballast[12];
};
using words = std::span<const std::uint64_t>;
using program_selector = selector<ticket, wide, std::string_view, words>;

/// Where a message goes.
struct place {
  std::uint32_t selector, mailbox;
  pe_t pe;
};

/// Everything about a message that handlers and the sequential expansion must agree on.
class tree {
 public:
  explicit tree(pe_t pes) : pes_(static_cast<std::uint64_t>(pes)) {}

  place destination(ticket t) const {
    const auto selector = static_cast<std::uint32_t>(mix(t.hash, 11) % t.open.selectors);
    const std::uint32_t first = t.open.first[selector];
    return {selector, first + static_cast<std::uint32_t>(mix(t.hash, 12) % (mailboxes - first)),
            static_cast<pe_t>(mix(t.hash, 13) % pes_)};
  }
  /// Calls visit(ticket, place) for each message that the handler of `t` at `at`, sent by `from`, sends.
  template <class Visit>
  void children(ticket t, pe_t from, Visit visit) const {
    if (t.depth == 0) return;
    for (std::uint64_t c = 0; c < mix(t.hash, 1) % 4; ++c) {
      const ticket next{mix(t.hash, 100 + c), static_cast<std::uint8_t>(t.depth - 1), t.open};
      auto to = destination(next);
      if (replies(next)) to.pe = from;
      visit(next, to);
    }
  }
  static bool replies(ticket t) { return mix(t.hash, 2) % 4 == 0; }
  static std::uint64_t weight(ticket t, pe_t from, place at) {
    return mix(t.hash, (static_cast<std::uint64_t>(from) << 32) + at.selector * mailboxes + at.mailbox);
  }
  static bool updates(ticket t) { return mix(t.hash, 3) % 3 == 0; }
  static bool fetches(ticket t) { return mix(t.hash, 4) % 5 == 0; }
  static std::uint64_t cell(ticket t, std::uint64_t cells) { return mix(t.hash, 5) % cells; }
  static std::uint64_t length(ticket t) {
    const auto r = mix(t.hash, 6);
    return r % (r % 256 == 255 ? 6000 : r % 4 == 0 ? 300 : 20);
  }

 private:
  std::uint64_t pes_;
};

/// What has been handled: at one PE, or, expanded, what should have been.
struct tally {
  std::uint64_t messages = 0, weights = 0, fetches = 0;
  bool operator==(const tally&) const = default;

  void count(ticket t, pe_t from, place at) {
    ++messages;
    weights += tree::weight(t, from, at);
    if (tree::fetches(t)) ++fetches;
  }
};

class program {
 public:
  program(job& j, std::uint64_t seed)
      : job_(j),
        seed_(seed),
        tree_(j.pes()),
        table_(j.array<std::uint64_t>(cells())),
        contexts_{context(j, aggregate), context(j, blocking)},
        wanted_cells_(cells()) {
    const auto selectors = static_cast<std::uint32_t>(1 + mix(seed, 1) % 4);
    for (std::uint32_t s = 0; s < selectors; ++s) selectors_.push_back(make_selector(s));
  }
  ~program() {
    selectors_.clear();
    job_.free(table_);
  }

  void run() {
    enter(0);
    check("the end");
  }

 private:
  std::uint64_t cells() const { return 16 * static_cast<std::uint64_t>(job_.pes()); }
  std::uint64_t choice(std::uint64_t what, std::uint64_t level) const { return mix(seed_, what * 8 + level); }

  // ---- the program: what all PEs do alike

  void enter(std::uint32_t level) {
    open_.selectors = static_cast<std::uint8_t>(level + 1);
    open_.first[level] = 0;
    selectors_[level]->run([&] { body(level); });
    open_.selectors = static_cast<std::uint8_t>(level);
  }
  void body(std::uint32_t level) {
    send_phase();
    if (level + 1 < selectors_.size()) {
      enter(level + 1);
      check("the end of an inner run");
      send_phase();
    }
    const auto over = static_cast<std::uint32_t>(choice(2, level) % (2 * mailboxes));
    if (over + 1 < mailboxes) {
      complete(*selectors_[level], over);
      check("the end of a stage");
      open_.first[level] = static_cast<std::uint8_t>(over + 1);
      send_phase();
    }
  }
  static void complete(program_selector& s, std::uint32_t mailbox) {
    if (mailbox == 0) s.complete<ticket>();
    if (mailbox == 1) s.complete<1>();
    if (mailbox == 2) s.complete<std::string_view>();
  }

  // Every PE knows the roots of all; it sends its own.
  void send_phase() {
    ++phase_;
    for (pe_t from = 0; from < job_.pes(); ++from) {
      const auto origin = mix(mix(seed_, 1000 + phase_), static_cast<std::uint64_t>(from));
      const auto roots = origin % 3 == 0 ? 0 : origin % 7;
      for (std::uint64_t i = 0; i < roots; ++i) {
        const ticket t{mix(origin, i), static_cast<std::uint8_t>(origin % 5), open_};
        const auto to = tree_.destination(t);
        if (from == job_.pe()) post(*selectors_[to.selector], to, t);
        expand(t, from, to);
      }
    }
  }

  // ---- messages

  std::unique_ptr<program_selector> make_selector(std::uint32_t s) {
    return std::make_unique<program_selector>(
        job_, [this, s](auto& out, ticket t, pe_t from) { handle(out, t, from, s, 0); },
        [this, s](auto& out, std::span<const wide> batch, pe_t from) {
          for (const auto& item : batch) handle(out, item.t, from, s, 1);
        },
        [this, s](auto& out, std::string_view item, pe_t from) { handle_bytes(out, item, from, s, 2); },
        [this, s](auto& out, words item, pe_t from) {
          handle_bytes(out, {reinterpret_cast<const char*>(item.data()), item.size_bytes()}, from, s, 3);
        });
  }

  template <class Courier>
  void handle_bytes(Courier& out, std::string_view item, pe_t from, std::uint32_t s, std::uint32_t mailbox) {
    ticket t;
    std::memcpy(&t, item.data(), sizeof t);
    if (item != bytes_of(t, mailbox)) ++damaged_;
    handle(out, t, from, s, mailbox);
  }
  template <class Courier>
  void handle(Courier& out, ticket t, pe_t from, std::uint32_t s, std::uint32_t mailbox) {
    handled_.count(t, from, {s, mailbox, job_.pe()});
    use_contexts(t);
    tree_.children(t, from, [&](ticket next, place to) {
      if (to.selector == s)
        post(out, to, next);
      else
        post(*selectors_[to.selector], to, next);
    });
  }
  void use_contexts(ticket t) {
    auto& ctx = contexts_[t.hash % 2];
    const auto at = table_[tree::cell(t, cells())];
    if (tree::updates(t)) ctx.add(at, t.hash >> 32);
    if (tree::fetches(t)) ctx.fetch_add(at, 0, &fetched_.emplace_back(never_written));
  }

  static std::string bytes_of(ticket t, std::uint32_t mailbox) {
    const auto length = mailbox == 3 ? 8 * tree::length(t) : tree::length(t);
    std::string bytes(sizeof t + length, static_cast<char>(t.hash));
    std::memcpy(bytes.data(), &t, sizeof t);
    return bytes;
  }
  template <class To>
  static void post(To& to, place at, ticket t) {
    if (at.mailbox == 0) return to.send(at.pe, t);
    if (at.mailbox == 1) return to.send(at.pe, wide{t, {}});
    const auto bytes = bytes_of(t, at.mailbox);
    if (at.mailbox == 2) return to.send(at.pe, bytes);
    std::vector<std::uint64_t> aligned(bytes.size() / 8);
    std::memcpy(aligned.data(), bytes.data(), bytes.size());
    to.send(at.pe, words(aligned));
  }

  // ---- the oracle

  void expand(ticket t, pe_t from, place at) {
    if (at.pe == job_.pe()) wanted_.count(t, from, at);
    if (tree::updates(t)) wanted_cells_[tree::cell(t, cells())] += t.hash >> 32;
    tree_.children(t, from, [&](ticket next, place to) { expand(next, at.pe, to); });
  }
  void check(const char* when) {
    const auto where = fmt::format("seed {}, {} PEs, phase {}, {}", seed_, job_.pes(), phase_, when);
    EXPECT_EQ(handled_.messages, wanted_.messages) << where;
    EXPECT_EQ(handled_, wanted_) << where;
    EXPECT_EQ(damaged_, 0U) << where;
    EXPECT_EQ(fetched_.size(), wanted_.fetches) << where;
    for (const auto value : fetched_) EXPECT_NE(value, never_written) << where;
    // Others may go on and change this PE's cells directly.
    job_.barrier();
    for (std::uint64_t i = 0; i < table_.local().size(); ++i)
      EXPECT_EQ(table_.local()[i], wanted_cells_[table_.global_index(i)]) << where;
    job_.barrier();
  }

  job& job_;
  std::uint64_t seed_;
  tree tree_;
  array<std::uint64_t> table_;
  context contexts_[2];
  std::vector<std::unique_ptr<program_selector>> selectors_;
  stages open_;
  std::uint64_t phase_ = 0;
  tally handled_, wanted_;
  std::uint64_t damaged_ = 0;
  std::deque<std::uint64_t> fetched_; ///< results; a deque leaves them in their places
  std::vector<std::uint64_t> wanted_cells_;
};

} // namespace

void run_random_selectors(job& j, std::uint64_t seed) {
  program(j, seed).run();
}

} // namespace windrow::test
