/* SPDX-License-Identifier: BSD-3-Clause */
#include "reorder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unwind.h>
#include <windrow/detail/deferred_calls.h>

enum { pes = 4, levels = 32, heap_bytes = 1 << 20, data_bytes = 1 << 16, value_bytes = 16, contexts = 8 };

/* ---- state */

/* Without aggregation operations happen at once, and what depends on them runs as soon as it is its turn. */
struct shmem_ctx_object {
  char at_once;
} shmem_ctx_object_default = {1};

struct record {
  void (*body)(void*);
  struct record *parent, *next;
  long pending;    /* fetches, and one until it is committed */
  long references; /* of its children, and one until its body has run */
  int level, committed, at_once;
  size_t bytes;
  _Alignas(16) char payload[];
};

enum operation { op_get, op_set, op_add, op_and, op_or, op_xor, op_swap, op_compare_swap };

struct request {
  enum operation operation;
  char type; /* i: integer, f: floating-point */
  shmem_ctx_t ctx;
  size_t bytes;
  void *target, *slot;
  char value[value_bytes], condition[value_bytes];
  struct record* record;
  void (*owner_body)(const void*, const void*, const void*, uint64_t); /* or null */
  void* captured;
  uint64_t common;
  int owner;
};

static struct {
  enum reorder_order order;
  long limit;
  unsigned long long random;
  char heap[pes][heap_bytes];
  char data[pes][data_bytes]; /* of PEs that do not act */
  size_t used;
  struct request* requests;
  long n_requests, room;
  struct record *oldest[levels], *newest[levels];
  long waiting;
  struct shmem_ctx_object contexts[contexts];
  unsigned n_contexts;
  int acting; /* the PE that a body of fusion runs on */
  const struct record* running;
  int last_at_once; /* whether the last record is one of such a context */
  struct reorder_counts counts;
} world;

static void stop(const char* why) {
  fprintf(stderr, "reorder: %s\n", why);
  abort();
}

static long choose(long n) {
  world.random ^= world.random << 13;
  world.random ^= world.random >> 7;
  world.random ^= world.random << 17;
  return (long)(world.random % (unsigned long long)n);
}

struct reorder_counts reorder_counts(void) {
  return world.counts;
}

/* ---- symmetric memory */

/* Global variables that are to be symmetric are in this section. */
extern char first_global[] __asm__("__start_symmetric") __attribute__((weak));
extern char last_global[] __asm__("__stop_symmetric") __attribute__((weak));

static size_t bytes_of_globals(void) {
  return (size_t)(last_global - first_global);
}

/* A program without symmetric global variables has no such section: its addresses are null. */
static void copy_globals(char* to, const char* from) {
  if (bytes_of_globals() > 0) memcpy(to, from, bytes_of_globals());
}

static void open_globals(void) {
  if (bytes_of_globals() > data_bytes) stop("too many symmetric global variables");
  for (int pe = 0; pe < pes; ++pe) copy_globals(world.data[pe], first_global);
}

/* From here on the code of this PE runs: the section has its variables. */
static void act_as(int pe) {
  if (pe == world.acting) return;
  copy_globals(world.data[world.acting], first_global);
  copy_globals(first_global, world.data[pe]);
  world.acting = pe;
}

/* Where an object is in the memory of each PE: in its heap, or behind that, in its global variables. */
static size_t offset_of(const void* object) {
  const char* byte = object;
  const size_t in_heap = (size_t)(byte - &world.heap[0][0]);
  const size_t in_data = (size_t)(byte - first_global);
  if (in_heap < heap_bytes) return in_heap;
  return in_data < bytes_of_globals() ? heap_bytes + in_data : SIZE_MAX;
}

static void* address_of(size_t offset, int pe) {
  if (offset == SIZE_MAX) stop("memory that is not symmetric");
  if (pe < 0 || pe >= pes) stop("no such PE");
  if (offset < heap_bytes) return &world.heap[pe][offset];
  return pe == world.acting ? first_global + (offset - heap_bytes) : &world.data[pe][offset - heap_bytes];
}

static void* at(const void* object, int pe) {
  return address_of(offset_of(object), pe);
}

