// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdexcept>

namespace windrow {

/// What the environment did not allow: too little symmetric memory, a file that cannot be read, a transport
/// that is missing. Its `what()` is one sentence: what, where, what to do. An uncaught `error` ends the
/// program with that sentence and a non-zero exit code. Misuse of the API (a PE out of range, an address
/// outside symmetric memory, a call after `finalize`) is not an exception: it ends the whole job with such a
/// sentence, because the program is wrong.
class error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

} // namespace windrow
