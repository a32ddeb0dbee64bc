// SPDX-License-Identifier: BSD-3-Clause
// What carries messages between hosts. Implemented by modules that are loaded at the start of a job, so this
// header includes the standard library only.
#pragma once

#include <cstddef>

namespace windrow::transport {

/// Processes numbered 0 … size() - 1 that send each other messages. Calls may come from any thread, one at a
/// time; none of them waits for another process but `allgather`. All throw std::runtime_error with a sentence
/// when the network fails.
class network {
 public:
  /// Takes leave if that has not happened.
  virtual ~network() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;

  /// Puts the `bytes` bytes at `mine` of all processes at `all`, by rank. Collective.
  virtual void allgather(const void* mine, std::size_t bytes, void* all) = 0;

  /// From now on messages of at most `bytes` can be received, `count` at a time.
  virtual void listen(std::size_t bytes, int count) = 0;
  /// Looks at the network for the next message; those of one sender come in order. Its memory is used for
  /// another one after the next call, so that an answer can leave first.
  struct message {
    const std::byte* data; ///< null: there is none
    std::size_t bytes;
    int source;
  };
  virtual message receive() = 0;

  /// Begins to send; `data` must stay as it is until `is_sent`. Returns a number for that, at least 0.
  virtual int send(int to, const std::byte* data, std::size_t bytes) = 0;
  /// Looks at the network too. True once, and then the number may be given again.
  virtual bool is_sent(int number) = 0;

  /// Says to the launcher that this process ends, as a process must that is not to be taken for a failed one.
  /// No other call may follow.
  virtual void take_leave() = 0;
};

/// What a module exports under the name `network_entry`: makes the network. Collective over the processes
/// that the launcher has started.
using make_network = network* (*)();
inline constexpr const char* network_entry = "windrow_network_5";

} // namespace windrow::transport
