// SPDX-License-Identifier: BSD-3-Clause
#include "tools/results_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "windrow/error.hpp"

namespace windrow::tools {

void write_json(const std::string& file, const nlohmann::json& content) {
  std::ofstream out(file);
  out << content.dump(2) << '\n';
  out.close();
  if (!out) throw error(fmt::format("cannot write {}: {}", file, std::strerror(errno)));
}

} // namespace windrow::tools
