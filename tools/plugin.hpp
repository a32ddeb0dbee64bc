// SPDX-License-Identifier: BSD-3-Clause
// The compiler plug-ins of this Windrow: one for each release of clang that it was built for.
#pragma once

#include <string>
#include <vector>

#include "tools/build_facts.hpp"

namespace windrow::tools {

/// That of the clang which is used if no other is named. Throws windrow::error if this Windrow has none.
const build_facts::plugin& usual_plugin();
/// Its file, which may not be built yet.
std::string file_of(const build_facts::plugin&);

/// That of the clang which `command`, a line for the shell, starts; `compiler` is what messages call it.
/// Throws windrow::error if it is no clang, or there is none for its release.
const build_facts::plugin& plugin_for(const std::string& command, const std::string& compiler);

/// What the plug-in is wanted for.
struct compiler_passes {
  bool defer;                    ///< -fdefer
  bool overlap;                  ///< -foverlap: instrument the program for `windrow overlap record`
  std::vector<std::string> plan; ///< what stands behind each `-foverlap-plan=`
  std::vector<std::string> comm; ///< what stands behind each `-fcomm=`; empty for `-fcomm` alone

  bool any() const { return defer || overlap || !plan.empty() || !comm.empty(); }
};

/// What makes clang do that.
std::vector<std::string> flags_of(const build_facts::plugin&, const compiler_passes&);

} // namespace windrow::tools
