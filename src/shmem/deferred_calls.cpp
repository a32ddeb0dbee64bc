// SPDX-License-Identifier: BSD-3-Clause
// What compiled code calls for `#pragma shmem defer`: fetches whose values go to a record of the room
// `defer`.
#include "windrow/detail/deferred_calls.h"

#include <cxxabi.h>
#include <fmt/format.h>
#include <unwind.h>

#include <bit>
#include <exception>
#include <utility>

#include "base/fatal.hpp"
#include "deferral/scheduler.hpp"
#include "shmem/atomics.hpp"
#include "shmem/compiled_code.hpp"
#include "shmem/define.hpp"
#include "shmem/ordering.hpp"
#include "shmem/teams.hpp"
#include "windrow/detail/notes.hpp"
#include "windrow/detail/range_fetch.hpp"

namespace windrow::shmem {

namespace {

using deferral::record;

constexpr const char* directive = "#pragma shmem defer";
constexpr std::size_t largest_payload = std::size_t{1} << 30;

void* open_record(void (*body)(void*), std::size_t bytes, void* parent, std::uint32_t level) {
  if (bytes > largest_payload)
    base::fatal(fmt::format("{}: a block captures {} bytes, more than 1 GiB", directive, bytes));
  require_one_thread(directive);
  auto* const above = parent == nullptr ? nullptr : &record::of(parent);
  return hot.deferred->open(body, bytes, above, level).payload();
}

/// A fetch that was issued for a record: where it goes, and where its value belongs.
class deferred_fetch {
 public:
  deferred_fetch(shmem_ctx_t ctx, void* payload, void* slot, std::size_t bytes, const char* routine)
      : record_(record::of(payload)), on_(ctx, routine) {
    const auto at =
        static_cast<std::size_t>(static_cast<std::byte*>(slot) - static_cast<std::byte*>(payload));
    if (at >= largest_slot || bytes > record_.payload_bytes() - at) [[unlikely]]
      bad_slot(at, bytes, routine);
  }

  const members_of& on() const { return on_; }

  template <verb V, class T, class... Operands>
  void append(const T* place, T* slot, int job_pe, const char* routine, Operands... operands) {
    ++record_.pending;
    shmem::append<V>(place, aggregation::counted_note(slot, &record_.pending), job_pe, routine, operands...);
  }
  template <class T>
  void load(const T* source, T* slot, int job_pe, const char* routine) {
    if (!hot.loads_directly) return append<verb::fetch>(source, slot, job_pe, routine);
    const auto* from = remote(source, job_pe, routine);
    ++record_.pending;
    hot.deferred->inlined().loads().add({from, slot, &record_.pending, sizeof(T), sizeof(T)});
  }
  /// Elements of `width` bytes, where they lie as such elements do.
  void load_range(const void* source, void* slot, std::size_t bytes, std::uint32_t width, int job_pe,
                  const char* routine) const {
    if (bytes == 0) return;
    const auto aligned = reinterpret_cast<std::uintptr_t>(source) % width == 0;
    const auto element = aligned ? width : aggregation::bytes_only;
    if (!hot.loads_directly) return append_range(source, slot, bytes, element, job_pe, routine);
    const auto* from = remote_bytes(source, bytes, job_pe, routine);
    ++record_.pending;
    hot.deferred->inlined().loads().add({from, slot, &record_.pending, bytes, element});
  }

 private:
  static constexpr std::size_t largest_slot = aggregation::farthest_slot - deferral::pending_before_payload;

  void append_range(const void* source, void* slot, std::size_t bytes, std::uint32_t width, int job_pe,
                    const char* routine) const {
    const auto offset = offset_of(source, bytes, routine);
    hot.lanes->require_range(job_pe, offset, bytes);
    auto* const out = static_cast<std::byte*>(slot);
    aggregation::range_fetch(*hot.lanes, job_pe, offset, bytes, width, out, &record_.pending).append_all();
  }
  [[noreturn]] void bad_slot(std::size_t at, std::size_t bytes, const char* routine) const {
    base::fatal(
        fmt::format("{} (deferred): {} bytes at offset {} are no slot of the record, which has {} bytes",
                    routine, bytes, static_cast<std::ptrdiff_t>(at), record_.payload_bytes()));
  }

