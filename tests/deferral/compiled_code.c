// SPDX-License-Identifier: BSD-3-Clause
// What the compiler makes of `#pragma shmem defer`, written by hand: loops whose bodies are cut where they
// wait for a fetched value. Runs with each kind of context; the results are those of the loops as they were.
#include "windrow/detail/deferred_calls.h"

#include "shmemx.h"
#include "tests/shmem/harness.h"

static shmem_ctx_t on; ///< aggregated, or not

static uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// ---- transposition: place = fetch_add(next[column], 1, pe); put(rows[place], row, pe)

enum { columns_each = 97, entries_each = 4000, room_each = 3 * entries_each };
static int64_t next_place[columns_each], rows[room_each], values[room_each];

struct place_entry {
  shmem_ctx_t ctx;
  int64_t row, value;
  int pe;
  int64_t place;
};

static void place_entry_body(void* payload) {
  struct place_entry* p = payload;
  shmem_ctx_int64_p(p->ctx, &rows[p->place], p->row, p->pe);
  shmem_ctx_int64_p(p->ctx, &values[p->place], p->value, p->pe);
}

static uint64_t entry(int pe, int i) {
  return mix((uint64_t)pe * 1000003 + (uint64_t)i);
}
static int64_t column_of(int pe, int i) {
  return (int64_t)(entry(pe, i) % (uint64_t)(columns_each * pes));
}

/// Where the entries of each of this PE's columns begin, from the whole matrix.
static int64_t count_columns(void) {
  int64_t count[columns_each] = {0}, total = 0;
  for (int pe = 0; pe < pes; ++pe)
    for (int i = 0; i < entries_each; ++i)
      if (column_of(pe, i) % pes == me) ++count[column_of(pe, i) / pes];
  for (int k = 0; k < columns_each; ++k) {
    next_place[k] = total;
    total += count[k];
  }
  return total;
}

static void defer_entries(void) {
  for (int i = 0; i < entries_each; ++i) {
    const int64_t column = column_of(me, i);
    struct place_entry* p = windrow_defer_open(on, place_entry_body, sizeof *p, NULL, 0);
    *p = (struct place_entry){on, (int64_t)me * entries_each + i, (int64_t)(entry(me, i) >> 40),
                              (int)(column % pes), -1};
    windrow_defer_ctx_int64_atomic_fetch_add(on, p, &p->place, &next_place[column / pes], 1, p->pe);
    windrow_defer_commit(p);
  }
}

static void transpose(void (*place_entries)(void)) {
  const int64_t total = count_columns();
  int64_t first[columns_each];
  CHECK(total <= room_each);
  memcpy(first, next_place, sizeof first);
  shmem_barrier_all();
  place_entries();
  shmem_ctx_quiet(on);
  shmem_barrier_all();
  for (int k = 0; k < columns_each; ++k) {
    CHECK(next_place[k] == (k + 1 < columns_each ? first[k + 1] : total));
    for (int64_t at = first[k]; at < next_place[k]; ++at) {
      const int pe = (int)(rows[at] / entries_each), i = (int)(rows[at] % entries_each);
      CHECK(column_of(pe, i) == (int64_t)k * pes + me);
      CHECK(values[at] == (int64_t)(entry(pe, i) >> 40));
      rows[at] = -1; // found once
    }
  }
  shmem_barrier_all();
}

// ---- triangles: two levels, with a cursor that all iterations of the inner loop share

enum { vertices_each = 40, most_degree = 12 };
static long offsets[vertices_each + 1], neighbours[vertices_each * most_degree];
static long found, pulled; ///< updated by deferred code of level 2

/// The neighbours of a vertex with larger numbers, in ascending order.
static int neighbours_of(int vertex, long* list) {
  int degree = 0;
  const int vertices = vertices_each * pes;
  for (int other = vertex + 1; other < vertices && degree < most_degree; ++other)
    if (mix((uint64_t)vertex << 20 | (uint64_t)other) % 3 == 0) list[degree++] = other;
  return degree;
}

struct row_of_v {
  shmem_ctx_t ctx;
  long begin, end;  ///< of the row of u, this PE's
  long first, last; ///< slots: of the row of v
  long cursor;      ///< in the row of u, shared by the records of level 2
  int pe;
};
struct element {
  struct row_of_v* row;
  long w; ///< slot
};

