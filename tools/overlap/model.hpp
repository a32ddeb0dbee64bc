// SPDX-License-Identifier: BSD-3-Clause
// What events do to memory and to the order of PEs: what all analyses ask.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "overlap/recording.hpp"

namespace windrow::overlap {

/// What an event does to memory of one PE.
struct access {
  int pe;
  range where;
  bool writes, atomic, local; ///< local: it is over when a blocking call returns
  /// Of an atomic operation of the library, whose type and atomicity domain others must have too.
  enum class atomicity : std::uint8_t { any, integers, floating, shared_integers, shared_floating };
  atomicity as = atomicity::any;
  bool adds = false; ///< as event::adds
};
/// Both touch the same bytes, one changes them, and they are not atomic to each other: a word that is waited
/// for may be changed by anything that writes it at once, others by atomic operations of one type and domain.
bool conflict(const access&, const access&);
/// Both touch the same bytes, one changes them, and it matters which of them comes first: that of an atomic
/// operation and one that returns what it finds does.
bool depend_on_order(const access&, const access&);
using access_relation = bool (*)(const access&, const access&);

/// What a wait or test asks for, or an atomic operation: words of so many bytes, one behind the other.
inline std::uint64_t word_bytes(const event& one) {
  const bool several = (one.what == action::wait || one.what == action::test) && one.word.bytes != 0;
  return several ? one.word.bytes : one.remote.bytes;
}

/// Whether the word is one of these.
inline bool asks_for(const event& one, std::uint64_t word) {
  return word == one.remote.begin ||
         (word_bytes(one) < one.remote.bytes && one.remote.begin < word && word < one.remote.end());
}

inline bool is_transfer(const event& one) {
  return one.what <= action::put_signal;
}

/// The recording, with the words that PEs wait for, test or fetch as one step: what is written to them is a
/// signal.
class model {
 public:
  explicit model(const recording&);

  const recording& run() const { return *run_; }
  const std::vector<event>& events(int pe) const { return run_->pes[static_cast<std::size_t>(pe)].events; }
  int pes() const { return static_cast<int>(run_->pes.size()); }

  /// What the event does to memory, when PE `pe` does it. Writing a signal is atomic.
  std::vector<access> accesses_of(const event&, int pe) const;
  /// Where words that PEs ask for begin, among those that the event changes at its peer.
  std::vector<std::uint64_t> signalled(const event&) const;
  /// Whether there are some.
  bool is_signal(const event&) const;
  /// Others may find out that what was before is over.
  bool releases(const event&) const;
  /// It finds out what others have released.
  static bool acquires(const event&);

 private:
  using word_set = std::map<std::uint64_t, std::uint64_t>; ///< where words begin, and the bytes of each
  const recording* run_;
  bool is_awaited(const event&) const;
  static std::vector<std::uint64_t> changed(const word_set&, const range& by);

  std::vector<word_set> asked_;   ///< for each PE
  std::vector<word_set> awaited_; ///< of these the ones that PEs wait for or test
};

struct completion_rules {
  /// A fence is enough for what writes, as where a signal to the same PE follows.
  bool fences = false;
  /// Barriers complete all contexts, and not the default one alone.
  bool barriers_for_all = false;
  /// Barriers at this site complete nothing.
  std::optional<std::uint32_t> without = std::nullopt;
};
/// For each event of the PE the index of the one that completes it at its target: itself, a quiet or barrier
/// behind it, or the number of events.
std::vector<std::size_t> completions(const model&, int pe, completion_rules = {});
/// Of each PE.
std::vector<std::vector<std::size_t>> all_completions(const model&, completion_rules = {});

} // namespace windrow::overlap
