// SPDX-License-Identifier: BSD-3-Clause
#include "apps/graph/byte_stream.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "windrow/error.hpp"

namespace windrow::graph {

namespace {

constexpr std::size_t buffer_bytes = 1 << 17;

[[noreturn]] void throw_system_error() {
  throw error(std::strerror(errno));
}

/// Whether it is a file that this process has opened, so that the name means another one to another PE.
bool is_of_this_process(std::string_view path) {
  for (const std::string_view place : {"/dev/stdin", "/dev/fd/", "/proc/self/", "/proc/thread-self/"})
    if (path.starts_with(place)) return true;
  return false;
}

} // namespace

byte_stream::descriptor::descriptor(const std::string& path)
    : number(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (number < 0) throw_system_error();
}

byte_stream::descriptor::~descriptor() {
  ::close(number);
}

byte_stream::byte_stream(const std::string& path) : file_(path), buffer_(buffer_bytes) {
  struct stat about{};
  if (::fstat(file_.number, &about) != 0) throw_system_error();
  is_divisible_ = S_ISREG(about.st_mode) && !is_of_this_process(path);
  size_ = static_cast<std::uint64_t>(about.st_size);
  look_at_beginning();
}

std::size_t byte_stream::read_raw(std::span<char> out) {
  for (;;) {
    const auto count = ::read(file_.number, out.data(), out.size());
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno != EINTR) throw_system_error();
  }
}

void byte_stream::look_at_beginning() {
  std::size_t length = 0; // a pipe may give one byte at a time
  while (length < telling_bytes && !at_end_) {
    const auto more = read_raw(std::span(buffer_).subspan(length));
    at_end_ = more == 0;
    length += more;
  }
  input_ = {buffer_.data(), length};
  unpacker_ = make_unpacker(input_);
}

void byte_stream::seek(std::uint64_t place) {
  if (::lseek(file_.number, static_cast<off_t>(place), SEEK_SET) < 0) throw_system_error();
  input_ = {};
  at_end_ = false;
}

std::size_t byte_stream::read(std::span<char> out) {
  if (unpacker_ == nullptr) {
    const auto kept = std::min(input_.size(), out.size());
    if (kept == 0) return read_raw(out);
    std::ranges::copy(input_.substr(0, kept), out.begin());
    input_.remove_prefix(kept);
    return kept;
  }
  for (auto rest = out;;) {
    if (input_.empty() && !at_end_) {
      const auto length = read_raw(buffer_);
      at_end_ = length == 0;
      input_ = {buffer_.data(), length};
    }
    unpacker_->unpack(input_, rest, at_end_);
    if (rest.size() < out.size()) return out.size() - rest.size();
    if (!at_end_ || !input_.empty()) continue;
    if (!unpacker_->may_end()) throw error("unexpected end of file");
    return 0;
  }
}

} // namespace windrow::graph
