/* SPDX-License-Identifier: BSD-3-Clause */
/* What the compiler plug-in makes of `#pragma shmem defer`: the interface between compiled code and the
   runtime. Programs do not call it themselves.

   A *record* is a piece of code that waits for fetched values: a function, the `body`, and `bytes` of memory,
   the *payload*, with what the body needs (captured values) and the *slots* that fetched values are written
   to.

     void* payload = windrow_defer_open(ctx, body, sizeof(struct captured), parent, level);
     ...                                                       fill in the captured values
     windrow_defer_ctx_int64_atomic_fetch_add(ctx, payload, &((struct captured*)payload)->slot, dest, value,
                                              pe);
     windrow_defer_commit(payload);

   The body runs once, on the PE that opened the record: body(payload). It runs when the record has been
   committed, all its fetches are complete (their slots filled), and all older records *of the same level*
   have run. The level is 0 in code that is not deferred; a body opens records of the level behind its own.
   Between levels there is no order. A record may have no fetches, then its order is all it waits for.

   When bodies run: inside later calls of the library, never inside message handlers and never inside another
   body, namely
     - in windrow_defer_open at level 0, and in aggregated operations when they need another block,
     - in windrow_defer_commit, if the record is ready and the oldest of its level and no body is running,
     - in windrow_defer_drain, shmem_quiet, shmem_ctx_quiet and shmem_ctx_fence of any context, shmem_fence,
       shmem_barrier, shmem_barrier_all, shmem_ctx_destroy and shmem_finalize. When these return, every body
   has run. Bodies may do everything but wait: they may open, issue, commit, put, update, and fetch blockingly
   (which serves messages, but runs no body). A quiet, fence, barrier, collective, wait_until or lock in a
   body, and windrow_defer_drain, end the job with a sentence.

   Memory: the payload is 16-byte aligned, uninitialised, stays where it is, and is released after its body
   has run and all records that name it as `parent` have been released. Payloads lie in chunks that are used
   again. Who opens a record of level 0 while the records of this PE take more than WINDROW_DEFER_LIMIT bytes
   first helps: it sends what is under way, waits for answers and runs bodies until they take less than half
   of it (or nothing can run, because the oldest record is not committed yet). Deeper levels may exceed the
   limit, by eight times of it; beyond, the job ends with a sentence.

   One thread of a PE uses this interface at a time: opening a record while records of another thread wait
   ends the job with a sentence. Bodies run on the thread that opened them or, in a call of another thread
   that returns only when they have run, on that thread.

   Errors (no such PE, memory that is not symmetric, null context, a payload that is not an open record) end
   the job with a sentence. */
#ifndef WINDROW_DETAIL_DEFERRED_CALLS_H
#define WINDROW_DETAIL_DEFERRED_CALLS_H

#include "shmem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A new record; `ctx` is checked. `parent`: the payload of the record whose body is running, if the new
   record's body uses that payload, or what that record holds as a child itself; else null. The parent's
   payload stays at least until this record is released. Returns the payload. `bytes` may be 0, and is at most
   1 GiB. */
void* windrow_defer_open(shmem_ctx_t ctx, void (*body)(void* payload), size_t bytes, void* parent,
                         uint32_t level);

/* A record that waits for its turn only. */
void* windrow_defer_open_in_order(void* parent, void (*body)(void* payload), size_t bytes, uint32_t level);

/* No more fetches will be issued for this record by the code that opened it. The payload must not be used
   afterwards, except by the body and as `parent` of records opened in that body. */
void windrow_defer_commit(void* payload);

/* Runs every body of this PE, and those of the records that they open. Not collective, but the targets of
   fetches must be in the library from time to time. */
void windrow_defer_drain(void);

/* An exception that a body has thrown. Bodies of statements in which one may be thrown keep it here, where
   nobody has thrown yet, and do nothing where somebody has. Where the statement is left, this drains, and
   throws what was kept. */
extern void* windrow_defer_exception;
void windrow_defer_drain_and_throw(void);

/* Whether code may be deferred here: not in a body, nor in a message handler, and not where several threads
   use the library (SHMEM_THREAD_MULTIPLE). */
int windrow_defer_is_possible(void);

/* The version of a function with directives that is to run, which is counted (WINDROW_STATS): 0 as it is
   written, where code must not be deferred, the context is one that does not aggregate, or a tool has taken
   the place of routines; 1 with deferred code; 2 as it is written, with the checks below (SHMEM_DEBUG). `ctx`
   is that of its fetches, or null if it is not known yet; it need not be a valid one. `gain` is what the
   deferred code gains where all memory is shared: 0 nothing; 1 something, unless that memory is in a cache; 2
   something in any case. */
