// SPDX-License-Identifier: BSD-3-Clause
#include "tools/overlap/record.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "apps/support/whole_file.hpp"
#include "base/fatal.hpp"
#include "overlap/recording.hpp"
#include "tools/overlap/own_run.hpp"
#include "tools/program_path.hpp"
#include "windrow/error.hpp"

namespace windrow::tools {

namespace {

namespace fs = std::filesystem;

std::string name_of(const record_options& chosen) {
  if (!chosen.output.empty()) return chosen.output;
  return fs::path(chosen.program.front()).filename().string() + ".overlap";
}

bool can_be_written(const std::string& file) {
  std::ofstream out(file, std::ios::app);
  out << '.' << std::flush;
  return out.good();
}

// Where the disk is full the PEs have said so, and the program is as it should be.
void say_why_there_is_nothing(const std::string& file, const std::string& program) {
  if (!can_be_written(file))
    throw error(fmt::format("overlap: {} cannot be written: nothing is recorded", file));
  throw error(
      fmt::format("overlap: {} has recorded nothing: compile it with windrow cc -foverlap, also when it is "
                  "linked, and without -save-temps",
                  program));
}

void say_what_there_is(const std::string& file) {
  const auto run = overlap::read_recording(file);
  std::size_t events = 0, cut_off = 0;
  for (const auto& pe : run.pes) {
    events += pe.events.size();
    cut_off += pe.ended ? 0 : 1;
  }
  const auto name = fs::relative(file).string();
  base::say(fmt::format("{}: {} events of {} PEs, {} bytes{}; next: windrow overlap report {}", name, events,
                        run.pes.size(), fs::file_size(file),
                        cut_off == 0 ? "" : fmt::format("; {} PEs have not recorded their end", cut_off),
                        name));
}

} // namespace

// An older recording stays until there is a whole new one.
int record_run(const record_options& chosen) {
  if (find_program(chosen.program.front()).empty()) return run_program(chosen.pes, chosen.program);
  const auto file = name_of(chosen);
  apps::whole_file recording(file);
  ::setenv("WINDROW_OVERLAP_FILE", fs::absolute(recording.place()).c_str(), 1);
  ::setenv("WINDROW_OVERLAP_ACCESSES", chosen.accesses ? "1" : "0", 1);
  const int code = run_program(chosen.pes, chosen.program);
  std::error_code no_file;
  if (const auto bytes = fs::file_size(recording.place(), no_file); no_file || bytes == 0) {
    if (code == 0) say_why_there_is_nothing(recording.place(), chosen.program.front());
    return code;
  }
  recording.finish();
  say_what_there_is(file);
  return code;
}

} // namespace windrow::tools
