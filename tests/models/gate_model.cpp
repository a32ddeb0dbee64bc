// SPDX-License-Identifier: BSD-3-Clause
// An owner applies blocks to its memory, with plain instructions where it may, while others change that
// memory by direct atomic operations now and then. No change is lost, and no plain instruction meets an
// atomic one.
#include <algorithm>
#include <bitset>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "tests/models/model.hpp"

namespace model {
#include "pgas/atomics_gate.cpp"
} // namespace model

namespace model::windrow {

void os::yield() {
  rl::yield(1, $);
}
void transport::latency_model::give_way() const {
  rl::yield(1, $);
}
void base::fatal(::std::string_view) {
  RL_ASSERT(false);
  ::std::abort();
}

} // namespace model::windrow

namespace {

using model::windrow::detail::memory_map;
using model::windrow::transport::host_memory;

/// The memory of PE 0, and what its PE and others do with it.
struct owned {
  ::std::optional<host_memory> memory;
  rl::atomic<int> word; ///< changed by atomic instructions, and by plain loads and stores
  rl::var<int> plain;   ///< the same word where Relacy sees plain changes meet others

  void begin() {
    memory.emplace();
    ::std::ranges::fill(model::windrow::pgas::this_thread_applies.flags,
                        false); // one that failed may have left them
    word($).store(0, rl::mo_relaxed);
    plain($) = 0;
  }
  void apply_block() {
    const model::windrow::pgas::applying applying(*memory, 0);
    if (applying.exclusive()) {
      plain($) = plain($) + 1;
      word($).store(word($).load(rl::mo_relaxed) + 1, rl::mo_relaxed);
    } else {
      word($).fetch_add(1, rl::mo_relaxed);
    }
  }
  void change_directly(memory_map& map) {
    if (!map.plain_atomics.load(::std::memory_order_acquire)) model::windrow::detail::announce_atomics(map);
    (void)static_cast<int>(plain($));
    word($).fetch_add(1, rl::mo_relaxed);
  }
  void end(int changes) {
    RL_ASSERT(word($).load(rl::mo_relaxed) == changes);
    memory.reset();
  }
};

void begin(::std::optional<memory_map>& map, owned& of, int pe) {
  map.emplace();
  map->pe = pe;
  map->pes = map->plain_pes = host_memory::pes;
  map->gate = &*of.memory;
}

constexpr int blocks = 3, times = 2;

/// Two other PEs, which take their announcements back.
struct of_pes : rl::test_suite<of_pes, 3> {
  owned place;
  ::std::optional<memory_map> maps[2];

  void before() {
    place.begin();
    for (int i = 0; i < 2; ++i) begin(maps[i], place, i + 1);
  }
  void thread(unsigned index) {
    if (index == 2) {
      for (int i = 0; i < blocks; ++i) place.apply_block();
      return;
    }
    for (int i = 0; i < times; ++i) {
      place.change_directly(*maps[index]);
      model::windrow::pgas::withdraw_atomics(*maps[index]);
    }
  }
  void after() {
    for (auto& one : maps) one.reset();
    place.end(blocks + 2 * times);
  }
};

/// Two threads of a PE, which never takes its announcement back.
template <int Pe>
struct of_threads : rl::test_suite<of_threads<Pe>, 3> {
  owned place;
  ::std::optional<memory_map> map;

  void before() {
    place.begin();
    begin(map, place, Pe);
    map->keep_announced = true;
  }
  void thread(unsigned index) {
    if (index == 2)
      for (int i = 0; i < blocks; ++i) place.apply_block();
    else
      place.change_directly(*map);
  }
  void after() {
    map.reset();
    place.end(blocks + 2);
  }
};
using of_owner = of_threads<0>;
using of_another_pe = of_threads<1>;

} // namespace

int main(int argc, char** argv) {
  // An owner that need not keep anybody: its `exchange` has released, and Relacy has the release sequences of
  // C++11, which later stores of the same thread continue. The withdrawal: it only has to release.
  return model::check<of_pes, of_another_pe, of_owner>(
      argc, argv, 30'000, {{"applying::applying(", "word_.store(0"}, {"withdraw_atomics(", "fetch_sub"}});
}
