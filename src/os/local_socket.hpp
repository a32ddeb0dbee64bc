// SPDX-License-Identifier: BSD-3-Clause
// Messages between processes of one host that know a common name. The name is no file: it goes with the
// socket, so nothing can be left behind.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>

#include "os/descriptor.hpp"

namespace windrow::os {

/// Takes the name and waits for others to connect; a closed descriptor if the name is taken. Throws
/// windrow::error.
descriptor listen_at(const std::string& name);
/// A connection to who listens at the name; a closed descriptor if nobody does. Throws windrow::error.
descriptor connect_to(const std::string& name);
/// The next connection. Throws windrow::error.
descriptor accept_from(const descriptor& listener);

/// The process that made the other end.
struct peer {
  pid_t pid;
  uid_t user;
};
peer peer_of(const descriptor& connection);

/// Sends one message, with a copy of the descriptor `passed` unless that is negative. False if the other end
/// is closed.
bool send_message(const descriptor& connection, const void* data, std::size_t bytes, int passed = -1);
/// Receives one message of at most `bytes`, and the descriptor that came with it, if any. Returns its size; 0
/// if the other end is closed.
std::size_t receive_message(const descriptor& connection, void* data, std::size_t bytes,
                            descriptor* passed = nullptr);

} // namespace windrow::os
