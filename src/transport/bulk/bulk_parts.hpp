// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace windrow::transport {

/// What WINDROW_BULK asks for.
struct bulk_parts {
  bool puts = false;   ///< none waits for its answer
  bool bursts = false; ///< small puts, and updates, of one PE leave in one message
  bool gets = false;   ///< those of a phase that is repeated are made where it begins
  bool any() const { return puts || bursts || gets; }
};

} // namespace windrow::transport
