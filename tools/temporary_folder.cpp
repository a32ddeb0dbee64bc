// SPDX-License-Identifier: BSD-3-Clause
#include "tools/temporary_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "base/options.hpp"
#include "os/process.hpp"
#include "windrow/error.hpp"

namespace windrow::tools {

namespace {

std::string new_folder(const std::string& name) {
  const auto in = base::text_option("TMPDIR").value_or("/tmp");
  auto path = fmt::format("{}/{}-XXXXXX", in, name);
  if (::mkdtemp(path.data()) != nullptr) return path;
  throw error(
      fmt::format("cannot make a folder in {}: {}; TMPDIR names another place", in, std::strerror(errno)));
}

// In a session of its own, so that no signal to the command and its children is one to this process.
[[noreturn]] void remove_after(int end_of_life, const std::string& folder) {
  ::setsid();
  for (int standard = 0; standard <= 2; ++standard) ::close(standard); // others wait for their end
  char nothing = 0;
  while (::read(end_of_life, &nothing, 1) < 0 && errno == EINTR) continue;
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  ::_exit(0);
}

} // namespace

temporary_folder::temporary_folder(const std::string& name) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw error(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  const os::descriptor end_of_life(ends[0]);
  lives_ = os::descriptor(ends[1]);
  path_ = new_folder(name);
  remover_ = ::fork();
  if (remover_ != 0) return; // where no process can be started, the destructor removes it
  lives_.close();
  remove_after(end_of_life.get(), path_);
}

temporary_folder::~temporary_folder() {
  lives_.close();
  if (remover_ > 0) os::wait_for(remover_);
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

} // namespace windrow::tools
