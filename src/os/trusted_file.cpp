// SPDX-License-Identifier: BSD-3-Clause
#include "os/trusted_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

namespace windrow::os {

namespace {

bool is_trusted(const struct stat& there) {
  return (there.st_uid == ::geteuid() || there.st_uid == 0) && (there.st_mode & S_IWOTH) == 0;
}

} // namespace

bool is_trusted_file(const std::string& path) {
  struct stat file{}, folder{};
  return ::lstat(path.c_str(), &file) == 0 && S_ISREG(file.st_mode) && is_trusted(file) &&
         ::stat(std::filesystem::path(path).parent_path().c_str(), &folder) == 0 && is_trusted(folder);
}

} // namespace windrow::os