static void element_body(void* payload) {
  struct element* e = payload;
  struct row_of_v* row = e->row;
  ++pulled;
  while (row->cursor < row->end && neighbours[row->cursor] < e->w) ++row->cursor;
  if (row->cursor < row->end && neighbours[row->cursor] == e->w) ++found;
}

static void row_of_v_body(void* payload) {
  struct row_of_v* row = payload;
  row->cursor = row->begin;
  for (long k = row->first; k < row->last; ++k) {
    struct element* e = windrow_defer_open(row->ctx, element_body, sizeof *e, row, 1);
    e->row = row;
    windrow_defer_ctx_long_g(on, e, &e->w, &neighbours[k], row->pe);
    windrow_defer_commit(e);
  }
}

static void triangles(void) {
  long expected = 0, reads = 0, list[most_degree], other[most_degree];
  offsets[0] = found = pulled = 0;
  for (int k = 0; k < vertices_each; ++k)
    offsets[k + 1] = offsets[k] + neighbours_of(me + k * pes, &neighbours[offsets[k]]);
  shmem_barrier_all();
  for (int k = 0; k < vertices_each; ++k)
    for (long i = offsets[k]; i < offsets[k + 1]; ++i) {
      const int v = (int)neighbours[i];
      struct row_of_v* row = windrow_defer_open(on, row_of_v_body, sizeof *row, NULL, 0);
      *row = (struct row_of_v){on, offsets[k], offsets[k + 1], 0, 0, 0, v % pes};
      windrow_defer_ctx_long_g(on, row, &row->first, &offsets[v / pes], row->pe);
      windrow_defer_ctx_long_g(on, row, &row->last, &offsets[v / pes + 1], row->pe);
      windrow_defer_commit(row);
    }
  windrow_defer_drain();
  for (int k = 0; k < vertices_each; ++k) {
    const int degree = neighbours_of(me + k * pes, list);
    for (int i = 0; i < degree; ++i) {
      const int theirs = neighbours_of((int)list[i], other);
      reads += theirs;
      for (int a = 0; a < theirs; ++a)
        for (int b = 0; b < degree; ++b) expected += other[a] == list[b];
    }
  }
  CHECK(found == expected);
  CHECK(pulled == reads);
  shmem_barrier_all();
}

// ---- first in, first out at each level, whatever is fetched

static int64_t numbers[8];
static int next_outer, next_inner, expected_inner;

struct numbered {
  int number;
  int inner;
  int64_t a, b, c;
};
struct numbered_inner {
  int number;
  int64_t a;
};

static void inner_body(void* payload) {
  struct numbered_inner* n = payload;
  CHECK(n->number == next_inner);
  ++next_inner;
}
static void outer_body(void* payload) {
  struct numbered* n = payload;
  CHECK(n->number == next_outer);
  ++next_outer;
  for (int i = 0; i < n->inner; ++i) {
    struct numbered_inner* inner = windrow_defer_open(on, inner_body, sizeof *inner, n, 1);
    inner->number = expected_inner++;
    if (i % 2) windrow_defer_ctx_int64_atomic_fetch(on, inner, &inner->a, &numbers[1], i % pes);
    windrow_defer_commit(inner);
  }
}

static void order(void) {
  next_outer = next_inner = expected_inner = 0;
  for (int i = 0; i < 20000; ++i) {
    struct numbered* n = windrow_defer_open(on, outer_body, sizeof *n, NULL, 0);
    n->number = i;
    n->inner = (int)(mix((uint64_t)i) % 4);
    switch (mix((uint64_t)i + 99) % 4) {
      case 0: // nothing to wait for, but the order
        break;
      case 1:
        windrow_defer_ctx_int64_g(on, n, &n->a, &numbers[0], i % pes);
        break;
      case 2:
        windrow_defer_ctx_int64_atomic_fetch_inc(on, n, &n->a, &numbers[2], (i / 7) % pes);
        windrow_defer_ctx_int64_atomic_swap(on, n, &n->b, &numbers[3], i, i % pes);
        windrow_defer_ctx_int64_g(on, n, &n->c, &numbers[0], (i + 1) % pes);
        break;
      default:
        windrow_defer_ctx_int64_atomic_fetch_add(on, n, &n->a, &numbers[4], i, (i / 100) % pes);
    }
    windrow_defer_commit(n);
    if (i % 5000 == 4999) windrow_defer_drain();
  }
  shmem_quiet(); // any quiet completes what is deferred
  CHECK(next_outer == 20000);
  CHECK(next_inner == expected_inner);
  shmem_barrier_all();
}

