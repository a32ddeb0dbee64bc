// SPDX-License-Identifier: BSD-3-Clause
// A program whose PEs live and die as told: the subject of tests/launch/launch_test.py.
// The arguments are actions, done one after the other; "2:segv" is for PE 2 only, "segv" for all.

#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "base/fatal.hpp"
#include "pgas/core.hpp"
#include "windrow/windrow.hpp"

namespace {

using windrow::job;

[[noreturn]] void hang() {
  for (;;) pause();
}

// Each line takes several writes and more than one full pipe.
void print_lines(const job& j, int count, std::size_t length) {
  const std::string half(length / 2, static_cast<char>('a' + j.pe() % 26));
  for (int i = 0; i < count; ++i) {
    std::fputs(half.c_str(), stdout);
    std::fflush(stdout);
    std::printf("%s\n", half.c_str());
  }
}

// Ends when the launcher has marked PE 1 as failed.
void watch_pe_1(const job& j) {
  while (j.core().link().state_of(1) != windrow::transport::pe_state::failed) usleep(1000);
  std::printf("PE %d saw it\n", j.pe());
  std::fflush(stdout);
  _exit(0);
}

void echo_input(const job& j) {
  for (std::string line; std::getline(std::cin, line);) std::cout << j.pe() << " read " << line << '\n';
}

void allow_no_files() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = 0;
  setrlimit(RLIMIT_NOFILE, &limit);
}

sigset_t signal_of_user() {
  sigset_t result;
  sigemptyset(&result);
  sigaddset(&result, SIGUSR1);
  return result;
}

void hold_usr1() {
  const auto held = signal_of_user();
  pthread_sigmask(SIG_BLOCK, &held, nullptr);
}

void await_usr1(const job& j) {
  const auto awaited = signal_of_user();
  int signal = 0;
  sigwait(&awaited, &signal);
  std::printf("PE %d got signal %d\n", j.pe(), signal);
}

void leave_a_child_behind() {
  if (fork() == 0) hang();
}

