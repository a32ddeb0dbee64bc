// SPDX-License-Identifier: BSD-3-Clause
// Addresses of the symmetric heap are the same in all PEs: programs keep them in symmetric memory, and others
// follow them. Arguments: `taken` and `taken_once` put memory of the program's own where heaps are to be, in
// all PEs or one of them, and `all_taken` wherever heaps might be; `different` does not expect the same
// addresses; `static` expects them of static variables too.
#include <sys/mman.h>

#include "tests/shmem/harness.h"

enum { nodes = 100, steps = 300 };

/// An element of a list that goes through all PEs.
typedef struct node {
  int next_pe;
  struct node* next;
  uint64_t value;
  char filler[40];
} node;

static struct {
  void* address;
  node* list[nodes];
} shown[most_pes];

static uint64_t state;
static uint64_t draw(uint64_t below) { // a generator by Marsaglia
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return state % below;
}

static void take(uintptr_t place) {
  void* const heaps = (void*)place;
  CHECK(mmap(heaps, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == heaps);
}

static bool is_pe(const char* wanted) { // before shmem_init
  char number[8] = "";
  const char* job = getenv("WINDROW_JOB");
  return job != NULL && sscanf(job, "%*s %*s %7s", number) == 1 && strcmp(number, wanted) == 0;
}

static void test_equal(void) {
  static const size_t sizes[] = {8, 100, 4096, 1 << 18};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
    void* const memory = i % 2 ? shmem_align(1 << 16, sizes[i]) : shmem_malloc(sizes[i]);
    for (int pe = 0; pe < pes; ++pe) shmem_putmem(&shown[me].address, &memory, sizeof memory, pe);
    shmem_barrier_all();
    for (int pe = 0; pe < pes; ++pe) CHECK(shown[pe].address == memory);
    shmem_barrier_all();
    shmem_free(memory);
  }
}

static void test_static(void) {
  static void* address;
  void* const mine = &address;
  shmem_putmem(&address, &mine, sizeof mine, (me + 1) % pes);
  shmem_barrier_all();
  CHECK(address == mine);
}

// Every PE makes a part of the list, in an order of its own, with addresses of its own.
static void make_nodes(node** mine) {
  for (int i = 0; i < nodes; ++i) mine[i] = shmem_malloc(i % 7 ? sizeof(node) : 5000);
  state = 12345 + (uint64_t)me;
  for (int i = nodes - 1; i > 0; --i) {
    const uint64_t other = draw((uint64_t)i + 1);
    node* const kept = mine[i];
    mine[i] = mine[other], mine[other] = kept;
  }
  for (int pe = 0; pe < pes; ++pe) shmem_putmem(shown[me].list, mine, sizeof shown[me].list, pe);
  shmem_barrier_all();
  for (int i = 0; i < nodes; ++i) { // to the next PE, and from the last one to the next row
    const int next_pe = (me + 1) % pes, row = (me + 1 < pes ? i : i + 1) % nodes;
    *mine[i] = (node){next_pe, shown[next_pe].list[row], bits(me, i, 0), ""};
  }
  shmem_barrier_all();
}

// From the own first node on, by addresses that are read on the way; the oracle knows who is where.
static void follow(node** mine) {
  node at = *mine[0];
  int pe = me, row = 0;
  for (int i = 0; i < steps; ++i) {
    CHECK(at.value == bits(pe, row, 0));
    row = (pe + 1 < pes ? row : row + 1) % nodes;
    pe = at.next_pe;
    shmem_getmem(&at, at.next, sizeof at, pe);
  }
}

// What is written by an address that another PE has stored arrives where that PE looks.
static void change(node** mine) {
  const int next_pe = mine[3]->next_pe;
  node* const next = mine[3]->next;
  uint64_t* const value = &next->value;
  shmem_barrier_all();
  const uint64_t before = shmem_uint64_atomic_fetch(value, next_pe);
  shmem_uint64_p(value, before + 1, next_pe);
  shmem_uint64_atomic_add(value, 10, next_pe);
  node* const there = shmem_ptr(next, next_pe);
  if (there != NULL) {
    shmem_quiet();
    CHECK(there->value == before + 11);
  }
  shmem_barrier_all();
  const int row = me == 0 ? 4 : 3;
  CHECK(mine[row]->value == bits(me, row, 0) + 11);
  shmem_barrier_all();
}

static void test_list(void) {
  static node* mine[nodes];
  make_nodes(mine);
  follow(mine);
  shmem_barrier_all();
  change(mine);
  for (int i = nodes - 1; i >= 0; --i) shmem_free(shown[0].list[i]);
}

static void test_shmem_ptr(void) {
  int* const memory = shmem_malloc(sizeof *memory);
  *memory = me;
  shmem_barrier_all();
  CHECK(shmem_ptr(memory, me) == memory);
  for (int pe = 0; pe < pes; ++pe) {
    const int* const there = shmem_ptr(memory, pe);
    if (there != NULL) CHECK(*there == pe);
    CHECK(shmem_int_g(memory, pe) == pe);
  }
  shmem_barrier_all();
  shmem_free(memory);
}

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "";
  if (strcmp(how, "taken") == 0 || (strcmp(how, "taken_once") == 0 && is_pe("1"))) take(0x200000000000);
  if (strcmp(how, "all_taken") == 0) take(0x200000000000), take(0x400000000000);
  shmem_init();
  me = shmem_my_pe();
  pes = shmem_n_pes();
  if (strcmp(how, "different") != 0 && strcmp(how, "taken_once") != 0) {
    test_equal();
    test_list();
  }
  if (strcmp(how, "static") == 0) test_static();
  test_shmem_ptr();
  return finish_tests();
}
