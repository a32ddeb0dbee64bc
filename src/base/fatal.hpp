// SPDX-License-Identifier: BSD-3-Clause
// How this process says something about itself, and how it ends when it cannot go on.
#pragma once

#include <string>
#include <string_view>

namespace windrow::base {

/// Names this thread in every message, e.g. "PE 3". PEs may be threads, hence per thread.
void set_speaker(std::string speaker);

/// Prints "windrow: <speaker>: <sentence>" on standard error as one write, so that lines of PEs do not mix;
/// after what is in the buffer of standard output. If nobody reads either for 2 s, that is left out.
void say(std::string_view sentence);

/// Says the sentence and ends this process with exit code 1 without running destructors (other PEs may be
/// anywhere, so nothing collective can still work). The launcher ends the rest of the job.
[[noreturn]] void fatal(std::string_view sentence);

/// What the exception that is being handled says; "of unknown type" if it is none of the standard library's.
std::string text_of_exception();

/// What `fatal` calls before it ends the process: something that the user would miss. It must not wait.
void before_end(void (*act)());

} // namespace windrow::base