int windrow_defer_choose(shmem_ctx_t ctx, int gain);

/* Where a fetch reads that is made although nobody looks at its value: a fetch on a condition that does not
   hold. The context need not be a valid one then, for nobody asks it; so the fetch is on one that is. The
   first returns `ctx` if that exists, else one of which this PE is the only member; the second the number of
   this PE among its PEs; the third a word that is always there to be fetched from this PE. They may be called
   wherever windrow_defer_choose has chosen deferred code. */
shmem_ctx_t windrow_defer_existing_context(shmem_ctx_t ctx);
int windrow_defer_own_number(shmem_ctx_t existing);
const void* windrow_defer_spare_word(void);

/* Checks of the first promise (docs/defer-pragma.md): `bytes` bytes at `at` are used, on this PE if `ctx` is
   null, by the code `where`, "FILE:LINE". Of places that code which waits has used since the last begin, code
   that does not wait must not write any, nor read what is written: else the job ends with a sentence. */
enum {
  windrow_defer_writes = 1,
  windrow_defer_waits = 2,  /* a fetch, or code that depends on one */
  windrow_defer_fetches = 4 /* a fetch */
};
void windrow_defer_check_begin(void);
void windrow_defer_check(const void* at, size_t bytes, shmem_ctx_t ctx, int pe, uint32_t kind,
                         const char* where);

/* For compiled code (compiler/inlined): forgets the oldest record of a queue, which has run; and, where no
   body is running, runs those that wait for values in loadable memory only. */
void windrow_defer_remove(void* queue);
void windrow_defer_run_ready(void);
/* Makes room for `bytes` of items of a kind for PE `to`, where there is none; may run what is ready. */
void windrow_defer_make_room(uint32_t kind, int to, uint64_t operand, uint32_t bytes);

/* The fetches: the call of the standard without `shmem_`, with the payload and the slot behind the context
   (and in place of `fetch` or `dest`, where the call of the standard has one). The slot is in the payload and
   begins within its first 65,000 bytes; the value is there when the body runs, and may arrive earlier. They
   may be issued between open and commit only. On a context that does not aggregate, the operation has been
   carried out on return.

   The gets of several elements fetch a range, of any length, into as much of the payload:

     struct captured { ...; size_t n; uint64_t values[]; };
     struct captured* p = windrow_defer_open(ctx, body, sizeof *p + n * sizeof(uint64_t), parent, level);
     p->n = n;
     windrow_defer_ctx_uint64_get(ctx, p, p->values, source, n, pe);
     windrow_defer_commit(p);

   The body runs once, when all values are there. Elements of 1, 2, 4 and 8 bytes are read whole, each at some
   time between the call and the body, not all at one time. In loadable memory they wait as an address and a
   length and are copied then; elsewhere they travel in pieces of up to 2 KiB. */

#define WINDROW_DEFER_RMA(T, N, A, B)                                                                       \
  void windrow_defer_ctx_##N##_g(shmem_ctx_t ctx, void* payload, T* slot, const T* source, int pe);         \
  void windrow_defer_ctx_##N##_get(shmem_ctx_t ctx, void* payload, T* slot, const T* source, size_t nelems, \
                                   int pe);                                                                 \
  void windrow_defer_ctx_##N##_get_nbi(shmem_ctx_t ctx, void* payload, T* slot, const T* source,            \
                                       size_t nelems, int pe);
WINDROW_SHMEM_RMA_TYPES(WINDROW_DEFER_RMA, , )
#undef WINDROW_DEFER_RMA

#define WINDROW_DEFER_GET(S, bytes, A, B)                                                             \
  void windrow_defer_ctx_get##S(shmem_ctx_t ctx, void* payload, void* slot, const void* source,       \
                                size_t nelems, int pe);                                               \
  void windrow_defer_ctx_get##S##_nbi(shmem_ctx_t ctx, void* payload, void* slot, const void* source, \
                                      size_t nelems, int pe);
WINDROW_SHMEM_SIZES(WINDROW_DEFER_GET, , )
WINDROW_DEFER_GET(mem, 1, , )
#undef WINDROW_DEFER_GET

