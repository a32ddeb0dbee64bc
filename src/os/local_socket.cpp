// SPDX-License-Identifier: BSD-3-Clause
#include "os/local_socket.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "windrow/error.hpp"

namespace windrow::os {

namespace {

// Beginning with a zero: a name in Linux's abstract name space, which is no file.
struct address {
  explicit address(const std::string& name) {
    all.sun_family = AF_UNIX;
    const auto used = std::min(name.size(), sizeof all.sun_path - 1);
    std::memcpy(all.sun_path + 1, name.data(), used);
    bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + used);
  }
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&all); }

  sockaddr_un all{};
  socklen_t bytes;
};

descriptor make_socket() {
  descriptor made(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  if (!made.is_open()) throw error(fmt::format("cannot create a local socket: {}", std::strerror(errno)));
  return made;
}

/// A message of one part, with room for one descriptor beside it.
struct envelope {
  envelope(void* data, std::size_t bytes) : content{data, bytes} {
    header.msg_iov = &content;
    header.msg_iovlen = 1;
  }
  cmsghdr* make_room() {
    header.msg_control = room;
    header.msg_controllen = sizeof room;
    return CMSG_FIRSTHDR(&header);
  }

  iovec content;
  msghdr header{};
  alignas(cmsghdr) char room[CMSG_SPACE(sizeof(int))] = {};
};

} // namespace

descriptor listen_at(const std::string& name) {
  auto listener = make_socket();
  const address here(name);
  if (::bind(listener.get(), here.get(), here.bytes) != 0 || ::listen(listener.get(), SOMAXCONN) != 0) {
    if (errno == EADDRINUSE) return {};
    throw error(fmt::format("cannot listen at the local name {}: {}", name, std::strerror(errno)));
  }
  return listener;
}

descriptor connect_to(const std::string& name) {
  auto connection = make_socket();
  const address there(name);
  if (::connect(connection.get(), there.get(), there.bytes) == 0) return connection;
  if (errno == ECONNREFUSED || errno == EINTR || errno == EAGAIN) return {};
  throw error(fmt::format("cannot connect to the local name {}: {}", name, std::strerror(errno)));
}

descriptor accept_from(const descriptor& listener) {
  descriptor connection(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
  if (!connection.is_open())
    throw error(fmt::format("cannot accept a local connection: {}; raise the limit of open files (ulimit -n)",
                            std::strerror(errno)));
  return connection;
}

peer peer_of(const descriptor& connection) {
  ucred who{};
  socklen_t bytes = sizeof who;
  if (::getsockopt(connection.get(), SOL_SOCKET, SO_PEERCRED, &who, &bytes) != 0) return {0, ~uid_t{0}};
  return {who.pid, who.uid};
}

bool send_message(const descriptor& connection, const void* data, std::size_t bytes, int passed) {
  envelope message(const_cast<void*>(data), bytes);
  if (passed >= 0) {
    auto* control = message.make_room();
    control->cmsg_level = SOL_SOCKET;
    control->cmsg_type = SCM_RIGHTS;
    control->cmsg_len = CMSG_LEN(sizeof passed);
    std::memcpy(CMSG_DATA(control), &passed, sizeof passed);
  }
  return ::sendmsg(connection.get(), &message.header, MSG_NOSIGNAL) == static_cast<ssize_t>(bytes);
}

std::size_t receive_message(const descriptor& connection, void* data, std::size_t bytes, descriptor* passed) {
  envelope message(data, bytes);
  if (passed != nullptr) message.make_room();
  const auto got = ::recvmsg(connection.get(), &message.header, MSG_CMSG_CLOEXEC);
  if (got <= 0) return 0;
  const auto* control = CMSG_FIRSTHDR(&message.header);
  if (passed != nullptr && control != nullptr && control->cmsg_type == SCM_RIGHTS) {
    int fd = -1;
    std::memcpy(&fd, CMSG_DATA(control), sizeof fd);
    *passed = descriptor(fd);
  }
  return static_cast<std::size_t>(got);
}

} // namespace windrow::os