void reorder_start(enum reorder_order order, long limit, unsigned seed) {
  world.order = order;
  world.limit = limit;
  world.random = 88172645463325252ULL + seed;
  for (int pe = 0; pe < pes; ++pe) memset(world.heap[pe], 0, world.used);
  world.used = 0;
  memset(&world.counts, 0, sizeof world.counts);
  open_globals();
}

void* shmem_malloc(size_t size) {
  void* result = &world.heap[0][world.used];
  world.used += (size + 63) / 64 * 64;
  if (world.used > heap_bytes - 64) stop("the heap is full");
  return result;
}
void* shmem_calloc(size_t count, size_t size) {
  return memset(shmem_malloc(count * size), 0, count * size);
}
void shmem_free(void* object) {
  (void)object;
}
void* shmem_ptr(const void* object, int pe) {
  return at(object, pe);
}
int shmem_my_pe(void) {
  return 0;
}
int shmem_n_pes(void) {
  return pes;
}

/* ---- requests */

#define CARRY_OUT(T)                                                                    \
  {                                                                                     \
    T value, condition, *target = request->target, old = *target;                       \
    memcpy(&value, request->value, sizeof value);                                       \
    memcpy(&condition, request->condition, sizeof condition);                           \
    if (request->slot) memcpy(request->slot, &old, sizeof old);                         \
    if (request->operation == op_add) *target = (T)(old + value);                       \
    if (request->operation == op_set || request->operation == op_swap) *target = value; \
    if (request->operation == op_compare_swap && old == condition) *target = value;     \
    bits_##T
#define bits_float }
#define bits_double }
#define INTEGER_BITS                                         \
  if (request->operation == op_and) *target = (old & value); \
  if (request->operation == op_or) *target = (old | value);  \
  if (request->operation == op_xor) *target = (old ^ value); \
  }
#define bits_uint8_t }
#define bits_uint16_t }
#define bits_uint32_t INTEGER_BITS
#define bits_uint64_t INTEGER_BITS

/* The slot is the copy of the value that the body gets, behind what was captured. */
static void run_at_owner(const struct request* request) {
  act_as(request->owner);
  _Alignas(16) char operands[2 * value_bytes]; /* the condition comes first, where there is one */
  memcpy(operands, request->operation == op_compare_swap ? request->condition : request->value,
         request->bytes);
  memcpy(operands + request->bytes, request->value, request->bytes);
  request->owner_body(request->captured, request->slot, operands, request->common);
  act_as(0);
  free(request->captured);
}

static void carry_out(const struct request* request) {
  if (request->type == 'f' && request->bytes == 4)
    CARRY_OUT(float)
  else if (request->type == 'f')
    CARRY_OUT(double)
  else if (request->bytes == 1)
    CARRY_OUT(uint8_t)
  else if (request->bytes == 2)
    CARRY_OUT(uint16_t)
  else if (request->bytes == 4)
    CARRY_OUT(uint32_t)
  else
    CARRY_OUT(uint64_t)
  if (request->record) --request->record->pending;
  if (request->owner_body) run_at_owner(request);
}

/* The operations of one context on one place keep the order of the program; all others have none. */
static int must_precede(const struct request* earlier, const struct request* later) {
  const char *a = earlier->target, *b = later->target;
  return earlier->ctx == later->ctx && a < b + later->bytes && b < a + earlier->bytes;
}

static long first_of_its_place(long which) {
  for (long i = 0; i < which; ++i)
    if (must_precede(&world.requests[i], &world.requests[which])) return i;
  return which;
}

static int complete_one(void) {
  if (world.n_requests == 0) return 0;
  const long which = first_of_its_place(world.order == reorder_random ? choose(world.n_requests)
                                        : world.order == reorder_lifo ? world.n_requests - 1
                                                                      : 0);
  const struct request request = world.requests[which];
  memmove(world.requests + which, world.requests + which + 1,
          (size_t)(world.n_requests - which - 1) * sizeof request);
  --world.n_requests;
  carry_out(&request);
  return 1;
}

