// SPDX-License-Identifier: BSD-3-Clause
// A file that one PE writes and all read.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/pe_test.hpp"

namespace windrow::test {

/// Made, written and removed by all PEs together.
class shared_file {
 public:
  /// `suffix` as in ".txt"; the name has blanks in it.
  explicit shared_file(const std::string& suffix) {
    const auto owner = the_job().world().broadcast(getpid(), 0);
    path_ = fmt::format("{}windrow shared file {}{}", testing::TempDir(), owner, suffix);
  }
  ~shared_file() {
    the_job().barrier();
    if (the_job().pe() == 0) std::filesystem::remove(path_);
    the_job().barrier();
  }
  shared_file(const shared_file&) = delete;
  shared_file& operator=(const shared_file&) = delete;

  const std::string& path() const { return path_; }
  void write(const std::string& text) const {
    the_job().barrier();
    if (the_job().pe() == 0) std::ofstream(path_, std::ios::binary) << text;
    the_job().barrier();
  }

 private:
  std::string path_;
};

} // namespace windrow::test