  record& record_;
  members_of on_;
};

template <verb V, class T, class... Operands>
void fetch_into(shmem_ctx_t ctx, void* payload, T* slot, T* dest, int pe, const char* routine,
                Operands... operands) {
  deferred_fetch f(ctx, payload, slot, sizeof(T), routine);
  if (!f.on().aggregated()) {
    *slot = fetch_anywhere<V>(dest, f.on().job_pe(pe, routine), {routine}, operands...);
    return;
  }
  f.append<V>(dest, slot, f.on().job_pe(pe, routine), routine, operands...);
}

template <class T>
void load_into(shmem_ctx_t ctx, void* payload, T* slot, const T* source, int pe, const char* routine) {
  deferred_fetch f(ctx, payload, slot, sizeof(T), routine);
  if constexpr (is_word<T>)
    if (f.on().aggregated()) return f.load(source, slot, f.on().job_pe(pe, routine), routine);
  *slot = load_anywhere(source, f.on().job_pe(pe, routine), {routine});
}

bool is_aligned(const void* source, std::size_t bytes) {
  return reinterpret_cast<std::uintptr_t>(source) % bytes == 0;
}

template <class Word>
void load_word_into(shmem_ctx_t ctx, void* payload, void* slot, const void* source, int pe,
                    const char* routine) {
  load_into(ctx, payload, static_cast<Word*>(slot), static_cast<const Word*>(source), pe, routine);
}

void load_bytes_into(shmem_ctx_t ctx, void* payload, void* slot, const void* source, std::size_t bytes,
                     std::uint32_t element, int pe, const char* routine) {
  if (bytes == 4 && is_aligned(source, 4))
    return load_word_into<std::uint32_t>(ctx, payload, slot, source, pe, routine);
  if (bytes == 8 && is_aligned(source, 8))
    return load_word_into<std::uint64_t>(ctx, payload, slot, source, pe, routine);
  const deferred_fetch f(ctx, payload, slot, bytes, routine);
  if (f.on().aggregated())
    f.load_range(source, slot, bytes, element, f.on().job_pe(pe, routine), routine);
  else
    get_anywhere(slot, source, bytes, f.on().job_pe(pe, routine), until::complete, {routine});
}

template <class T>
void load_range_into(shmem_ctx_t ctx, void* payload, T* slot, const T* source, std::size_t count, int pe,
                     const char* routine) {
  if (count == 1) return load_into(ctx, payload, slot, source, pe, routine);
  load_bytes_into(ctx, payload, slot, source, count * sizeof(T), aggregation::element_width<T>, pe, routine);
}

// Of what is on it nobody looks at the value, unless the program uses a context that does not exist.
shmem_ctx_object of_this_pe_alone;

} // namespace

void complete_deferred() {
  if (hot.deferred == nullptr || !owes_deferred()) return;
  cold.job->engine().complete_own({aggregation::for_operations});
  hot.owes_items = false;
}

void run_deferred_before_end() {
  constexpr std::uint64_t limit_ns = 2'000'000'000;
  if (cold.now == phase::running && hot.deferred != nullptr) hot.deferred->run_before_end(limit_ns);
}

} // namespace windrow::shmem

using namespace windrow::shmem; // everything below is the C interface

constinit compiled_code_view windrow_defer_view{};
void* windrow_defer_exception = nullptr;

extern "C" {

void* windrow_defer_open(shmem_ctx_t ctx, void (*body)(void*), size_t bytes, void* parent, uint32_t level) {
  require_running(directive);
  const members_of checked(ctx, directive);
  return open_record(body, bytes, parent, level);
}

void* windrow_defer_open_in_order(void* parent, void (*body)(void*), size_t bytes, uint32_t level) {
  require_running(directive);
  return open_record(body, bytes, parent, level);
}

void windrow_defer_commit(void* payload) {
  hot.deferred->commit(record::of(payload));
}

void windrow_defer_remove(void* queue) {
  hot.deferred->remove_oldest_record(*static_cast<windrow::deferral::record_queue*>(queue));
}

void windrow_defer_run_ready(void) {
  hot.deferred->run_loads();
}

void windrow_defer_make_room(uint32_t kind, int to, uint64_t operand, uint32_t bytes) {
  hot.lanes->make_room(kind, to, operand, bytes);
}

int windrow_defer_is_possible(void) {
  const auto* map = hot.map;
  return map == nullptr ||
         (map->now() == windrow::detail::running::program && !map->keep_announced); // no threads
}

shmem_ctx_t windrow_defer_existing_context(shmem_ctx_t ctx) {
  if (ctx == SHMEM_CTX_DEFAULT || (cold.now == phase::running && exists(ctx))) return ctx;
  of_this_pe_alone = {hot.pe, 1, 1, false, false, SHMEM_TEAM_WORLD};
  return &of_this_pe_alone;
}

int windrow_defer_own_number(shmem_ctx_t existing) {
  return existing->size == 1 ? 0 : (hot.pe - existing->start) / existing->stride;
}

// A heap is never empty, and what is read there does not matter.
const void* windrow_defer_spare_word(void) {
  return reinterpret_cast<const void*>(hot.heap);
}

// Before shmem_init and after shmem_finalize nothing waits: a statement of no rounds may stand there.
void windrow_defer_drain(void) {
  if (cold.now == phase::running) complete_deferred();
}

// No handler: as if it had not been caught.
void windrow_defer_drain_and_throw(void) {
  windrow_defer_drain();
  if (windrow_defer_exception == nullptr) return;
  auto* const thrown = static_cast<_Unwind_Exception*>(std::exchange(windrow_defer_exception, nullptr));
  _Unwind_Resume_or_Rethrow(thrown);
  abi::__cxa_begin_catch(thrown);
  std::terminate();
}

#define ROUTINE_NAME(N, op) "shmem_ctx_" #N op

#define RMA(T, N, A, B)                                                                                     \
  void windrow_defer_ctx_##N##_g(shmem_ctx_t ctx, void* payload, T* slot, const T* source, int pe) {        \
    load_into(ctx, payload, slot, source, pe, ROUTINE_NAME(N, "_g"));                                       \
  }                                                                                                         \
  void windrow_defer_ctx_##N##_get(shmem_ctx_t ctx, void* payload, T* slot, const T* source, size_t nelems, \
                                   int pe) {                                                                \
    load_range_into(ctx, payload, slot, source, nelems, pe, ROUTINE_NAME(N, "_get"));                       \
  }                                                                                                         \
  void windrow_defer_ctx_##N##_get_nbi(shmem_ctx_t ctx, void* payload, T* slot, const T* source,            \
                                       size_t nelems, int pe) {                                             \
    load_range_into(ctx, payload, slot, source, nelems, pe, ROUTINE_NAME(N, "_get_nbi"));                   \
  }