static struct request new_request(shmem_ctx_t ctx, enum operation operation, char type, size_t bytes,
                                  const void* target, int pe) {
  struct request request;
  memset(&request, 0, sizeof request);
  request.ctx = ctx;
  request.operation = operation;
  request.type = type;
  request.bytes = bytes;
  request.target = at(target, pe);
  request.owner = pe;
  return request;
}

/* ---- records */

static struct record* of_payload(void* payload) {
  return (struct record*)((char*)payload - offsetof(struct record, payload));
}

static void release(struct record* record) {
  while (record && --record->references == 0) {
    struct record* parent = record->parent;
    memset(record, 0xdd, sizeof *record + record->bytes);
    __asm__ volatile("" : : "r"(record) : "memory"); /* who looks at it later is to see that */
    free(record);
    record = parent;
  }
}

static int is_ready(int level) {
  const struct record* record = world.oldest[level];
  return record && record->committed && record->pending == 0;
}

static int run_one(void) {
  if (world.running) stop("a body runs inside another one");
  int ready[levels], n = 0;
  for (int level = 0; level < levels; ++level)
    if (is_ready(level)) ready[n++] = level;
  if (n == 0) return 0;
  const int level = world.order == reorder_random ? ready[choose(n)]
                    : world.order == reorder_lifo ? ready[n - 1]
                                                  : ready[0];
  struct record* record = world.oldest[level];
  world.oldest[level] = record->next;
  if (!record->next) world.newest[level] = NULL;
  --world.waiting;
  world.running = record;
  record->body(record->payload);
  world.running = NULL;
  release(record);
  return 1;
}

static void run_some_perhaps(void) {
  if (world.order != reorder_random || world.running || choose(4) != 0) return;
  for (long n = choose(8); n > 0; --n) complete_one();
  for (long n = choose(3); n > 0; --n) run_one();
}

static int is_direct(const struct request* request) {
  return world.order == reorder_blocking || request->ctx->at_once;
}

static void submit(struct request request) {
  if (request.record) ++request.record->pending;
  if (is_direct(&request)) return carry_out(&request);
  if (world.n_requests == world.room)
    world.requests = realloc(world.requests, (size_t)(world.room = 2 * world.room + 64) * sizeof request);
  world.requests[world.n_requests++] = request;
  if (world.n_requests > 4096) complete_one();
  run_some_perhaps();
}

static void* open_record(void (*body)(void*), size_t bytes, void* parent, uint32_t level) {
  if (parent && of_payload(parent) != world.running) stop("the parent is not the record that runs");
  if (level != (world.running ? world.running->level + 1u : 0))
    stop("the level is not that of the code that runs");
  if (level == 0)
    while (world.waiting >= world.limit && (run_one() || complete_one())) {
    }
  struct record* record = aligned_alloc(16, (sizeof *record + bytes + 15) / 16 * 16);
  memset(record, 0xcc, sizeof *record + bytes);
  record->body = body;
  record->bytes = bytes;
  record->pending = record->committed = 0;
  record->references = 1;
  record->next = NULL;
  record->parent = parent ? of_payload(parent) : NULL;
  record->level = (int)level;
  record->at_once = world.last_at_once;
  if (record->level >= levels) stop("too many levels");
  if (parent) ++record->parent->references;
  if (world.newest[record->level])
    world.newest[record->level]->next = record;
  else
    world.oldest[record->level] = record;
  world.newest[record->level] = record;
  ++world.waiting;
  ++world.counts.records;
  if (record->level > world.counts.deepest_level) world.counts.deepest_level = record->level;
  return record->payload;
}

void* windrow_defer_open(shmem_ctx_t ctx, void (*body)(void*), size_t bytes, void* parent, uint32_t level) {
  if (!ctx) stop("null context");
  world.last_at_once = ctx->at_once;
  return open_record(body, bytes, parent, level);
}

void* windrow_defer_open_in_order(void* parent, void (*body)(void*), size_t bytes, uint32_t level) {
  return open_record(body, bytes, parent, level);
}

void windrow_defer_commit(void* payload) {
  of_payload(payload)->committed = 1;
  if (world.running) return;
  if (world.order == reorder_blocking || of_payload(payload)->at_once)
    while (run_one()) {
    }
  run_some_perhaps();
}

