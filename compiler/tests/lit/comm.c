// What becomes of the accesses of a loop, with -fcomm=relaxed, and why the others stay as they are.
// RUN: %clang %comm -fplugin-arg-windrow-comm=relaxed %s -Xclang -verify
// RUN: %clang %comm -fplugin-arg-windrow-comm=relaxed %s -g -Xclang -verify
// RUN: %clang %comm -fplugin-arg-windrow-comm=relaxed,reuse %s 2>&1 | %FileCheck %s --check-prefix=OFF --allow-empty
// OFF-NOT: remark: {{(read|write)}} vectorised
#include <shmem.h>

struct pair {
  double a, b;
};
void opaque(void);
static inline long wrapped(const long* r, long i, int pe) {
  return shmem_long_g(&r[i], pe); // expected-remark {{read vectorised: one read for up to 2048 rounds}}
}
_Static_assert(sizeof(long) == 8, "rounds are counted for that");

long in_wrapper(const long* r, int n, int pe) {
  long s = 0;
  for (int i = 0; i < n; i++) s += wrapped(r, i, pe);
  return s;
}
long at_offsets(const long* r, int n, int pe) {
  long s = 0;
  for (int i = 0; i < n; i++)
    s += shmem_long_g(&r[i], pe)      // expected-remark {{read vectorised: one read for up to 2045 rounds of the loop, for 2 calls together}}
         * shmem_long_g(&r[i + 3], pe);
  return s;
}
void members(struct pair* r, const struct pair* from, long n, int pe) {
  for (long i = n - 1; i >= 0; i--) {
    shmem_double_p(&r[i].a, from[i].a, pe); // expected-remark {{write vectorised: one write for up to 1024 rounds of the loop, for 2 calls together}}
    shmem_double_p(&r[i].b, from[i].b, pe);
  }
}
void one_member(struct pair* r, int n, int pe) {
  for (int i = 0; i < n; i++) shmem_double_p(&r[i].b, i, pe); // expected-remark {{write vectorised: one strided write}}
}
void far_apart(short* to, const short* r, int n, int pe) {
  for (int i = 0; i < n; i++) to[i] = shmem_short_g(&r[100 * i], pe); // expected-remark {{read vectorised: one strided read}}
}
void of_several(long* to, const long* r, int n, int pe) {
  for (int i = 0; i < n; i++) shmem_long_get(&to[2 * i], &r[2 * i], 2, pe); // expected-remark {{read vectorised: one read for up to 1024 rounds}}
}
void several_arrays(long* to, const long* r, const long* q, int n, int pe, int other) {
  for (int i = 0; i < n; i++)
    shmem_long_p(&to[i],                         // expected-remark {{write vectorised: one write}}
                 shmem_long_g(&r[i], pe)         // expected-remark {{read vectorised: one read}}
                     + shmem_long_g(&q[i], other), // expected-remark {{read vectorised: one read}}
                 pe);
}
void in_blocks(long* to, const long* r, int i) {
  for (int j = 0; j < 16; j++)
    for (int k = 0; k < 4; k++)
      to[4 * j + k] = shmem_long_g(&r[64 * i + 4 * j + k], 1); // expected-remark {{read vectorised: one read for up to 512 rounds of the loop, for 4 calls together}}
}
long of_all(const long* r) {
  long s = 0;
  for (int pe = 0; pe < shmem_n_pes(); pe++) s += shmem_long_g(r, pe); // expected-remark {{read vectorised: the places of up to 16384 rounds of the loop are computed first}}
  return s;
}
_Complex double products(const _Complex double* r, int n, int pe) {
  _Complex double s = 1, v;
  for (int i = 0; i < n; i++) {
    shmem_getmem(&v, &r[i], sizeof v, pe); // expected-remark {{read vectorised: one read}}
    s *= v;
  }
  return s;
}
double here_or_there(const double* r, const int* begin, const int* index, const int* me, int n, int per) {
  double s = 0;
  for (int i = 0; i < n; i++)
    for (int k = begin[i]; k < begin[i + 1]; k++)
      s += index[k] / per == *me ? r[index[k] % per]
                                 : shmem_double_g(&r[index[k] % per], index[k] / per); // expected-remark {{read vectorised: the places of up to 16384 rounds, in the loop at line 71 and those inside}}
  return s;
}

