// SPDX-License-Identifier: BSD-3-Clause
#include "tools/results_file.hpp"

#include "apps/support/whole_file.hpp"

namespace windrow::tools {

std::string json_text(const json& content) {
  return content.dump(2, ' ', false, json::error_handler_t::replace) + '\n';
}

void require_results_file(const std::string& file) {
  if (!file.empty()) apps::check_can_be_written(file);
}

void write_json(const std::string& file, const json& content) {
  apps::whole_file out(file);
  out.write(json_text(content));
  out.finish();
}

} // namespace windrow::tools
