// SPDX-License-Identifier: BSD-3-Clause
// Recordings written by hand: each call is one event of a PE, a microsecond behind the one before, whose site
// is its number in the order of writing, from 1.
#pragma once

#include <vector>

#include "overlap/recording.hpp"

namespace windrow::overlap {

/// Byte `at` of symmetric memory.
inline range shared(std::uint64_t at, std::uint64_t bytes = 8) {
  return {first_symmetric + at, bytes};
}
/// `count` blocks of so many bytes, `stride` bytes apart, from where the memory begins.
inline range blocks(range memory, std::uint64_t block, std::uint64_t stride, std::uint64_t count) {
  memory.bytes = (count - 1) * stride + block;
  memory.block = block;
  memory.stride = stride;
  return memory;
}
/// Byte `at` of this PE's own.
inline range own(std::uint64_t at, std::uint64_t bytes = 8) {
  return {0x1000 + at, bytes};
}

class written {
 public:
  explicit written(int pes) {
    run_.all_accesses = true;
    run_.sites.emplace_back();
    run_.teams.emplace_back();
    run_.pes.resize(static_cast<std::size_t>(pes));
    for (int pe = 0; pe < pes; ++pe) run_.teams.front().push_back(pe);
  }

  /// What follows is done by PE `pe`.
  written& pe(int pe) {
    pe_ = pe;
    return *this;
  }
  /// The next event has that site in place of a new one.
  written& at(std::uint32_t site) {
    site_ = site;
    return *this;
  }
  /// Time passes before the next event.
  written& work(std::uint64_t ns) {
    now_ns_ += ns;
    return *this;
  }

  written& put(range remote, range local, int peer) { return add(action::put, true, local, remote, peer); }
  written& put_nbi(range remote, range local, int peer) {
    return add(action::put, false, local, remote, peer);
  }
  written& get(range local, range remote, int peer) { return add(action::get, true, local, remote, peer); }
  written& get_nbi(range local, range remote, int peer) {
    return add(action::get, false, local, remote, peer);
  }
  written& p(range remote, int peer) { return add(action::put, true, {}, remote, peer); }
  written& atomic_add(range remote, int peer) {
    add(action::update, false, {}, remote, peer, true);
    last().adds = true;
    return *this;
  }
  written& atomic_xor(range remote, int peer) { return add(action::update, false, {}, remote, peer, true); }
  written& fetch_add(range remote, int peer) { return add(action::update, true, {}, remote, peer, true); }
  written& fetch_add_nbi(range local, range remote, int peer) {
    return add(action::update, false, local, remote, peer, true);
  }
  written& put_signal(range remote, range local, range word, int peer) {
    add(action::put_signal, true, local, remote, peer);
    last().word = word;
    return *this;
  }
  written& quiet() { return add(action::quiet, false, {}, {}, all_pes); }
  written& fence() { return add(action::fence, false, {}, {}, all_pes); }
  written& barrier() { return add(action::barrier, false, {}, {}, all_pes); }
  written& collective() { return add(action::collective, false, {}, {}, all_pes); }
  written& unlock(range word) { return add(action::notify, false, {}, word, all_pes); }
  written& wait(range word) { return add(action::wait, false, {}, word, all_pes); }
  /// For words of 8 bytes.
  written& wait_for_several(range words) {
    wait(words);
    last().word = {words.begin, 8};
    return *this;
  }
  written& test(range word) { return add(action::test, false, {}, word, all_pes); }
  written& load(range memory) { return add(action::load, false, memory, {}, all_pes); }
  written& store(range memory) { return add(action::store, false, memory, {}, all_pes); }
  written& unknown() { return add(action::unknown_code, false, {}, {}, all_pes); }
  written& add(const event& one) {
    const auto site = site_ != 0 ? site_ : static_cast<std::uint32_t>(run_.sites.size());
    while (run_.sites.size() <= site)
      run_.sites.push_back({{"hand.c", "main", static_cast<int>(run_.sites.size()), 1}});
    site_ = 0;
    auto& events = run_.pes[static_cast<std::size_t>(pe_)].events;
    events.push_back(one);
    events.back().site = site;
    events.back().begin_ns = now_ns_ += 1000;
    events.back().end_ns = now_ns_ += 1000;
    return *this;
  }
  /// The event that was added last.
  event& last() { return run_.pes[static_cast<std::size_t>(pe_)].events.back(); }

  const recording& run() const { return run_; }

 private:
  written& add(action what, bool blocking, range local, range remote, int peer, bool atomic = false) {
    event one;
    one.what = what;
    one.blocking = blocking;
    one.atomic = atomic;
    one.local = local;
    one.remote = remote;
    one.peer = peer;
    return add(one);
  }

  recording run_;
  int pe_ = 0;
  std::uint32_t site_ = 0;
  std::uint64_t now_ns_ = 0;
};

/// All PEs come to a barrier, or a collective, and nobody leaves before the last one has come.
inline void meet(written& run, std::uint32_t site, action what = action::barrier) {
  const auto pes = static_cast<int>(run.run().pes.size());
  for (int pe = 0; pe < pes; ++pe) {
    run.pe(pe).at(site);
    if (what == action::barrier)
      run.barrier();
    else
      run.collective();
  }
  const auto end_ns = run.last().end_ns;
  for (int pe = 0; pe < pes; ++pe) run.pe(pe).last().end_ns = end_ns;
}

} // namespace windrow::overlap
