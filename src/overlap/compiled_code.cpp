// SPDX-License-Identifier: BSD-3-Clause
// What instrumented code calls (windrow/detail/overlap_calls.h).
#include <fmt/format.h>
#include <malloc.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <fstream>
#include <mutex>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/fatal.hpp"
#include "base/options.hpp"
#include "os/fork.hpp"
#include "os/loaded_file.hpp"
#include "overlap/recorder.hpp"
#include "overlap/tracker.hpp"
#include "shmem/c_interface.hpp"
#include "shmem/remote_access.hpp"
#include "shmem/state.hpp"

extern "C" {
unsigned char* windrow_overlap_pages = nullptr;
unsigned char windrow_overlap_open = 0;
unsigned char windrow_overlap_begun = 0;
unsigned char windrow_overlap_follows = 1;
const void* windrow_overlap_callee = nullptr;
}

namespace windrow::overlap {

namespace {

#ifdef __aarch64__
constexpr unsigned address_bits = 48;
#else
constexpr unsigned address_bits = 47;
#endif

// The kernel gives memory to those pages alone that are touched.
void reserve_pages() {
  if (windrow_overlap_pages != nullptr) return;
  const auto bytes = std::size_t{1} << (address_bits - tracked_memory::page_bits);
  void* const at =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED)
    base::fatal(fmt::format("a program compiled with -foverlap needs {} of address space, and gets none: {}",
                            base::format_size(bytes), std::strerror(errno)));
  windrow_overlap_pages = static_cast<unsigned char*>(at);
}

std::unordered_set<const void*>& instrumented_functions() {
  static std::unordered_set<const void*> all;
  return all;
}

std::vector<windrow_overlap_entry*>& planned_entries() {
  static std::vector<windrow_overlap_entry*> all;
  return all;
}

// Of code, which other code is in front of.
bool has_marks(const void* function) {
  constexpr std::uint64_t mark = 0x776f72646e697721; // as in compiler/overlap/pass.cpp
  std::uint64_t words[2];
  std::memcpy(words, static_cast<const std::byte*>(function) - sizeof words, sizeof words);
  return words[0] == mark && words[1] == mark;
}

// Blocks of any other have a size that nobody tells, and what is in them when they are free is its own
// affair.
bool is_usual_heap(const void* function) {
  static std::mutex mutex;
  static std::unordered_map<const void*, bool> known;
  const std::lock_guard lock(mutex);
  const auto [found, fresh] = known.try_emplace(function, false);
  if (!fresh) return found->second;
  const auto file = os::file_of_function(function);
  const auto of_c = os::file_of_function(reinterpret_cast<const void*>(&::malloc_usable_size));
  const bool frees_alike =
      !of_c.empty() && of_c == os::file_of_function(reinterpret_cast<const void*>(&::free));
  const bool of_cxx = file.find("/libstdc++.") != file.npos || file.find("/libc++") != file.npos;
  return found->second = frees_alike && (of_cxx || file == of_c);
}

// By setvbuf, fmemopen and their like: the library has no function that tells. A call with one stream may
// write out standard output.
bool is_in_own_memory([[maybe_unused]] const FILE* stream) {
#ifdef __GLIBC__
  constexpr int given_buffer = 0x0001, of_a_file = 0x2000; // _IO_USER_BUF and _IO_IS_FILEBUF of its headers
  if (stream == nullptr || (stream->_flags & of_a_file) == 0 || stream->_fileno < 0) return true;
  return (stream->_flags & given_buffer) != 0 && stream->_IO_buf_base != nullptr &&
         stream->_IO_buf_base != stream->_shortbuf;
#else
  return true;
#endif
}

int descriptor_of(const void* stream) {
  return stream == nullptr ? -1 : ::fileno(static_cast<FILE*>(const_cast<void*>(stream)));
}

// Of the C library, without memory of the program; what clocks write is looked at by itself.
bool is_idle(const void* function) {
  const auto place_of = [](auto* code) { return reinterpret_cast<const void*>(code); };
  static const std::unordered_set<const void*> all{
      place_of(&::rand),    place_of(&::srand),         place_of(&::random),      place_of(&::srandom),
      place_of(&::drand48), place_of(&::lrand48),       place_of(&::srand48),     place_of(&::time),
      place_of(&::clock),   place_of(&::clock_gettime), place_of(&::sched_yield), place_of(&::usleep),
      place_of(&::sleep),   place_of(&::getpid)};
  return all.contains(function);
}

bool is_library_there() {
  return shmem::cold.now == shmem::phase::running;
}

// A routine of the heap that gives and takes nothing, shmem_init within another one, and what is asked of an
// invalid context or team: it meets nobody, and the null context of such a quiet is not the default one.
bool does_nothing(const windrow_overlap_call& call) {
  if (call.flags & WINDROW_OVERLAP_HANDLE) return call.context == nullptr && call.team == nullptr;
  if ((call.flags & WINDROW_OVERLAP_IMPLIED) == 0 || call.action != WINDROW_OVERLAP_BARRIER) return false;
  if (call.flags & WINDROW_OVERLAP_OPENS) return is_library_there();
  return call.local == nullptr && (call.count == 0 || call.block == 0);
}

bool ends_job(const windrow_overlap_call& call) {
  return (call.flags & WINDROW_OVERLAP_LAST) != 0 && shmem::cold.inits <= 1;
}

recorder* current = nullptr;
tracker* follower = nullptr;
bool is_decided = false, has_plan = false;
unsigned char has_pointers = 0;
std::atomic<bool> has_threads = false;

void write_out() {
  if (current != nullptr) current->finish(false);
}
void write_to_end() {
  if (current != nullptr) current->finish(true);
}

bool lets_threads_call() {
  int level = SHMEM_THREAD_SINGLE;
  pshmem_query_thread(&level);
  return level > SHMEM_THREAD_FUNNELED;
}

void refuse_threads() {
  if (lets_threads_call())
    base::fatal(
        "windrow overlap: this program lets several of its threads call OpenSHMEM, which cannot be recorded; "
        "ask "
        "shmem_init_thread for SHMEM_THREAD_FUNNELED");
}

bool wants_all_accesses() {
  const bool all = base::flag_option("WINDROW_OVERLAP_ACCESSES", false);
  if (all && shmem::hot.heap_bytes == 0)
    base::fatal("windrow overlap: accesses cannot be recorded with SHMEM_DEBUG; set one of the two");
  return all;
}

compiled_view view() {
  return {windrow_overlap_pages, &windrow_overlap_open, &windrow_overlap_begun, &has_pointers};
}

void begin_recording(const std::string& file) {
  refuse_threads();
  current = new recorder(file, wants_all_accesses(), view());
  base::before_end(write_out);
  static const os::in_forked_children in_children([] { current = nullptr; });
  std::atexit(write_to_end);
}

// For `windrow overlap check`, which adds up what all PEs append.
void tell_checker() {
  const auto file = base::text_option("WINDROW_OVERLAP_CHECK");
  if (follower == nullptr || !file) return;
  std::ofstream(*file, std::ios::app) << fmt::format("{}\n", follower->times_put_off());
}

void say_what_is_unknown(const plan_switch& switches) {
  for (const auto& id : switches.unknown())
    base::say(fmt::format("WINDROW_OVERLAP turns off {}, and the program has no such entry of a plan", id));
}

void begin_following() {
  const bool checks = base::text_option("WINDROW_OVERLAP_CHECK").has_value();
  follower = new tracker(view(), checks);
  for (auto* entry : planned_entries()) follower->add(*entry);
  if (shmem::hot.pe == 0) say_what_is_unknown(follower->switches());
  if (!checks && !tracker::can_put_off()) return delete std::exchange(follower, nullptr);
  if (lets_threads_call() || has_threads) follower->stop();
  static const os::in_forked_children in_children([] {
    follower = nullptr;
    windrow_overlap_open = windrow_overlap_begun = 0;
  });
  std::atexit(tell_checker);
}

// Once the library runs. Any thread may be first, but none before shmem_init.
void choose() {
  if (!is_library_there()) return;
  is_decided = true;
  try {
    if (const auto file = base::text_option("WINDROW_OVERLAP_FILE"))
      begin_recording(*file);
    else if (has_plan)
      begin_following();
    windrow_overlap_follows = current != nullptr || follower != nullptr;
  } catch (const std::exception& problem) {
    base::fatal(problem.what());
  }
}

void decide() {
  if (!is_decided) choose();
}

/// The program's call of this file, if it is one: templates of C++'s library that are used here may be the
/// program's copies, with checks.
class visit {
 public:
  visit() : is_first_(!std::exchange(inside, true)) {}
  ~visit() {
    if (is_first_) inside = false;
  }
  visit(const visit&) = delete;
  visit& operator=(const visit&) = delete;

