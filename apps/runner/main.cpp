// SPDX-License-Identifier: BSD-3-Clause
// The runner: every kernel in every style, on one graph, checked and timed in one job.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>
#include <stdexcept>

#include "apps/kernels/table.hpp"
#include "apps/runner/input.hpp"
#include "apps/runner/run.hpp"

namespace {

// The head of a graph file may name any size. What lacks is known here alone; that it has been told, and the
// end of one PE, is the end of all.
void tell_of_memory() {
  static const auto previous = std::get_terminate();
  std::set_terminate([] {
    const auto tell = [] {
      std::fputs("kernels: not enough memory for this graph, or for what the kernels keep of it\n", stderr);
      std::_Exit(1);
    };
    try {
      if (auto current = std::current_exception()) std::rethrow_exception(current);
    } catch (const std::bad_alloc&) {
      tell();
    } catch (const std::length_error&) { // more than a vector may ever have
      tell();
    } catch (...) { // for the previous handler, which says what it is
    }
    previous();
  });
}

} // namespace

int main(int argc, char** argv) {
  using namespace windrow;
  tell_of_memory(); // before the job has a handler of its own, which ends with this one
  job j(argc, argv);
  const auto chosen = apps::parse_plan(j, argc, argv, apps::kernels());
  const auto work = apps::load(j, chosen);
  const auto meter = j.pe() == 0 ? apps::energy_meter() : apps::energy_meter::none();
  return apps::run(j, chosen, work, meter, std::cout) ? 0 : 1;
}
