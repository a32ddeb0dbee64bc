// SPDX-License-Identifier: BSD-3-Clause
// Which lanes the calling thread stores items in.
#pragma once

#include "aggregation/program_threads.hpp"
#include "aggregation/sender.hpp"
#include "shmem/state.hpp"

namespace windrow::shmem {

/// Gives the calling thread a sender. With SHMEM_THREAD_MULTIPLE.
aggregation::sender& begin_to_send();

/// While it lives, the calling thread stores items, in `lanes`; it does nothing else meanwhile. hot: with one
/// thread at a time a load and a comparison, with several ones about eight instructions, none of them atomic
/// read-modify-writes or fences.
class storing {
 public:
  WINDROW_INLINE storing() : lanes_(hot.lanes) {
    if (lanes_ == nullptr) [[unlikely]]
      enter();
  }
  WINDROW_INLINE ~storing() {
    if (sender_ != nullptr) [[unlikely]]
      sender_->guard().unlock();
  }
  storing(const storing&) = delete;
  storing& operator=(const storing&) = delete;

  aggregation::lanes& lanes() const { return *lanes_; }

 private:
  WINDROW_INLINE void enter() {
    sender_ = aggregation::sender_of_program_thread;
    if (sender_ == nullptr) [[unlikely]]
      sender_ = &begin_to_send();
    sender_->guard().lock();
    lanes_ = &sender_->items();
  }

  aggregation::lanes* lanes_;
  aggregation::sender* sender_ = nullptr; ///< where each thread has its own
};

} // namespace windrow::shmem
