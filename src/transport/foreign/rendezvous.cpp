// SPDX-License-Identifier: BSD-3-Clause
#include "transport/foreign/rendezvous.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <optional>
#include <utility>

#include "base/fingerprint.hpp"
#include "base/options.hpp"
#include "os/cpu.hpp"
#include "os/local_socket.hpp"
#include "os/memory.hpp"
#include "os/process.hpp"
#include "transport/foreign/program.hpp"
#include "transport/host/host_memory.hpp"
#include "windrow/error.hpp"

namespace windrow::transport {

namespace {

using clock = std::chrono::steady_clock;

/// What a process says of itself. The version comes first: only it has the same place in all versions.
struct greeting {
  std::uint64_t version;
  std::uint64_t program;
  std::uint64_t heap_bytes;
  os::processor_set processors;
  pe_t pe;
  bool watches; ///< PE 0, as a process
};
/// What PE 0 answers, with the memory, if everybody has come and fits.
struct acceptance {
  segment_size segment;
  bool watches; ///< this PE, as a process
};

struct member {
  os::descriptor connection;
  pid_t pid;
  greeting said;
};

class start_limit {
 public:
  start_limit() : seconds_(base::integer_option("WINDROW_START_SECONDS", 60, 1, 86'400)) {}
  long seconds() const { return seconds_; }
  bool is_over() const { return clock::now() >= end_; }
  /// Waits until one of `polled` is readable. False if time is over before.
  bool wait(std::vector<pollfd>& polled) const {
    for (;;) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(end_ - clock::now()).count();
      if (left <= 0) return false;
      const int ready = ::poll(polled.data(), polled.size(), static_cast<int>(left));
      if (ready > 0) return true;
      // There may be more processes than the limit of open files allows to watch.
      if (ready < 0 && errno != EINTR)
        throw error(fmt::format("cannot wait for the other PEs of this host ({} connections): {}",
                                polled.size(), std::strerror(errno)));
    }
  }

 private:
  long seconds_;
  clock::time_point end_ = clock::now() + std::chrono::seconds(seconds_);
};

// Anybody could guess the name, and take it first. Then there are others.
constexpr int most_names = 8;

std::string name_of(const foreign_job& job, int number) {
  base::fingerprint key;
  key.add(job.key);
  if (number > 0) key.add(static_cast<std::uint64_t>(number));
  return fmt::format("windrow.{}.{:016x}", ::getuid(), key.value());
}

/// A connection to a process of this user that listens at the name.
os::descriptor connect_to_own(const std::string& name) {
  auto connection = os::connect_to(name);
  if (connection.is_open() && os::peer_of(connection).user == ::getuid()) return connection;
  return {};
}

os::descriptor open_listener(const foreign_job& job) {
  for (int number = 0; number < most_names; ++number) {
    const auto name = name_of(job, number);
    if (auto listener = os::listen_at(name); listener.is_open()) return listener;
    if (connect_to_own(name).is_open())
      throw error(fmt::format("{} has started two processes as PE {}", job.launcher, job.pe));
  }
  throw error(
      fmt::format("other users of this host have taken the {} local names at which the PEs of this job could "
                  "meet; start it again",
                  most_names));
}

/// Another PE whose process is watched, if that is possible. Else the connection to it is: it ends with its
/// process, and with those that this has forked and that run the same program. So it stays open here, too,
/// where the other one cannot watch this process.
watched_pe watched_as(pe_t pe, pid_t pid, std::optional<os::descriptor>&& process,
                      os::descriptor&& connection, bool other_watches) {
  if (!process) return {pe, pid, std::move(connection), {}};
  if (other_watches) connection.close();
  return {pe, pid, std::move(*process), std::move(connection)};
}

greeting greeting_of(const rendezvous_plan& plan) {
  return {layout_version(),         program_identity(), plan.segment.heap_bytes,
          os::allowed_processors(), plan.job.pe,        false};
}

/// What the first PE does.
class rendezvous_host {
 public:
  explicit rendezvous_host(const rendezvous_plan& plan)
      : plan_(plan), job_(plan.job), mine_(greeting_of(plan)), listener_(open_listener(job_)) {}

  rendezvous_result gather() {
    while (members_.size() < plan_.here.size() - 1) await_one();
    return accept_all();
  }

 private:
  void await_one() {
    std::vector<pollfd> polled{{listener_.get(), POLLIN, 0}};
    for (const auto& m : members_) polled.push_back({m.connection.get(), POLLIN, 0});
    if (!limit_.wait(polled))
      throw error(fmt::format(
          "{} of the {} PEs that {} started have not come within {} s (WINDROW_START_SECONDS); is each of "
          "them a Windrow program on this host?",
          missing(), plan_.here.size(), job_.launcher, limit_.seconds()));
    // A member that waits has nothing more to say.
    for (std::size_t i = 1; i < polled.size(); ++i)
      if (polled[i].revents != 0)
        throw error(fmt::format("PE {} (pid {}) has ended while the job was starting",
                                members_[i - 1].said.pe, members_[i - 1].pid));
    accept_member(os::accept_from(listener_));
  }

  std::string missing() const {
    std::string text;
    for (const auto pe : plan_.here)
      if (pe != job_.pe && find(pe) == members_.end())
        text += fmt::format("{}{}", text.empty() ? "PE " : ", ", pe);
    return text;
  }

  std::vector<member>::const_iterator find(pe_t pe) const {
    return std::find_if(members_.begin(), members_.end(), [pe](const member& m) { return m.said.pe == pe; });
  }

