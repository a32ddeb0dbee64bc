// SPDX-License-Identifier: BSD-3-Clause
// What agents send each other: records, many in one message of the network.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "transport/hosts/network.hpp"
#include "windrow/types.hpp"

namespace windrow::transport {

enum class record_kind : std::uint32_t {
  block,      ///< to be worked on; its payload
  home,       ///< a block that has been; its payload if it brings answers
  put,        ///< bytes for a PE's memory
  get,        ///< asks for some
  change,     ///< an atomic operation
  done,       ///< of a put
  data,       ///< that a get asked for
  value,      ///< before a change
  part,       ///< of a team slot, for a step; and what is in the bounce buffer
  leave,      ///< a member leaves its team, for the first member
  generation, ///< of a team slot of its first member
  reset,      ///< of the parts of a PE's team slot
  ring,       ///< wakes a PE
  state,      ///< of a PE
  over,       ///< the job has been ended
  lost,       ///< a PE has died
  alive,      ///< nothing else to say
  bye,        ///< nothing will follow
};

struct record {
  record_kind kind;
  std::uint32_t bytes; ///< that follow the record, rounded up to 8
  pe_t from, to;
  std::uint32_t number;     ///< of the block or request
  std::uint32_t verb, type; ///< of a change
  std::uint32_t team, step;
  pe_t size;           ///< of a team
  std::uint32_t turn;  ///< of a bounce buffer
  std::uint32_t flags; ///< the state; whether a block brings answers
  std::uint64_t offset;
  std::uint64_t operand, expected;
};
static_assert(sizeof(record) % 8 == 0);

inline constexpr std::size_t letter_bytes = 64 * 1024;

/// What is to go to one other host, in order.
class outgoing_mail {
 public:
  /// `rank` is that of the host's agent.
  outgoing_mail(network& net, int rank) : net_(net), rank_(rank) {}

  /// Appends a record; returns where its `bytes` bytes go.
  std::byte* append(const record&);
  /// Sends what can be sent. True if anything was, or has arrived.
  bool send();
  bool is_empty() const { return waiting_.empty() && under_way_.empty(); }

 private:
  // More would only lie in the network's memory instead of ours.
  static constexpr std::size_t most_under_way = 4;

  struct letter {
    std::unique_ptr<std::byte[]> text;
    std::size_t bytes = 0;
    int number = 0; ///< the network's, once sent
  };
  letter fresh();

  network& net_;
  int rank_;
  std::deque<letter> waiting_, under_way_;
  std::vector<std::unique_ptr<std::byte[]>> spare_;
};

} // namespace windrow::transport
