// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace windrow::apps {

/// The content of a file, read where it is looked at. What cannot be opened is a windrow::error that names
/// the file and the reason.
class mapped_file {
 public:
  explicit mapped_file(const std::string& path);
  ~mapped_file();
  mapped_file(const mapped_file&) = delete;
  mapped_file& operator=(const mapped_file&) = delete;

  std::string_view text() const { return text_; }

 private:
  std::string_view text_;
};

} // namespace windrow::apps