// ---- a block that is large, and one that fetches blockingly

struct large {
  int64_t at_the_front;
  char captured[60000];
  int64_t at_the_end;
  char more[200000];
};
static int large_ones;

static void large_body(void* payload) {
  struct large* l = payload;
  CHECK(l->at_the_front == 1000 + me && l->at_the_end == 1000 + (me + 1) % pes);
  CHECK(l->captured[59999] == 7 && l->more[199999] == 9);
  CHECK(shmem_int64_g(&numbers[5], (me + 1) % pes) == 1000 + (me + 1) % pes);
  ++large_ones;
}

static void large_blocks(void) {
  numbers[5] = 1000 + me;
  large_ones = 0;
  shmem_barrier_all();
  for (int i = 0; i < 20; ++i) {
    struct large* l = windrow_defer_open(on, large_body, sizeof *l, NULL, 0);
    l->captured[59999] = 7;
    l->more[199999] = 9;
    windrow_defer_ctx_int64_g(on, l, &l->at_the_front, &numbers[5], me);
    windrow_defer_ctx_getmem(on, l, &l->at_the_end, &numbers[5], 8, (me + 1) % pes);
    windrow_defer_commit(l);
  }
  shmem_barrier_all();
  CHECK(large_ones == 20);
}

// ---- the same transposition, fused at the owner

struct sent_entry {
  size_t other;     ///< where one of the arrays is, on any PE; the common word tells of the first
  int64_t in[2];    ///< what goes to the first, and to the other
  int64_t expected; ///< the operand, or 0
};

static void sent_entry_body(const void* captured, const void* place, const void* operands, uint64_t first) {
  const struct sent_entry* e = captured;
  const int64_t at = *(const int64_t*)place;
  CHECK(e->expected == 0 || *(const int64_t*)operands == e->expected);
  ((int64_t*)windrow_defer_symmetric_address(first))[at] = e->in[0];
  ((int64_t*)windrow_defer_symmetric_address(e->other))[at] = e->in[1];
}

#define SITE {{~0u, 0, 0, 0}, {~0u, 0, 0, 0}, sent_entry_body, NULL, NULL}
static struct windrow_defer_owner_site adding = SITE, incrementing = SITE;

static void send_entries(void) {
  for (int i = 0; i < entries_each; ++i) {
    const int64_t column = column_of(me, i);
    const size_t at[] = {windrow_defer_symmetric_offset(rows), windrow_defer_symmetric_offset(values)};
    const int64_t in[] = {(int64_t)me * entries_each + i, (int64_t)(entry(me, i) >> 40)};
    const int first = i % 8 == 5; // the common word changes now and then
    const struct sent_entry e = {at[!first], {in[first], in[!first]}, i % 2 == 0};
    int64_t* next = &next_place[column / pes];
    if (i % 2 == 0)
      windrow_defer_at_owner_ctx_int64_atomic_fetch_add(on, &adding, &e, sizeof e, at[first], next, 1,
                                                        (int)(column % pes));
    else
      windrow_defer_at_owner_ctx_int64_atomic_fetch_inc(on, &incrementing, &e, sizeof e, at[first], next,
                                                        (int)(column % pes));
  }
}

// ---- every operation, every type

struct captured {
  size_t bytes;
  _Alignas(16) unsigned char slots[160];
};
static _Alignas(16) unsigned char result[160]; ///< what was in the slots when the body ran

static void copy_body(void* payload) {
  const struct captured* p = payload;
  memcpy(result, p->slots, p->bytes);
}
static struct captured* open_copy(size_t bytes) {
  struct captured* p = windrow_defer_open(on, copy_body, sizeof *p, NULL, 0);
  p->bytes = bytes;
  return p;
}
static void run_copy(struct captured* p) {
  windrow_defer_commit(p);
  windrow_defer_drain();
}

// ---- ranges: one record for all elements of a row, whose extent is fetched first

