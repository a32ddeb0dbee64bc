// SPDX-License-Identifier: BSD-3-Clause
#include "tools/program_path.hpp"

#include <unistd.h>

#include <cstdlib>
#include <sstream>

namespace windrow::tools {

namespace fs = std::filesystem;

namespace {

bool is_program(const fs::path& file) {
  std::error_code failure;
  return fs::is_regular_file(file, failure) && ::access(file.c_str(), X_OK) == 0;
}

} // namespace

fs::path find_program(const std::string& program) {
  if (program.find('/') != std::string::npos) return is_program(program) ? fs::path(program) : fs::path();
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (auto file = fs::path(folder.empty() ? "." : folder) / program; is_program(file)) return file;
  return {};
}

} // namespace windrow::tools
