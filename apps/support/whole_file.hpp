// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace windrow::apps {

/// A file that is there when all of it has been written, and until then is what it was before. It is written
/// beside its place, under another name, which goes with this object. What is no file (a pipe, a device) is
/// written as it is.
class whole_file {
 public:
  /// Throws windrow::error with file and reason, as `write` and `finish` do.
  explicit whole_file(const std::string& path);
  ~whole_file();
  whole_file(const whole_file&) = delete;
  whole_file& operator=(const whole_file&) = delete;

  void write(std::string_view text);
  /// The name of what is written, for other processes that append to it.
  const std::string& place() const { return pending_.empty() ? path_ : pending_; }
  /// Puts it in its place.
  void finish();

 private:
  struct closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  void check(bool is_done) const;

  std::string path_, pending_; ///< where it will be, and where it is; the latter empty once it is there
  std::unique_ptr<std::FILE, closer> file_;
};

/// Throws windrow::error with the reason if no such file can be written: to be asked before long work. Leaves
/// things as they are.
void check_can_be_written(const std::string& path);

} // namespace windrow::apps