// ---- those that stay

void at_any_pe(const long* r, long* to, int n) {
  for (int i = 0; i < n; i++) to[i] = shmem_long_g(&r[i], i & 1); // expected-remark {{read vectorised: the places of up to 16384 rounds of the loop are computed first}}
}
long indirect(const long* r, const int* index, int n, int pe) {
  long s = 0;
  for (int i = 0; i < n; i++) s += shmem_long_g(&r[index[i]], pe); // expected-remark {{read vectorised: the places of up to 16384 rounds of the loop are computed first}}
  return s;
}
void variable_stride(long* to, const long* r, int n, int by, int pe) {
  for (int i = 0; i < n; i++) to[i] = shmem_long_g(&r[i * (long)by], pe); // expected-remark {{read vectorised: the places of up to 16384 rounds of the loop are computed first}}
}
void indirect_write(long* r, const int* index, int n, int pe) {
  for (int i = 0; i < n; i++) shmem_long_p(&r[index[i]], i, pe); // expected-remark {{write vectorised: those of the loop at line}}
}
void beside_indirect_write(long* r, const int* index, int n, int pe) {
  for (int i = 0; i < n; i++)
    shmem_long_p(&r[index[i]], // expected-remark {{write stays as it is: the address does not move by the same distance in each round, and the loop reads at line}}
                 shmem_long_g(&r[index[n - i]], pe), pe); // expected-remark {{a write of the loop stays as it is, and may be to the same place}}
}
long walk(const int* r, int n, int pe) {
  int at = 0;
  for (int i = 0; i < n; i++) at = shmem_int_g(&r[at], pe); // expected-remark {{its place depends on what the loop reads}}
  return at;
}
void counted(int* counts, const int* r, const int* index, int n, int pe) {
  for (int i = 0; i < n; i++) counts[shmem_int_g(&r[index[i]], pe)]++; // expected-remark {{its place cannot be computed ahead: the loop writes at line}}
}
void same_place(long* to, const long* r, int n, int pe) {
  for (int i = 0; i < n; i++) to[i] = shmem_long_g(r, pe); // expected-remark {{each round has the same place}}
}
long conditional(const long* r, const int* when, int n, int pe) {
  long s = 0;
  for (int i = 0; i < n; i++)
    if (when[i]) s += shmem_long_g(&r[i], pe); // expected-remark {{read vectorised: the places of up to 16384 rounds of the loop are computed first}}
  return s;
}
void conditional_write(long* r, const int* when, int n, int pe) {
  for (int i = 0; i < n; i++)
    if (when[i]) shmem_long_p(&r[i], i, pe); // expected-remark {{write vectorised: those of the loop at line}}
}
long of_what_is_read(const long* r, int n, int pe) {
  long s = 0;
  for (int i = 0; i < n; i++)
    if (shmem_long_g(&r[i], pe) > 3) // expected-remark {{read vectorised: one read for up to 2048 rounds}}
      s += shmem_long_g(&r[2 * n - i], pe); // expected-remark {{it depends on a condition, and its place depends on what the loop reads}}
  return s;
}
long found(const long* r, int n, int pe) {
  for (int i = 0; i < n; i++)
    if (shmem_long_g(&r[i], pe) == 7) return i; // expected-remark {{the loop may be left before its end at line 129}}
  return -1;
}
long asserted(const long* r, int n, int pe) {
  long s = 0;
  for (int i = 0; i < n; i++) {
    const long one = shmem_long_g(&r[i], pe); // expected-remark {{the loop may be left before its end by abort at line 136}}
    if (one < 0) __builtin_abort();
    s += one;
  }
  return s;
}
void list(long* r, const long* from, int pe) {
  for (long i = 0; from[i]; i++) shmem_long_p(&r[i], 1, pe); // expected-remark {{the number of rounds is not known before the loop}}
}
void ordered(long* r, int n, int pe) {
  for (int i = 0; i < n; i++) {
    shmem_long_p(&r[i], i, pe); // expected-remark {{the loop calls shmem_fence}}
    shmem_fence();
  }
}
void unknown(long* r, int n, int pe) {
  for (int i = 0; i < n; i++) {
    shmem_long_p(&r[i], i, pe); // expected-remark {{the loop calls opaque, which may synchronise}}
    opaque();
  }
}
void seen(long* r, volatile int* flag, int n, int pe) {
  for (int i = 0; i < n; i++) {
    shmem_long_p(&r[i], i, pe); // expected-remark {{volatile or atomic}}
    *flag = i;
  }
}
void atomics(long* r, long* q, int n, int pe) {
  for (int i = 0; i < n; i++) {
    shmem_long_p(&r[i], i, pe); // expected-remark {{write vectorised: those of the loop at line}}
    shmem_long_atomic_inc(q, pe); // expected-remark {{update vectorised: those of the loop at line}}
  }
}
void overlapping(long* r, int n, int pe) {
  for (int i = 0; i < n; i++) {
    shmem_long_p(&r[i], i, pe);     // expected-remark {{two accesses of the loop write the same place}}
    shmem_long_p(&r[i + 1], i, pe); // expected-remark {{two accesses of the loop write the same place}}
  }
}
void beside_unknown(long* r, const int* index, int n, int pe) {
  for (int i = 0; i < n; i++) {
    shmem_long_p(&r[index[i]], i, pe); // expected-remark {{write vectorised: those of the loop at line}}
    shmem_long_p(&r[i], i, pe); // expected-remark {{write vectorised: those of the loop at line}}
  }
}
void all_set(const int* flags, int n, int pe) {
  for (int set = 0; set < n;) {
    set = 0;
    for (int i = 0; i < n; i++)
      if (shmem_int_g(&flags[i], pe)) set++; // expected-remark {{its value may decide whether a loop around it goes on}}
  }
}
void all_set_in_memory(const int* flags, int* seen_flags, int n, int pe) {
  do {
    for (int i = 0; i < n; i++) shmem_int_get(&seen_flags[i], &flags[i], 1, pe); // expected-remark {{its value may decide whether a loop around it goes on}}
  } while (seen_flags[3] == 0);
}
long no_loop(const long* r, int pe) {
  return shmem_long_g(r, pe); // expected-remark {{it is not in a loop that counts}}
}

