// SPDX-License-Identifier: BSD-3-Clause
// In place of src/pgas/thread_applies.hpp: Relacy's threads are one of the system's.
#pragma once

namespace windrow::pgas {

/// One for each of Relacy's threads. Between iterations all are false.
struct flag_of_thread {
  bool& here() const { return flags[rl::ctx().threadx_->index_]; }
  operator bool() const { return here(); }
  void operator=(bool yes) const { here() = yes; }

  static inline bool flags[16] = {};
};
inline constexpr flag_of_thread this_thread_applies;

} // namespace windrow::pgas
