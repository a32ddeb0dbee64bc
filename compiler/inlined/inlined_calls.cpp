// SPDX-License-Identifier: BSD-3-Clause
// What compiled code does itself in the usual case: it opens a record whose fetches it stores in the open
// runs of their kinds, stores an update there, or an item for the owner; and as the owner, it works on such
// items. Compiled to bitcode, which the pass takes the functions from that it needs
// (common/runtime/inline_library.cpp). Each says by its result if it could not do it, and then has done
// nothing: the call to the runtime does it instead.
#include <cstddef>
#include <cstdint>

#include "compiler/inlined/blocks.hpp"
#include "compiler/inlined/owner_items.hpp"
#include "compiler/inlined/ranges.hpp"
#include "compiler/inlined/runs.hpp"
#include "compiler/inlined/strips.hpp"
#include "compiler/inlined/updates.hpp"

using namespace windrow;        // below is what the pass looks for
using namespace windrow::shmem; // NOLINT(google-build-using-namespace)

// Always inlined, where it is used.
#define INLINED extern "C" [[gnu::always_inline]]

// What blocks have in common, as parameters and as `words` (contract::most_common of them).
#define COMMON_WORDS                                                                        \
  std::uint64_t c0, std::uint64_t c1, std::uint64_t c2, std::uint64_t c3, std::uint64_t c4, \
      std::uint64_t c5, std::uint64_t c6, std::uint64_t c7, std::uint64_t c8, std::uint64_t c9
#define GIVEN_WORDS {c0, c1, c2, c3, c4, c5, c6, c7, c8, c9}

// V: the verb; T, N: the carrier and its name; the parameters for operands, and the operands, each with a
// comma in front.
#define FETCH(V, T, N, PARAMETERS, OPERANDS)                                                                 \
  INLINED bool windrow_inlined_find_##V##_##N(found_room* found, const shmem_ctx_object* ctx,                \
                                              std::uint32_t fetches, bool near, T* object PARAMETERS,        \
                                              int pe) {                                                      \
    return find_room<verb::V, T>(*found, ctx, fetches, near, object, pe OPERANDS);                           \
  }                                                                                                          \
  INLINED void windrow_inlined_make_room_##V##_##N(const shmem_ctx_object* ctx, std::uint32_t fetches,       \
                                                   bool near, T* object PARAMETERS, int pe) {                \
    make_room<verb::V, T>(ctx, fetches, near, object, pe OPERANDS);                                          \
  }                                                                                                          \
  INLINED bool windrow_inlined_find_in_strip_##V##_##N(found_room* found, const strip* s, std::size_t fetch, \
                                                       std::uint32_t fetches, bool near,                     \
                                                       T* object PARAMETERS, int pe) {                       \
    return find_room<verb::V, T>(*found, s->on, s->routes[fetch], fetches, near, object, pe OPERANDS);       \
  }                                                                                                          \
  INLINED void windrow_inlined_make_route_##V##_##N(strip* s, std::size_t fetch, bool near,                  \
                                                    const shmem_ctx_object* ctx) {                           \
    make_route<verb::V, T>(s->routes[fetch], near, ctx);                                                     \
  }                                                                                                          \
  INLINED void windrow_inlined_store_##V##_##N(const found_room* found, const opened* record, bool near,     \
                                               std::size_t slot PARAMETERS) {                                \
    store_fetch<verb::V, T>(*found, *record, near, slot OPERANDS);                                           \
  }                                                                                                          \
  INLINED std::byte* windrow_inlined_owner_item_##V##_##N(                                                   \
      kept_route* kept, bool same_context, kept_routes* routes, std::size_t number,                          \
      const windrow_defer_owner_site* site, const shmem_ctx_object* ctx, std::size_t bytes,                  \
      std::uint64_t common, bool operands_travel, T* object PARAMETERS, int pe) {                            \
    const owner_run run{site, bytes, common, operands_travel};                                               \
    const item_route along{kept, same_context, routes, number};                                              \
    return kept == nullptr ? open_owner_item<verb::V, T>(run, ctx, object, pe OPERANDS)                      \
                           : open_owner_item_along<verb::V, T>(along, run, ctx, object, pe OPERANDS);        \
  }                                                                                                          \
  INLINED void windrow_inlined_run_##V##_##N(aggregation::run_header* run, const aggregation::work* w,       \
                                             std::size_t bytes, owner_body body,                             \
                                             operand_maker make_operands) {                                  \
    run_items<verb::V, T>(*run, *w, bytes, body, make_operands);                                             \
  }
#define UPDATE(V, T, N, PARAMETERS, OPERANDS)                                                                \
  INLINED bool windrow_inlined_update_##V##_##N(const shmem_ctx_object* ctx, T* object PARAMETERS, int pe) { \
    return update<verb::V, T>(ctx, object, pe OPERANDS);                                                     \
  }                                                                                                          \
  INLINED bool windrow_inlined_update_along_##V##_##N(kept_routes* kept, std::size_t site,                   \
                                                      bool same_context, const shmem_ctx_object* ctx,        \
                                                      T* object PARAMETERS, int pe) {                        \
    return kept == nullptr                                                                                   \
               ? update<verb::V, T>(ctx, object, pe OPERANDS)                                                \
               : update_along<verb::V, T>(kept->of[site], same_context, ctx, object, pe OPERANDS);           \
  }
#define NOTHING
#define COMMA ,
#define ONE_VALUE(T) COMMA T value
#define TWO_VALUES(T) COMMA T expected COMMA T desired

#define ANY(T, N)                                                               \
  INLINED void windrow_inlined_load_##N(std::byte* payload, std::size_t slot) { \
    load_into<T>(payload + slot);                                               \
  }                                                                             \
  FETCH(fetch, T, N, NOTHING, NOTHING)                                          \
  UPDATE(put, T, N, ONE_VALUE(T), COMMA value)
