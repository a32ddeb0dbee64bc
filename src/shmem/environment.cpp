// SPDX-License-Identifier: BSD-3-Clause
#include "shmem/environment.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <string>

#include "base/options.hpp"
#include "shmem/define.hpp"
#include "windrow/version.hpp"

namespace windrow::shmem {

bool asked_for(const char* name, const char* old_name) {
  const auto value = base::text_option(name);
  return value ? !base::switches_off(*value) : old_name != nullptr && asked_for(old_name, nullptr);
}

namespace {

constexpr const char* help =
    "SHMEM_SYMMETRIC_SIZE  size of the symmetric heap of each PE, e.g. 512M or 1.5G (also "
    "WINDROW_SYMMETRIC_SIZE)\n"
    "SHMEM_DEBUG           1: check addresses, allocations and work arrays in every call\n"
    "SHMEM_VERSION         1: print the version of the library\n"
    "SHMEM_INFO            1: print this text\n";

} // namespace

void print_environment() {
  std::string text;
  const bool info = asked_for("SHMEM_INFO", "SMA_INFO");
  if (info || asked_for("SHMEM_VERSION", "SMA_VERSION"))
    text += fmt::format("Windrow {}, OpenSHMEM {}.{}\n", WINDROW_VERSION, SHMEM_MAJOR_VERSION,
                        SHMEM_MINOR_VERSION);
  if (info) text += help;
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}

} // namespace windrow::shmem
