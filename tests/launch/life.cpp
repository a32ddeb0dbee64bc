// SPDX-License-Identifier: BSD-3-Clause
// A program whose PEs live and die as told: the subject of tests/launch/launch_test.py.
// Arguments are actions, done one after the other. "2:crash" is for PE 2 only; "crash" is for all.

#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>

#include "job/start.hpp"
#include "transport/host/host_memory.hpp"
#include "windrow/error.hpp"

namespace {

using windrow::pe_t;
using windrow::transport::pe_state;
using windrow::transport::transport;

// Every PE adds one and waits for all: PEs of one job really share memory.
void meet(transport& link) {
  auto& met = *reinterpret_cast<std::atomic<int>*>(link.symmetric().first);
  met.fetch_add(1);
  while (met.load() < link.pes()) usleep(1000);
}

void report_pids(transport& link) {
  std::printf("pe %d pid %d of %d\n", link.pe(), getpid(), link.pes());
}

// Lines that take several writes each, as long as they like.
void print_lines(transport& link, int count, int length) {
  const std::string half(static_cast<std::size_t>(length / 2), static_cast<char>('a' + link.pe() % 26));
  for (int i = 0; i < count; ++i) {
    std::fputs(half.c_str(), stdout);
    std::fflush(stdout);
    std::printf("%s\n", half.c_str());
  }
}

void wait_for_failure(transport& link) {
  signal(SIGTERM, SIG_IGN);
  for (;;)
    for (pe_t pe = 0; pe < link.pes(); ++pe)
      if (link.state_of(pe) == pe_state::failed) {
        std::printf("PE %d saw PE %d fail\n", link.pe(), pe);
        _exit(0);
      } else {
        usleep(1000);
      }
}

void act(transport& link, const std::string& action) {
  if (action == "meet")
    meet(link);
  else if (action == "pid")
    report_pids(link);
  else if (action == "lines")
    print_lines(link, 200, 10000);
  else if (action == "long")
    print_lines(link, 2, 20'000'000);
  else if (action == "partial")
    std::cout << "no end " << link.pe() << std::flush;
  else if (action == "segv")
    raise(SIGSEGV);
  else if (action == "kill")
    raise(SIGKILL);
  else if (action == "exit0")
    std::exit(0);
  else if (action == "exit7")
    std::exit(7);
  else if (action == "hang")
    for (;;) pause();
  else if (action == "stubborn")
    signal(SIGTERM, SIG_IGN);
  else if (action == "finalize")
    link.set_state(pe_state::finalized);
  else if (action == "watch")
    wait_for_failure(link);
  else if (action == "echo")
    for (std::string line; std::getline(std::cin, line);) std::cout << link.pe() << ' ' << line << '\n';
  else if (action == "grandchild") {
    if (fork() == 0) {
      prctl(PR_SET_PDEATHSIG, 0);
      for (;;) pause();
    }
  } else
    std::printf("%s\n", action.c_str());
}

int live(int argc, char** argv) {
  auto link = windrow::start_transport();
  link->set_state(pe_state::running);
  const auto mine = fmt::format("{}:", link->pe());
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto colon = word.find(':');
    if (colon == std::string::npos)
      act(*link, word);
    else if (word.starts_with(mine))
      act(*link, word.substr(colon + 1));
  }
  link->set_state(pe_state::finalized);
  return 0;
}

} // namespace

int main(int argc, char** argv) {
  try {
    return live(argc, argv);
  } catch (const windrow::error& problem) {
    std::fprintf(stderr, "error: %s\n", problem.what());
    return 1;
  }
}
