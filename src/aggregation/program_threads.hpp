// SPDX-License-Identifier: BSD-3-Clause
// Threads that the program has made and that send (SHMEM_THREAD_MULTIPLE).
#pragma once

#include <memory>
#include <vector>

#include "aggregation/sender.hpp"
#include "pgas/core.hpp"

namespace windrow::aggregation {

class engine;

/// Their senders: each thread gets one when it first sends, which the next new thread takes over after its
/// end. On any thread, but for the constructor and the destructor.
class program_threads {
 public:
  explicit program_threads(engine& e) : engine_(e) {}
  ~program_threads() { detach(); }
  program_threads(const program_threads&) = delete;
  program_threads& operator=(const program_threads&) = delete;

  /// A sender for the calling thread, which has none yet.
  sender& join();

  /// Sends what the calling thread has stored.
  void flush_own();
  /// Sends what any of them has stored, whatever it does at the moment. No item is stored meanwhile.
  void flush();
  /// Returns when the operations that the calling thread has issued are complete.
  void complete_own(pgas::wait_reason);
  /// Returns when the operations are complete that all threads had issued before this call, and that handlers
  /// had sent.
  void complete(pgas::wait_reason);
  /// They send no more, and their ends have no effect: the engine ends, or this is a forked child.
  void detach();

  /// Calls `f(sender)` for each.
  template <class F>
  void each(F f) const {
    const auto lock = core().exclusive();
    for (const auto& s : senders_) f(*s);
  }

 private:
  pgas::core& core() const;

  engine& engine_;
  std::vector<std::shared_ptr<sender>> senders_; ///< changed under `core::exclusive`
};

} // namespace windrow::aggregation
