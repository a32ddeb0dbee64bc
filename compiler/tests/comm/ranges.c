/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocking gets and puts of whole ranges, as programs have them. */
#include <setjmp.h>

#include "told.h"

enum { most = 4096, most_pes = 8 };
static int me, pes;
static double vector[most], field[most + 2][64], next_field[most + 2][64];
static double a[64][64], b[64][64];
static long sent[most], box[most], flags[most_pes], numbers[most], keys[most], vector_of_longs[most];
long opaque_zero;

#define FORM static __attribute__((noinline))

static uint64_t mix(uint64_t hash, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return (hash ^ bits) * 1099511628211u;
}

/* A vector of all PEs, in memory that is given back at once. */
FORM uint64_t all_gather(long n) {
  double* all = (double*)malloc((size_t)(n * pes) * sizeof *all);
  for (int pe = 0; pe < pes; pe++) shmem_double_get(&all[pe * n], vector, (size_t)n, pe);
  uint64_t hash = 1;
  for (long i = 0; i < n * pes; i++) hash = mix(hash, all[i]);
  free(all);
  return hash;
}
/* Each overwrites half of what the one before has brought. */
FORM void overlapping(double* all, long n) {
  for (int pe = 0; pe < pes; pe++) shmem_double_get(&all[pe * n / 2], vector, (size_t)n, pe);
}
FORM void backwards_overlapping(double* all, long n) {
  for (int pe = pes - 1; pe >= 0; pe--) shmem_double_get(&all[pe * n / 2], vector, (size_t)n, pe);
}
/* Two rows of neighbours, and own ones in between. */
FORM void stencil_step(int rows) {
  const int up = (me + pes - 1) % pes, down = (me + 1) % pes;
  shmem_double_get(field[0], field[rows], 64, up);
  shmem_double_get(field[rows + 1], field[1], 64, down);
  for (int r = 2; r < rows; r++)
    for (int c = 0; c < 64; c++) next_field[r][c] = (field[r - 1][c] + field[r + 1][c]) / 2 + c;
  for (int c = 0; c < 64; c++) {
    next_field[1][c] = (field[0][c] + field[2][c]) / 2 + c;
    next_field[rows][c] = (field[rows - 1][c] + field[rows + 1][c]) / 2 + c;
  }
  shmem_barrier_all();
  memcpy(field[1], next_field[1], (size_t)rows * sizeof *field);
  shmem_barrier_all();
}
/* Blocks of rows of the one factor, one after the other. */
FORM double block_product(double (*c)[64], int n) {
  double block[64][64], trace = 0;
  const int rows = n / pes;
  for (int pe = 0; pe < pes; pe++) {
    for (int r = 0; r < rows; r++) shmem_double_get(block[r], b[r], (size_t)n, pe);
    for (int i = 0; i < rows; i++)
      for (int j = 0; j < n; j++)
        for (int k = 0; k < rows; k++) c[i][j] += a[i][pe * rows + k] * block[k][j];
  }
  for (int i = 0; i < rows; i++) trace += c[i][i];
  return trace;
}
/* The buffers are swapped by their names. */
FORM double swapped(long n) {
  double here[64], there[64], *one = here, *other = there, sum = 0;
  memset(there, 0, sizeof there);
  for (int k = 0; k < 7; k++) {
    shmem_double_get(one, &vector[k * n], (size_t)n, (me + k) % pes);
    for (long i = 0; i < n; i++) sum = sum / 3 + other[i];
    double* const kept = one;
    one = other;
    other = kept;
  }
  return sum;
}
/* The source is changed behind each put. */
FORM void reused_source(long n) {
  long line[64];
  for (int k = 0; k < 20; k++) {
    for (long i = 0; i < n; i++) line[i] = k * 100 + i + me;
    shmem_long_put(&box[k * n], line, (size_t)n, (me + k) % pes);
  }
  shmem_barrier_all();
}
FORM void rows_of_a_matrix(long n) {
  for (int r = 0; r < 10; r++) {
    memset(&sent[r * n * pes], r + 1, (size_t)(n * pes) * sizeof *sent);
    for (int pe = 0; pe < pes; pe++)
      shmem_putmem(&box[(me * 10 + r) * n], &sent[(r * pes + pe) * n], (size_t)n * sizeof *sent, pe);
  }
  shmem_barrier_all();
}
/* What came from the left goes on to the right. */
FORM void ring_shift(long n) {
  for (int k = 0; k < pes; k++) {
    long passed[256];
    shmem_long_get(passed, numbers, (size_t)n, (me + 1) % pes);
    shmem_barrier_all();
    memcpy(numbers, passed, (size_t)n * sizeof *passed);
    shmem_barrier_all();
  }
}
/* Flags are put when the data are, and waited for. */
FORM void tree_sum(long n) {
  for (int step = 1; step < pes; step *= 2) {
    if (me % (2 * step) == step) {
      shmem_long_put(&box[step * n], numbers, (size_t)n, me - step);
      shmem_fence();
      shmem_long_p(&flags[step], 1, me - step);
      break;
    }
    if (me + step < pes) {
      shmem_long_wait_until(&flags[step], SHMEM_CMP_EQ, 1);
      for (long i = 0; i < n; i++) numbers[i] += box[step * n + i];
    }
  }
  shmem_barrier_all();
}
/* Who gets may tell that it has: what others may read then is there. */
FORM void get_then_tell(long n) {
  const int right = (me + 1) % pes, left = (me + pes - 1) % pes;
  for (int half = 0; half < 2; half++) shmem_long_get(&box[half * n], &keys[half * n], (size_t)n, right);
  shmem_long_p(&flags[0], 7, left);
  shmem_long_wait_until(&flags[0], SHMEM_CMP_EQ, 7);
  for (int half = 0; half < 2; half++) shmem_long_get(&sent[half * n], &box[half * n], (size_t)n, right);
  shmem_barrier_all();
}
FORM void get_then_put_flag(long n) {
  static long eight = 8;
  const int right = (me + 1) % pes, left = (me + pes - 1) % pes;
  for (int half = 0; half < 2; half++)
    shmem_long_get(&box[half * n], &vector_of_longs[half * n], (size_t)n, right);
  shmem_long_put(&flags[0], &eight, (size_t)(n / n), left);
  shmem_long_wait_until(&flags[0], SHMEM_CMP_EQ, 8);
  for (int half = 0; half < 2; half++) shmem_long_get(&sent[half * n], &box[half * n], (size_t)n, right);
  shmem_barrier_all();
}
/* PE 0 tells the last one that it may overwrite what has been put. */
static long flag, answered, one = 1;
FORM void begin_telling(void) {
  for (int i = 0; i < most; i++) sent[i] = i + me, numbers[i] = -i;
  flag = answered = 0;
  shmem_barrier_all();
  for (int i = 0; me == 0 && i < 300; i++) shmem_long_p(&keys[i * 7 % 300], i, pes - 1);
}
FORM void overwrite_when_told(void) {
  if (me == pes - 1 && me > 0) {
    shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
    shmem_long_put(sent, numbers, 64, 0);
    shmem_quiet();
    answered = 1;
  }
  shmem_barrier_all();
}
FORM void put_then_tell(long n) {
  begin_telling();
  if (me == 0 && pes > 1) {
    shmem_long_put(box, sent, (size_t)n, pes - 1);
    shmem_long_p(&flag, 1, pes - 1);
    while (!shmem_long_g(&answered, pes - 1)) continue;
  }
  overwrite_when_told();
}
FORM void put_then_put_flag(long n) {
  begin_telling();
  if (me == 0 && pes > 1) {
    shmem_long_put(box, sent, (size_t)n, pes - 1);
    shmem_long_put(&flag, &one, (size_t)(n / n), pes - 1);
    while (!shmem_long_g(&answered, pes - 1)) continue;
  }
  overwrite_when_told();
}
/* What a round overwrites the one before the last has put. */
FORM void alternating_rows(long n) {
  static long rows[2 * 64];
  for (int r = 0; r < 12; r++) {
    memset(&rows[(r & 1) * n], r + me, (size_t)n * sizeof *rows);
    shmem_long_put(&box[r * n], &rows[(r & 1) * n], (size_t)n, (me + 1) % pes);
    shmem_long_put(&box[(r + 12) * n], &rows[(r & 1) * n], (size_t)n, (me + 1) % pes);
  }
  shmem_barrier_all();
}
/* Of this PE is read what another one fills, and changed what goes to another one. */
FORM void through_own_memory(long n, long* line) {
  const int right = (me + 1) % pes;
  shmem_long_get(numbers, keys, (size_t)n, right);
  shmem_long_get(line, numbers, (size_t)n, me);
  shmem_barrier_all();
  shmem_long_put(box, &numbers[n], (size_t)n, right);
  shmem_long_put(&numbers[n], line, (size_t)n, me);
  shmem_barrier_all();
}
FORM long first_with(long wanted, long n) {
  long found[most_pes][64];
  for (int pe = 0; pe < pes; pe++) {
    shmem_long_get(found[pe], keys, (size_t)n, pe);
    if (found[pe][wanted % n] % 4 == 2) return pe * 1000 + found[pe][0];
  }
  return found[pes - 1][1];
}
FORM long until_all_is_read(long n, int* gotten) {
  long line[256];
  for (int pe = 0; pe < pes; pe++) {
    shmem_long_get(&line[pe * n], keys, (size_t)n, pe);
    ++*gotten;
    if (opaque_zero) return -1;
  }
  long sum = 0;
  for (long i = 0; i < n * pes; i++) sum = sum * 3 + line[i];
  return sum;
}
struct message {
  int from, length;
  double text[30];
};
static struct message inbox[most_pes], outbox;
FORM double of_structures(void) {
  struct message all[most_pes];
  for (int pe = 0; pe < pes; pe++) {
    shmem_getmem(&all[pe].text, &outbox.text, sizeof outbox.text, pe);
    all[pe].from = pe;
    all[pe].length = 30 - pe;
  }
  double sum = 0;
  for (int pe = 0; pe < pes; pe++)
    for (int i = 0; i < all[pe].length; i++) sum = sum / 2 + all[pe].text[i] * all[pe].from;
  return sum;
}
FORM long variable_length(long n) {
  long sum = 0;
  for (int k = 1; k < 5; k++) {
    long line[n * k];
    for (int pe = 0; pe < k; pe++) shmem_long_get(&line[pe * n], &keys[pe], (size_t)n, (me + pe) % pes);
    sum = sum * 5 + line[n * k - 1];
  }
  return sum;
}
FORM void from_own_place(long n) {
  for (int k = 0; k < 6; k++) shmem_long_get(&numbers[(k + 1) * n], &numbers[k * n], (size_t)n, me);
  long line[128];
  shmem_long_get(line, &keys[3], (size_t)n, (me + 1) % pes);
  shmem_long_get(&line[64], &numbers[2], (size_t)n, (me + 1) % pes);
  shmem_long_put(&numbers[most - n], line, (size_t)n, me);
  shmem_quiet();
  shmem_long_get(&numbers[most - 2 * n], &numbers[most - n], (size_t)n, me);
}
/* The place is read before it is written again. */
FORM void there_and_back(long n) {
  const int pe = (me + 1) % pes;
  for (int k = 0; k < 20; k++) {
    long line[64];
    shmem_long_get(line, &box[k * n], (size_t)n, pe);
    for (long i = 0; i < n; i++) line[i] = line[i] * 3 + k;
    shmem_long_put(&box[k * n], line, (size_t)n, pe);
  }
  shmem_barrier_all();
  long kept[64] = {0}, changed[64];
  shmem_long_get(kept, box, (size_t)n, pe);
  memset(changed, 5, sizeof changed);
  shmem_long_put(box, changed, (size_t)n, pe);
  shmem_barrier_all();
  memcpy(sent, kept, sizeof kept);
}
static jmp_buf back;
FORM void jump(int level) {
  if (level == pes / 2) longjmp(back, 1);
}
FORM long jumped_over(long n) {
  long line[256];
  for (int pe = 0; pe < pes; pe++) {
    shmem_long_get(&line[pe * n], keys, (size_t)n, pe);
    jump(pe);
  }
  return line[0];
}
/* Words of the same memory, by another pointer. */
FORM long by_another_name(long* to, const long* seen, long n) {
  long sum = 0;
  for (int pe = 0; pe < pes; pe++) {
    shmem_long_get(&to[pe * n], keys, (size_t)n, pe);
    sum = sum * 7 + *seen;
  }
  return sum;
}
FORM void cleared_meanwhile(long* to, long n, long* count) {
  for (int pe = 0; pe < pes; pe++) {
    shmem_long_get(&to[pe * n], keys, (size_t)n, pe);
    *count += 1;
  }
  memset(to, 0, (size_t)n * sizeof *to);
}
/* A store tells PE 1 that it may overwrite what has been put, or that something has been got. */
enum { long_range = 100000 };
static long range[long_range], copied[long_range], others[long_range], told_by_store;
static inline __attribute__((always_inline)) uint64_t pass_time(long rounds) {
  uint64_t value = 1;
  for (long i = 0; i < rounds; i++) value = value * 3 + ((uint64_t)i ^ (value >> 3));
  return value;
}
FORM uint64_t put_then_store(long n, int to) {
  shmem_long_put(copied, range, (size_t)n, to);
  told_by_store = 1;
  return pass_time(100000000 + opaque_zero);
}
FORM uint64_t get_then_store(long n, int from) {
  shmem_long_get(copied, range, (size_t)n, from);
  told_by_store = 1;
  return pass_time(100000000 + opaque_zero) + (uint64_t)copied[5];
}
OPAQUE void store_at(long* place, long value) {
  *place = value;
}
FORM uint64_t get_then_call(long n, int from) {
  shmem_long_get(copied, range, (size_t)n, from);
  store_at(&told_by_store, 1);
  return pass_time(100000000 + opaque_zero) + (uint64_t)copied[5];
}
static void tell_by_stores(long n) {
  for (int gets = 0; gets < 3; gets++) {
    for (long i = 0; i < long_range; i++) {
      range[i] = i + me;
      copied[i] = 0;
    }
    told_by_store = 0;
    shmem_barrier_all();
    uint64_t seen = 0;
    if (me == 0 && pes > 1)
      seen = gets == 2 ? get_then_call(n, 1) : gets ? get_then_store(n, 1) : put_then_store(n, 1);
    if (me == 1) {
#pragma shmem strict
      while (shmem_long_g(&told_by_store, 0) == 0) continue;
#pragma shmem strict
      if (gets) seen = (uint64_t)shmem_long_g(&copied[n - 1], 0);
      if (!gets) shmem_long_put(range, others, (size_t)n, 0);
    }
    tell("told by a store", seen);
    tell_memory("copied", copied, sizeof copied);
  }
}

