// SPDX-License-Identifier: BSD-3-Clause
// Two threads of a PE sleep until something has come; two other PEs bring one thing each and ring. Nobody
// sleeps for ever.
#include <chrono>
#include <cstdint>

#include "tests/models/model.hpp"

namespace model {
#include "transport/host/bell.hpp"
} // namespace model

#include "tests/models/futex.hpp"

namespace {

struct bell_model : rl::test_suite<bell_model, 4> {
  model::windrow::transport::bell bell;
  rl::atomic<int> come;

  void before() { come($).store(0, rl::mo_relaxed); }
  void thread(unsigned index) {
    if (index < 2)
      wait(static_cast<int>(index) + 1);
    else
      bring();
  }
  void wait(int for_how_many) {
    while (has_come() < for_how_many) {
      const auto ticket = bell.prepare();
      if (has_come() >= for_how_many) return bell.cancel();
      bell.sleep(ticket, std::chrono::seconds(1));
    }
  }
  void bring() {
    come($).fetch_add(1, rl::mo_seq_cst);
    bell.ring();
  }
  int has_come() { return come($).load(rl::mo_seq_cst); }
  void after() { RL_ASSERT(!bell.has_sleepers()); }
};

} // namespace

int main(int argc, char** argv) {
  // Who sleeps counts itself in after it has read the ticket, and who rings looks for sleepers first: these
  // two order the rest.
  return model::check<bell_model>(
      argc, argv, 100'000,
      {{"prepare()", "rung_.load"}, {"announce()", "fetch_add"}, {"count_out()", "fetch_sub"}});
}