  void accept_member(os::descriptor&& connection) {
    const auto who = os::peer_of(connection);
    if (who.user != ::getuid()) return;
    member m{std::move(connection), who.pid, {}};
    std::vector<pollfd> polled{{m.connection.get(), POLLIN, 0}};
    if (!limit_.wait(polled)) return;
    const auto bytes = os::receive_message(m.connection, &m.said, sizeof m.said);
    if (bytes < sizeof m.said.version) return; // it has ended, and its launcher will say so
    require_same(m, bytes);
    members_.push_back(std::move(m));
  }

  void require_same(const member& m, std::size_t bytes) const {
    if (m.said.version != mine_.version || bytes != sizeof m.said)
      throw error(
          fmt::format("process {} of the job was built with another version of Windrow than PE 0 "
                      "(pid {}): rebuild it",
                      m.pid, ::getpid()));
    if (m.said.program != mine_.program)
      throw error(fmt::format(
          "PE {} (pid {}) runs another program than PE 0 (pid {}): all PEs of a job run the same file",
          m.said.pe, m.pid, ::getpid()));
    if (m.said.heap_bytes != mine_.heap_bytes)
      throw error(fmt::format(
          "PE {} wants a symmetric heap of {} and PE 0 one of {}: set WINDROW_SYMMETRIC_SIZE alike for all",
          m.said.pe, base::format_size(m.said.heap_bytes), base::format_size(mine_.heap_bytes)));
    if (m.said.pe == job_.pe || find(m.said.pe) != members_.end())
      throw error(fmt::format("{} has started two processes as PE {}", job_.launcher, m.said.pe));
  }

  rendezvous_result accept_all() {
    os::descriptor file(make_memory(plan_.segment));
    rendezvous_result result{{-1, job_.pe, job_.pes, plan_.segment}, {}};
    for (auto& m : members_) {
      auto process = os::watch_process(m.pid);
      const acceptance answer{plan_.segment, process.has_value()};
      os::send_message(m.connection, &answer, sizeof answer, file.get());
      result.others.push_back(
          watched_as(m.said.pe, m.pid, std::move(process), std::move(m.connection), m.said.watches));
    }
    result.place.memory_fd = file.release();
    return result;
  }

  os::descriptor make_memory(const segment_size& segment) const {
    const geometry shape(job_.pes, segment);
    os::descriptor file(os::create_shared_memory(shape.total, false));
    auto processors = mine_.processors;
    for (const auto& m : members_) processors |= m.said.processors;
    std::byte* const words = os::map_shared_memory(file.get(), shape.slots, nullptr);
    auto& control = host_memory(words, shape).job();
    control.magic = layout_version();
    control.processors = static_cast<std::uint32_t>(os::usable_cpus(processors));
    // Agents of other hosts use atomic instructions at any time (pgas/README.md).
    control.direct_atomics = plan_.of_several_hosts ? 1 : 0;
    os::unmap(words, shape.slots);
    return file;
  }

  const rendezvous_plan& plan_;
  const foreign_job& job_;
  start_limit limit_;
  greeting mine_;
  os::descriptor listener_;
  std::vector<member> members_;
};

os::descriptor reach_host(const foreign_job& job, const start_limit& limit) {
  for (auto pause = std::chrono::milliseconds(1); !limit.is_over();
       pause = std::min(2 * pause, std::chrono::milliseconds(20))) {
    for (int number = 0; number < most_names; ++number)
      if (auto connection = connect_to_own(name_of(job, number)); connection.is_open()) return connection;
    os::sleep(pause);
  }
  return {};
}

error no_answer(const rendezvous_plan& plan, const start_limit& limit) {
  return error(
      fmt::format("PE {} of the job that {} started has not accepted this PE within {} s "
                  "(WINDROW_START_SECONDS); is it a Windrow program on this host?",
                  plan.here.front(), plan.job.launcher, limit.seconds()));
}

// The host says what is wrong; a member whose connection it closes has only to go.
rendezvous_result attend(const rendezvous_plan& plan) {
  const start_limit limit;
  auto mine = greeting_of(plan);
  auto connection = reach_host(plan.job, limit);
  if (!connection.is_open()) throw no_answer(plan, limit);
  const auto host = os::peer_of(connection).pid;
  auto process = os::watch_process(host);
  mine.watches = process.has_value();
  os::send_message(connection, &mine, sizeof mine);
  std::vector<pollfd> polled{{connection.get(), POLLIN, 0}};
  if (!limit.wait(polled)) throw no_answer(plan, limit);
  acceptance answer{};
  os::descriptor memory;
  if (os::receive_message(connection, &answer, sizeof answer, &memory) != sizeof answer || !memory.is_open())
    std::_Exit(EXIT_FAILURE);
  rendezvous_result result{{-1, plan.job.pe, plan.job.pes, answer.segment}, {}};
  result.others.push_back(
      watched_as(plan.here.front(), host, std::move(process), std::move(connection), answer.watches));
  result.place.memory_fd = memory.release();
  return result;
}

} // namespace

rendezvous_plan plan_rendezvous(const foreign_job& job) {
  std::vector<pe_t> all(static_cast<std::size_t>(job.pes));
  std::iota(all.begin(), all.end(), 0);
  return {job, std::move(all), segment_of(heap_bytes_per_pe(job.pes), job.pes)};
}

rendezvous_result meet(const rendezvous_plan& plan) {
  return plan.is_host() ? rendezvous_host(plan).gather() : attend(plan);
}

} // namespace windrow::transport