int main(void) {
  shmem_init();
  me = shmem_my_pe(), pes = shmem_n_pes();
  for (int i = 0; i < most; i++)
    vector[i] = i * 3 + me, vector_of_longs[i] = i * 11 - me, keys[i] = i * 7 + me, numbers[i] = i + me * 5,
    box[i] = sent[i] = me;
  for (int i = 0; i < 64; i++)
    for (int j = 0; j < 64; j++) a[i][j] = i - j + me, b[i][j] = i * j % 7 - me, field[i][j] = i + j + me;
  outbox = (struct message){me, 30, {1.5 + me, 2.5, 3.5 * me}};
  shmem_barrier_all();
  for (long n = 1; n < 500; n *= 5) tell("all_gather", all_gather(n));
  static double all[most * 2];
  overlapping(all, 100 + opaque_zero), tell("overlapping", hash_of(all, sizeof all));
  backwards_overlapping(all, 100 + opaque_zero), tell("backwards", hash_of(all, sizeof all));
  for (int k = 0; k < 3; k++) stencil_step(5 + (int)opaque_zero);
  tell("stencil", hash_of(field[1], 5 * sizeof *field));
  static double c[64][64];
  const double trace = block_product(c, 48 + (int)opaque_zero);
  tell("block_product", mix(hash_of(c, sizeof c), trace));
  tell("swapped", mix(1, swapped(50 + opaque_zero)));
  reused_source(20 + opaque_zero), tell("reused_source", hash_of(box, sizeof box));
  rows_of_a_matrix(10 + opaque_zero), tell("rows", hash_of(box, sizeof box));
  ring_shift(100 + opaque_zero), tell("ring_shift", hash_of(numbers, sizeof numbers));
  tree_sum(30 + opaque_zero), tell("tree_sum", me == 0 ? hash_of(numbers, 30 * sizeof *numbers) : 0);
  get_then_tell(100 + opaque_zero), tell("get_then_tell", hash_of(sent, sizeof sent));
  get_then_put_flag(100 + opaque_zero), tell("get_then_put_flag", hash_of(sent, sizeof sent));
  for (int k = 0; k < 4; k++) {
    put_then_tell(64 + opaque_zero), tell("put_then_tell", hash_of(box, sizeof box));
    put_then_put_flag(64 + opaque_zero), tell("put_then_put_flag", hash_of(box, sizeof box));
  }
  alternating_rows(40 + opaque_zero), tell("alternating_rows", hash_of(box, sizeof box));
  long own[64] = {0};
  through_own_memory(50 + opaque_zero, own);
  tell("own_memory", hash_of(own, sizeof own) + hash_of(box, sizeof box) + hash_of(numbers, sizeof numbers));
  tell("first_with", (uint64_t)first_with(5, 60 + opaque_zero));
  int gotten = 0;
  tell("until_all", (uint64_t)until_all_is_read(50 + opaque_zero, &gotten) + (uint64_t)gotten);
  tell("structures", mix(1, of_structures()));
  tell("variable_length", (uint64_t)variable_length(40 + opaque_zero));
  from_own_place(50 + opaque_zero), tell("own_place", hash_of(numbers, sizeof numbers));
  shmem_barrier_all();
  there_and_back(20 + opaque_zero),
      tell("there_and_back", hash_of(box, sizeof box) + hash_of(sent, sizeof sent));
  if (!setjmp(back)) jumped_over(30 + opaque_zero);
  static long line[most];
  memset(line, 1, sizeof line);
  tell("another_name", (uint64_t)by_another_name(line, &line[2], 30 + opaque_zero));
  cleared_meanwhile(line, 30 + opaque_zero, &line[31 + (pes > 1)]),
      tell("cleared", hash_of(line, sizeof line));
  (void)inbox;
  tell_by_stores(long_range + opaque_zero);
  shmem_finalize();
}
