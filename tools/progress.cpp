// SPDX-License-Identifier: BSD-3-Clause
#include "tools/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace windrow::tools {

progress::progress() : watched_(isatty(STDERR_FILENO) != 0) {}

progress::~progress() {
  if (watched_) std::fputs("\r\033[K", stderr);
}

void progress::announce(const std::string& part) {
  if (!watched_) fmt::print(stderr, "{}\n", part);
}

void progress::step(const std::string& what) {
  ++step_;
  if (watched_) fmt::print(stderr, "\r\033[K[{:>3}/{}] {} ...", step_, steps_, what);
}

} // namespace windrow::tools
