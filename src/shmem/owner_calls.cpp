// SPDX-License-Identifier: BSD-3-Clause
// What compiled code calls to send what follows a fetching operation to the owner of the place.
#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>

#include "base/fatal.hpp"
#include "shmem/atomics.hpp"
#include "shmem/define.hpp"
#include "shmem/ordering.hpp"
#include "windrow/detail/apply.hpp"
#include "windrow/detail/deferred_calls.h"
#include "windrow/detail/owner_call.hpp"

namespace windrow::shmem {

namespace {

using site = windrow_defer_owner_site;
using owner_body = decltype(site::body);

constexpr std::size_t not_symmetric = ~std::size_t{0};

/// An item for a body of any site: the place, the operands, the common word, the captured bytes, one behind
/// the other. One for the `run` of a site has a narrow place, no common word, and no operands if they are
/// made there.
template <verb V, class Carrier>
struct call_item {
  static constexpr std::size_t operands = aggregation::operands_of(V);
  static constexpr std::size_t operands_at = sizeof(std::uint64_t);
  static constexpr std::size_t common_at = operands_at + operands * sizeof(Carrier);
  static constexpr std::size_t captured_at = common_at + sizeof(std::uint64_t);
};

std::uint64_t index_of(const std::byte* item) {
  std::uint64_t index;
  std::memcpy(&index, item, sizeof index);
  return index;
}

template <class Access, verb V, class Carrier>
void call_one(const std::byte* item, Carrier& place, std::size_t captured_bytes, owner_body body) {
  using layout = call_item<V, Carrier>;
  std::uint64_t common;
  std::memcpy(&common, item + layout::common_at, sizeof common);
  std::array<Carrier, layout::operands> operands;
  if constexpr (layout::operands > 0)
    std::memcpy(operands.data(), item + layout::operands_at, sizeof operands);
  alignas(16) std::array<std::byte, WINDROW_DEFER_LARGEST_CAPTURE> captured;
  std::memcpy(captured.data(), item + layout::captured_at, captured_bytes);
  const Carrier before = aggregation::apply_to<Access, V, Carrier>(place, operands.data());
  body(captured.data(), &before, operands.data(), common);
}

/// Works on a run at the owner; its argument is the body. For sites that bring no function for that, where
/// places are wide, and while a run with another common word is open.
template <verb V, class Carrier>
void call_all(aggregation::run_header& run, const aggregation::work& w, void*) {
  const auto body = reinterpret_cast<owner_body>(const_cast<void*>(aggregation::local_address(run.argument)));
  const auto captured_bytes = run.item_bytes - call_item<V, Carrier>::captured_at;
  auto* const places = reinterpret_cast<Carrier*>(w.segment);
  const auto place_of = [=](const std::byte* item) { return &places[index_of(item)]; };
  aggregation::with_access(w, [&](auto access) {
    aggregation::for_each_item<V>(
        run.items(), run.count, run.item_bytes, place_of, [=](const std::byte* item) {
          call_one<typename decltype(access)::type, V, Carrier>(item, *place_of(item), captured_bytes, body);
        });
  });
}

// What only the runtime, and compiled code on its behalf (compiler/inlined), looks at.
static_assert(sizeof(aggregation::remote_function) == sizeof(windrow_defer_owner_function));
aggregation::remote_function& known(windrow_defer_owner_function& f) {
  return reinterpret_cast<aggregation::remote_function&>(f);
}

const aggregation::remote_function& known(const windrow_defer_owner_function& f) {
  return reinterpret_cast<const aggregation::remote_function&>(f);
}

bool is_introduced(const aggregation::remote_function& f) {
  return f.number != ~std::uint32_t{0};
}

/// Says what it is, the first time that the function is used.
template <class F>
void introduce(aggregation::remote_function& f, F* function, std::size_t item_bytes, std::uint64_t argument) {
  if (is_introduced(f)) return;
  f = {.number = aggregation::next_function_number(),
       .item_bytes = static_cast<std::uint32_t>(item_bytes) & 0x7fff'ffff,
       .answers = 0,
       .code = aggregation::portable_address(reinterpret_cast<const void*>(function)),
       .argument = argument};
}

template <class T>
std::byte* write(std::byte* to, const T& value) {
  std::memcpy(to, &value, sizeof value);
  return to + sizeof value;
}

/// Where places are narrow: in a run that has the common word, unless one with another is open.
template <verb V, class Carrier, class... Operands>
bool try_append_in_place(site& s, int target, std::uint64_t index, std::uint64_t common, const void* captured,
                         std::size_t bytes, Operands... operands) {
  auto& function = known(s.in_place);
  const auto operand_bytes = s.make_operands != nullptr ? 0 : sizeof...(operands) * sizeof(Carrier);
  introduce(function, s.run, sizeof(std::uint32_t) + operand_bytes + bytes, 0);
  auto* const room = hot.lanes->room_for_call(function, target, common, known(s.any));
  if (room == nullptr) return false;
  auto* item = write(room->take(function.item_bytes), static_cast<std::uint32_t>(index));
  if (operand_bytes > 0) ((item = write(item, operands)), ...);
  std::memcpy(item, captured, bytes);
  return true;
}

template <verb V, class Carrier, class... Operands>
void append_call(site& s, int target, std::uint64_t index, std::uint64_t common, const void* captured,
                 std::size_t bytes, Operands... operands) {
  auto& function = known(s.any);
  introduce(function, call_all<V, Carrier>, call_item<V, Carrier>::captured_at + bytes,
            aggregation::portable_address(reinterpret_cast<const void*>(s.body)));
  auto* item = write(
      hot.lanes->room_for_other_call(known(s.in_place), target, function).take(function.item_bytes), index);
  ((item = write(item, operands)), ...);
  std::memcpy(write(item, common), captured, bytes);
}

template <verb V, class T, class... Operands>
void send_to_owner(shmem_ctx_t ctx, site& s, const void* captured, std::size_t bytes, std::uint64_t common,
                   const T* place, int pe, const char* routine, Operands... operands) {
  using carrier = aggregation::carrier<T>;
  constexpr auto width_log2 = static_cast<unsigned>(std::countr_zero(sizeof(T)));
  const members_of on(ctx, routine);
  const int target = on.job_pe(pe, routine);
  if (bytes > WINDROW_DEFER_LARGEST_CAPTURE)
    base::fatal(fmt::format("{} (at the owner): {} bytes are captured, more than {}", routine, bytes,
                            WINDROW_DEFER_LARGEST_CAPTURE));
  const auto offset = offset_of(place, sizeof(T), routine);
  require_one_thread(routine);
  const auto index = hot.lanes->require_place(target, offset, width_log2);
  if (s.run == nullptr || !hot.lanes->has_narrow_places(width_log2) ||
      !try_append_in_place<V, carrier>(s, target, index, common, captured, bytes,
                                       std::bit_cast<carrier>(operands)...))
    append_call<V, carrier>(s, target, index, common, captured, bytes, std::bit_cast<carrier>(operands)...);
  hot.owes_items = true;
  if (!on.aggregated() && hot.map->now() == detail::running::program) complete_deferred();
}

} // namespace

} // namespace windrow::shmem