#define SWAPPED(T, N) FETCH(swap, T, N, ONE_VALUE(T), COMMA value)
#define COUNTED(T, N)                                                    \
  FETCH(fetch_inc, T, N, NOTHING, NOTHING)                               \
  FETCH(fetch_add, T, N, ONE_VALUE(T), COMMA value)                      \
  FETCH(fetch_and, T, N, ONE_VALUE(T), COMMA value)                      \
  FETCH(fetch_or, T, N, ONE_VALUE(T), COMMA value)                       \
  FETCH(fetch_xor, T, N, ONE_VALUE(T), COMMA value)                      \
  FETCH(compare_swap, T, N, TWO_VALUES(T), COMMA expected COMMA desired) \
  UPDATE(inc, T, N, NOTHING, NOTHING)                                    \
  UPDATE(add, T, N, ONE_VALUE(T), COMMA value)                           \
  UPDATE(bit_and, T, N, ONE_VALUE(T), COMMA value)                       \
  UPDATE(bit_or, T, N, ONE_VALUE(T), COMMA value)                        \
  UPDATE(bit_xor, T, N, ONE_VALUE(T), COMMA value)

ANY(std::uint8_t, i8)
ANY(std::uint16_t, i16)
ANY(std::uint32_t, i32)
ANY(std::uint64_t, i64)
ANY(float, float)
ANY(double, double)
SWAPPED(std::uint32_t, i32)
SWAPPED(std::uint64_t, i64)
SWAPPED(float, float)
SWAPPED(double, double)
COUNTED(std::uint32_t, i32)
COUNTED(std::uint64_t, i64)

// Whether values that are only read are near.
INLINED bool windrow_inlined_loads_directly() {
  return view.loads_directly;
}

// What a block is, and whether its record can be made: before its fetches look for room.
INLINED bool windrow_inlined_prepare_record(shmem::block* b, run_function run, std::size_t bytes,
                                            void* parent, std::uint32_t level, std::uint32_t awaited,
                                            bool in_batch, unsigned common_words, COMMON_WORDS) {
  *b = {run, bytes, parent, level, awaited, in_batch, common_words, GIVEN_WORDS};
  return prepare_record(*b);
}

INLINED void* windrow_inlined_add_record(const shmem::block* b, opened* record) {
  *record = add_record(view.levels[b->level], *b);
  return record->payload;
}

INLINED void windrow_inlined_no_strip(strip* s) {
  *s = {};
}

// What is known of the route from earlier payloads, if they were of the same context.
INLINED void windrow_inlined_begin_route(kept_route* kept, const kept_routes* routes, std::size_t number,
                                         const shmem_ctx_object* ctx) {
  const bool known = routes != nullptr && routes->of[number].on.ctx == ctx;
  *kept = known ? routes->of[number] : kept_route{};
}

INLINED bool windrow_inlined_is_in_strip(const strip* s, unsigned differs, const shmem_ctx_object* ctx,
                                         const void* parent, unsigned common_words, COMMON_WORDS) {
  return s != nullptr && has_room(*s, differs, ctx, parent, common_words, GIVEN_WORDS);
}

INLINED bool windrow_inlined_strip_is_near(const strip* s) {
  return s->near != 0;
}

INLINED void* windrow_inlined_add_to_strip(strip* s, std::size_t bytes, opened* record) {
  *record = add_record(*s, bytes);
  return record->payload;
}

INLINED bool windrow_inlined_begin_strip(strip* s, const shmem::block* b, bool near,
                                         const shmem_ctx_object* ctx) {
  if (s == nullptr) return false;
  begin_strip(*s, *b, near, ctx);
  return true;
}

INLINED void windrow_inlined_end_strip(strip* s, std::size_t bytes, std::uint32_t level,
                                       std::uint32_t fetches, std::uint32_t loads) {
  if (s != nullptr) end_strip(*s, bytes, level, fetches, loads);
}

INLINED std::uint32_t windrow_inlined_run_records(deferral::record_queue* queue, void (*body)(void*),
                                                  std::size_t bytes, bool leads_to_others) {
  return run_records(*queue, body, bytes, leads_to_others);
}

#define RANGE(T, N)                                                                                        \
  INLINED void* windrow_inlined_open_near_range_##N(                                                       \
      const shmem_ctx_object* ctx, run_function run, std::size_t bytes, void* parent, std::uint32_t level, \
      bool in_batch, unsigned common_words, COMMON_WORDS, std::size_t slot, const void* source,            \
      std::size_t count, int pe) {                                                                         \
    return open_near_range<T>({run, bytes, parent, level, 0, in_batch, common_words, GIVEN_WORDS}, slot,   \
                              ctx, source, count, pe);                                                     \
  }
RANGE(std::uint8_t, i8)
RANGE(std::uint16_t, i16)
RANGE(std::uint32_t, i32)
RANGE(std::uint64_t, i64)

INLINED void windrow_inlined_store_common(std::byte* to, unsigned common_words, COMMON_WORDS) {
  store_common(to, common_words, GIVEN_WORDS);
}

INLINED std::uint32_t windrow_inlined_run_batch(deferral::record_queue* queue,
                                                void (*body)(void*, const void*, kept_routes*),
                                                std::size_t bytes, std::size_t common_bytes,
                                                bool leads_to_others) {
  return run_batch(*queue, body, bytes, common_bytes, leads_to_others);
}

/// What windrow_defer_symmetric_address returns, or null.
INLINED void* windrow_inlined_address(std::size_t offset) {
  return view.lanes == nullptr || offset == ~std::size_t{0} ? nullptr
                                                            : reinterpret_cast<void*>(view.heap + offset);
}