enum { row_ends = 40, longest_row = 3000, in_rows = row_ends * longest_row };
static uint64_t row_end[row_ends + 1], in_row[in_rows];
static uint16_t halves[in_rows];
static uint64_t row_sum; ///< of the numbers of rows whose elements were right

struct row_extent {
  uint64_t begin, end;
  int pe, row;
};
struct row_range {
  uint64_t begin;
  size_t n;
  int pe, row;
  uint64_t values[];
};
struct half_range {
  uint64_t begin;
  size_t n;
  int pe;
  uint16_t values[];
};

static void row_range_body(void* payload) {
  const struct row_range* r = payload;
  for (size_t k = 0; k < r->n; ++k) CHECK(r->values[k] == entry(r->pe, (int)(r->begin + k)));
  row_sum += (uint64_t)r->row;
}
static void half_range_body(void* payload) {
  const struct half_range* r = payload;
  for (size_t k = 0; k < r->n; ++k) CHECK(r->values[k] == (uint16_t)(entry(r->pe, (int)(r->begin + k)) >> 7));
  row_sum += 1000;
}
static void row_extent_body(void* payload) {
  const struct row_extent* e = payload;
  const size_t n = e->end - e->begin;
  struct row_range* r = windrow_defer_open(on, row_range_body, sizeof *r + n * sizeof r->values[0], NULL, 1);
  r->begin = e->begin, r->n = n, r->pe = e->pe, r->row = e->row;
  windrow_defer_ctx_uint64_get(on, r, r->values, &in_row[e->begin], n, e->pe);
  windrow_defer_commit(r);
  struct half_range* h =
      windrow_defer_open(on, half_range_body, sizeof *h + n * sizeof h->values[0], NULL, 1);
  h->begin = e->begin, h->n = n, h->pe = e->pe;
  if (e->row % 2 == 0)
    windrow_defer_ctx_uint16_get_nbi(on, h, h->values, &halves[e->begin], n, e->pe);
  else
    windrow_defer_ctx_getmem(on, h, h->values, &halves[e->begin], n * sizeof h->values[0], e->pe);
  windrow_defer_commit(h);
}

static void ranges(void) {
  for (int row = 0; row < row_ends; ++row)
    row_end[row + 1] = row_end[row] + (row < row_ends - 3 ? (uint64_t)row : mix((uint64_t)row) % longest_row);
  for (int k = 0; k < in_rows; ++k) in_row[k] = entry(me, k), halves[k] = (uint16_t)(entry(me, k) >> 7);
  row_sum = 0;
  shmem_barrier_all();
  for (int pe = 0; pe < pes; ++pe)
    for (int row = 0; row < row_ends; ++row) {
      struct row_extent* e = windrow_defer_open(on, row_extent_body, sizeof *e, NULL, 0);
      e->pe = pe, e->row = row;
      windrow_defer_ctx_uint64_g(on, e, &e->begin, &row_end[row], pe);
      windrow_defer_ctx_uint64_g(on, e, &e->end, &row_end[row + 1], pe);
      windrow_defer_commit(e);
    }
  shmem_ctx_quiet(on);
  CHECK(row_sum == (uint64_t)(pes * (row_ends * (row_ends - 1) / 2 + 1000 * row_ends)));
  shmem_barrier_all();
}

// ---- a byte leads to a record: more than may wait, if all bytes that are there were looked at first

enum { wide_ranges = 200, bytes_each = 1000 };
static uint8_t wide_bytes[bytes_each];
static uint64_t wide_sum;

struct wide_range {
  int pe;
  uint8_t bytes[bytes_each];
};
struct wide_value {
  uint64_t value, factor;
};

static void wide_value_body(void* payload) {
  const struct wide_value* v = payload;
  wide_sum += v->value * v->factor;
}
static void wide_range_body(void* payload) {
  struct wide_range* r = payload;
  for (uint64_t k = 0; k < bytes_each; ++k) {
    struct wide_value* v = windrow_defer_open(on, wide_value_body, sizeof *v, r, 1);
    v->factor = k;
    windrow_defer_ctx_uint64_g(on, v, &v->value, &in_row[r->bytes[k]], r->pe);
    windrow_defer_commit(v);
  }
}