WINDROW_SHMEM_RMA_TYPES(RMA, , )

#define GET(S, bytes, A, B)                                                                            \
  void windrow_defer_ctx_get##S(shmem_ctx_t ctx, void* payload, void* slot, const void* source,        \
                                size_t nelems, int pe) {                                               \
    load_bytes_into(ctx, payload, slot, source, nelems*(bytes), bytes, pe, "shmem_ctx_get" #S);        \
  }                                                                                                    \
  void windrow_defer_ctx_get##S##_nbi(shmem_ctx_t ctx, void* payload, void* slot, const void* source,  \
                                      size_t nelems, int pe) {                                         \
    load_bytes_into(ctx, payload, slot, source, nelems*(bytes), bytes, pe, "shmem_ctx_get" #S "_nbi"); \
  }
WINDROW_SHMEM_SIZES(GET, , )
GET(mem, 1, , )

// An operation and its twin with _nbi, which means the same here.
#define FETCH(T, N, op, call, ...)                                                                       \
  void windrow_defer_ctx_##N##_atomic_##op(shmem_ctx_t ctx, void* payload, T* slot, __VA_ARGS__) {       \
    constexpr const char* routine = ROUTINE_NAME(N, "_atomic_" #op);                                     \
    call;                                                                                                \
  }                                                                                                      \
  void windrow_defer_ctx_##N##_atomic_##op##_nbi(shmem_ctx_t ctx, void* payload, T* slot, __VA_ARGS__) { \
    constexpr const char* routine = ROUTINE_NAME(N, "_atomic_" #op "_nbi");                              \
    call;                                                                                                \
  }
#define FETCH_WITH_VALUE(T, N, op, verb_name)                                                           \
  FETCH(T, N, op, (fetch_into<verb::verb_name>(ctx, payload, slot, dest, pe, routine, value)), T* dest, \
        T value, int pe)

#define STANDARD(T, N, A, B)                                                                            \
  FETCH(T, N, fetch_inc, (fetch_into<verb::fetch_inc>(ctx, payload, slot, dest, pe, routine)), T* dest, \
        int pe)                                                                                         \
  FETCH_WITH_VALUE(T, N, fetch_add, fetch_add)                                                          \
  FETCH(T, N, compare_swap,                                                                             \
        (fetch_into<verb::compare_swap>(ctx, payload, slot, dest, pe, routine, cond, value)), T* dest,  \
        T cond, T value, int pe)
#define EXTENDED(T, N, A, B)                                                                        \
  FETCH(T, N, fetch, (load_into(ctx, payload, slot, source, pe, routine)), const T* source, int pe) \
  FETCH_WITH_VALUE(T, N, swap, swap)
#define BITWISE(T, N, A, B)                    \
  FETCH_WITH_VALUE(T, N, fetch_and, fetch_and) \
  FETCH_WITH_VALUE(T, N, fetch_or, fetch_or)   \
  FETCH_WITH_VALUE(T, N, fetch_xor, fetch_xor)

WINDROW_SHMEM_AMO_TYPES(STANDARD, , )
WINDROW_SHMEM_EXTENDED_AMO_TYPES(EXTENDED, , )
WINDROW_SHMEM_BITWISE_AMO_TYPES(BITWISE, , )
}

#undef STANDARD
#undef EXTENDED
#undef BITWISE
