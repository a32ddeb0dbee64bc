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

enum class record_kind : std::uint8_t {
  block,      ///< to be worked on; its payload
  home,       ///< a block that has been; its payload if it brings answers
  put,        ///< bytes for a PE's memory
  get,        ///< asks for some
  change,     ///< an atomic operation
  changes,    ///< many, of which nobody wants the value before (placed_change)
  done,       ///< of a put or of changes
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
  waits,      ///< what a PE waits for (wait_states.hpp)
  alive,      ///< nothing else to say
  bye,        ///< nothing will follow
};

struct record {
  record_kind kind;
  std::uint8_t verb, type; ///< of a change
  std::uint8_t flags;      ///< the state; the turn of a bounce buffer; whether a block brings answers
  std::uint32_t bytes;     ///< that follow the record, rounded up to 8
  pe_t from, to;
  std::uint32_t number; ///< of the place of a block, the request, or the team
  std::uint32_t step;   ///< of a team; of `leave`, its size; of `put`, `get` the bytes of a block, 0: dense
  // From here on only of `put`, `get`, `change` and `value`.
  std::uint64_t offset;
  std::uint64_t operand;  ///< of a get, the bytes asked for
  std::uint64_t expected; ///< of blocks, from one to the next
};
static_assert(sizeof(record) == 48 && offsetof(record, offset) == 24);

/// Bytes of a record of that kind on its way: four whole blocks fit into a message.
constexpr std::size_t wire_bytes(record_kind kind) {
  const bool has_place = kind == record_kind::put || kind == record_kind::get ||
                         kind == record_kind::change || kind == record_kind::value;
  return has_place ? sizeof(record) : offsetof(record, offset);
}

record to_pe(record_kind, pe_t from, pe_t to);

inline constexpr std::size_t message_bytes = 64 * 1024;

/// What is to go to one other host, in order.
class outgoing_messages {
 public:
  /// `rank` is that of the host's agent.
  outgoing_messages(network& net, int rank) : net_(net), rank_(rank) {}

  /// Appends a record; returns where its `bytes` bytes go.
  std::byte* append(const record&);
  /// Sends what can be sent. True if anything was, or has arrived. Blocks that do not fill a message are kept
  /// for more unless `all` and nothing is under way.
  bool send(bool all);
  bool is_empty() const { return waiting_.empty() && under_way_.empty(); }
  /// Whether something has been sent that the network still needs to be looked at for.
  bool is_sending() const { return !under_way_.empty(); }

 private:
  // More would only lie in the network's memory instead of ours.
  static constexpr std::size_t most_under_way = 8;
  static constexpr std::size_t most_spare = 16;
  static constexpr int homes_together = 8; // their owner may be waiting for them

  struct message {
    std::unique_ptr<std::byte[]> text;
    std::size_t bytes = 0;
    bool urgent = false; ///< there is more in it than blocks, or many come home
    bool full = false;   ///< another record like the last one has no room
    int homes = 0;
    int number = 0; ///< the network's, once sent
  };
  bool may_leave(bool all) const;
  message fresh();
  void keep(std::unique_ptr<std::byte[]>);

  network& net_;
  int rank_;
  std::deque<message> waiting_, under_way_;
  std::vector<std::unique_ptr<std::byte[]>> spare_;
};

/// The record at `text`.
record read_record(const std::byte* text);

} // namespace windrow::transport