static void from_bytes(void) {
  uint64_t sum_of_one = 0;
  const int pe = (me + 1) % pes;
  for (int k = 0; k < in_rows; ++k) in_row[k] = entry(me, k);
  for (int k = 0; k < bytes_each; ++k) wide_bytes[k] = (uint8_t)(k * 7);
  for (uint64_t k = 0; k < bytes_each; ++k) sum_of_one += entry(pe, (uint8_t)(k * 7)) * k;
  wide_sum = 0;
  shmem_barrier_all();
  for (int i = 0; i < wide_ranges; ++i) {
    struct wide_range* r = windrow_defer_open(on, wide_range_body, sizeof *r, NULL, 0);
    r->pe = pe;
    windrow_defer_ctx_uint8_get(on, r, r->bytes, wide_bytes, bytes_each, pe);
    windrow_defer_commit(r);
  }
  shmem_ctx_quiet(on);
  CHECK(wide_sum == wide_ranges * sum_of_one);
  shmem_barrier_all();
}

#define RMA_CASE(T, N, A, B)                                                 \
  static void rma_##N(void) {                                                \
    static T source[4];                                                      \
    static const int from[9] = {0, 1, 1, 2, 3, 0, 2, 3, 1};                  \
    for (int i = 0; i < 4; ++i) source[i] = (T)(10 + me + i);                \
    shmem_barrier_all();                                                     \
    const int pe = (me + 1) % pes;                                           \
    struct captured* p = open_copy(sizeof(T[9]));                            \
    T* s = (T*)p->slots;                                                     \
    windrow_defer_ctx_##N##_g(on, p, &s[0], &source[0], pe);                 \
    windrow_defer_ctx_##N##_get(on, p, &s[1], &source[1], 1, pe);            \
    windrow_defer_ctx_##N##_get_nbi(on, p, &s[2], &source[1], 3, pe);        \
    windrow_defer_ctx_getmem(on, p, &s[5], &source[0], sizeof(T), pe);       \
    windrow_defer_ctx_get8_nbi(on, p, &s[6], &source[2], 2 * sizeof(T), pe); \
    windrow_defer_ctx_##N##_get(on, p, &s[8], &source[1], 1, pe);            \
    run_copy(p);                                                             \
    const T* r = (const T*)result;                                           \
    for (int i = 0; i < 9; ++i) CHECK(r[i] == (T)(10 + pe + from[i]));       \
    shmem_barrier_all();                                                     \
  }
WINDROW_SHMEM_RMA_TYPES(RMA_CASE, , )

// Each PE changes its own value at its neighbour, so the values before are known.
#define FETCHING(T, N, op, first, wanted, ...)                                    \
  {                                                                               \
    static T cell;                                                                \
    cell = first;                                                                 \
    shmem_barrier_all();                                                          \
    struct captured* p = open_copy(sizeof(T));                                    \
    windrow_defer_ctx_##N##_atomic_##op(on, p, (T*)p->slots, &cell, __VA_ARGS__); \
    run_copy(p);                                                                  \
    CHECK(*(const T*)result == (first));                                          \
    shmem_barrier_all();                                                          \
    CHECK(cell == (T)(wanted));                                                   \
  }
#define AMO_CASE(T, N, A, B)                         \
  static void amo_##N(void) {                        \
    const int pe = (me + 1) % pes;                   \
    FETCHING(T, N, fetch_inc, 3, 4, pe)              \
    FETCHING(T, N, fetch_add, 5, 12, 7, pe)          \
    FETCHING(T, N, fetch_add_nbi, 5, 6, 1, pe)       \
    FETCHING(T, N, compare_swap, 2, 9, 2, 9, pe)     \
    FETCHING(T, N, compare_swap_nbi, 2, 2, 3, 9, pe) \
  }
#define EXTENDED_CASE(T, N, A, B)         \
  static void extended_##N(void) {        \
    const int pe = (me + 1) % pes;        \
    FETCHING(T, N, fetch, 6, 6, pe)       \
    FETCHING(T, N, swap, 6, 8, 8, pe)     \
    FETCHING(T, N, swap_nbi, 6, 9, 9, pe) \
  }
#define BITWISE_CASE(T, N, A, B)               \
  static void bitwise_##N(void) {              \
    const int pe = (me + 1) % pes;             \
    FETCHING(T, N, fetch_and, 6, 2, 3, pe)     \
    FETCHING(T, N, fetch_or, 6, 7, 1, pe)      \
    FETCHING(T, N, fetch_xor_nbi, 6, 5, 3, pe) \
  }
