// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "os/descriptor.hpp"

namespace windrow::tools {

/// A folder that is gone with this object, and also when this process is killed.
class temporary_folder {
 public:
  /// Its name begins with `name`. Throws windrow::error if it cannot be made.
  explicit temporary_folder(const std::string& name);
  ~temporary_folder();
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;

  std::string file(const std::string& name) const { return path_ + '/' + name; }

 private:
  std::string path_;
  os::descriptor lives_; ///< open as long as the folder is wanted
  int remover_ = 0;      ///< the process that waits for its end
};

} // namespace windrow::tools
