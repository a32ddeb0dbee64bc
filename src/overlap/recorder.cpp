// SPDX-License-Identifier: BSD-3-Clause
#include "overlap/recorder.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "os/cpu.hpp"
#include "overlap/call_memory.hpp"
#include "overlap/site_text.hpp"
#include "shmem/c_interface.hpp"
#include "shmem/state.hpp"
#include "shmem/teams.hpp"

namespace windrow::overlap {

namespace {

constexpr std::size_t most_tracked = 1 << 16, most_pending = 1 << 16;
constexpr std::uint64_t flush_ns = 100'000'000; // what a PE that is killed has not written is younger

std::uintptr_t address_of(const void* at) {
  return reinterpret_cast<std::uintptr_t>(at);
}

// Memory at an address, which may be symmetric.
range recorded(range memory) {
  const auto* const at = reinterpret_cast<const void*>(memory.begin);
  if (const auto offset = shmem::find_symmetric(at, memory.bytes)) memory.begin = first_symmetric + *offset;
  return memory;
}

// A load or store, which may reach memory of other PEs.
event access_of(action what, range memory) {
  event one;
  one.what = what;
  one.local = memory;
  const auto copy = shmem::find_copy(reinterpret_cast<const void*>(memory.begin), memory.bytes);
  if (!copy) return one;
  one.local.begin = first_symmetric + copy->offset;
  if (copy->pe != shmem::hot.pe) one.peer = copy->pe;
  return one;
}

std::vector<int> members_of(const windrow_overlap_call& call) {
  std::vector<int> members;
  members.reserve(static_cast<std::size_t>(std::max(call.members, 0)));
  for (int i = 0; i < call.members; ++i) members.push_back(call.first + (i << call.log2_stride));
  if (call.members > 0 || call.team == nullptr) return members;
  auto* team = static_cast<shmem_team_t>(const_cast<void*>(call.team));
  const int count = pshmem_team_n_pes(team);
  members.reserve(static_cast<std::size_t>(std::max(count, 0)));
  for (int i = 0; i < count; ++i) members.push_back(pshmem_team_translate_pe(team, i, SHMEM_TEAM_WORLD));
  return members;
}

// Its atomic operations are not atomic to those of other contexts.
bool has_shared_context(const void* context) {
  const auto* const known = static_cast<const shmem_ctx_object*>(context);
  return known != nullptr && known->team != nullptr && known->team->of_shared;
}

// Of each site the memory in as few events as possible, in the order of time.
std::vector<event> joined(std::vector<event> accesses) {
  const auto key = [](const event& one) { return std::tuple(one.site, one.what, one.peer, one.local.begin); };
  std::ranges::sort(accesses, {}, key);
  std::vector<event> result;
  for (const auto& one : accesses) {
    auto* const last = result.empty() ? nullptr : &result.back();
    if (last == nullptr || last->site != one.site || last->what != one.what || last->peer != one.peer ||
        last->local.end() < one.local.begin) {
      result.push_back(one);
      continue;
    }
    last->local.bytes = std::max(last->local.end(), one.local.end()) - last->local.begin;
    last->begin_ns = last->end_ns = std::min(last->begin_ns, one.begin_ns);
  }
  std::ranges::sort(result, {}, &event::begin_ns);
  return result;
}

} // namespace

recorder::recorder(const std::string& file, bool all_accesses, compiled_view view)
    : view_(view),
      all_accesses_(all_accesses),
      pe_(shmem::hot.pe),
      writer_(file, pe_, static_cast<int>(shmem::hot.pes), all_accesses),
      tracked_(view.pages, /*once=*/true) {
  if (all_accesses) watch_all();
  show_open();
}

// That of other PEs too, which pointers reach.
void recorder::watch_all() {
  if (shmem::hot.data_bytes != 0) tracked_.watch(shmem::hot.data, shmem::hot.data_bytes);
  const auto& map = *shmem::hot.map;
  for (pe_t pe = 0; pe < map.pes; ++pe)
    if (map.is_addressable(pe)) tracked_.watch(address_of(map.segment(pe)), map.bytes);
}

// What calls touch ends transfers too, without events of its own.
void recorder::begin(windrow_overlap_call& call) {
  const std::lock_guard lock(mutex_);
  if (ended_) return;
  call.begin_ns = os::now_ns();
  call.team_number = team_of(call); // the team may end in the call
  const auto one = event_of(call);
  touch_by_call(call, one);
}

void recorder::end(const windrow_overlap_call& call) {
  const std::lock_guard lock(mutex_);
  if (ended_) return;
  auto one = event_of(call);
  one.begin_ns = call.begin_ns;
  one.end_ns = os::now_ns();
  add(one);
  if (one.what == action::barrier || one.what == action::collective) forget_transfers();
  if (one.what <= action::put_signal) track(call, one);
  has_begun_ |= one.what <= action::put_signal;
  has_called_ = true;
  show_open();
  if (one.end_ns - flushed_ns_ >= flush_ns) {
    flushed_ns_ = one.end_ns;
    writer_.flush();
  }
  spent_ns_ += os::now_ns() - one.end_ns;
}

event recorder::event_of(const windrow_overlap_call& call) {
  event one;
  one.what = static_cast<action>(call.action);
  one.blocking = (call.flags & WINDROW_OVERLAP_BLOCKING) != 0;
  one.atomic = (call.flags & WINDROW_OVERLAP_ATOMIC) != 0;
  one.implied = (call.flags & WINDROW_OVERLAP_IMPLIED) != 0;
  one.floating = (call.flags & WINDROW_OVERLAP_FLOATING) != 0;
  one.adds = (call.flags & WINDROW_OVERLAP_ADDS) != 0;
  one.of_shared = one.atomic && has_shared_context(call.context);
  one.site = number_of(*call.site);
  one.context = context_of(call.context);
  one.team = static_cast<std::uint32_t>(call.team_number);
  if (one.what == action::collective) {
    take_buffers(call, one);
    return one;
  }
  one.peer = peer_of(call);
  one.remote = recorded(memory_of(call, call.remote, call.remote_stride));
  one.local = recorded(memory_of(call, call.local, call.local_stride));
  if (call.signal != nullptr) one.word = recorded({address_of(call.signal), sizeof(std::uint64_t)});
  const bool asks = one.what == action::wait || one.what == action::test;
  if (asks && one.remote.bytes > call.element_bytes) one.word = {one.remote.begin, call.element_bytes};
  return one;
}

// Only the root's source is read by a broadcast; on active sets its destination stays as it is.
void recorder::take_buffers(const windrow_overlap_call& call, event& one) const {
  if (call.remote == nullptr && call.local == nullptr) return;
  const auto members = members_of(call);
  const auto memory = [&](const void* at, std::int64_t stride, bool of_all) {
    auto buffer = call;
    if (of_all) buffer.count *= members.size();
    return recorded(memory_of(buffer, at, stride));
  };
  const bool rooted = call.pe >= 0 && static_cast<std::size_t>(call.pe) < members.size();
  const bool is_root = rooted && members[static_cast<std::size_t>(call.pe)] == pe_;
  if (!rooted || is_root)
    one.local = memory(call.local, call.local_stride, (call.flags & WINDROW_OVERLAP_SCATTERS) != 0);
  if (!is_root || call.members == 0)
    one.remote = memory(call.remote, call.remote_stride, (call.flags & WINDROW_OVERLAP_GATHERS) != 0);
}

void recorder::touch_by_call(const windrow_overlap_call& call, const event& one) {
  if (tracked_.size() == 0 || one.what > action::put_signal) return;
  tracked_.touch(memory_of(call, call.local, call.local_stride),
                 one.what == action::get || one.what == action::update);
  if (one.peer == pe_)
    tracked_.touch(memory_of(call, call.remote, call.remote_stride), one.what != action::get);
}

// Too many at once, and nobody ends them: then this is where all must be complete.
void recorder::track(const windrow_overlap_call& call, const event& one) {
  if (tracked_.size() >= most_tracked) {
    event limit;
    limit.what = action::unknown_code;
    limit.peer = pe_;
    limit.site = one.site;
    limit.begin_ns = limit.end_ns = one.end_ns;
    add(limit);
    tracked_.clear();
  }
  const bool reads = one.what == action::put || one.what == action::put_signal;
  tracked_.add(memory_of(call, call.local, call.local_stride), !reads);
  const auto remote = memory_of(call, call.remote, call.remote_stride);
  if (one.peer == pe_)
    tracked_.add(remote, one.what != action::get);
  else if (*view_.has_pointers && remote.bytes != 0)
    if (const auto here = reached_here(remote, one.peer)) tracked_.add(*here, one.what != action::get);
}

std::uint32_t recorder::number_of(windrow_overlap_site& site) {
  if (site.number == 0) {
    site.number = ++sites_;
    writer_.name_site(site.number, frames_of(site.text));
  }
  return site.number;
}

std::uint32_t recorder::team_of(const windrow_overlap_call& call) {
  auto members = members_of(call);
  if (members.empty() || members.size() == shmem::hot.pes) return 0;
  const auto [found, fresh] = teams_.try_emplace(members, static_cast<std::uint32_t>(teams_.size() + 1));
  if (fresh) writer_.name_team(found->second, members);
  return found->second;
}

std::uint32_t recorder::context_of(const void* context) {
  if (context == nullptr || context == SHMEM_CTX_DEFAULT) return 0;
  return contexts_.try_emplace(context, static_cast<std::uint32_t>(contexts_.size() + 1)).first->second;
}

void recorder::add(const event& one) {
  write_pending();
  write(one);
}

// What comes behind a call is not the program's work.
void recorder::write(event one) {
  one.recorder_ns = std::exchange(spent_ns_, 0);
  writer_.add(one);
}

void recorder::access(const void* at, std::uint64_t bytes, windrow_overlap_site& site, action what,
                      bool told) {
  const std::lock_guard lock(mutex_);
  if (ended_) return;
  const range memory{address_of(at), bytes};
  const bool met = tracked_.touch(memory, what != action::load);
  if (!met && !all_accesses_) return;
  if (bytes == UINT64_MAX) return access_to_the_end(at, site, met, told);
  if (!met && is_in_run(address_of(at), bytes, site, what)) return;
  auto one = access_of(what, memory);
  if (!met && !is_symmetric(one.local)) return;
  one.begin_ns = one.end_ns = os::now_ns();
  one.site = number_of(site);
  if (!met) return add_to_run(address_of(at), one, site);
  add(one);
  show_open();
}

// It may have met anything that is under way, and used all of an object where that is symmetric.
void recorder::access_to_the_end(const void* at, windrow_overlap_site& site, bool met, bool told) {
  const bool unseen = all_accesses_ && !told && shmem::find_copy(at, 1).has_value();
  if (met || unseen) add_unknown(site, !unseen, met);
}

// Others may wait for it, and learn that what was before is over.
void recorder::publish(const void* at, std::uint64_t bytes, windrow_overlap_site& site, bool exchanges) {
  auto one = access_of(action::store, {address_of(at), bytes});
  if (!is_symmetric(one.local)) return access(at, bytes, site, action::store);
  const std::lock_guard lock(mutex_);
  if (ended_) return;
  one.shared = true;
  one.atomic = exchanges;
  one.site = number_of(site);
  const bool again = poll_.remote == one.local && poll_.site == one.site && one.peer == all_pes;
  if (exchanges && again) return; // of a loop that waits
  one.begin_ns = one.end_ns = os::now_ns();
  add(one);
  forget_transfers();
  show_open();
}

recorder::access_run& recorder::run_of(windrow_overlap_site& site, action what) {
  const auto index = std::size_t{number_of(site)} * 2 + (what == action::load ? 0 : 1);
  if (index >= runs_.size()) runs_.resize(index + 2);
  return runs_[index];
}

// hot: what most accesses of a loop are. Ends of life are rare.
bool recorder::is_in_run(std::uintptr_t at, std::uint64_t bytes, windrow_overlap_site& site, action what) {
  auto& run = run_of(site, what);
  if (at < run.begin || at > run.end || run.what.what != what) return false;
  const auto added = std::max(run.end, at + bytes) - run.end;
  run.end += added;
  run.what.local.bytes += added;
  return true;
}

void recorder::add_to_run(std::uintptr_t at, const event& one, windrow_overlap_site& site) {
  auto& run = run_of(site, one.what);
  const auto done = std::exchange(run, access_run{one, at, at + one.local.bytes}).what;
  if (done.local.bytes != 0) pending_.push_back(done);
  if (pending_.size() < most_pending) return;
  pending_ = joined(std::move(pending_));
  if (pending_.size() >= most_pending / 2) write_pending();
}

// The accesses since the last call or poll.
std::vector<event> recorder::take_accesses() {
  for (auto& run : runs_)
    if (run.what.local.bytes != 0) pending_.push_back(std::exchange(run, access_run{}).what);
  return joined(std::exchange(pending_, {}));
}

void recorder::write_pending() {
  for (const auto& one : joined(std::exchange(before_poll_, {}))) write(one);
  if (poll_.remote.bytes != 0) write(std::exchange(poll_, event{}));
  for (const auto& one : take_accesses()) write(one);
  if (last_unknown_) write(*last_unknown_);
  last_unknown_.reset();
}

// A loop that waits is one event, which ends when the last of its loads has; what else it touches was before.
void recorder::poll(const void* at, std::uint64_t bytes, windrow_overlap_site& site) {
  const std::lock_guard lock(mutex_);
  if (ended_) return;
  const auto now_ns = os::now_ns();
  const range memory{address_of(at), bytes};
  auto load = access_of(action::load, memory);
  load.atomic = true;
  load.site = number_of(site);
  load.begin_ns = load.end_ns = now_ns;
  const bool of_other = load.peer != all_pes;
  if (tracked_.touch(memory, false) || (all_accesses_ && of_other)) add(load);
  show_open();
  if (!is_symmetric(load.local) || of_other) return;
  const auto& word = load.local;
  if (poll_.remote != word || poll_.site != load.site) {
    write_pending();
    poll_.what = action::test;
    poll_.remote = word;
    poll_.site = load.site;
    poll_.begin_ns = now_ns;
  }
  poll_.end_ns = now_ns;
  const auto accesses = take_accesses();
  before_poll_.insert(before_poll_.end(), accesses.begin(), accesses.end());
  if (before_poll_.size() >= most_pending) before_poll_ = joined(std::move(before_poll_));
}

void recorder::exchange(const void* at, std::uint64_t bytes, windrow_overlap_site& site) {
  publish(at, bytes, site, true);
  poll(at, bytes, site);
}

// The word may have come between the two calls.
void recorder::polled() {
  const std::lock_guard lock(mutex_);
  if (poll_.remote.bytes != 0) poll_.end_ns = os::now_ns();
}

void recorder::foreign(windrow_overlap_site& site, bool idle) {
  const std::lock_guard lock(mutex_);
  const bool unseen = all_accesses_ && !idle;
  if (ended_ || (!has_begun_ && !unseen)) return;
  add_unknown(site, !unseen, has_begun_);
  forget_transfers();
  show_open();
}

void recorder::read_file(windrow_overlap_site& site) {
  const std::lock_guard lock(mutex_);
  if (!ended_ && all_accesses_) add_unknown(site, false, false);
}

// Between two calls the first and the last are enough.
void recorder::add_unknown(windrow_overlap_site& site, bool idle, bool ends_something) {
  event one;
  one.what = action::unknown_code;
  one.peer = idle ? pe_ : all_pes;
  one.site = number_of(site);
  one.begin_ns = one.end_ns = os::now_ns();
  if (!ends_something && !has_called_) {
    last_unknown_ = one;
    return;
  }
  if (!idle) has_called_ = false;
  add(one);
  show_open();
}

// All are complete.
void recorder::forget_transfers() {
  tracked_.clear();
  has_begun_ = false;
}

void recorder::show_open() {
  *view_.open = tracked_.size() > 0 || all_accesses_;
  *view_.begun = has_begun_ || all_accesses_;
}

void recorder::go_on() {
  const std::lock_guard lock(mutex_);
  if (!std::exchange(ended_, false)) return;
  if (all_accesses_) watch_all();
  show_open();
}

// The thread that holds the lock may be the one that ends the process.
void recorder::finish(bool regularly) {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock || ended_) return;
  ended_ = true;
  write_pending();
  if (regularly)
    writer_.end();
  else
    writer_.flush();
  tracked_.clear();
  *view_.open = *view_.begun = 0;
}

} // namespace windrow::overlap
