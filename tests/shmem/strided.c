// SPDX-License-Identifier: BSD-3-Clause
// Strided transfers of all forms: single elements and long blocks, dense and sparse, some larger than a
// message between hosts. A PE writes the memory of the next one, and knows what must be there.
#include "tests/shmem/harness.h"

enum { most = 20000, rounds = 60 };
static long there[most]; // which only the PE before writes
static long model[most], source[most], dest[most], wanted[most];

static size_t choose(int round, int what, size_t choices) {
  return bits(round, what, 0) % choices;
}

static size_t least(size_t a, size_t b) {
  return a < b ? a : b;
}

/// Blocks of `block` elements each, whose begins lie so far apart at the target and here.
typedef struct {
  size_t block, blocks;
  ptrdiff_t far, near;
} form;

static form form_of(int round) {
  static const size_t sizes[] = {1, 1, 1, 2, 3, 8, 9, 100, 4091, 4092, 9000}, gaps[] = {0, 0, 1, 2, 7, 300};
  form f;
  f.block = sizes[choose(round, 0, sizeof sizes / sizeof *sizes)];
  f.far = (ptrdiff_t)(f.block + gaps[choose(round, 1, sizeof gaps / sizeof *gaps)]);
  f.near = (ptrdiff_t)(f.block + gaps[choose(round, 2, sizeof gaps / sizeof *gaps)]);
  const size_t room = (size_t)most / (size_t)(f.far > f.near ? f.far : f.near);
  f.blocks = least(room, 1 + choose(round, 3, round % 2 == 0 ? 10 : most));
  return f;
}

/// Where element `i` of a form lies that begins at `first`.
static size_t place(const form* f, ptrdiff_t stride, size_t first, size_t i) {
  return first + i / f->block * (size_t)stride + i % f->block;
}

static void write(const form* f, size_t first, int pe) {
  if (f->block == 1)
    shmem_long_iput(&there[first], source, f->far, f->near, f->blocks, pe);
  else
    shmem_long_ibput(&there[first], source, f->far, f->near, f->block, f->blocks, pe);
  for (size_t i = 0; i < f->block * f->blocks; ++i)
    model[place(f, f->far, first, i)] = source[place(f, f->near, 0, i)];
}

static void read(const form* f, size_t first, int pe) {
  for (size_t i = 0; i < most; ++i) dest[i] = wanted[i] = -1;
  if (f->block == 1)
    shmem_long_iget(dest, &there[first], f->near, f->far, f->blocks, pe);
  else
    shmem_long_ibget(dest, &there[first], f->near, f->far, f->block, f->blocks, pe);
  for (size_t i = 0; i < f->block * f->blocks; ++i)
    wanted[place(f, f->near, 0, i)] = model[place(f, f->far, first, i)];
}

static void compare(int round, const char* what, const long* found, const long* right) {
  for (size_t i = 0; i < most; ++i)
    if (found[i] != right[i]) {
      fprintf(stderr, "round %d\n", round);
      report_difference(__FILE__, __LINE__, what, i, &found[i], &right[i], sizeof found[i]);
      return;
    }
}

int main(void) {
  shmem_init();
  me = shmem_my_pe();
  pes = shmem_n_pes();
  const int next = (me + 1) % pes;
  for (int round = 0; round < rounds; ++round) {
    for (size_t i = 0; i < most; ++i) source[i] = (long)bits(me, round, i);
    const form f = form_of(round);
    const size_t first = choose(round, 4, most - (f.blocks - 1) * (size_t)f.far - f.block + 1);
    write(&f, first, next);
    shmem_quiet();
    read(&f, first, next);
    compare(round, "strided get", dest, wanted);
    shmem_long_get(dest, there, most, next);
    compare(round, "strided put", dest, model);
  }
  shmem_barrier_all();
  return finish_tests();
}