WINDROW_SHMEM_AMO_TYPES(AMO_CASE, , )
WINDROW_SHMEM_EXTENDED_AMO_TYPES(EXTENDED_CASE, , )
WINDROW_SHMEM_BITWISE_AMO_TYPES(BITWISE_CASE, , )

static void every_operation(void) {
#define RUN_RMA(T, N, A, B) rma_##N();
#define RUN_AMO(T, N, A, B) amo_##N();
#define RUN_EXTENDED(T, N, A, B) extended_##N();
#define RUN_BITWISE(T, N, A, B) bitwise_##N();
  WINDROW_SHMEM_RMA_TYPES(RUN_RMA, , )
  WINDROW_SHMEM_AMO_TYPES(RUN_AMO, , )
  WINDROW_SHMEM_EXTENDED_AMO_TYPES(RUN_EXTENDED, , )
  WINDROW_SHMEM_BITWISE_AMO_TYPES(RUN_BITWISE, , )
}

// ---- misuse, one kind by argv[1]: each ends the program with a sentence

static void quiet_body(void* payload) {
  (void)payload;
  shmem_quiet();
}
static void barrier_body(void* payload) {
  (void)payload;
  shmem_barrier_all();
}
static void drain_body(void* payload) {
  (void)payload;
  windrow_defer_drain();
}
struct greedy {
  long value;
  uint32_t level;
};
static void greedy_body(void* payload);
static void open_greedy(void* parent, uint32_t level) {
  struct greedy* p = windrow_defer_open(on, greedy_body, sizeof *p, parent, level);
  p->level = level;
  windrow_defer_ctx_long_g(on, p, &p->value, &found, 0);
  windrow_defer_commit(p);
}
static void greedy_body(void* payload) { // leads to more than may ever wait
  const struct greedy* p = payload;
  for (int i = 0; i < 100000; ++i) open_greedy(payload, p->level + 1);
}
static void too_much(void) {
  open_greedy(NULL, 0);
  shmem_ctx_quiet(on);
}
static void run_body(void (*body)(void*)) {
  long* p = windrow_defer_open(on, body, sizeof *p, NULL, 0);
  windrow_defer_ctx_long_atomic_fetch_inc(on, p, p, &found, me);
  windrow_defer_commit(p);
  shmem_ctx_quiet(on);
}

static void no_such_pe(void) {
  struct captured* p = open_copy(8);
  windrow_defer_ctx_long_g(on, p, (long*)p->slots, &found, pes);
}

static void misuse(const char* kind) {
  if (strcmp(kind, "quiet_in_body") == 0) run_body(quiet_body);
  if (strcmp(kind, "barrier_in_body") == 0) run_body(barrier_body);
  if (strcmp(kind, "drain_in_body") == 0) run_body(drain_body);
  if (strcmp(kind, "too_much") == 0) too_much();
  if (strcmp(kind, "no_context") == 0) windrow_defer_open(SHMEM_CTX_INVALID, copy_body, 8, NULL, 0);
  if (strcmp(kind, "no_such_pe") == 0) no_such_pe();
  if (strcmp(kind, "not_a_slot") == 0) windrow_defer_ctx_long_g(on, open_copy(8), (long*)result, &found, 0);
  if (strcmp(kind, "not_committed") == 0) {
    open_copy(8);
    shmem_ctx_quiet(on);
  }
  if (strcmp(kind, "after_finalize") == 0) {
    shmem_finalize();
    open_copy(8);
  }
}

int main(int argc, char** argv) {
  shmem_init();
  me = shmem_my_pe();
  pes = shmem_n_pes();
  shmem_ctx_t aggregated;
  CHECK(shmem_ctx_create(SHMEMX_CTX_AGGREGATE, &aggregated) == 0);
  on = aggregated;
  if (argc > 1) {
    misuse(argv[1]);
    return 0;
  }
  const shmem_ctx_t contexts[] = {aggregated, SHMEM_CTX_DEFAULT};
  for (int i = 0; i < 2; ++i) {
    on = contexts[i];
    transpose(defer_entries);
    transpose(send_entries);
    triangles();
    order();
    large_blocks();
    ranges();
    from_bytes();
    every_operation();
  }
  return finish_tests();
}
