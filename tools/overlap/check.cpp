// SPDX-License-Identifier: BSD-3-Clause
#include "tools/overlap/check.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "base/fatal.hpp"
#include "os/descriptor.hpp"
#include "tools/overlap/own_run.hpp"
#include "windrow/error.hpp"

namespace windrow::tools {

namespace {

/// A file in memory, which is gone with this process, however that ends.
class file_in_memory {
 public:
  file_in_memory() : file_(::memfd_create("windrow-check", MFD_CLOEXEC)) {
    if (!file_.is_open())
      throw error(fmt::format("overlap: no file in memory can be made: {}", std::strerror(errno)));
  }

  /// For other processes of this host, while this one lives.
  std::string name() const { return fmt::format("/proc/{}/fd/{}", ::getpid(), file_.get()); }

 private:
  os::descriptor file_;
};

} // namespace

int check_run(const check_options& chosen) {
  const file_in_memory counts;
  ::setenv("WINDROW_OVERLAP_CHECK", counts.name().c_str(), 1);
  ::unsetenv("WINDROW_OVERLAP_FILE");
  const int code = run_program(chosen.pes, chosen.program);
  if (code != 0) return code;
  std::ifstream in(counts.name());
  std::uint64_t all = 0, ended = 0;
  for (std::uint64_t one = 0; in >> one; ++ended) all += one;
  if (ended == 0)
    throw error(
        fmt::format("overlap: {} has no plan: compile it with -foverlap-plan=FILE", chosen.program.front()));
  if (all == 0)
    throw error(
        fmt::format("overlap: {} has put nothing off, so that nothing was checked", chosen.program.front()));
  base::say(fmt::format("{}: {} transfers and quiets put off, each complete before its data was needed",
                        chosen.program.front(), all));
  return 0;
}

} // namespace windrow::tools
