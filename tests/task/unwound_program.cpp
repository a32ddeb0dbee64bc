// SPDX-License-Identifier: BSD-3-Clause
// An exception unwinds main code of PE 0 past the job while portable tasks wait in queues, run and have been
// stolen, and a light thread waits for some.
#include <cstdio>
#include <stdexcept>

#include "windrow/windrow.hpp"

namespace {

struct tree {
  void operator()(int depth) const {
    volatile int work = 0;
    for (int i = 0; i < 2000; ++i) work = work + i;
    for (int child = 0; depth > 0 && child < 2; ++child) windrow::async_portable(tree(), depth - 1);
  }
};

} // namespace

int main(int argc, char** argv) {
  try {
    windrow::job j(argc, argv);
    for (int i = 0; i < 300; ++i) windrow::async_portable(tree(), 4);
    windrow::spawn([] { windrow::finish([] { windrow::async_portable(tree(), 4); }); });
    for (int i = 0; i < 20; ++i) windrow::yield();
    if (j.pe() == 0) throw std::runtime_error("main code");
    j.barrier();
  } catch (const std::runtime_error& e) {
    std::printf("unwound: %s\n", e.what());
    return 3;
  }
}
