// SPDX-License-Identifier: BSD-3-Clause
#include "transport/shm/membership.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <utility>

#include "base/fingerprint.hpp"
#include "base/options.hpp"
#include "os/memory.hpp"
#include "transport/host/host_transport.hpp"
#include "transport/shm/placement.hpp"
#include "windrow/error.hpp"
#include "windrow/version.hpp"

namespace windrow::transport {

namespace {

constexpr const char* variable = "WINDROW_JOB";

// The launcher's pipe is not a terminal, so the C library would hold lines back until a large buffer is full.
void buffer_lines_only() {
  struct stat file{};
  if (::fstat(1, &file) == 0 && S_ISFIFO(file.st_mode)) std::setvbuf(stdout, nullptr, _IOLBF, 0);
}

void check_memory(const membership& m, const geometry& shape) {
  struct stat file{};
  if (::fstat(m.memory_fd, &file) != 0 || static_cast<std::size_t>(file.st_size) != shape.total)
    throw error(fmt::format(
        "the shared memory of the job is not open as descriptor {} in PE {}: a program between the "
        "launcher and this one has closed it",
        m.memory_fd, m.pe));
}

// The variable may have come to several programs: of a script, or to what a program has forked.
void take_place(const host_memory& memory, pe_t pe) {
  auto state = pe_state::starting;
  if (memory.control(pe).state.compare_exchange_strong(state, pe_state::running)) return;
  throw error(
      fmt::format("another process is PE {} of this job, or has been: a job is one run of one program; give "
                  "each a launcher of its own",
                  pe));
}

} // namespace

std::uint64_t layout_version() {
  base::fingerprint version;
  version.add(std::string_view(WINDROW_VERSION, sizeof WINDROW_VERSION));
  const geometry sample(3, {std::size_t{1} << 30, 1}); // large enough for what depends on the size
  for (const std::uint64_t size : {sizeof(job_control), sizeof(pe_control), sizeof(team_slot), sizeof(block),
                                   sample.bounce, sample.requests, sample.blocks, sample.heaps, sample.total})
    version.add(size);
  return version.value();
}

void membership::pass_on() const {
  ::fcntl(memory_fd, F_SETFD, 0);
  const auto text = fmt::format("{} {} {} {} {} {}", layout_version(), memory_fd, pe, pes, segment.heap_bytes,
                                segment.data_bytes);
  ::setenv(variable, text.c_str(), 1);
}

std::optional<membership> take_membership() {
  const auto text = base::text_option(variable);
  if (!text) return std::nullopt;
  ::unsetenv(variable);
  std::istringstream words(*text);
  std::uint64_t version = 0;
  membership m{};
  // The version comes first: only it has the same place in all versions.
  if (!(words >> version))
    throw error(fmt::format("{}='{}' is not what a Windrow launcher writes", variable, *text));
  if (version != layout_version())
    throw error("this program was built with another version of Windrow than the launcher: rebuild it");
  words >> m.memory_fd >> m.pe >> m.pes >> m.segment.heap_bytes >> m.segment.data_bytes;
  if (!words) throw error(fmt::format("{}='{}' is not what a Windrow launcher writes", variable, *text));
  return m;
}

job_memory enter(const membership& m) {
  auto file = std::make_shared<os::descriptor>(m.memory_fd);
  const geometry shape(m.pes, m.segment);
  check_memory(m, shape);
  ::fcntl(m.memory_fd, F_SETFD, FD_CLOEXEC);
  buffer_lines_only();
  std::byte* const base = map_for(m.pe, file->get(), shape);
  os::prefer_huge_pages(base + shape.heaps, shape.total - shape.heaps);
  os::keep_in_core_dumps(base, shape.total, false);
  return {host_memory(base, shape), std::move(file)};
}

std::unique_ptr<transport> join(const membership& m) {
  auto memory = enter(m);
  take_place(memory.mapped, m.pe);
  // A script may stand between the launcher and this program; the launcher's end then reaches us through its
  // end.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  return std::make_unique<host_transport>("shm", memory.mapped, m.pe, std::move(memory.file));
}

} // namespace windrow::transport