#define WINDROW_DEFER_AMO(T, N, A, B)                                                                        \
  void windrow_defer_ctx_##N##_atomic_fetch_inc(shmem_ctx_t ctx, void* payload, T* slot, T* dest, int pe);   \
  void windrow_defer_ctx_##N##_atomic_fetch_add(shmem_ctx_t ctx, void* payload, T* slot, T* dest, T value,   \
                                                int pe);                                                     \
  void windrow_defer_ctx_##N##_atomic_compare_swap(shmem_ctx_t ctx, void* payload, T* slot, T* dest, T cond, \
                                                   T value, int pe);                                         \
  void windrow_defer_ctx_##N##_atomic_fetch_inc_nbi(shmem_ctx_t ctx, void* payload, T* slot, T* dest,        \
                                                    int pe);                                                 \
  void windrow_defer_ctx_##N##_atomic_fetch_add_nbi(shmem_ctx_t ctx, void* payload, T* slot, T* dest,        \
                                                    T value, int pe);                                        \
  void windrow_defer_ctx_##N##_atomic_compare_swap_nbi(shmem_ctx_t ctx, void* payload, T* slot, T* dest,     \
                                                       T cond, T value, int pe);
WINDROW_SHMEM_AMO_TYPES(WINDROW_DEFER_AMO, , )
#undef WINDROW_DEFER_AMO

#define WINDROW_DEFER_EXTENDED(T, N, A, B)                                                                \
  void windrow_defer_ctx_##N##_atomic_fetch(shmem_ctx_t ctx, void* payload, T* slot, const T* source,     \
                                            int pe);                                                      \
  void windrow_defer_ctx_##N##_atomic_swap(shmem_ctx_t ctx, void* payload, T* slot, T* dest, T value,     \
                                           int pe);                                                       \
  void windrow_defer_ctx_##N##_atomic_fetch_nbi(shmem_ctx_t ctx, void* payload, T* slot, const T* source, \
                                                int pe);                                                  \
  void windrow_defer_ctx_##N##_atomic_swap_nbi(shmem_ctx_t ctx, void* payload, T* slot, T* dest, T value, \
                                               int pe);
WINDROW_SHMEM_EXTENDED_AMO_TYPES(WINDROW_DEFER_EXTENDED, , )
#undef WINDROW_DEFER_EXTENDED

#define WINDROW_DEFER_BITWISE(T, N, A, B)                                                                  \
  void windrow_defer_ctx_##N##_atomic_fetch_and(shmem_ctx_t ctx, void* payload, T* slot, T* dest, T value, \
                                                int pe);                                                   \
  void windrow_defer_ctx_##N##_atomic_fetch_or(shmem_ctx_t ctx, void* payload, T* slot, T* dest, T value,  \
                                               int pe);                                                    \
  void windrow_defer_ctx_##N##_atomic_fetch_xor(shmem_ctx_t ctx, void* payload, T* slot, T* dest, T value, \
                                                int pe);                                                   \
  void windrow_defer_ctx_##N##_atomic_fetch_and_nbi(shmem_ctx_t ctx, void* payload, T* slot, T* dest,      \
                                                    T value, int pe);                                      \
  void windrow_defer_ctx_##N##_atomic_fetch_or_nbi(shmem_ctx_t ctx, void* payload, T* slot, T* dest,       \
                                                   T value, int pe);                                       \
  void windrow_defer_ctx_##N##_atomic_fetch_xor_nbi(shmem_ctx_t ctx, void* payload, T* slot, T* dest,      \
                                                    T value, int pe);
WINDROW_SHMEM_BITWISE_AMO_TYPES(WINDROW_DEFER_BITWISE, , )
#undef WINDROW_DEFER_BITWISE

/* Most bytes that travel to the owner for a body. */
#define WINDROW_DEFER_LARGEST_CAPTURE 256

/* Fusion at the owner: `bytes` bytes at `captured` travel with the operation to PE `pe` of the context's
   team, and the word `common`. There the operation is carried out, and site->body(captured, &value, operands,
   common) is called with a copy of those bytes (16-byte aligned), the value before, and the operands of the
   operation as an array. `common` travels once for as long as it stays the same. No answer comes back:
   complete, body included, at the next shmem_ctx_quiet of the PE that called. The body runs on the owner,
   inside a library call of its own, as handlers of messages do: it may use the owner's memory by plain loads
   and stores and must not call the library. The functions must be in the program or in a library that all PEs
   have loaded; the captured bytes must mean the same in every PE: no addresses. Translate addresses of
   symmetric objects with windrow_defer_symmetric_offset before the call, and back, in the body, with
   windrow_defer_symmetric_address. `bytes` is at most WINDROW_DEFER_LARGEST_CAPTURE and the same at each call
   with this site. On a context that does not aggregate, the call returns when the body has run there; in a
   body, where nothing may wait, it is complete at quiet. */