  explicit operator bool() const { return is_first_; }

 private:
  static inline thread_local bool inside = false;

  bool is_first_;
};

void access(const void* at, std::uint64_t bytes, windrow_overlap_site& site, action what, bool told = false) {
  const visit here;
  if (!here) return;
  if (current != nullptr)
    current->access(at, bytes, site, what, told);
  else if (follower != nullptr)
    follower->access(at, bytes, site, what != action::load, name_of(what));
}

void come_to_unknown_code(windrow_overlap_site& site, bool idle) {
  if (current != nullptr) current->foreign(site, idle);
  if (follower != nullptr) follower->complete_all();
}

} // namespace

} // namespace windrow::overlap

using namespace windrow::overlap; // everything below is the C interface

void windrow_overlap_load(const void* at, std::uint64_t bytes, windrow_overlap_site* site) {
  access(at, bytes, *site, action::load);
}
void windrow_overlap_store(const void* at, std::uint64_t bytes, windrow_overlap_site* site) {
  access(at, bytes, *site, action::store);
}
void windrow_overlap_poll(const void* at, std::uint64_t bytes, windrow_overlap_site* site) {
  if (current == nullptr) return windrow_overlap_leave();
  if (const visit here; here) current->poll(at, bytes, *site);
}
void windrow_overlap_polled() {
  if (current == nullptr) return;
  if (const visit here; here) current->polled();
}
void windrow_overlap_publish(const void* at, std::uint64_t bytes, windrow_overlap_site* site) {
  if (current == nullptr) return windrow_overlap_leave();
  if (const visit here; here) current->publish(at, bytes, *site);
}
void windrow_overlap_exchange(const void* at, std::uint64_t bytes, windrow_overlap_site* site) {
  if (current == nullptr) return windrow_overlap_leave();
  if (const visit here; here) current->exchange(at, bytes, *site);
}
void windrow_overlap_range(const void* at, std::uint64_t bytes, windrow_overlap_site* site, int store) {
  access(at, bytes, *site, store != 0 ? action::store : action::load);
}
// What is under way may change the text, and is in conflict with all of it: only then it is looked at.
void windrow_overlap_text(const void* at, const char* text, std::uint64_t most, windrow_overlap_site* site,
                          int store) {
  access(at, UINT64_MAX, *site, store != 0 ? action::store : action::load, true);
  if (current == nullptr || !current->has_all_accesses()) return;
  const auto length = ::strnlen(text, most);
  windrow_overlap_range(at, length < most ? length + 1 : length, site, store);
}
void windrow_overlap_dies(const void* at, std::uint64_t bytes, windrow_overlap_site* site) {
  if ((current == nullptr && follower == nullptr) || at == nullptr) return;
  if (bytes == UINT64_MAX) bytes = ::malloc_usable_size(const_cast<void*>(at));
  access(at, bytes, *site, action::end_of_life);
}
void windrow_overlap_heap(const void* function, const void* freed, windrow_overlap_site* site) {
  if (!is_usual_heap(function)) return windrow_overlap_foreign(function, site);
  windrow_overlap_dies(freed, UINT64_MAX, site);
}
void windrow_overlap_stream(const void* function, const void* stream, windrow_overlap_site* site) {
  if (is_in_own_memory(static_cast<const FILE*>(stream)) || is_in_own_memory(stdout))
    windrow_overlap_foreign(function, site);
}
void windrow_overlap_written(int descriptor, windrow_overlap_site* site) {
  if (const visit here; here && descriptor > STDERR_FILENO) come_to_unknown_code(*site, false);
}
void windrow_overlap_printed(const void* stream, windrow_overlap_site* site) {
  windrow_overlap_written(descriptor_of(stream), site);
}
void windrow_overlap_read(int descriptor, windrow_overlap_site* site) {
  if (const visit here; here && descriptor > STDERR_FILENO && current != nullptr) current->read_file(*site);
}
void windrow_overlap_scanned(const void* stream, windrow_overlap_site* site) {
  windrow_overlap_read(descriptor_of(stream), site);
}
void windrow_overlap_foreign(const void* function, windrow_overlap_site* site) {
  const visit here;
  if (here && !instrumented_functions().contains(function)) come_to_unknown_code(*site, is_idle(function));
}
void windrow_overlap_begin(windrow_overlap_call* call) {
  const visit here;
  if (!here) return;
  decide();
  if (follower != nullptr) follower->begin(*call);
  call->begin_ns = 0;
  if (current == nullptr || does_nothing(*call)) return;
  current->begin(*call);
  if (!ends_job(*call)) return;
  current->end(*call);
  current->finish(true);
}
void windrow_overlap_end(windrow_overlap_call* call) {
  const visit here;
  if (!here || !is_library_there()) return;
  decide(); // it may have been shmem_init
  if (follower != nullptr) follower->end(*call);
  if (current == nullptr) return;
  if (call->begin_ns != 0)
    current->end(*call);
  else if (call->flags & WINDROW_OVERLAP_OPENS)
    current->go_on();
}
int windrow_overlap_puts_off(windrow_overlap_entry* entry, const void* context) {
  const visit here;
  if (!here) return 0;
  decide();
  return follower != nullptr && follower->puts_off(*entry, context);
}
int windrow_overlap_puts_off_quiet(windrow_overlap_entry* entry, const void* context) {
  const visit here;
  if (!here) return 0;
  decide();
  return follower != nullptr && follower->puts_off_quiet(*entry, context);
}
void windrow_overlap_begin_iput(const void* context, void* dest, const void* source, std::int64_t dest_stride,
                                std::int64_t source_stride, std::uint64_t block, std::uint64_t blocks,
                                std::int32_t pe) {
  constexpr const char* name = "shmem_iput";
  const windrow::shmem::members_of on(static_cast<const shmem_ctx_object*>(context), name);
  windrow::shmem::put_strided(dest, source, {dest_stride, source_stride, block, blocks}, on.job_pe(pe, name),
                              windrow::shmem::until::begun, {name, __builtin_return_address(0)});
}
void windrow_overlap_begin_iget(const void* context, void* dest, const void* source, std::int64_t dest_stride,
                                std::int64_t source_stride, std::uint64_t block, std::uint64_t blocks,
                                std::int32_t pe) {
  constexpr const char* name = "shmem_iget";
  const windrow::shmem::members_of on(static_cast<const shmem_ctx_object*>(context), name);
  windrow::shmem::get_strided(dest, source, {dest_stride, source_stride, block, blocks}, on.job_pe(pe, name),
                              windrow::shmem::until::begun, {name, __builtin_return_address(0)});
}
void windrow_overlap_reach(windrow_overlap_entry* entry) {
  if (const visit here; here && follower != nullptr) follower->reach(*entry);
}
void windrow_overlap_leave() {
  if (const visit here; here && follower != nullptr) follower->complete_all();
}
void windrow_overlap_threads() {
  has_threads = true;
  if (follower != nullptr) follower->stop();
}
void windrow_overlap_pointers() {
  has_pointers = 1;
}
void windrow_overlap_marked(const void* const* functions, std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i)
    if (has_marks(functions[i])) instrumented_functions().insert(functions[i]);
}
void windrow_overlap_plan(windrow_overlap_entry* const* entries, std::uint64_t count) {
  has_plan = true;
  for (std::uint64_t i = 0; i < count; ++i) {
    planned_entries().push_back(entries[i]);
    if (follower != nullptr) follower->add(*entries[i]);
  }
}
void windrow_overlap_instrumented(const void* const* functions, std::uint64_t count) {
  reserve_pages(); // this comes before what programs and libraries construct, which reads it
  instrumented_functions().insert(functions, functions + count);
}
