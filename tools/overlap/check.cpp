// SPDX-License-Identifier: BSD-3-Clause
#include "tools/overlap/check.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/fatal.hpp"
#include "tools/overlap/own_run.hpp"
#include "windrow/error.hpp"

namespace windrow::tools {

namespace {

namespace fs = std::filesystem;

/// A file that ends with this object.
class temporary_file {
 public:
  temporary_file() {
    const int file = ::mkstemp(name_.data());
    if (file < 0) throw error(fmt::format("overlap: {} cannot be written", name_));
    ::close(file);
  }
  ~temporary_file() {
    std::error_code failed;
    fs::remove(name_, failed);
  }
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;

  const std::string& name() const { return name_; }

 private:
  std::string name_ = (fs::temp_directory_path() / "windrow-check-XXXXXX").string();
};

} // namespace

int check_run(const check_options& chosen) {
  const temporary_file counts;
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
