// SPDX-License-Identifier: BSD-3-Clause
#include "tools/overlap/record.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/fatal.hpp"
#include "overlap/recording.hpp"
#include "tools/overlap/own_run.hpp"
#include "windrow/error.hpp"

namespace windrow::tools {

namespace {

namespace fs = std::filesystem;

// PEs append to it.
std::string empty_file(const record_options& chosen) {
  const auto file = chosen.output.empty() ? fs::path(chosen.program.front()).filename().string() + ".overlap"
                                          : chosen.output;
  std::ofstream out(file, std::ios::trunc);
  if (!out) throw error(fmt::format("overlap: {} cannot be written", file));
  return fs::absolute(file);
}

void say_what_there_is(const std::string& file) {
  const auto run = overlap::read_recording(file);
  std::size_t events = 0, cut_off = 0;
  for (const auto& pe : run.pes) {
    events += pe.events.size();
    cut_off += pe.ended ? 0 : 1;
  }
  base::say(fmt::format("{}: {} events of {} PEs, {} bytes{}", fs::relative(file).string(), events,
                        run.pes.size(), fs::file_size(file),
                        cut_off == 0 ? "" : fmt::format("; {} PEs have not recorded their end", cut_off)));
}

} // namespace

int record_run(const record_options& chosen) {
  const auto file = empty_file(chosen);
  ::setenv("WINDROW_OVERLAP_FILE", file.c_str(), 1);
  ::setenv("WINDROW_OVERLAP_ACCESSES", chosen.accesses ? "1" : "0", 1);
  const int code = run_program(chosen.pes, chosen.program);
  if (fs::file_size(file) == 0) {
    fs::remove(file);
    if (code != 0) return code;
    throw error(
        fmt::format("overlap: {} has recorded nothing: compile it with windrow cc -foverlap, also when it is "
                    "linked",
                    chosen.program.front()));
  }
  say_what_there_is(file);
  return code;
}

} // namespace windrow::tools