static void complete_all(void) {
  if (world.running) stop("a deferred body waits");
  while (run_one() || complete_one()) {
  }
  if (world.waiting) stop("quiet while a record is open");
}

int windrow_defer_is_possible(void) {
  return !world.running && !world.acting;
}

void windrow_defer_drain(void) {
  ++world.counts.drains;
  complete_all();
}

void* windrow_defer_exception;

void windrow_defer_drain_and_throw(void) {
  windrow_defer_drain();
  void* thrown = windrow_defer_exception;
  windrow_defer_exception = NULL;
  if (!thrown) return;
  _Unwind_Resume_or_Rethrow(thrown);
  stop("nobody catches what a deferred body has thrown");
}

int windrow_defer_choose(shmem_ctx_t ctx, int gain) {
  (void)ctx, (void)gain;
  return windrow_defer_is_possible();
}

static struct shmem_ctx_object of_one_pe = {1};

shmem_ctx_t windrow_defer_existing_context(shmem_ctx_t ctx) {
  for (unsigned i = 0; i < world.n_contexts && i < contexts; ++i)
    if (ctx == &world.contexts[i]) return ctx;
  return ctx == SHMEM_CTX_DEFAULT ? ctx : &of_one_pe;
}
int windrow_defer_own_number(shmem_ctx_t existing) {
  (void)existing;
  return 0;
}
const void* windrow_defer_spare_word(void) {
  return &world.heap[0][heap_bytes - 64];
}

void windrow_defer_check_begin(void) {}
void windrow_defer_check(const void* at, size_t bytes, shmem_ctx_t ctx, int pe, uint32_t kind,
                         const char* where) {
  (void)at, (void)bytes, (void)ctx, (void)pe, (void)kind, (void)where;
}

/* ---- the rest of the library */

static void report(void) {
  fprintf(stderr, "records=%ld blocking=%ld drains=%ld levels=%ld fused=%ld\n", world.counts.records,
          world.counts.blocking_fetches, world.counts.drains, world.counts.deepest_level + 1,
          world.counts.fused);
}

void shmem_init(void) {
  const char* order = getenv("REORDER_ORDER");
  const char* limit = getenv("REORDER_LIMIT");
  if (!order) order = "fifo";
  reorder_start(*order == 'l'   ? reorder_lifo
                : *order == 'r' ? reorder_random
                : *order == 'b' ? reorder_blocking
                                : reorder_fifo,
                limit ? atol(limit) : 256, 1);
  if (getenv("REORDER_REPORT")) atexit(report);
}
int shmem_init_thread(int requested, int* provided) {
  shmem_init();
  *provided = requested;
  return 0;
}
void shmem_finalize(void) {
  complete_all();
  free(world.requests);
  world.requests = NULL;
  world.room = 0;
}
int shmem_ctx_create(long options, shmem_ctx_t* ctx) {
  *ctx = &world.contexts[world.n_contexts++ % contexts];
  (*ctx)->at_once = !(options & SHMEMX_CTX_AGGREGATE);
  return 0;
}
void shmem_ctx_destroy(shmem_ctx_t ctx) {
  (void)ctx;
  complete_all();
}
void shmem_ctx_quiet(shmem_ctx_t ctx) {
  (void)ctx;
  complete_all();
}
void shmem_quiet(void) {
  complete_all();
}
void shmem_barrier_all(void) {
  complete_all();
}
void shmem_fence(void) {
  complete_all();
}
void shmem_ctx_fence(shmem_ctx_t ctx) {
  (void)ctx;
  complete_all();
}
void shmem_sync_all(void) {
  if (world.waiting) stop("sync_all while deferred code waits: others could wait for it");
}

static void fetch_now(struct request request, void* slot) {
  request.slot = slot;
  ++world.counts.blocking_fetches;
  carry_out(&request);
}

static void fetch_later(struct request request, void* payload, void* slot) {
  struct record* record = of_payload(payload);
  if (record->committed) stop("a fetch for a record that is committed");
  if ((char*)slot < record->payload || (char*)slot + request.bytes > record->payload + record->bytes)
    stop("a slot outside the payload");
  request.slot = slot;
  request.record = record;
  submit(request);
}

