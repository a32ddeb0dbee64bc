// SPDX-License-Identifier: BSD-3-Clause
// Stops for a debugger while light threads wait.
#include <csignal>
#include <cstdio>

#include "windrow/windrow.hpp"

[[gnu::noinline]] static void waits_here(windrow::latch& l) {
  l.wait();
  std::puts("went on");
}

int main(int argc, char** argv) {
  windrow::job job(argc, argv);
  windrow::latch l(1);
  windrow::finish([&] {
    windrow::spawn_at(0, "left", [&] { waits_here(l); });
    windrow::spawn_at(0, [&] { waits_here(l); });
    windrow::async_at(0, [&] {
      std::raise(SIGTRAP);
      l.count_down();
    });
  });
}
