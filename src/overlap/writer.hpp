// SPDX-License-Identifier: BSD-3-Clause
// Writes the events of one PE to the file that all PEs of the job append to.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "os/descriptor.hpp"
#include "overlap/recording.hpp"

namespace windrow::overlap {

/// Not for several threads at a time.
class writer {
 public:
  /// Opens the file; throws windrow::error if that is not possible.
  writer(const std::string& file, int pe, int pes, bool all_accesses);

  /// Names are given before the events that use them. Number 0 is known: no place, and the team of all PEs.
  void name_site(std::uint32_t number, const site&);
  void name_team(std::uint32_t number, const std::vector<int>& members);
  void add(const event&);
  /// Writes what there is. When that fails a sentence says so, and nothing is written from then on.
  void flush();
  /// The PE has come to its end.
  void end();

 private:
  void begin_block();
  void append_name(const std::string&);

  std::string file_;
  os::descriptor output_;
  int pe_, pes_;
  bool all_accesses_, failed_ = false;
  std::string block_;
  std::uint64_t last_ns_ = 0;
};

} // namespace windrow::overlap