char windrow_defer_view_4[256]; /* all null: compiled code calls */

void windrow_defer_remove(void* queue) {
  (void)queue;
  stop("no record is made without a call");
}

void windrow_defer_run_ready(void) {
  stop("no record is made without a call");
}

void windrow_defer_make_room(uint32_t kind, int to, uint64_t operand, uint32_t bytes) {
  (void)kind, (void)to, (void)operand, (void)bytes;
  stop("no record is made without a call");
}

void* windrow_defer_make_owner_room(const struct windrow_defer_owner_site* site, int to, uint64_t common) {
  (void)site, (void)to, (void)common;
  stop("no item is made without a call");
  return NULL;
}

size_t windrow_defer_symmetric_offset(const void* object) {
  const size_t offset = offset_of(object);
  if (offset == SIZE_MAX) stop("memory that is not symmetric");
  return offset;
}
size_t windrow_defer_symmetric_offset_if_any(const void* object) {
  return offset_of(object);
}
void* windrow_defer_symmetric_address(size_t offset) {
  return address_of(offset, world.acting);
}

/* Where operands do not travel they are made of what does: the same ones. */
static void check_operands(const struct request* request, const struct windrow_defer_owner_site* site) {
  const char* passed = request->operation == op_compare_swap ? request->condition : request->value;
  const size_t n = request->operation == op_compare_swap ? 2 : 1;
  _Alignas(16) char made[2 * value_bytes];
  if (!site->make_operands) return;
  site->make_operands(request->captured, request->common, made);
  if (memcmp(made, passed, request->bytes) != 0 ||
      (n == 2 && memcmp(made + request->bytes, request->value, request->bytes) != 0))
    stop("other operands than those that were passed are made at the owner");
}

static void fetch_at_owner(struct request request, const struct windrow_defer_owner_site* site,
                           const void* captured, size_t bytes, uint64_t common) {
  const size_t slot = (bytes + 15) / 16 * 16;
  if (bytes > 256) stop("more travels to the owner than there is room for");
  request.captured = malloc(slot + value_bytes);
  memcpy(request.captured, captured, bytes);
  request.slot = (char*)request.captured + slot;
  request.owner_body = site->body;
  request.common = common;
  check_operands(&request, site);
  ++world.counts.fused;
  submit(request);
}

#define SHAPE(T) _Generic((T)0, float: 'f', double: 'f', default: 'i')
#define REQUEST(op, T, target) struct request request = new_request(ctx, op, SHAPE(T), sizeof(T), target, pe);

#define FETCH(T, N, name, op, PARAMETERS, FILL)                                                        \
  T shmem_ctx_##N##_##name(shmem_ctx_t ctx, PARAMETERS, int pe) {                                      \
    T result;                                                                                          \
    REQUEST(op, T, dest) FILL fetch_now(request, &result);                                             \
    return result;                                                                                     \
  }                                                                                                    \
  void windrow_defer_ctx_##N##_##name(shmem_ctx_t ctx, void* payload, T* slot, PARAMETERS, int pe) {   \
    REQUEST(op, T, dest) FILL fetch_later(request, payload, slot);                                     \
  }                                                                                                    \
  void windrow_defer_at_owner_ctx_##N##_##name(shmem_ctx_t ctx, struct windrow_defer_owner_site* site, \
                                               const void* captured, size_t bytes, uint64_t common,    \
                                               PARAMETERS, int pe) {                                   \
    REQUEST(op, T, dest) FILL fetch_at_owner(request, site, captured, bytes, common);                  \
  }                                                                                                    \
  T shmem_##N##_##name(PARAMETERS, int pe) {                                                           \
    const shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;                                                         \
    T result;                                                                                          \
    REQUEST(op, T, dest) FILL fetch_now(request, &result);                                             \
    return result;                                                                                     \
  }
