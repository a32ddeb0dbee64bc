// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>

namespace windrow::tools {

/// The programs and data that this command uses lie beside its own folder, in the build tree and installed.
class surroundings {
 public:
  std::string windrow() const { return self_.string(); }
  /// A kernel or benchmark. Throws windrow::error if it is not there.
  std::string program(const std::string& name) const { return existing(programs() / name); }
  std::filesystem::path programs() const { return prefix_ / "libexec/windrow"; }
  std::string real_graph() const { return existing(prefix_ / "share/windrow/facebook_combined.txt.gz"); }
  std::string directive_program() const { return existing(prefix_ / "share/windrow/directive.c"); }

 private:
  static std::string existing(const std::filesystem::path& path);

  std::filesystem::path self_ = std::filesystem::read_symlink("/proc/self/exe");
  std::filesystem::path prefix_ = self_.parent_path().parent_path();
};

} // namespace windrow::tools
