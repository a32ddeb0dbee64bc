// SPDX-License-Identifier: BSD-3-Clause
#include "apps/support/mapped_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "windrow/error.hpp"

namespace windrow::apps {

namespace {

std::string_view map(int file, std::size_t size) {
  if (size == 0) return {}; // mappings of no bytes are not allowed
  void* memory = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  return memory == MAP_FAILED ? std::string_view{} : std::string_view(static_cast<const char*>(memory), size);
}

} // namespace

mapped_file::mapped_file(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat about{};
  const bool known = file >= 0 && fstat(file, &about) == 0;
  const auto size = static_cast<std::size_t>(about.st_size);
  if (known) text_ = map(file, size);
  const int problem = errno;
  if (file >= 0) close(file);
  if (!known || text_.size() != size)
    throw error(fmt::format("cannot read the file {}: {}", path, std::strerror(problem)));
}

mapped_file::~mapped_file() {
  if (!text_.empty()) munmap(const_cast<char*>(text_.data()), text_.size());
}

} // namespace windrow::apps
