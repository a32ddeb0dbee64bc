// SPDX-License-Identifier: BSD-3-Clause
// Many processes, one terminal: their output is passed on in whole lines.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "os/descriptor.hpp"

namespace windrow::os {

/// Where lines go: a descriptor that is written to only when that does not block, and what waits for it.
class line_sink {
 public:
  explicit line_sink(int fd) : fd_(fd) {}

  int fd() const { return fd_; }
  bool has_pending() const { return !pending_.empty(); }
  /// So much is pending that sources should not be read: their processes then wait, nothing grows.
  bool is_full() const { return pending_.size() > 1024 * 1024; }

  /// Appends `text`. It begins a line of its own, unless it goes on with one that the same writer left open.
  void add(std::string_view text, const void* writer = nullptr);
  /// Whether the writer's next text goes on with a line.
  bool is_open_for(const void* writer) const { return line_open_ && writer_ == writer; }
  /// Writes a part of what is pending, to be called when poll(2) says it will not block.
  /// Returns 0 or an errno; what cannot be written is then given up.
  int write_some();
  void give_up();

 private:
  int fd_;
  bool line_open_ = false;
  const void* writer_ = nullptr; ///< of the newest text
  std::string pending_;
  std::size_t written_ = 0; ///< bytes at the front of it
};

/// One stream of one process: collects bytes from a pipe and hands whole lines to a sink.
class line_source {
 public:
  /// `tag` is put before every line.
  line_source(descriptor pipe, line_sink& sink, std::string tag)
      : pipe_(std::move(pipe)), sink_(&sink), tag_(std::move(tag)) {}

  int fd() const { return pipe_.get(); }
  bool is_open() const { return pipe_.is_open(); }
  line_sink& sink() const { return *sink_; }

  /// Reads what there is (at least one byte or the end, which poll(2) has promised).
  void read_some();
  /// The process has ended: passes on all that it wrote, a last line without an end included.
  void drain();
  /// Whether there is a line that has begun.
  bool has_partial() const { return !partial_.empty(); }
  /// Passes on what there is of it; the rest goes on with it, if nothing else comes between.
  void pass_on_partial();

 private:
  void take(std::string_view bytes);
  void pass_on(std::string_view lines);

  descriptor pipe_;
  line_sink* sink_;
  std::string tag_;
  std::string partial_; ///< the line that has not ended yet
};

} // namespace windrow::os
