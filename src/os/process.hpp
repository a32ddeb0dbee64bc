// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "os/descriptor.hpp"

namespace windrow::os {

/// How a process ended.
class exit_status {
 public:
  /// `wait_status` is what waitpid(2) reports.
  explicit exit_status(int wait_status) : wait_status_(wait_status) {}

  /// The exit code, or 128 + the signal, as shells count.
  int code() const;
  /// "ended with exit code 3", "was killed by signal 11 (Segmentation fault)".
  std::string text() const;

 private:
  int wait_status_;
};

/// "signal 2 (Interrupt)".
std::string signal_text(int signal);

/// Without those that this process ignores: that was on purpose (nohup, background jobs).
std::vector<int> not_ignored(std::vector<int> signals);

/// The signals by which users and systems end a program and which this process does not ignore.
std::vector<int> ending_signals();

/// The kernel kills this process as soon as its parent has ended, however that happens. `parent` is the
/// process that forked this one: if it is gone already, this process ends here.
void die_with_parent(pid_t parent);

/// Why `program` cannot be run, or an empty string if the search that execvp(3) makes would find it.
std::string why_not_runnable(const std::string& program);

/// Replaces this process by `words[0]`, found as execvp(3) does. On failure says why and ends with exit code
/// 127.
[[noreturn]] void execute(const std::vector<std::string>& words);

/// A child, and where what it prints can be read.
struct piped_child {
  pid_t pid = 0;
  descriptor output;
};

/// What of a child's output is read.
enum class child_output : std::uint8_t { standard, standard_and_errors };

/// Starts `words` as `execute` does, in a process that dies with this one, with `variables` (NAME=value)
/// besides those of this process. Throws windrow::error where no process can be started.
piped_child start_piped(const std::vector<std::string>& words, child_output,
                        const std::vector<std::string>& variables = {});
/// Waits until the child has ended.
exit_status wait_for(pid_t child);

/// Opens /dev/null for whichever of descriptors 0, 1 and 2 is closed: the next file would get its number and
/// be mistaken for standard input or output.
void open_standard_descriptors();

/// A descriptor that becomes readable when the process ends; closed if it has ended already. Nothing where
/// processes cannot be watched (Linux before 5.3, some containers) or this one cannot be seen (0). Throws
/// windrow::error if no more files may be open.
std::optional<descriptor> watch_process(pid_t);
/// When the process was started, in ticks since the start of the system; 0 if there is none.
std::uint64_t start_time_of(pid_t);

/// A thread that handles no signals: the program's own do. `purpose` is what it does, for the sentence.
/// Throws windrow::error where the system allows no more.
std::thread start_thread(const char* purpose, std::function<void()> body);

/// Whether this process has threads besides the calling one.
bool has_other_threads();

/// The living and the unreaped children of this process, of all its threads.
std::vector<pid_t> children();

} // namespace windrow::os
