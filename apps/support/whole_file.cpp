// SPDX-License-Identifier: BSD-3-Clause
#include "apps/support/whole_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "windrow/error.hpp"

namespace windrow::apps {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& path, int reason) {
  throw error(fmt::format("cannot write the file {}: {}", path, std::strerror(reason)));
}

/// A link stays one: the file that it names is written, which need not be there.
std::string behind_links(const std::string& path) {
  fs::path file = path;
  std::error_code unknown;
  for (int links = 0; links < 40 && fs::is_symlink(file, unknown); ++links)
    file = file.parent_path() / fs::read_symlink(file, unknown);
  return file.string();
}

bool can_be_replaced(const std::string& path) {
  struct stat about{};
  return ::stat(path.c_str(), &about) != 0 || S_ISREG(about.st_mode);
}

} // namespace

whole_file::whole_file(const std::string& path) : path_(behind_links(path)) {
  check_can_be_written(path_); // one that must not be written must not be replaced either
  const bool is_beside = can_be_replaced(path_);
  if (is_beside) pending_ = fmt::format("{}.{}.tmp", path_, ::getpid());
  file_.reset(std::fopen(is_beside ? pending_.c_str() : path_.c_str(), is_beside ? "wxe" : "we"));
  if (file_ != nullptr) return;
  const int reason = errno;
  refuse(is_beside ? std::exchange(pending_, "") : path_, reason); // what is there is somebody else's
}

whole_file::~whole_file() {
  if (!pending_.empty()) ::unlink(pending_.c_str());
}

void whole_file::check(bool is_done) const {
  if (!is_done) refuse(path_, errno);
}

void whole_file::write(std::string_view text) {
  check(std::fwrite(text.data(), 1, text.size(), file_.get()) == text.size());
}

void whole_file::finish() {
  check(std::fclose(file_.release()) == 0); // some file systems tell only here that there was no room
  if (pending_.empty()) return;
  if (struct stat before{}; ::stat(path_.c_str(), &before) == 0)
    check(::chmod(pending_.c_str(), before.st_mode & 07777) == 0);
  check(std::rename(pending_.c_str(), path_.c_str()) == 0);
  pending_.clear();
}

void check_can_be_written(const std::string& named) {
  const auto path = behind_links(named);
  struct stat before{};
  const bool was_there = ::stat(path.c_str(), &before) == 0;
  if (was_there && !S_ISREG(before.st_mode) && !S_ISDIR(before.st_mode))
    return; // opening it may do something
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | (was_there ? 0 : O_CREAT | O_EXCL), 0666);
  if (file < 0) refuse(path, errno);
  ::close(file);
  if (!was_there) ::unlink(path.c_str());
}

} // namespace windrow::apps
