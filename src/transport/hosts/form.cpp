// SPDX-License-Identifier: BSD-3-Clause
#include "transport/hosts/form.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "base/fatal.hpp"
#include "base/fingerprint.hpp"
#include "base/options.hpp"
#include "os/process.hpp"
#include "transport/foreign/program.hpp"
#include "transport/host/heap_size.hpp"
#include "transport/hosts/hosts_transport.hpp"
#include "transport/mpi/load.hpp"
#include "windrow/error.hpp"

namespace windrow::transport {

namespace {

/// Ends the process with a sentence if the job does not form: MPI would wait for ever.
class alarm {
 public:
  explicit alarm(pe_t pe) : seconds_(base::integer_option("WINDROW_START_SECONDS", 60, 1, 86'400)) {
    thread_ = os::start_thread("watches over the start of the job", [this, pe] { wait(pe); });
  }
  ~alarm() {
    {
      const std::lock_guard lock(mutex_);
      formed_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }
  alarm(const alarm&) = delete;
  alarm& operator=(const alarm&) = delete;

 private:
  void wait(pe_t pe) {
    std::unique_lock lock(mutex_);
    if (changed_.wait_for(lock, std::chrono::seconds(seconds_), [this] { return formed_; })) return;
    base::set_speaker(fmt::format("PE {}", pe));
    base::fatal(
        fmt::format("the job has not formed within {} s (WINDROW_START_SECONDS): a host does not answer, "
                    "or not every process is a Windrow program",
                    seconds_));
  }

  long seconds_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool formed_ = false;
  std::thread thread_;
};

std::string link_text(const char* path) {
  char text[128];
  const auto length = ::readlink(path, text, sizeof text);
  return {text, static_cast<std::size_t>(std::max<ssize_t>(length, 0))};
}

// Processes of one start of one kernel.
base::fingerprint machine_fingerprint() {
  std::string boot;
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id") >> std::ws, boot);
  base::fingerprint result;
  result.add(boot);
  return result;
}
std::uint64_t machine_identity() {
  return machine_fingerprint().value();
}

// Processes that can meet: of one machine, and not kept apart in containers.
std::uint64_t host_identity() {
  auto result = machine_fingerprint();
  for (const char* space : {"net", "pid"})
    result.add(link_text(fmt::format("/proc/self/ns/{}", space).c_str()));
  result.add(base::text_option("WINDROW_HOST").value_or(""));
  return result.value();
}

/// What processes tell each other before they agree on anything. The version has the same place in all
/// versions.
struct introduction {
  std::uint64_t version;
  std::uint64_t program;
  std::uint64_t host;
  std::uint64_t machine;
  char host_name[64];
};
struct wish {
  std::uint64_t heap_bytes, data_bytes;
  bool is_chosen; ///< by the user, not by the memory of the host
};

introduction introduce() {
  introduction mine{layout_version(), program_identity(), host_identity(), machine_identity(), {}};
  utsname names{};
  ::uname(&names);
  const auto name = base::text_option("WINDROW_HOST").value_or(names.nodename);
  std::strncpy(mine.host_name, name.c_str(), sizeof mine.host_name - 1);
  return mine;
}

template <class T>
std::vector<T> tell_each_other(network& net, const T& mine) {
  std::vector<T> all(static_cast<std::size_t>(net.size()));
  net.allgather(&mine, sizeof mine, all.data());
  return all;
}

// PE 0 speaks for all; the others wait for the launcher to end them, or go after a while.
[[noreturn]] void refuse(const foreign_job& job, const std::string& sentence) {
  if (job.pe == 0) throw error(sentence);
  std::this_thread::sleep_for(std::chrono::seconds(1));
  std::_Exit(EXIT_FAILURE);
}

void require_same_program(const foreign_job& job, const std::vector<introduction>& all) {
  for (std::size_t pe = 1; pe < all.size(); ++pe) {
    if (all[pe].version != all[0].version)
      refuse(job,
             fmt::format("PE {} on host {} was built with another version of Windrow than PE 0 on host {}: "
                         "rebuild it",
                         pe, all[pe].host_name, all[0].host_name));
    if (all[pe].program != all[0].program)
      refuse(job,
             fmt::format("PE {} on host {} runs another program than PE 0 on host {}: all PEs of a job run "
                         "the same file",
                         pe, all[pe].host_name, all[0].host_name));
  }
}

host_map map_of(const foreign_job& job, const std::vector<introduction>& all) {
  host_map result{{}, 0, 0};
  std::vector<std::uint64_t> known;
  for (const auto& one : all) {
    const auto at = std::find(known.begin(), known.end(), one.host);
    result.host_of.push_back(static_cast<int>(at - known.begin()));
    if (at == known.end()) known.push_back(one.host);
  }
  result.here = result.host_of[static_cast<std::size_t>(job.pe)];
  result.hosts = static_cast<int>(known.size());
  return result;
}

// Of this machine. Each of its hosts counts once, by its first PE.
int hosts_of_machine(const host_map& map, const std::vector<introduction>& all) {
  int count = 0;
  for (int host = 0; host < map.hosts; ++host)
    count += all[static_cast<std::size_t>(map.leader(host))].machine == machine_identity() ? 1 : 0;
  return count;
}

// A heap that somebody asked for is the same everywhere; one that hosts chose by their memory is the
// smallest.
segment_size agree_on_segment(const foreign_job& job, network& net, pe_t pes_here) {
  const auto heap = wanted_heap_bytes(pes_here, job.pes);
  const wish mine{heap, segment_of(heap, job.pes).data_bytes, heap_size_is_chosen()};
  const auto all = tell_each_other(net, mine);
  const bool any_chosen = std::ranges::any_of(all, &wish::is_chosen);
  wish least = mine;
  for (std::size_t pe = 0; pe < all.size(); ++pe) {
    least.heap_bytes = std::min(least.heap_bytes, all[pe].heap_bytes);
    least.data_bytes = std::min(least.data_bytes, all[pe].data_bytes);
    if (any_chosen && all[pe].heap_bytes != all[0].heap_bytes)
      refuse(job,
             fmt::format("PE {} wants a symmetric heap of {} and PE 0 one of {}: set WINDROW_SYMMETRIC_SIZE "
                         "alike for all",
                         pe, base::format_size(all[pe].heap_bytes), base::format_size(all[0].heap_bytes)));
  }
  require_addressable(least.heap_bytes, job.pes);
  return {least.heap_bytes, least.data_bytes};
}

} // namespace

std::unique_ptr<transport> form(const foreign_job& job) {
  const alarm limit(job.pe);
  hosts_transport::parts parts;
  parts.name = "mpi";
  parts.net = start_mpi(job.mpi);
  if (parts.net->size() != job.pes || parts.net->rank() != job.pe)
    throw error(
        fmt::format("{} has started {} processes, but MPI ({}) sees {}: it is another MPI than that of the "
                    "launcher",
                    job.launcher, job.pes, job.mpi, parts.net->size()));
  const auto all = tell_each_other(*parts.net, introduce());
  require_same_program(job, all);
  parts.map = std::make_unique<host_map>(map_of(job, all));
  parts.hosts_of_machine = hosts_of_machine(*parts.map, all);
  std::vector<pe_t> here;
  for (pe_t pe = 0; pe < job.pes; ++pe)
    if (parts.map->is_here(pe)) here.push_back(pe);
  for (int host = 0; host < parts.map->hosts; ++host)
    parts.host_names.emplace_back(all[static_cast<std::size_t>(parts.map->leader(host))].host_name);
  const auto segment = agree_on_segment(job, *parts.net, static_cast<pe_t>(here.size()));
  auto on_this_host = job;
  on_this_host.key += fmt::format(" {:x}", host_identity());
  parts.met = meet({on_this_host, std::move(here), segment, parts.map->hosts > 1});
  note_joined(job);
  return std::make_unique<hosts_transport>(std::move(parts));
}

} // namespace windrow::transport
