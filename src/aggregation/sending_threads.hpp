// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace windrow::aggregation {

/// The threads of a PE that send, as far as the engine must know how they run: the workers.
class sending_threads {
 public:
  /// Whether the caller keeps a handler of messages from returning. Then it must not wait, on whatever
  /// thread.
  virtual bool keeps_handler() const = 0;
  /// Returns once `done(argument)` is true. By a thread other than the PE's own. Meanwhile what would keep a
  /// handler from returning goes on, and nothing else.
  virtual void wait(bool (*done)(void*), void* argument) = 0;
  /// Something that a thread may wait for has become true, and was written before with sequential
  /// consistency.
  virtual void wake() = 0;

 protected:
  ~sending_threads() = default;
};

} // namespace windrow::aggregation
