// SPDX-License-Identifier: BSD-3-Clause
#include "os/line_output.hpp"

#include <sys/ioctl.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <utility>

namespace windrow::os {

void line_sink::add(std::string_view text, const void* writer) {
  if (text.empty()) return;
  if (line_open_ && writer != writer_) pending_.push_back('\n');
  pending_.append(text);
  line_open_ = text.back() != '\n';
  writer_ = writer;
}

int line_sink::write_some() {
  // A pipe that poll(2) calls writable takes PIPE_BUF bytes without blocking; more might block, and then a
  // signal would find the supervisor deaf.
  const auto written =
      ::write(fd_, pending_.data() + written_, std::min<std::size_t>(pending_.size() - written_, PIPE_BUF));
  if (written >= 0) {
    written_ += static_cast<std::size_t>(written);
    if (written_ * 2 >= pending_.size()) pending_.erase(0, std::exchange(written_, 0));
    return 0;
  }
  if (errno == EINTR || errno == EAGAIN) return 0;
  const int reason = errno;
  give_up();
  return reason;
}

void line_sink::give_up() {
  pending_.clear();
  written_ = 0;
}

void line_source::read_some() {
  std::array<char, 64 * 1024> buffer;
  const auto count = ::read(pipe_.get(), buffer.data(), buffer.size());
  if (count > 0) return take({buffer.data(), static_cast<std::size_t>(count)});
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
  drain();
  pipe_.close();
}

void line_source::drain() {
  // Only what is there now: a process that outlives its PE may hold the pipe open for ever.
  int waiting = 0;
  if (is_open() && ::ioctl(pipe_.get(), FIONREAD, &waiting) == 0 && waiting > 0) {
    std::string rest(static_cast<std::size_t>(waiting), '\0');
    const auto count = ::read(pipe_.get(), rest.data(), rest.size());
    if (count > 0) take({rest.data(), static_cast<std::size_t>(count)});
  }
  pass_on_partial();
}

void line_source::pass_on_partial() {
  pass_on(partial_);
  partial_.clear();
}

void line_source::take(std::string_view bytes) {
  const auto end = bytes.rfind('\n');
  if (end == std::string_view::npos) {
    partial_.append(bytes);
    return;
  }
  partial_.append(bytes.substr(0, end + 1));
  pass_on(partial_);
  partial_.assign(bytes.substr(end + 1));
}

void line_source::pass_on(std::string_view lines) {
  if (tag_.empty()) return sink_->add(lines, this);
  while (!lines.empty()) {
    const auto length = std::min(lines.find('\n'), lines.size() - 1) + 1;
    const auto tag = sink_->is_open_for(this) ? "" : tag_;
    sink_->add(tag + std::string(lines.substr(0, length)), this);
    lines.remove_prefix(length);
  }
}

} // namespace windrow::os
