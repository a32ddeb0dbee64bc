// SPDX-License-Identifier: BSD-3-Clause
// What a PE does, as events with a beginning and an end, in the file that WINDROW_TRACE names. README.md has
// the format.
#pragma once

#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "os/descriptor.hpp"
#include "windrow/types.hpp"

namespace windrow::trace {

enum class category : std::uint8_t {
  direct,          ///< a direct operation; `first` is its offset, `second` its bytes
  synchronization, ///< of PEs or threads; `first` is the number of the team or context, if it has one
  handler,         ///< of a run of messages; `first` is the number of its kind, `second` how many there are
  task,
  object, ///< a handler of a mobile object, or what becomes of one; `first` is its id, `second` bytes
};

struct event {
  const char* name; ///< lives as long as the program
  category what;
  const void* site; ///< where the call returns to; null: not known
  pe_t pe;          ///< the other PE; -1: none or several
  std::uint64_t first, second;
};

/// The events of one PE. They wait in memory of a fixed size, then go to the file, which all PEs of a host
/// append to. Any thread may record.
class recorder {
 public:
  using clock = std::function<std::uint64_t()>; ///< nanoseconds

  /// Where `first`, begins a new file; the others add to it, after that. `host` is the first PE of this host.
  recorder(std::string file, pe_t self, pe_t host, clock now);
  ~recorder();
  recorder(const recorder&) = delete;
  recorder& operator=(const recorder&) = delete;

  std::uint64_t now_ns() const { return now_(); }
  void add(const event&, std::uint64_t begin_ns, std::uint64_t end_ns);

  /// Writes what there is, and that this PE's trace ends here. Nothing is recorded from now on.
  void end();
  /// Makes the file whole. For the first PE of the host, after the others have ended.
  void end_file();
  /// Goes on after `end`. The first PE of the host calls it before any other adds something.
  void resume();

 private:
  struct record {
    event what;
    std::uint64_t begin_ns, end_ns;
    std::uint32_t thread;
  };

  static void write_all_out();
  void write_out();
  void append(std::string&, const record&);
  const std::string& name_of(const void* site);
  void write(const std::string& text);
  void give_up(const char* why);

  std::string file_;
  pe_t self_, host_;
  clock now_;
  std::mutex mutex_;
  os::descriptor output_;
  std::vector<record> records_;
  std::unordered_map<const void*, std::string> sites_;
  pid_t process_ = ::getpid();
  std::uint64_t written_ = 0, lost_ = 0;
  std::uint32_t threads_ = 0; ///< that have a name in the file
  bool ended_ = false;
};

/// What WINDROW_TRACE asks for; null without it.
std::unique_ptr<recorder> chosen_recorder(pe_t self, pe_t host, recorder::clock now);

/// Records an event from here to the end of the block; nothing if `to` is null.
class span {
 public:
  span(recorder* to, const event& what) : to_(to) {
    if (to != nullptr) [[unlikely]]
      running_.emplace(what, to->now_ns());
  }
  ~span() { // NOLINT(bugprone-exception-escape): memory for a record is there, or the job ends
    if (to_ == nullptr) [[likely]]
      return;
    const auto& [what, since_ns] = *running_; // NOLINT(bugprone-unchecked-optional-access)
    to_->add(what, since_ns, to_->now_ns());
  }
  span(const span&) = delete;
  span& operator=(const span&) = delete;

 private:
  recorder* to_;
  std::optional<std::pair<event, std::uint64_t>> running_; ///< and when it has begun
};

} // namespace windrow::trace