using namespace windrow::shmem; // everything below is the C interface

extern "C" {

void* windrow_defer_make_owner_room(const windrow_defer_owner_site* s, int to, uint64_t common) {
  const auto& function = known(s->in_place);
  hot.owes_items = true; // completion closes all runs, so items after it ask here again
  return is_introduced(function) ? hot.lanes->make_room_for_call(function, to, common, known(s->any))
                                 : nullptr;
}

size_t windrow_defer_symmetric_offset(const void* object) {
  return offset_of(object, 1, "#pragma shmem defer");
}
size_t windrow_defer_symmetric_offset_if_any(const void* object) {
  const auto offset = reinterpret_cast<std::uintptr_t>(object) - hot.heap;
  if (offset < hot.heap_bytes) return offset;
  return find_symmetric(object, 1).value_or(not_symmetric);
}
void* windrow_defer_symmetric_address(size_t offset) {
  if (offset == not_symmetric)
    windrow::base::fatal(
        "#pragma shmem defer: an object that is updated on a condition is not symmetric: neither in the "
        "symmetric "
        "heap of the PE that asked nor one of its global or static variables");
  return hot.map->segment(hot.pe) + offset;
}

#define AT_OWNER(T, N, op, verb_name, place, arguments, ...)                                      \
  void windrow_defer_at_owner_ctx_##N##_##op(shmem_ctx_t ctx, windrow_defer_owner_site* site,     \
                                             const void* captured, size_t bytes, uint64_t common, \
                                             __VA_ARGS__) {                                       \
    send_to_owner<verb::verb_name>(ctx, *site, captured, bytes, common, place, pe,                \
                                   "shmem_ctx_" #N "_" #op AT_OWNER_##arguments);                 \
  }
#define AT_OWNER_none
#define AT_OWNER_value , value
#define AT_OWNER_cond , cond, value

#define WORD(T, N, A, B) AT_OWNER(T, N, g, fetch, source, none, const T* source, int pe)
#define WORDS(X)                      \
  WINDROW_SHMEM_REALS(X, , )          \
  WINDROW_SHMEM_SMALL_INTEGERS(X, , ) \
  WINDROW_SHMEM_INTEGERS(X, , )       \
  WINDROW_SHMEM_SIZED_SMALL(X, , ) WINDROW_SHMEM_SIZED(X, , ) WINDROW_SHMEM_ADDRESS_SIZED(X, , )
WORDS(WORD)

#define STANDARD(T, N, A, B)                                                         \
  AT_OWNER(T, N, atomic_fetch_inc, fetch_inc, dest, none, T* dest, int pe)           \
  AT_OWNER(T, N, atomic_fetch_add, fetch_add, dest, value, T* dest, T value, int pe) \
  AT_OWNER(T, N, atomic_compare_swap, compare_swap, dest, cond, T* dest, T cond, T value, int pe)
WINDROW_SHMEM_AMO_TYPES(STANDARD, , )

#define EXTENDED(T, N, A, B)                                                 \
  AT_OWNER(T, N, atomic_fetch, fetch, source, none, const T* source, int pe) \
  AT_OWNER(T, N, atomic_swap, swap, dest, value, T* dest, T value, int pe)
WINDROW_SHMEM_EXTENDED_AMO_TYPES(EXTENDED, , )

#define BITWISE(T, N, A, B)                                                          \
  AT_OWNER(T, N, atomic_fetch_and, fetch_and, dest, value, T* dest, T value, int pe) \
  AT_OWNER(T, N, atomic_fetch_or, fetch_or, dest, value, T* dest, T value, int pe)   \
  AT_OWNER(T, N, atomic_fetch_xor, fetch_xor, dest, value, T* dest, T value, int pe)
WINDROW_SHMEM_BITWISE_AMO_TYPES(BITWISE, , )
}

#undef STANDARD
#undef EXTENDED
#undef BITWISE
