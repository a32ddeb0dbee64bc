// SPDX-License-Identifier: BSD-3-Clause
// Traffic that would fill the memory of whoever did not hold it back. Every PE checks what it got, and that
// its process has grown by no more than what it may.
#include <fmt/format.h>
#include <shmem.h>
#include <shmemx.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "windrow/windrow.hpp"

namespace {

using windrow::job;
using windrow::pe_t;

void require(bool holds, const char* what) {
  if (holds) return;
  fmt::print(stderr, "windrow: floods: {}\n", what);
  std::_Exit(EXIT_FAILURE);
}

/// The most memory that this process has had, in MiB.
long peak_mib() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::stol(line.substr(6)) / 1024;
  return 0;
}

// 64 MiB to the next PE and back from the one after it, all at a time.
void large(job& j) {
  constexpr std::size_t words = std::size_t{8} << 20;
  const auto range = j.allocate<std::uint64_t>(words);
  std::vector<std::uint64_t> mine(words), got(words);
  const pe_t next = (j.pe() + 1) % j.pes();
  for (std::size_t i = 0; i < words; ++i) mine[i] = i * 3 + static_cast<std::uint64_t>(j.pe());
  j.local(range)[0] = 1; // so that both have memory
  j.barrier();
  windrow::put(j, range.on(next), std::span<const std::uint64_t>(mine));
  j.barrier();
  windrow::get(j, range.on(next), std::span(got));
  require(got == mine, "64 MiB came back changed");
  const auto before = static_cast<std::uint64_t>((j.pe() + j.pes() - 1) % j.pes());
  for (std::size_t i = 0; i < words; ++i)
    require(j.local(range)[i] == i * 3 + before, "64 MiB arrived changed");
  j.barrier();
}

// Single bytes, one by one, as fast as they can be begun.
void bytes(job& j) {
  constexpr std::size_t count = 50'000;
  const auto place = j.allocate<unsigned char>(count);
  auto* const here = j.local(place);
  const int next = (j.pe() + 1) % j.pes();
  for (std::size_t i = 0; i < count; ++i) shmem_uchar_p(here + i, static_cast<unsigned char>(i * 7), next);
  shmem_barrier_all();
  for (std::size_t i = 0; i < count; ++i)
    require(here[i] == static_cast<unsigned char>(i * 7), "a byte is wrong");
  std::vector<unsigned char> back(count);
  for (std::size_t i = 0; i < count; ++i) shmem_uchar_get_nbi(&back[i], here + i, 1, next);
  shmem_quiet();
  for (std::size_t i = 0; i < count; ++i)
    require(back[i] == static_cast<unsigned char>(i * 7), "a byte came back wrong");
  j.barrier();
}

// Everybody sends to everybody, or all to PE 0, which at first takes nothing.
void flood(job& j, bool to_one) {
  const auto pes = static_cast<std::uint64_t>(j.pes());
  const auto items = 500'000 * pes; // of 16 bytes, of each PE
  struct item {
    std::uint64_t from, value;
  };
  std::vector<std::uint64_t> sums(static_cast<std::size_t>(j.pes()));
  std::uint64_t count = 0;
  windrow::stream<item> out(j, [&](std::span<const item> batch, pe_t) {
    count += batch.size();
    for (const auto& i : batch) sums[i.from] += i.value;
  });
  if (to_one && j.pe() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(100));
  for (std::uint64_t i = 0; i < items; ++i)
    out.send(to_one ? 0 : static_cast<pe_t>(i % pes), {static_cast<std::uint64_t>(j.pe()), i / pes});
  out.barrier();
  const auto expected_items = to_one ? (j.pe() == 0 ? items * pes : 0) : items;
  require(count == expected_items, "items were lost or doubled");
  for (const auto sum : sums) require(sum == sums[0], "values were changed");
  j.barrier();
}

using scenario = void (*)(job&);
const std::map<std::string, scenario> scenarios{
    {"large", large},
    {"bytes", bytes},
    {"all_to_all", [](job& j) { flood(j, false); }},
    {"incast", [](job& j) { flood(j, true); }},
};

} // namespace

// floods MIB SCENARIO…: none of them may let the process grow by more than that, beyond what `large` holds
// itself.
int main(int argc, char** argv) {
  shmem_init();
  auto& j = shmemx_job();
  const long most = std::stol(argv[1]);
  for (int i = 2; i < argc; ++i) {
    const std::string name = argv[i];
    const long own = name == "large" ? 4 * 64 : 0;
    const long before = peak_mib();
    scenarios.at(name)(j);
    const long grown = peak_mib() - before - own;
    if (grown > most) fmt::print(stderr, "grown by {} MiB\n", grown);
    require(grown <= most, "the process grew too much");
  }
  shmem_finalize();
}
