// SPDX-License-Identifier: BSD-3-Clause
// The program's own work between calls of the library: measured in one run, charged in others (README.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "windrow/types.hpp"

namespace windrow::transport {

/// What a PE does from the end of one call to the begin of the next one, which `call` describes.
struct stretch {
  std::uint64_t ns;
  std::string call;
  friend bool operator==(const stretch&, const stretch&) = default;
};

/// More than that of one PE are refused.
inline constexpr std::size_t most_stretches = std::size_t{1} << 22;

/// What PE `pe` of `pes` appends to a work file.
std::string work_text(pe_t pe, pe_t pes, const std::vector<stretch>&);
/// The stretches of PE `pe` of `pes` in the text of a work file. Throws windrow::error, with the name of the
/// file, where these are not there as a whole.
std::vector<stretch> parse_work(std::string_view text, const std::string& file, pe_t pe, pe_t pes);

/// Follows a PE through its calls. The PE calls it in its turns only.
class work_account {
 public:
  virtual ~work_account() = default;

  /// The library works from here to `resume`, in a call of the program or not. May be nested.
  virtual void pause() {}
  virtual void resume() {}
  /// The next call begins: the work before it, in nanoseconds, that is to be charged. A call that is not the
  /// one that has been measured ends the job with a sentence.
  virtual std::uint64_t next_call(std::string_view call) = 0;
  /// The PE has come to its end: as `next_call`.
  virtual std::uint64_t end() = 0;
};

/// As WINDROW_SIM_MEASURE (`measure`) or WINDROW_SIM_WORK (`charge`) names a file, or null. PE 0 makes its
/// account before the others come to a call. Throws windrow::error.
std::unique_ptr<work_account> chosen_account(pe_t pe, pe_t pes);

} // namespace windrow::transport
