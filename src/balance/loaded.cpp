// SPDX-License-Identifier: BSD-3-Clause
#include "balance/loaded.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <string_view>

#include "windrow/error.hpp"

namespace windrow::balance {

policy loaded_policy(const std::string& file) {
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw error(fmt::format("cannot load the policy {}: {}", file, dlerror()));
  const auto* const found = static_cast<const loadable_policy*>(dlsym(library, "windrow_policy"));
  if (found == nullptr)
    throw error(fmt::format("{} has no policy: put WINDROW_POLICY(…) into one of its files", file));
  if (std::string_view(found->version) != WINDROW_VERSION)
    throw error(fmt::format("the policy {} was compiled for Windrow {}, and this is {}: compile it again",
                            file, found->version, WINDROW_VERSION));
  return found->make();
}

} // namespace windrow::balance