/* The runtime's own: ~0, and 0. */
struct windrow_defer_owner_function {
  uint32_t number, item_bytes;
  uint64_t code, argument;
};
/* One for each call, made with `body` and `run`. */
struct windrow_defer_owner_site {
  struct windrow_defer_owner_function in_place, any;
  void (*body)(const void* captured, const void* value, const void* operands, uint64_t common);
  /* Works on the items of a message, with the body in place (compiler/inlined); or null. */
  void (*run)(void); /* NOLINT(modernize-redundant-void-arg): C needs it */
  /* Makes the operands of what is captured, so that they do not travel to `run`; or null. */
  void (*make_operands)(const void* captured, uint64_t common, void* operands);
};

/* For compiled code: the writer with room for an item of the site for PE `to` of the job, with that common
   word; null where a run with another one is open, or the site has not been used yet. May run what is ready.
 */
void* windrow_defer_make_owner_room(const struct windrow_defer_owner_site* site, int to, uint64_t common);

size_t windrow_defer_symmetric_offset(const void* object);
/* The offset of an object that need not be symmetric: SIZE_MAX if it is not, which is an error where its
   address is asked for. */
size_t windrow_defer_symmetric_offset_if_any(const void* object);
void* windrow_defer_symmetric_address(size_t offset);

#define WINDROW_DEFER_AT_OWNER(T, N, op, ...)                                                        \
  void windrow_defer_at_owner_ctx_##N##_##op(shmem_ctx_t ctx, struct windrow_defer_owner_site* site, \
                                             const void* captured, size_t bytes, uint64_t common,    \
                                             __VA_ARGS__);
#define WINDROW_DEFER_AT_OWNER_G(T, N, A, B) WINDROW_DEFER_AT_OWNER(T, N, g, const T* source, int pe)
WINDROW_SHMEM_REALS(WINDROW_DEFER_AT_OWNER_G, , )
WINDROW_SHMEM_SMALL_INTEGERS(WINDROW_DEFER_AT_OWNER_G, , )
WINDROW_SHMEM_INTEGERS(WINDROW_DEFER_AT_OWNER_G, , )
WINDROW_SHMEM_SIZED_SMALL(WINDROW_DEFER_AT_OWNER_G, , )
WINDROW_SHMEM_SIZED(WINDROW_DEFER_AT_OWNER_G, , )
WINDROW_SHMEM_ADDRESS_SIZED(WINDROW_DEFER_AT_OWNER_G, , )
#undef WINDROW_DEFER_AT_OWNER_G
#define WINDROW_DEFER_AT_OWNER_AMO(T, N, A, B)                             \
  WINDROW_DEFER_AT_OWNER(T, N, atomic_fetch_inc, T* dest, int pe)          \
  WINDROW_DEFER_AT_OWNER(T, N, atomic_fetch_add, T* dest, T value, int pe) \
  WINDROW_DEFER_AT_OWNER(T, N, atomic_compare_swap, T* dest, T cond, T value, int pe)
WINDROW_SHMEM_AMO_TYPES(WINDROW_DEFER_AT_OWNER_AMO, , )
#undef WINDROW_DEFER_AT_OWNER_AMO
#define WINDROW_DEFER_AT_OWNER_EXTENDED(T, N, A, B)                   \
  WINDROW_DEFER_AT_OWNER(T, N, atomic_fetch, const T* source, int pe) \
  WINDROW_DEFER_AT_OWNER(T, N, atomic_swap, T* dest, T value, int pe)
WINDROW_SHMEM_EXTENDED_AMO_TYPES(WINDROW_DEFER_AT_OWNER_EXTENDED, , )
#undef WINDROW_DEFER_AT_OWNER_EXTENDED
#define WINDROW_DEFER_AT_OWNER_BITWISE(T, N, A, B)                         \
  WINDROW_DEFER_AT_OWNER(T, N, atomic_fetch_and, T* dest, T value, int pe) \
  WINDROW_DEFER_AT_OWNER(T, N, atomic_fetch_or, T* dest, T value, int pe)  \
  WINDROW_DEFER_AT_OWNER(T, N, atomic_fetch_xor, T* dest, T value, int pe)
WINDROW_SHMEM_BITWISE_AMO_TYPES(WINDROW_DEFER_AT_OWNER_BITWISE, , )
#undef WINDROW_DEFER_AT_OWNER_BITWISE
#undef WINDROW_DEFER_AT_OWNER

#ifdef __cplusplus
}
#endif

#endif
