// SPDX-License-Identifier: BSD-3-Clause
#include "transport/mpi/load.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include <exception>
#include <filesystem>
#include <set>

#include "base/options.hpp"
#include "os/trusted_file.hpp"
#include "windrow/error.hpp"

namespace windrow::transport {

namespace {

int note(dl_phdr_info* module, std::size_t, void* all) {
  static_cast<std::set<std::string>*>(all)->insert(module->dlpi_name);
  return 0;
}

std::set<std::string> loaded_libraries() {
  std::set<std::string> all;
  ::dl_iterate_phdr(note, &all);
  return all;
}

// Before the module was loaded; null until then. Not destroyed: the program may ask until its very end.
const std::set<std::string>* libraries_of_program = nullptr;

std::string name_of(const std::string& flavour) {
  return fmt::format("libwindrow_mpi_{}.so", flavour);
}

// The module in this folder, or nothing.
std::string there(const std::string& folder, const std::string& flavour) {
  const auto path = std::filesystem::path(folder) / name_of(flavour);
  std::error_code unknown;
  return std::filesystem::exists(path, unknown) ? path.string() : "";
}

} // namespace

std::string find_mpi_module(const std::string& flavour) {
  const auto chosen = base::text_option("WINDROW_MODULE_DIR");
  if (chosen) return there(*chosen, flavour);
  auto installed = there(WINDROW_INSTALLED_MODULES, flavour);
  if (!installed.empty()) return installed;
  // The folder of the build may be gone, and anybody might make it again.
  auto built = there(WINDROW_BUILT_MODULES, flavour);
  return os::is_trusted_file(built) ? built : "";
}

std::string why_no_mpi_module(const std::string& flavour) {
  if (const auto chosen = base::text_option("WINDROW_MODULE_DIR"))
    return fmt::format(
        "WINDROW_MODULE_DIR='{}' has no {}: name the folder where it is, or unset the variable", *chosen,
        name_of(flavour));
  return fmt::format(
      "{} is not found: build and install Windrow where {} is installed (package {}), or "
      "set WINDROW_MODULE_DIR to its folder",
      name_of(flavour), flavour == "mpich" ? "MPICH" : "Open MPI",
      flavour == "mpich" ? "libmpich-dev" : "libopenmpi-dev");
}

std::unique_ptr<network> start_mpi(const std::string& flavour) {
  const auto path = find_mpi_module(flavour);
  if (path.empty()) throw error(why_no_mpi_module(flavour));
  const auto before = loaded_libraries();
  void* const module = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (module == nullptr) throw error(fmt::format("cannot load {}: {}", path, ::dlerror()));
  const auto make = reinterpret_cast<make_network>(::dlsym(module, network_entry));
  if (make == nullptr)
    throw error(fmt::format("{} is a module of another version of Windrow: rebuild it", path));
  try {
    std::unique_ptr<network> made(make());
    libraries_of_program = new std::set<std::string>(before);
    return made;
  } catch (const std::exception& e) {
    throw error(fmt::format("cannot start MPI ({}): {}", flavour, e.what()));
  }
}

bool came_with_mpi(const char* path) {
  return libraries_of_program != nullptr && !libraries_of_program->contains(path);
}

} // namespace windrow::transport
