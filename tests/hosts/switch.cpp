// SPDX-License-Identifier: BSD-3-Clause
// A network switch in user space, whose wires are long: every frame arrives DELAY_US later than it was sent,
// and in order. For hosts made of name spaces on kernels that cannot delay packets themselves (no netem).
//
//   hosts_switch DELAY_US PORT…    makes a TAP device of each name, prints "ready", and ends with its input.
//
// The devices can be moved to other name spaces meanwhile. Lines of the input: "cut PORT", "mend PORT". Needs
// root.
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/if.h>
#include <linux/if_ether.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <iostream>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace {

using clock_type = std::chrono::steady_clock;
using address = std::array<unsigned char, ETH_ALEN>;

/// What the kernel puts before each frame: which of its work it has left out (virtio_net_hdr, opaque here).
constexpr std::size_t left_out_bytes = 10;
constexpr std::size_t frame_bytes = 65536 + ETH_HLEN + left_out_bytes; // TCP hands over 64 KiB at once
constexpr int frames_at_once = 64;
/// What the wires hold: more than TCP has under way. Beyond it frames are lost, as in any switch.
constexpr std::size_t frames_under_way = 16384;

[[noreturn]] void fail(const std::string& what) {
  fmt::print(stderr, "hosts_switch: {}: {}\n", what, std::strerror(errno));
  std::exit(EXIT_FAILURE);
}

struct port {
  std::string name;
  int device;
  bool cut = false;
};

port open_port(const std::string& name) {
  const int device = ::open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (device < 0) fail("/dev/net/tun");
  ifreq request{};
  name.copy(request.ifr_name, sizeof request.ifr_name - 1);
  // Large segments cross in one piece, with checksums left out: a frame costs one read and one write.
  request.ifr_flags = IFF_TAP | IFF_NO_PI | IFF_VNET_HDR;
  if (::ioctl(device, TUNSETIFF, &request) != 0 ||
      ::ioctl(device, TUNSETOFFLOAD, TUN_F_CSUM | TUN_F_TSO4 | TUN_F_TSO6) != 0)
    fail(name);
  return {name, device};
}

struct frame {
  clock_type::time_point due;
  std::size_t from;
  std::vector<char> bytes; ///< what was left out, then what is on the wire

  address at(std::size_t offset) const {
    address a{};
    std::memcpy(a.data(), bytes.data() + left_out_bytes + offset, a.size());
    return a;
  }
  address target() const { return at(0); }
  address source() const { return at(ETH_ALEN); }
};

class wires {
 public:
  wires(std::chrono::microseconds delay, std::span<char*> names) : delay_(delay) {
    for (const char* name : names) ports_.push_back(open_port(name));
  }

  /// Forwards until the input ends.
  void run() {
    std::vector<pollfd> watched{{STDIN_FILENO, POLLIN, 0}};
    for (const auto& p : ports_) watched.push_back({p.device, POLLIN, 0});
    for (;;) {
      const auto limit = time_to_next();
      if (::ppoll(watched.data(), watched.size(), limit ? &*limit : nullptr, nullptr) < 0) fail("ppoll");
      if (watched[0].revents != 0 && !obey()) return;
      for (std::size_t i = 0; i < ports_.size(); ++i)
        if ((watched[i + 1].revents & POLLIN) != 0) take_from(i);
      deliver_due();
    }
  }

 private:
  std::optional<timespec> time_to_next() const {
    if (under_way_.empty()) return std::nullopt;
    const auto left = std::max(clock_type::duration(0), under_way_.front().due - clock_type::now());
    const auto seconds = std::chrono::floor<std::chrono::seconds>(left);
    return timespec{seconds.count(), (left - seconds).count()};
  }

  // Returns false at the end of the input.
  bool obey() {
    for (std::string line; std::getline(std::cin, line);) {
      for (auto& p : ports_) {
        if (line == "cut " + p.name) p.cut = true;
        if (line == "mend " + p.name) p.cut = false;
      }
      if (std::cin.rdbuf()->in_avail() <= 0) return true;
    }
    return false;
  }

  void take_from(std::size_t from) {
    for (int i = 0; i < frames_at_once; ++i) {
      std::vector<char> bytes(frame_bytes);
      const auto got = ::read(ports_[from].device, bytes.data(), bytes.size());
      if (got < static_cast<ssize_t>(left_out_bytes + ETH_HLEN)) return;
      if (ports_[from].cut || under_way_.size() >= frames_under_way) continue;
      bytes.resize(static_cast<std::size_t>(got));
      under_way_.push_back({clock_type::now() + delay_, from, std::move(bytes)});
      port_of_[under_way_.back().source()] = from;
    }
  }

  void deliver_due() {
    for (const auto now = clock_type::now(); !under_way_.empty() && under_way_.front().due <= now;) {
      deliver(under_way_.front());
      under_way_.pop_front();
    }
  }
  void deliver(const frame& f) {
    const auto known = port_of_.find(f.target());
    if (known != port_of_.end()) return deliver(f, known->second);
    for (std::size_t to = 0; to < ports_.size(); ++to)
      if (to != f.from) deliver(f, to);
  }
  void deliver(const frame& f, std::size_t to) {
    if (ports_[to].cut) return;
    if (::write(ports_[to].device, f.bytes.data(), f.bytes.size()) < 0) return; // lost
  }

  std::chrono::microseconds delay_;
  std::vector<port> ports_;
  std::map<address, std::size_t> port_of_; ///< where each sender is
  std::deque<frame> under_way_;            ///< by `due`, since all take equally long
};

} // namespace

int main(int argc, char** argv) {
  const std::span words(argv, static_cast<std::size_t>(argc));
  unsigned delay_us = 0;
  if (argc < 3 || std::from_chars(words[1], words[1] + std::strlen(words[1]), delay_us).ec != std::errc{}) {
    fmt::print(stderr, "usage: hosts_switch DELAY_US PORT...\n");
    return EXIT_FAILURE;
  }
  std::ios::sync_with_stdio(false); // so that it is known what has been read of the input
  wires all(std::chrono::microseconds(delay_us), words.subspan(2));
  // A frame that is due must not wait for the programs that are measured; without the right to this it may.
  const sched_param first{.sched_priority = 1};
  ::sched_setscheduler(0, SCHED_RR, &first);
  std::puts("ready");
  std::fflush(stdout);
  all.run();
}