// ---- writes and updates that are collected

void nested(const int* begin, const int* to, int* counts, int n, int pe) {
  for (int i = 0; i < n; i++)
    for (int k = begin[i]; k < begin[i + 1]; k++)
      if (to[k] >= 0) shmem_int_atomic_add(&counts[to[k]], i, pe); // expected-remark {{update vectorised: those of the loop at line}}
}
void beside_another_array(const int* restrict index, int n, int pe) {
  extern long from[100], to[100];
  for (int i = 0; i < n; i++)
    shmem_long_p(&to[index[i]],                     // expected-remark {{write vectorised: those of the loop at line}}
                 shmem_long_g(&from[index[i]], pe), pe); // expected-remark {{read vectorised: the places of up to 16384 rounds}}
}
void beside_reads(long* counts, const long* r, int n, int pe) {
  for (int i = 0; i < n; i++)
    shmem_long_atomic_inc(&counts[shmem_long_g(&r[i], pe)], pe); // expected-remark {{update stays as it is: the loop reads at line}} expected-remark {{the loop calls shmem_long_atomic_inc}}
}
void polls(long* counts, const int* index, const int* flag, int pe) {
  for (int i = 0; !shmem_int_g(flag, pe); i++) // expected-remark 1+ {{read stays as it is}}
    shmem_long_atomic_inc(&counts[index[i]], pe); // expected-remark {{update stays as it is: a loop around it does not count}}
}
struct reloaded {
  unsigned n;
  unsigned long wide;
};
void reloaded_bound(const struct reloaded* to, long* counts, const int* index, int pe) {
  for (unsigned i = 0; i < to->n; i++)
    shmem_long_atomic_inc(&counts[index[i]], pe); // expected-remark {{update vectorised: those of the loop at line}}
}
void reloaded_bound_downwards(const struct reloaded* to, long* counts, const int* index, unsigned n, int pe) {
  for (unsigned i = n; i > to->n; i--)
    shmem_long_atomic_inc(&counts[index[i]], pe); // expected-remark {{update vectorised: those of the loop at line}}
}
void compares_at_times(const struct reloaded* to, long* counts, const int* index, int pe) {
  for (unsigned i = 0;; i++) {
    if (index[i] < 0 && i >= to->n) break;
    shmem_long_atomic_inc(&counts[index[i] & 7], pe); // expected-remark {{update stays as it is: a loop around it does not count}}
  }
}
void counts_away(const struct reloaded* to, long* counts, const int* index, unsigned long n, int pe) {
  for (unsigned long i = n; i < to->wide; i--)
    shmem_long_atomic_inc(&counts[index[i & 1023]], pe); // expected-remark {{update stays as it is: a loop around it does not count}}
}
void steps_over_the_end(const struct reloaded* to, long* counts, const int* index, int pe) {
  for (unsigned i = 0; i < to->n; i += 4)
    shmem_long_atomic_inc(&counts[index[i & 1023]], pe); // expected-remark {{update stays as it is: a loop around it does not count}}
}
void up_to_and_with_the_end(const struct reloaded* to, long* counts, const int* index, int pe) {
  for (unsigned i = 0; i <= to->n; i++)
    shmem_long_atomic_inc(&counts[index[i & 1023]], pe); // expected-remark {{update stays as it is: a loop around it does not count}}
}
void polls_and_counts(long* restrict counts, const int* index, const int* restrict flag, int n, int pe) {
  for (int i = 0; i < n && !shmem_int_g(flag, pe); i++) // expected-remark 1+ {{read stays as it is}}
    shmem_long_atomic_inc(&counts[index[i]], pe); // expected-remark {{may decide whether a loop goes on}}
}
void fetching(long* counts, long* to, const int* index, int n, int pe) {
  for (int i = 0; i < n; i++) {
    to[i] = shmem_long_atomic_fetch_inc(&counts[index[i]], pe);
    shmem_long_p(&counts[index[i]], 1, pe); // expected-remark {{the loop calls shmem_long_atomic_fetch_inc}}
  }
}
void unused(long* counts, const int* index, int n, int pe) {
  for (int i = 0; i < n; i++) (void)shmem_long_atomic_fetch_inc(&counts[index[i]], pe); // expected-remark {{update vectorised: those of the loop at line}}
}
void ordered_updates(long* counts, const int* index, int n, int pe) {
  for (int i = 0; i < n; i++) {
    shmem_long_atomic_inc(&counts[index[i]], pe); // expected-remark {{update stays as it is: the loop calls shmem_fence}}
    shmem_fence();
  }
}
void strict_updates(long* counts, const int* index, int n, int pe) {
  for (int i = 0; i < n; i++) {
#pragma shmem strict
    shmem_long_atomic_inc(&counts[index[i]], pe);
  }
}
void wide_ones(long double* r, const int* index, int n, int pe) {
  for (int i = 0; i < n; i++) shmem_longdouble_p(&r[index[i]], i, pe); // expected-remark {{write stays as it is: the address does not move}}
}
void single(long* r, int pe) {
  shmem_long_atomic_inc(r, pe);
}
extern double matrix[64][1024], turned[64][1024];
void only_stored(long rows, int me, int pes) {
  for (long r = 0; r < rows; r++)
    for (int pe = 0; pe < pes; pe++)
      for (long c = 0; c < rows; c++)
        turned[r][pe * rows + c] = shmem_double_g(&matrix[c][me * rows + r], pe); // expected-remark {{read vectorised: one strided read for all rounds of the loop, to where it stores what it reads}} expected-remark {{read split: it is only begun here, and waited for at the end of the function}}
}
void dense_copy(long* restrict to, const long* restrict r, long n, int pe) {
  for (long i = 0; i < n; i++) to[i] = shmem_long_g(&r[i], pe); // expected-remark {{read vectorised: one read for all rounds of the loop, to where it stores what it reads}}
}
void copy_to_who_knows(long* to, const long* r, long n, int pe) {
  for (long i = 0; i < n; i++) to[i] = shmem_long_g(&r[i], pe); // expected-remark {{read vectorised: one read for up to 2048 rounds of the loop}}
}
void shifted(long n, int pe) {
  for (long i = 0; i < n; i++) matrix[0][i + 1] = shmem_double_g(&matrix[0][i], pe); // expected-remark {{read vectorised: one read for up to 2048 rounds of the loop}}
}
double copied_and_used(long n, int pe) {
  double sum = 0;
  for (long i = 0; i < n; i++) sum += turned[0][i] = shmem_double_g(&matrix[0][i], pe); // expected-remark {{read vectorised: one read for up to 2048 rounds of the loop}}
  return sum;
}
static long blocks[4096];
static int order[4096];
void blocks_put_back(int n, int pe) {
  for (int i = 0; i < n; i++) {
    long block[8];
    shmem_long_get(block, &blocks[order[i]], 8, pe); // expected-remark {{read vectorised: the places of up to 4096 rounds}}
    for (int k = 0; k < 8; k++) block[k] *= 3;
    shmem_long_put(&blocks[order[i]], block, 8, pe); // expected-remark {{write stays in its round, and changes what has been read ahead, too}}
  }
}
void names_put(int n, int pe) {
  for (int i = 0; i < n; i++) {
    long block[8];
    shmem_long_get(block, &blocks[order[i]], 8, pe); // expected-remark {{read split: it is only begun here, and waited for at line}}
    const int names[2] = {(int)block[0], i};
    shmem_int_put(&order[7 * i], names, 2, pe); // expected-remark {{write split: it is only begun here, and waited for at line}}
  }
}
// Where each round writes only what it has read, or the rounds before it, all may read first.
void in_place(long* r, int n, int pe) {
  for (int i = 0; i < n; i++) {
    const long before = shmem_long_g(&r[i], pe); // expected-remark {{read vectorised: one read for up to 2048 rounds}}
    shmem_long_p(&r[i], 3 * before, pe);         // expected-remark {{write vectorised: one write for up to 2048 rounds}}
  }
}
void from_the_last_round(long* r, int n, int pe) {
  for (int i = 0; i < n; i++) {
    const long before = shmem_long_g(&r[i], pe); // expected-remark {{read stays as it is: each round reads what is written by it, or by the last one}}
    shmem_long_p(&r[i + 1], 3 * before, pe);     // expected-remark {{write stays as it is: each round reads what is written by it, or by the last one}}
  }
}
void written_before_it_is_read(long* r, long* restrict to, int n, int pe) {
  for (int i = 0; i < n; i++) {
    shmem_long_p(&r[i], i, pe);        // expected-remark {{write stays as it is: each round reads what is written by it, or by the last one}}
    to[i] = shmem_long_g(&r[i], pe);   // expected-remark {{read stays as it is: each round reads what is written by it, or by the last one}}
  }
}
void beside_another_object(int n, int pe) {
  for (int i = 0; i < n; i++) {
    const long factor = shmem_long_g(&blocks[3], pe); // expected-remark {{read stays as it is: each round has the same place}}
    shmem_double_p(&matrix[0][i], factor * i, pe);    // expected-remark {{write vectorised: one write for up to 2048 rounds}}
  }
}
void beside_the_same_object(int n, int pe) {
  for (int i = 0; i < n; i++) {
    const double factor = shmem_double_g(&matrix[1][3], pe); // expected-remark {{read stays as it is: each round has the same place}}
    shmem_double_p(&matrix[0][i], factor * i, pe);           // expected-remark {{write stays as it is: another access of the loop stays as it is, and may be to the same place}}
  }
}
struct __attribute__((packed)) person {
  char name[30];
  double weight;
};
double by_computed_places(const struct person* r, int n, int pe) {
  double s = 0;
  for (int i = 0; i < n; i++) s += shmem_double_g(&r[i].weight, pe); // expected-remark {{read vectorised: the places of up to 16384 rounds of the loop are computed first}}
  return s;
}
void written_in_its_round(struct person* r, int n, int pe) {
  for (int i = 0; i < n; i++) shmem_double_p(&r[i].weight, i, pe); // expected-remark {{write stays as it is: its places lie apart, by a distance that no strided transfer has}}
}