// The pipe is full and nobody reads it: one thread is in the middle of printing for ever.
void print_for_ever() {
  const std::string line(10'000, 'x');
  for (;;) std::puts(line.c_str());
}

void fail_while_printing() {
  std::thread(print_for_ever).detach();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  windrow::base::fatal("one thread fails while another one prints");
}

void fail_with_a_long_sentence() {
  windrow::base::fatal(std::string(20'000, 'x') + " at length");
}

// The child leaves as a program does that does not know that it is one.
void fork_and(void (*end)(int)) {
  std::fflush(nullptr);
  const auto child = fork();
  if (child == 0) end(0);
  int status = 0;
  waitpid(child, &status, 0);
  if (status != 0) std::abort();
}

bool child_returns = false; ///< from main, as this process does

void fork_and_return() {
  std::fflush(nullptr);
  const auto child = fork();
  child_returns = child == 0;
  if (child == 0) return;
  int status = 0;
  waitpid(child, &status, 0);
  if (status != 0) std::abort();
}

void start_child() {
  if (std::system(std::getenv("LIFE_CHILD")) != 0) std::abort();
}

// As many as a PE can be in, and released when nobody is there any more to be told.
void finalize_before_teams(job& j) {
  std::vector<windrow::team> teams;
  constexpr int most = 63;
  teams.reserve(most);
  for (int i = 0; i < most; ++i) teams.push_back(j.world().split_strided(0, 1, j.pes()));
  j.finalize();
}

windrow::team kept_team; ///< lives as long as the program

void finalize_before_stream(job& j) {
  int sum = 0;
  windrow::stream<int> numbers(j, [&](std::span<const int> some, windrow::pe_t) {
    for (const int one : some) sum += one;
  });
  for (windrow::pe_t pe = 0; pe < j.pes(); ++pe) numbers.send(pe, 1);
  j.finalize();
  if (sum != j.pes()) std::abort();
}

void use_light_threads() {
  windrow::finish([] { windrow::spawn([] {}); });
}

std::byte* page = nullptr;
void allow_page(int) {
  mprotect(page, 4096, PROT_READ | PROT_WRITE);
}

int dive(int depth) {
  volatile std::byte part[4096];
  part[0] = std::byte(depth);
  return depth == 0 ? 0 : dive(depth - 1) + std::to_integer<int>(part[0]);
}

// A program that learns by faults what it writes to, with light threads, of which one goes too deep.
void mend_faults() {
  page = static_cast<std::byte*>(mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  signal(SIGSEGV, allow_page);
  use_light_threads();
  for (int i = 0; i < 3; ++i) {
    mprotect(page, 4096, PROT_NONE);
    *const_cast<volatile std::byte*>(page) = std::byte{1};
  }
  windrow::finish([] { windrow::spawn([] { std::printf("%d", dive(100'000)); }); });
}

volatile sig_atomic_t children_ended = 0;
void count_child(int) {
  children_ended = children_ended + 1;
}

void require_counted_child() {
  fork_and(_exit);
  if (children_ended == 0) std::abort();
}

const std::map<std::string, std::function<void(job&)>> actions{
    {"meet", [](job& j) { j.barrier(); }},
    {"address_at_no_pe", [](job& j) { j.local(windrow::global_ptr<int>(1 << 28, 0)); }},
    {"report", [](job& j) { std::printf("PE %d of %d is %d\n", j.pe(), j.pes(), getpid()); }},
    {"lines", [](job& j) { print_lines(j, 200, 10'000); }},
    {"long_lines", [](job& j) { print_lines(j, 2, 20'000'000); }},
    {"partial", [](job& j) { std::cout << "no end " << j.pe() << std::flush; }},
    {"echo", echo_input},
    {"hold_usr1", [](job&) { hold_usr1(); }},
    {"await_usr1", await_usr1},
    {"segv", [](job&) { raise(SIGSEGV); }},
    {"exit0", [](job&) { std::exit(0); }},
    {"exit7", [](job&) { std::exit(7); }},
    {"throw", [](job&) { throw windrow::error("this PE has had enough"); }},
    {"hang", [](job&) { hang(); }},
    {"nap", [](job&) { std::this_thread::sleep_for(std::chrono::seconds(4)); }},
    {"stubborn", [](job&) { signal(SIGTERM, SIG_IGN); }},
    {"watch_pe_1", watch_pe_1},
    {"start_child", [](job&) { start_child(); }},
    {"leave_child", [](job&) { leave_a_child_behind(); }},
    {"fail_while_printing", [](job&) { fail_while_printing(); }},
    {"fail_at_length", [](job&) { fail_with_a_long_sentence(); }},
    {"child_exits", [](job&) { fork_and(std::exit); }},
    {"child_returns", [](job&) { fork_and_return(); }},
    {"no_files", [](job&) { allow_no_files(); }},
    {"finalize", [](job& j) { j.finalize(); }},
    {"finalize_before_teams", finalize_before_teams},
    {"finalize_before_stream", finalize_before_stream},
    {"keep_team", [](job& j) { kept_team = j.world().split_strided(0, 1, j.pes()); }},
    {"light_threads", [](job&) { use_light_threads(); }},
    {"mend_faults", [](job&) { mend_faults(); }},
    {"counted_child", [](job&) { require_counted_child(); }},
};

void act(job& j, const std::string& word) {
  const auto colon = word.find(':');
  if (colon == std::string::npos)
    actions.at(word)(j);
  else if (word.substr(0, colon) == std::to_string(j.pe()))
    actions.at(word.substr(colon + 1))(j);
}

void live(int argc, char** argv) {
  job j(argc, argv);
  for (int i = 1; i < argc && !child_returns; ++i) act(j, argv[i]);
}

// The reason comes late: what follows from a failure may be noticed before it.
int live_and_say_why_not(int argc, char** argv, int milliseconds) {
  try {
    live(argc, argv);
  } catch (const std::exception& e) {
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    std::fprintf(stderr, "caught: %s\n", e.what());
    return 3;
  }
  return 0;
}

} // namespace

int main(int argc, char** argv) {
  if (std::getenv("LIFE_EARLY") != nullptr) std::printf("printed before the job\n");
  signal(SIGSEGV, SIG_DFL); // sanitizers would make it an exit code
  signal(SIGCHLD, count_child);
  if (std::getenv("LIFE_THREAD") != nullptr) std::thread(hang).detach();
  if (const auto* late = std::getenv("LIFE_CATCHES"); late != nullptr)
    return live_and_say_why_not(argc, argv, std::atoi(late));
  live(argc, argv);
}