#define UPDATE(T, N, name, op, PARAMETERS, FILL)                     \
  void shmem_ctx_##N##_##name(shmem_ctx_t ctx, PARAMETERS, int pe) { \
    REQUEST(op, T, dest) FILL submit(request);                       \
  }                                                                  \
  void shmem_##N##_##name(PARAMETERS, int pe) {                      \
    const shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;                       \
    REQUEST(op, T, dest) FILL submit(request);                       \
  }
#define BOTH(...) __VA_ARGS__
#define ONE_VALUE memcpy(request.value, &value, sizeof value);
#define TWO_VALUES ONE_VALUE memcpy(request.condition, &cond, sizeof cond);
#define INCREMENT(T)                         \
  {                                          \
    const T one = 1;                         \
    memcpy(request.value, &one, sizeof one); \
  }

#define RMA(T, N, A, B)                                                                        \
  void shmem_ctx_##N##_get(shmem_ctx_t ctx, T* dest, const T* source, size_t nelems, int pe) { \
    for (size_t i = 0; i < nelems; ++i) dest[i] = shmem_ctx_##N##_g(ctx, source + i, pe);      \
  }                                                                                            \
  FETCH(T, N, g, op_get, const T* dest, )                                                      \
  UPDATE(T, N, p, op_set, BOTH(T* dest, T value), ONE_VALUE)
#define AMO(T, N, A, B)                                                                         \
  UPDATE(T, N, atomic_set, op_set, BOTH(T* dest, T value), ONE_VALUE)                           \
  FETCH(T, N, atomic_fetch_inc, op_add, T* dest, INCREMENT(T))                                  \
  FETCH(T, N, atomic_fetch_add, op_add, BOTH(T* dest, T value), ONE_VALUE)                      \
  FETCH(T, N, atomic_compare_swap, op_compare_swap, BOTH(T* dest, T cond, T value), TWO_VALUES) \
  FETCH(T, N, atomic_swap, op_swap, BOTH(T* dest, T value), ONE_VALUE)                          \
  FETCH(T, N, atomic_fetch, op_get, const T* dest, )                                            \
  UPDATE(T, N, atomic_inc, op_add, T* dest, INCREMENT(T))                                       \
  UPDATE(T, N, atomic_add, op_add, BOTH(T* dest, T value), ONE_VALUE)
#define BITWISE(T, N, A, B)                                                \
  FETCH(T, N, atomic_fetch_or, op_or, BOTH(T* dest, T value), ONE_VALUE)   \
  FETCH(T, N, atomic_fetch_and, op_and, BOTH(T* dest, T value), ONE_VALUE) \
  FETCH(T, N, atomic_fetch_xor, op_xor, BOTH(T* dest, T value), ONE_VALUE) \
  UPDATE(T, N, atomic_or, op_or, BOTH(T* dest, T value), ONE_VALUE)        \
  UPDATE(T, N, atomic_and, op_and, BOTH(T* dest, T value), ONE_VALUE)      \
  UPDATE(T, N, atomic_xor, op_xor, BOTH(T* dest, T value), ONE_VALUE)
#define REAL(T, N, A, B) \
  RMA(T, N, A, B)        \
  FETCH(T, N, atomic_swap, op_swap, BOTH(T* dest, T value), ONE_VALUE)

WINDROW_SHMEM_REALS(REAL, , )
WINDROW_SHMEM_SMALL_INTEGERS(RMA, , )
WINDROW_SHMEM_INTEGERS(RMA, , )
WINDROW_SHMEM_SIZED(RMA, , )
WINDROW_SHMEM_AMO_TYPES(AMO, , )
WINDROW_SHMEM_BITWISE_AMO_TYPES(BITWISE, , )

/* Element by element, in any order. */
#define GET(bits, T, N)                                                                            \
  void windrow_defer_ctx_get##bits(shmem_ctx_t ctx, void* payload, void* slot, const void* source, \
                                   size_t nelems, int pe) {                                        \
    for (size_t i = 0; i < nelems; ++i)                                                            \
      windrow_defer_ctx_##N##_g(ctx, payload, (T*)slot + i, (const T*)source + i, pe);             \
  }
GET(8, unsigned char, uchar)
GET(16, unsigned short, ushort)
GET(32, uint32_t, uint32)
GET(64, uint64_t, uint64)
