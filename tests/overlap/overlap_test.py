#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""overlap_test.py WINDROW APPS CLANG...: windrow overlap on programs that each CLANG compiles with -foverlap; APPS has apps/overlap."""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import unittest

from overlap_case import WINDROW, OverlapCase, line_of

APPS, CLANGS = pathlib.Path(sys.argv[2]), sys.argv[3:]
LEVELS = ["-O0", "-O1", "-O2", "-O3"]

# A line with a name in a comment is found by it.
CONFLICTS = """#include <shmem.h>
#include <stdlib.h>
#include <string.h>
static double halo[512], inbox[512], work[4096];
static void fill(double* to, int n) {
  for (int i = 0; i < n; i++)
    to[i] = i; // STORE
}
static double sum(const double* of, int n) {
  double all = 0;
  for (int i = 0; i < n; i++)
    all += of[i]; // LOAD
  return all;
}
static void compute(void) {
  for (int r = 0; r < 50; r++)
    for (int i = 1; i < 4096; i++) work[i] += 0.5 * work[i - 1];
}
int main(void) {
  shmem_init();
  const int other = (shmem_my_pe() + 1) % shmem_n_pes();
  double* mine = malloc(sizeof halo);
  double result = 0;
  fill(mine, 512);
  shmem_barrier_all();
  for (int step = 0; step < 3; step++) {
    shmem_double_put(halo, mine, 512, other); // PUT
    compute();
    fill(mine, 512);
    compute();
    shmem_double_get(mine, inbox, 512, other); // GET
    compute();
    result += sum(mine, 512);
    shmem_putmem(halo, mine, 4096, other); // PUTMEM
    compute();
    memcpy(mine, work, 4096); // MEMCPY
    shmem_barrier_all(); // BARRIER
  }
  free(mine);
  shmem_finalize();
  return result < 0;
}
"""

OTHER_CODE = """#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
extern void instrumented(long*), foreign(void);
static long target[8];
void uses_the_stack(void) {
  long here[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  shmem_long_put_nbi(target, here, 8, 0); // STACK
  printf("%d", 1);
} // END
int main(void) {
  shmem_init();
  long *a = malloc(64), *b = malloc(64), *c = malloc(64);
  shmem_long_put_nbi(target, a, 8, 0); // A
  instrumented(b);
  foreign(); // FOREIGN
  shmem_barrier_all();
  shmem_long_put_nbi(target, c, 8, 0); // C
  printf("%d", 2);
  instrumented(b);
  free(c); // FREE
  shmem_barrier_all();
  uses_the_stack();
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
"""

SIGNALS = """#include <shmem.h>
static long data[512], flag, spins;
static volatile long* asked = &flag;
static long local[512];
int main(void) {
  shmem_init();
  if (shmem_my_pe() == 0) {
    shmem_long_put(data, local, 512, 1); // DATA
    shmem_quiet(); // QUIET
    for (volatile int i = 0; i < 20000; i++) continue;
    shmem_long_p(&flag, 1, 1); // FLAG
  } else {
    while (*asked == 0) spins++;
    spins += data[5];
  }
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
"""

# By each of these others may learn that what was before is over, or something is used that no access shows.
TELLING = """#include <fcntl.h>
#include <shmem.h>
#include <unistd.h>
long flag;
static long word, flags[4], data[64], mine[64], work[4096];
static size_t found[4], found_there[4];
static void compute(void) {
  for (int r = 0; r < 50; r++)
    for (int i = 1; i < 4096; i++) work[i] += work[i - 1];
}
__attribute__((disable_sanitizer_instrumentation, noinline)) static long unseen(void) { return word; }
int main(void) {
  shmem_init();
  const int other = (shmem_my_pe() + 1) % shmem_n_pes(), file = open("/dev/null", O_WRONLY);
  const char byte = 0;
  shmem_barrier_all();
  shmem_long_p(&word, 1, other);
  shmem_quiet(); // P
  compute();
  mine[0] = unseen(); // UNSEEN
  compute();
  shmem_barrier_all();
  shmem_long_put(data, mine, 64, other);
  shmem_quiet(); // PUT
  compute();
  __atomic_store_n(&flag, 1, __ATOMIC_RELEASE); // FLAG
  compute();
  shmem_barrier_all();
  shmem_long_put(data, mine, 64, other);
  shmem_quiet(); // BEFORE
  compute();
  if (write(file, &byte, 1) != 1) shmem_global_exit(1); // FILE
  compute();
  shmem_barrier_all();
  shmem_long_get(mine, data, 64, other); // GET
  compute();
  __asm__ volatile("" : : "r"(mine) : "memory"); // ASM
  compute();
  shmem_barrier_all();
  shmem_long_p(flags + 1, 1, other);
  shmem_putmem(found_there, found, sizeof found, other); // FOUND
  compute();
  shmem_long_wait_until_some(flags, 4, found, NULL, SHMEM_CMP_EQ, 1); // SOME
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
"""

POINTERS = """#include <shmem.h>
long sum;
static long data[64], mine[64], work[4096];
static void compute(void) {
  for (int r = 0; r < 50; r++)
    for (int i = 1; i < 4096; i++) work[i] += work[i - 1];
}
int main(void) {
  shmem_init();
  const int other = (shmem_my_pe() + 1) % shmem_n_pes();
  shmem_barrier_all();
  shmem_long_put(data, mine, 64, other);
  shmem_quiet(); // PUT
  compute();
  long* there = shmem_ptr(data, other);
  for (int i = 0; i < 64; i++)
    sum += there[i]; // LOAD
  compute();
  shmem_barrier_all();
  shmem_long_get(mine, data, 64, other); // GET
  compute();
  there[3] = 5; // STORE
  compute();
  shmem_barrier_all();
  shmem_long_p(data, 7, other);
  shmem_quiet(); // POLLED
  compute();
  sum += *(volatile long*)there; // POLL
  compute();
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
"""

# The second call of meet, and the last barrier, order nothing.
WAYS = """#include <shmem.h>
#include <stdio.h>
static long x[4], y[4], sum;
static inline void meet(void) {
  shmem_barrier_all(); // MEET
}
int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), other = (me + 1) % shmem_n_pes();
  shmem_long_p(x, me, other);
  meet(); // NEEDED
  sum += x[0];
  meet(); // SPARE
  shmem_long_p(y, me, other);
  shmem_barrier_all(); sum += y[0]; shmem_barrier_all(); // BOTH
  printf("%ld\\n", sum);
  shmem_finalize();
  return 0;
}
"""

RACY = """#include <shmem.h>
static long data[512], local[512];
long sum;
int main(void) {
  shmem_init();
  shmem_barrier_all();
  if (shmem_my_pe() == 0)
    shmem_long_put_nbi(data, local, 512, 1); // PUT
  local[7] = 1; // STORE
  shmem_quiet();
  if (shmem_my_pe() == 1) sum = data[100]; // LOAD
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
"""

# What lies between the put and the loads is of no other PE.
SPLIT = """#include <shmem.h>
#include <stdio.h>
static double mine[64];
static double work(int times) {
  double sum = 0;
  for (int i = 0; i < times * 10000; i++) sum += mine[i % 64] * 0.5;
  return sum;
}
int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), other = (me + 1) % shmem_n_pes();
  double* halo = shmem_calloc(64, sizeof *halo);
  double sum = 0;
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < 64; i++) mine[i] = me + round;
    shmem_double_put(halo, mine, 64, other); // PUT
    sum += work(me == 0 ? 4 : 1);
    shmem_barrier_all(); // BARRIER
    sum += work(2);
    for (int i = 0; i < 64; i++) sum += halo[i]; // LOAD
    shmem_barrier_all(); // NEXT
  }
  printf("%g\\n", sum);
  shmem_finalize();
}
"""

# Each line with two capitals is in a race with the one that has the same letter; all else is in order.
MODEL = """#include <shmem.h>
static long words[16], rows[4], row[4], total[4], part[4], sum[4], mine[4];
static float real;
static int integer;
long seen;
int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  shmem_ctx_t context, near;
  shmem_ctx_create(0, &context);
  shmem_team_create_ctx(SHMEM_TEAM_SHARED, 0, &near);
  shmem_barrier_all();
  shmem_long_atomic_add(words, 1, 0);
  shmem_long_atomic_add(words + 1, 1, 0); // A1
  if (me == 1) shmem_ctx_long_atomic_add(near, words + 1, 1, 0); // A2
  if (me == 0) shmem_float_atomic_set(&real, 1, 0); // B1
  if (me == 1) shmem_uint32_atomic_set((uint32_t*)&real, 1, 0); // B2
  if (me == 0) shmem_int_p(&integer, 1, 0); // C1
  if (me == 1) shmem_int_atomic_add(&integer, 1, 0); // C2
  shmem_quiet();
  shmem_ctx_quiet(near);
  shmem_barrier_all();
  if (me == 0) shmem_ctx_long_put_nbi(context, words + 4, mine, 4, 1); // D1
  shmem_barrier_all();
  if (me == 1) seen += words[5]; // D2
  shmem_ctx_quiet(context);
  shmem_barrier_all();
  mine[0] = me;
  shmem_long_sum_reduce(SHMEM_TEAM_WORLD, total, part, 4); // E1
  if (me == 0) shmem_long_g(total + 3, 1); // E2
  shmem_barrier_all();
  shmem_long_broadcast(SHMEM_TEAM_WORLD, row, mine, 4, 1);
  seen += row[1];
  shmem_long_fcollect(SHMEM_TEAM_WORLD, sum, mine, 2); // F1
  if (me == 0) shmem_long_p(sum + 3, 1, 1); // F2
  shmem_barrier_all();
  if (me == 0) shmem_long_p(rows + 1, 1, 1); // G1
  shmem_long_alltoall(SHMEM_TEAM_WORLD, words + 8, rows, 1); // G2
  shmem_barrier_all();
  if (me == 0) shmem_long_put_signal_nbi(words + 12, part, 1, (uint64_t*)(words + 13), 1, SHMEM_SIGNAL_SET, 1);
  if (me == 1) shmem_signal_wait_until((uint64_t*)(words + 13), SHMEM_CMP_EQ, 1), shmem_uint64_p((uint64_t*)(words + 14), 1, 0);
  if (me == 0) shmem_signal_wait_until((uint64_t*)(words + 14), SHMEM_CMP_EQ, 1), part[0] = 5;
  shmem_barrier_all();
  shmem_ctx_destroy(context);
  shmem_ctx_destroy(near);
  shmem_finalize();
  return 0;
}
"""

# PE 1 is in no team but that of all, and has the invalid ones instead.
INVALID = """#include <shmem.h>
static long data[8], mine[8];
long seen;
int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  shmem_team_t team, part;
  shmem_ctx_t context;
  shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 1, NULL, 0, &team);
  shmem_team_split_strided(team, 0, 1, 1, NULL, 0, &part);
  shmem_team_create_ctx(team, 0, &context);
  shmem_team_destroy(part);
  shmem_barrier_all();
  if (me == 0) shmem_long_put(data, mine, 8, 1);
  shmem_barrier_all();
  if (me == 1) seen += data[0];
  if (me == 1) shmem_long_put_nbi(data, mine, 8, 0); // PUT
  if (me == 1) shmem_ctx_quiet(context);
  if (me == 1) mine[0] = 1; // STORE
  if (me == 1) shmem_ctx_destroy(context);
  shmem_team_destroy(team);
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
"""


TEXTS = """#include <shmem.h>
#include <stdio.h>
#include <string.h>
static char text[64], names[2][8] = {"first", "other"};
static struct large {
  long of[8];
} all;
static unsigned long result;
__attribute__((noinline)) static unsigned long sum(struct large one) { return (unsigned long)one.of[3]; }
int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), other = (me + 1) % shmem_n_pes();
  char mine[32], here[80] = "";
  snprintf(mine, sizeof mine, "this comes from PE %d", me);
  struct large own = {{me}};
  shmem_barrier_all();
  shmem_putmem(text, mine, sizeof mine, other);
  shmem_putmem(&all, &own, sizeof own, other);
  CALL
  shmem_barrier_all();
  printf("%lu %s\\n", result + (unsigned long)sum(all), here);
  shmem_finalize();
  return 0;
}
"""

# Each PE has a flag in an array; who waits for any, some or all of them has the data of these.
ARRAYS = """#include <shmem.h>
#include <stdio.h>
static long flags[3][8], data[3][64], mine[8], three[3], late[64], status[3][32], result;
static long sum(const long* of) {
  long all = 0;
  for (int i = 0; i < 8; i++) all += of[i];
  return all;
}
int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), pes = shmem_n_pes();
  int taken[8] = {0};
  for (int way = 0; way < 3; way++)
    for (int pe = 0; pe < pes; pe++) {
      shmem_long_put(data[way] + me * 8, mine, 8, pe);
      shmem_fence();
      shmem_long_atomic_set(flags[way] + me, me + 1, pe);
    }
  shmem_long_wait_until_all(flags[0], (size_t)pes, NULL, SHMEM_CMP_NE, 0);
  for (int pe = 0; pe < pes; pe++) result += sum(data[0] + pe * 8);
  for (int i = 0; i < pes; i++) {
    const size_t pe = shmem_long_wait_until_any(flags[1], (size_t)pes, taken, SHMEM_CMP_NE, 0);
    taken[pe] = 1;
    result += sum(data[1] + pe * 8);
  }
  long wanted[8];
  int seen[8] = {0};
  for (int pe = 0; pe < pes; pe++) wanted[pe] = pe + 1;
  for (size_t n = 0; n < (size_t)pes;) {
    size_t which[8];
    const size_t more = shmem_long_test_some_vector(flags[2], (size_t)pes, which, seen, SHMEM_CMP_EQ, wanted);
    for (size_t i = 0; i < more; i++) {
      seen[which[i]] = 1;
      result += sum(data[2] + which[i] * 8);
    }
    n += more;
  }
  shmem_barrier_all();
  for (int i = 0; i < 3; i++) three[i] = me + 1;
  shmem_long_put(late + 3 * me, three, 3, 0); // FLAGS
  shmem_long_put(late + 40, three, 3, 0); // DATA
  if (me == 0) shmem_long_wait_until_all(late, 3 * (size_t)pes, NULL, SHMEM_CMP_NE, 0);
  printf("%ld\\n", result);
  shmem_finalize();
  return 0;
}
"""


# The flag is taken as it comes.
EXCHANGED = """#include <shmem.h>
static long flag, data[64], from[64], work[4096], result;
int main(void) {
  shmem_init();
  const int next = (shmem_my_pe() + 1) % shmem_n_pes();
  for (int step = 0; step < 3; step++) {
    shmem_long_put(data, from, 64, next); // PUT
    for (int i = 1; i < 4096; i++) work[i] += work[i - 1];
    shmem_quiet();
    shmem_long_p(&flag, 1, next); // FLAG
    while (WAIT) continue;
    for (int i = 0; i < 64; i++) result += data[i];
    shmem_barrier_all();
  }
  shmem_finalize();
  return (int)result;
}
"""

# AGAIN: of another shmem_init.
OPENED_AGAIN = """#include <shmem.h>
static long from[256], mine[256], work[4096], result;
static void compute(void) {
  for (int i = 1; i < 4096; i++) work[i] += work[i - 1];
}
int main(void) {
  shmem_init();
  AGAIN;
  shmem_long_get(mine, from, 256, 0); // GET
  compute();
  result += mine[3]; // LOAD
  shmem_finalize();
  return (int)result;
}
"""

# With the names of OpenSHMEM 1.0, and calls that do nothing.
HEAP = """#include <shmem.h>
#include <stdlib.h>
static long mine[64], work[4096], result;
static void compute(void) {
  for (int i = 1; i < 4096; i++) work[i] += work[i - 1];
}
int main(void) {
  start_pes(0);
  const int next = (_my_pe() + 1) % _num_pes();
  long* x = shmalloc(64 * sizeof *x);
  shmem_long_put(x, mine, 64, next);
  shfree(x);
  long* y = shmemalign(64, 64 * sizeof *y);
  y[3] = _my_pe();
  shmem_barrier_all();
  shmem_long_get(mine, y, 64, next); // GET
  shmem_free(shmem_realloc(shmem_calloc(3, NOTHING), NOTHING));
  start_pes(0);
  compute();
  result += mine[3] + _my_pe(); // LOAD
  return result < 0;
}
"""


class Overlap(OverlapCase):
    def build(self, *words, clang=CLANGS[0]):
        self.do("cc", "-foverlap", *words, "-o", "prog", "-lm", CC=clang)

    def record(self, *words, pes=2):
        return self.do("overlap", "record", "-o", "r", *words, "-n", pes, "./prog")

    def remarks(self):
        """{line: texts} of prog.c."""
        said = {}
        for part in json.loads(self.do("overlap", "report", "--json", "--all", "r").stdout)["files"]:
            for one in part["remarks"]:
                said.setdefault(one["line"], []).append((one["verdict"], one["text"]))
        return said

    def assert_moves(self, source, wait, to, kind):
        expected = f"before the {kind} in prog.c:{line_of(source, to)}:"
        texts = [text for verdict, text in self.remarks().get(line_of(source, wait), []) if verdict == "missed"]
        self.assertTrue(any(expected in text for text in texts), (expected, texts))

    def test_first_conflicts_at_every_level(self):
        self.write("prog.c", CONFLICTS)
        for clang in CLANGS:
            for level in LEVELS if clang == CLANGS[0] else ["-O0", "-O2"]:
                with self.subTest(clang=clang, level=level):
                    self.build(level, "prog.c", clang=clang)
                    self.record()
                    self.assert_moves(CONFLICTS, "PUT", "STORE", "store")
                    self.assert_moves(CONFLICTS, "GET", "LOAD", "load")
                    self.assert_moves(CONFLICTS, "PUTMEM", "MEMCPY", "store")

    def test_long_functions(self):
        """Compile in a time that grows with their length."""
        def seconds(*options):
            begin = sum(os.times()[2:4]) # of children
            self.do("cc", *options, "-O0", "-c", "prog.c", CC=CLANGS[0])
            return sum(os.times()[2:4]) - begin

        statements = "".join(f"  p[{i}] = p[{i * 7919 % 4000}] + count;\n" for i in range(4000))
        self.write("prog.c", f"#include <shmem.h>\nvoid change(long* p, long count) {{\n{statements}}}\n")
        self.assertLess(seconds("-foverlap"), 8 * seconds())

    def test_other_code(self):
        self.write("prog.c", OTHER_CODE)
        self.write("instrumented.c", "void instrumented(long* p) { *p = 1; }\n")
        self.write("foreign.c", "void foreign(void) {}\n")
        self.do("cc", "-O1", "-c", "foreign.c")
        self.build("-O1", "-fno-inline", "prog.c", "instrumented.c", "foreign.o")
        self.record(pes=1)
        found = [line.split() for line in self.do("overlap", "report", "r", "--events").stdout.splitlines()]
        lines = [(words[0], words[-1]) for words in found]
        self.assertIn(("call", f"prog.c:{line_of(OTHER_CODE, 'FOREIGN')}:3"), lines)
        self.assertIn(("end", f"prog.c:{line_of(OTHER_CODE, 'FREE')}:3"), lines)
        self.assertIn(("end", f"prog.c:{line_of(OTHER_CODE, 'END')}:1"), lines)
        self.assertEqual(sum(words[0] == "call" for words in found), 1)

    def test_flags_that_are_exchanged(self):
        for wait in ("!__sync_bool_compare_and_swap(&flag, 1, 0)", "__atomic_exchange_n(&flag, 0, __ATOMIC_ACQ_REL) == 0"):
            with self.subTest(wait):
                self.write("prog.c", EXCHANGED.replace("WAIT", wait))
                self.build("-O1", "prog.c")
                self.record()
                self.assert_moves(EXCHANGED, "PUT", "FLAG", "signal")
                self.record("--accesses")
                self.assertNotIn("Race", self.do("overlap", "report", "r").stdout)
                events = [line.split()[0] for line in self.do("overlap", "report", "r", "--events").stdout.splitlines()]
                self.assertLess(events.count("store"), 100) # a wait is one

    def test_a_run_goes_on_behind_shmem_finalize(self):
        for again in ("shmem_init(); shmem_barrier_all(); shmem_finalize()", "shmem_finalize(); shmem_init()"):
            for option in ([], ["--accesses"]):
                with self.subTest(again, option=option):
                    self.write("prog.c", OPENED_AGAIN.replace("AGAIN", again))
                    self.build("-O1", "prog.c")
                    self.assertNotIn("not recorded their end", self.record(*option).stderr)
                    self.assert_moves(OPENED_AGAIN, "GET", "LOAD", "load")

    def test_routines_of_the_heap(self):
        """Those that give and take something are barriers."""
        for nothing, barriers in (("0", 2 * 4), ("8", 2 * 7)):
            with self.subTest(nothing):
                self.write("prog.c", HEAP.replace("NOTHING", nothing))
                self.build("-O1", "-w", "prog.c")
                self.record("--accesses")
                self.assertNotIn("Race", self.do("overlap", "report", "r").stdout)
                events = [line.split()[0] for line in self.do("overlap", "report", "r", "--events").stdout.splitlines()]
                self.assertEqual(events.count("barrier"), barriers)
                if nothing == "0":
                    self.assert_moves(HEAP, "GET", "LOAD", "load")

    def test_signals_keep_their_quiet(self):
        self.write("prog.c", SIGNALS)
        self.build("-O2", "prog.c")
        self.record()
        self.assert_moves(SIGNALS, "QUIET", "FLAG", "signal")
        self.record("--accesses")
        self.assertNotIn("race", self.do("overlap", "report", "r").stdout.lower())

    def test_what_tells_others_or_is_not_seen_ends_transfers(self):
        self.write("prog.c", TELLING)
        unknown = "code that was not recorded, called"
        for level in ("-O0", "-O2"):
            with self.subTest(level=level):
                self.build(level, "prog.c")
                self.record()
                for wait, to, kind in (("P", "UNSEEN", unknown), ("PUT", "FLAG", "the store"), ("BEFORE", "FILE", unknown),
                                       ("GET", "ASM", unknown), ("FOUND", "SOME", "the store")):
                    said = [text for _, text in self.remarks()[line_of(TELLING, wait)]]
                    self.assertEqual(len(said), 1, said)
                    self.assertIn(f"as late as before {kind} in prog.c:{line_of(TELLING, to)}:", said[0])

    def test_pointers_reach_what_is_under_way(self):
        self.write("prog.c", POINTERS)
        for level in ("-O0", "-O2"):
            with self.subTest(level=level):
                self.build(level, "prog.c")
                self.record()
                self.assert_moves(POINTERS, "PUT", "LOAD", "load")
                self.assert_moves(POINTERS, "GET", "STORE", "store")
                self.assert_moves(POINTERS, "POLLED", "POLL", "load")

    def test_the_end_of_a_poll_is_told_behind_its_load(self):
        """Else a word that comes between the two orders nothing, once in a thousand runs."""
        self.write("prog.c", SIGNALS)
        self.build("-O2", "-S", "-emit-llvm", "prog.c")
        text = (self.folder / "prog").read_text()
        self.assertRegex(text, r"call void @windrow_overlap_poll\(.*\n.*load volatile.*\n\s*(tail )?call void @windrow_overlap_polled\(\)")

    def test_which_barrier_is_meant(self):
        self.write("prog.c", WAYS)
        self.build("-O2", "prog.c")
        self.record("--accesses")
        spare, both = (line_of(WAYS, name) for name in ("SPARE", "BOTH"))
        said = [text for _, text in self.remarks()[line_of(WAYS, "MEET")] if "alone orders" in text]
        self.assertEqual(len(said), 1, said)
        self.assertTrue(said[0].endswith(f" (called in prog.c:{spare}:3)"), said)
        column = WAYS.splitlines()[both - 1].rindex("shmem_barrier_all") + 1
        self.assertIn(f"prog.c:{both}:{column}: this barrier alone orders nothing", self.do("overlap", "report", "r").stdout)

    def test_tabs_in_the_name_of_a_file(self):
        self.write("a\tb.c", SIGNALS)
        self.build("-O1", "a\tb.c")
        self.record()
        self.assertIn(f"a\tb.c:{line_of(SIGNALS, 'QUIET')}:5", self.do("overlap", "plan", "--all", "r").stdout.replace("\\t", "\t"))

    def test_races_with_what_a_call_reads(self):
        """Texts, by functions of the C library and by formats, and arguments that are passed by value in memory."""
        calls = {"strcpy(here, text);": 1, "result = strlen(text);": 1, 'snprintf(here, sizeof here, "%d %*s %.*s|", me, 3, "a", 9, text);': 1,
                 'snprintf(here, sizeof here, "%.2s", text + 40);': 0, 'snprintf(here, sizeof here, "%.2s", text);': 1,
                 "strcpy(text + 20, me ? names[1] : names[0]);": 1, "result = sum(all);": 1}
        for call, races in calls.items():
            self.write("prog.c", TEXTS.replace("CALL", call))
            for level in ("-O0", "-O2"):
                with self.subTest(call, level=level):
                    self.build(level, "prog.c")
                    self.record("--accesses")
                    self.assertEqual("Race" in self.do("overlap", "report", "r").stdout, races > 0)

    def test_races_are_named(self):
        self.write("prog.c", RACY)
        self.build("-O1", "prog.c")
        self.record()
        put, store, load = (line_of(RACY, name) for name in ("PUT", "STORE", "LOAD"))
        races = re.findall(r"Race.*\n  (\w+) by PE (\d), prog\.c:(\d+).*\n  (\w+) by PE (\d), prog\.c:(\d+)", self.do("overlap", "report", "r").stdout)
        self.assertEqual(races, [("put", "0", str(put), "store", "0", str(store))])
        self.record("--accesses")
        text = self.do("overlap", "report", "r").stdout
        self.assertRegex(text, rf"put by PE 0, prog\.c:{put}:.*\n  load by PE 1, prog\.c:{load}:")

    def test_barriers_that_could_be_split(self):
        self.write("prog.c", SPLIT)
        self.build("-O1", "prog.c")
        self.record("--accesses")
        text = self.do("overlap", "report", "r", "--all").stdout
        barrier, put, load, following = (line_of(SPLIT, name) for name in ("BARRIER", "PUT", "LOAD", "NEXT"))
        self.assertRegex(text, rf"prog\.c:{barrier}: this barrier could be split, .*\n  notify after put prog\.c:{put}, wait before load prog\.c:{load}\n")
        self.assertRegex(text, rf"prog\.c:{following}: this barrier could be split, .*\n  notify after load prog\.c:{load}, wait before put prog\.c:{put}\n")
        page = json.loads(self.do("overlap", "report", "r", "--all", "--json").stdout)
        said = [one["text"] for part in page["files"] for one in part["remarks"] if one["line"] == barrier]
        self.assertTrue(any("as late as before the load in" in one for one in said), said)

    def test_races_by_the_memory_model(self):
        """Domains of atomic operations, contexts, buffers of collectives; and what only looks like a race."""
        self.write("prog.c", MODEL)
        self.build("-O1", "prog.c")
        self.record("--accesses")
        text = self.do("overlap", "report", "r").stdout
        sides = re.findall(r" times, on memory.*\n  .*prog\.c:(\d+):.*\n  .*prog\.c:(\d+):", text)
        places = {line_of(MODEL, f"{letter}{side}"): letter for letter in "ABCDEFG" for side in "12"}
        found = sorted("".join(places.get(int(line), f"line {line}") for line in pair) for pair in sides)
        self.assertEqual(found, ["AA", "BB", "CC", "DD", "EE", "FF", "GG"], text)
        self.assertRegex(text, f"Missing shmem_ctx_quiet in front of a barrier.*\\n.*:{line_of(MODEL, 'D1')}:")
        self.assertIn("atomic operations of different types or atomicity domains", text)
        self.assertIn(f"  atomic put by PE 0, prog.c:{line_of(MODEL, 'B1')}:", text)

    def test_invalid_handles(self):
        """Who is not in a team does not meet its members, and a quiet of no context completes nothing."""
        self.write("prog.c", INVALID)
        self.build("-O1", "prog.c")
        self.record("--accesses")
        text = self.do("overlap", "report", "r").stdout
        sides = re.findall(r" times, on memory.*\n  .*prog\.c:(\d+):.*\n  .*prog\.c:(\d+):", text)
        self.assertEqual(sides, [(str(line_of(INVALID, "PUT")), str(line_of(INVALID, "STORE")))], text)
        self.do("overlap", "predict", "r", "--network", "hdr")

    def test_arrays_of_flags(self):
        """All words that are asked for at once are signals."""
        self.write("prog.c", ARRAYS)
        self.build("-O1", "prog.c")
        self.do("overlap", "record", "--accesses", "-o", "r", "-n", 3, "./prog")
        races = re.findall(r" times, on memory.*\n  .*prog\.c:(\d+):.*\n  .*prog\.c:(\d+):", self.do("overlap", "report", "r").stdout)
        data = str(line_of(ARRAYS, "DATA"))
        self.assertEqual(set(races), {(data, data)})  # that of three PEs to one place
        silent = {one["line"] for one in json.loads(self.do("overlap", "plan", "r").stdout)["silent_puts"]}
        self.assertIn(line_of(ARRAYS, "DATA"), silent)
        self.assertNotIn(line_of(ARRAYS, "FLAGS"), silent)

    def test_flags_of_all_types(self):
        """Deprecated types have all waits and tests, too."""
        waits = "".join(f"""  {name}_wait(); {name}_test();
""" for name in ("short", "ushort", "int"))
        tests = "".join(f"""static {kind} {name}_flag[2], {name}_data[2];
static void {name}_wait(void) {{
  const int me = shmem_my_pe();
  if (me == 0) shmem_{name}_p({name}_data, 1, 1), shmem_fence(), shmem_{name}_p({name}_flag, 1, 1);
  if (me == 1) shmem_{name}_wait_until_all({name}_flag, 1, NULL, SHMEM_CMP_EQ, 1), seen += {name}_data[0];
}}
static void {name}_test(void) {{
  const int me = shmem_my_pe();
  if (me == 0) shmem_{name}_p({name}_data + 1, 1, 1), shmem_fence(), shmem_{name}_p({name}_flag + 1, 1, 1);
  while (me == 1 && !shmem_{name}_test_all({name}_flag + 1, 1, NULL, SHMEM_CMP_EQ, 1)) continue;
  if (me == 1) seen += {name}_data[1];
}}
""" for name, kind in (("short", "short"), ("ushort", "unsigned short"), ("int", "int")))
        self.write("prog.c", f"""#include <shmem.h>
long seen;
{tests}int main(void) {{
  shmem_init();
{waits}  shmem_barrier_all();
  shmem_finalize();
}}
""")
        self.build("-O1", "prog.c")
        self.record("--accesses")
        self.assertNotIn("Race", self.do("overlap", "report", "r").stdout)

    def test_old_waits(self):
        """Before C11 a wait has no type in its name."""
        self.write("prog.c", """#include <shmem.h>
static long flag, data;
long seen;
int main(void) {
  start_pes(0);
  const int me = _my_pe();
  if (me == 0) shmem_long_p(&data, 1, 1), shmem_fence(), shmem_long_p(&flag, 1, 1);
  if (me == 1) shmem_wait_until(&flag, _SHMEM_CMP_EQ, 1), seen += data;
  shmem_barrier_all();
}
""")
        self.build("-O1", "-std=gnu99", "prog.c")
        self.record("--accesses")
        self.assertNotIn("Race", self.do("overlap", "report", "r").stdout)

    def test_clocks_and_an_old_swap(self):
        self.write("prog.c", """#define WINDROW_SHMEM_WTIME
#include <shmem.h>
#include <shmemx.h>
static long word, from[64], to[64];
int main(void) {
  shmem_init();
  shmem_long_put(to, from, 64, 1);
  double begin = shmem_wtime() + shmemx_wtime();
  word += shmem_swap(&word, (long)begin, 1);
  shmem_barrier_all();
  shmem_finalize();
}
""")
        self.build("-O1", "-std=gnu99", "prog.c")
        self.record()
        events = self.do("overlap", "report", "r", "--events").stdout
        self.assertNotIn("other code", events)
        self.assertEqual([line.split()[0] for line in events.splitlines()].count("atomic"), 2)

    def test_applications(self):
        """They compute what they compute without the pass, have no races, and reports of them are of all forms."""
        for name in ("halo", "integer_sort", "multigrid"):
            self.do("cc", "-O2", APPS / f"{name}.c", "-o", "plain", "-lm")
            self.build("-O2", APPS / f"{name}.c")
            for pes in (1, 3, 4):
                expected = self.do("run", "-n", pes, "./plain").stdout
                self.assertEqual(self.record(pes=pes).stdout, expected)
                self.assertEqual(self.do("run", "-n", pes, "./prog").stdout, expected)
            self.assertLess((self.folder / "r").stat().st_size, 1 << 20)
            self.record("--accesses", pes=4)
            text = self.do("overlap", "report", "r").stdout
            self.assertNotIn("Race", text)
            self.assertTrue(all(len(line) <= 100 for line in text.splitlines()), text)
            self.do("overlap", "report", "r", "--html", "page.html")
            page = (self.folder / "page.html").read_text(encoding="utf-8")
            self.assertEqual(page.count("<svg"), 1)
            self.assertIn("PE 3", page)
            self.assertIn("shmem_barrier_all();", page)

    def test_applications_by_hand(self):
        """The same as blocking, to the last bit, also where everything comes as late as it may."""
        for name, says, words, modes in (("halo", "heat", (16, 5), ("together", "inside")), ("halo", "heat", (1, 3), ("inside",)),
                                         ("integer_sort", "keys", (2000, 2), ("together",)),
                                         ("multigrid", "residual", (8, 2), ("together", "inside")), ("multigrid", "residual", (1, 2), ("inside",))):
            self.do("cc", "-O2", APPS / f"{name}.c", "-o", "plain", "-lm")
            for pes in (2, 4, 6):
                expected = self.do("run", "-n", pes, "./plain", *words).stdout
                self.assertIn(says, expected)
                for mode in modes:
                    self.assertEqual(self.do("run", "-n", pes, "./plain", *words, mode, WINDROW_ADVERSARY="1").stdout, expected, (name, mode, pes))

    def test_multigrid_by_plan(self):
        """Each is put off that the versions by hand begin together."""
        self.build("-O2", APPS / "multigrid.c")
        self.do("overlap", "record", "-o", "r", "-n", 2, "./prog", 8, 2)
        plan = self.do("overlap", "plan", "r", "--all", "--approve", "all").stdout
        source = (APPS / "multigrid.c").read_text(encoding="ascii")
        get = next(i for i, line in enumerate(source.splitlines(), 1) if "shmem_double_get(" in line)
        self.assertIn(get, [one["site"]["line"] for one in json.loads(plan)["entries"] if one["approved"]])
        self.write("plan.json", plan)
        self.do("cc", "-foverlap-plan=plan.json", "-O2", APPS / "multigrid.c", "-o", "planned", "-lm", CC=CLANGS[0])
        self.assertEqual(self.do("run", "-n", 4, "./planned", 8, 2, WINDROW_ADVERSARY="1").stdout, self.do("run", "-n", 4, "./prog", 8, 2).stdout)
        self.do("overlap", "check", "-n", 2, "./planned", 8, 2)

    def test_programs_of_all_kinds(self):
        """Teams, locks, signals, atomics, active sets, C++: they run as ever, and have no races."""
        for name, words in (("matrix_teams.c", []), ("locked_queue.c", []), ("c11_pi.c", []), ("bucket_sort.c", ["20000"]), ("old_style.c", []),
                            ("cxx_histogram.cpp", [])):
            with self.subTest(name):
                self.do("c++" if name.endswith("cpp") else "cc", "-foverlap", "-O2", "-Wno-deprecated-declarations", APPS.parent / "shmem" / name,
                        "-o", "prog", "-lm", CXX=CLANGS[0].replace("clang-", "clang++-"))
                self.do("overlap", "record", "--accesses", "-o", "r", "-n", 3, "./prog", *words)
                self.assertNotIn("Race", self.do("overlap", "report", "r").stdout)

    def test_templates_that_the_library_uses_too(self):
        """The program's copy of them, with checks, is that of the whole program, the recorder included."""
        self.write("prog.cpp", """#include <shmem.h>
#include <string>
static char from[2000];
int main() {
  shmem_init();
  std::string here(2000, 'x');
  shmem_getmem(here.data(), from, 2000, 0);
  const std::string longer = here + "y";
  here.replace(3, 5, longer);
  shmem_barrier_all();
  shmem_finalize();
  return here.size() == longer.size();
}
""")
        self.do("c++", "-foverlap", "-O1", "prog.cpp", "-o", "prog", CXX=CLANGS[0].replace("clang-", "clang++-"))
        self.record()
        self.assertIn("load", self.do("overlap", "report", "r", "--events").stdout)

    def test_a_pe_that_dies(self):
        self.write("prog.c", "#include <time.h>\n" + CONFLICTS.replace("  free(mine);", "  shmem_barrier_all();\n"
                                               "  struct timespec begin, now;\n  timespec_get(&begin, TIME_UTC);\n"
                                               "  do {\n    compute();\n    shmem_quiet();\n    timespec_get(&now, TIME_UTC);\n"
                                               "  } while (now.tv_sec < begin.tv_sec + 2); // the rest is written each tenth of a second\n"
                                               "  if (shmem_my_pe() == 1) abort();\n  shmem_barrier_all();"))
        self.build("-O1", "prog.c")
        done = self.do("overlap", "record", "-o", "r", "-n", 2, "./prog", code=134)
        self.assertIn("PEs have not recorded their end", done.stderr)
        self.assert_moves("\n" + CONFLICTS, "PUT", "STORE", "store")

    def test_each_command_names_the_next(self):
        self.write("prog.c", CONFLICTS)
        self.build("-O1", "prog.c")
        self.assertIn("next: windrow overlap report r", self.do("overlap", "record", "-o", "r", "-n", 2, "./prog").stderr)
        said = self.do("overlap", "report", "r").stderr
        self.assertIn("windrow overlap record --accesses", said)
        self.assertIn("windrow overlap plan r --approve all > plan.json", said)
        self.do("overlap", "record", "--accesses", "-o", "r", "-n", 2, "./prog")
        self.assertNotIn("--accesses", self.do("overlap", "report", "r").stderr)
        self.assertEqual(self.do("overlap", "report", "--json", "r").stderr, "")

    def test_misuse(self):
        self.write("plain.c", "#include <shmem.h>\nint main(void) { shmem_init(); shmem_finalize(); return 0; }\n")
        self.do("cc", "plain.c", "-o", "prog")
        self.assertIn("./prog has recorded nothing: compile it with windrow cc -foverlap",
                      self.do("overlap", "record", "-n", 1, "./prog", code=1).stderr)
        self.assertFalse((self.folder / "prog.overlap").exists())
        self.assertIn("absent cannot be read: No such file", self.do("overlap", "report", "absent", code=1).stderr)
        self.assertIn("no recording of windrow overlap", self.do("overlap", "report", "plain.c", code=1).stderr)
        self.assertIn("name the program", self.do("overlap", "record", "-n", 1, code=1).stderr)
        self.write("threads.c", "#include <shmem.h>\nint main(void) { int level; shmem_init_thread(SHMEM_THREAD_MULTIPLE, &level);\n"
                                "  shmem_barrier_all(); shmem_finalize(); return 0; }\n")
        self.build("threads.c")
        self.assertIn("lets several of its threads call OpenSHMEM", self.do("overlap", "record", "-n", 1, "./prog", code=1).stderr)
        self.build("plain.c")
        self.assertIn("cannot be written", self.do("run", "-n", 1, "./prog", code=1, WINDROW_OVERLAP_FILE="absent/r").stderr)
        self.assertIn("is a folder", self.do("overlap", "report", ".", code=1).stderr)
        self.write("older", "an older recording")
        self.assertIn("absent", self.do("overlap", "record", "-o", "older", "-n", 1, "./absent", code=127).stderr)
        self.do("overlap", "record", "-o", "older", "-n", 0, "./prog", code=1)
        self.do("cc", "plain.c", "-o", "unchecked")
        self.assertIn("recorded nothing", self.do("overlap", "record", "-o", "older", "-n", 1, "./unchecked", code=1).stderr)
        self.assertEqual((self.folder / "older").read_text(encoding="ascii"), "an older recording")
        full = self.do("overlap", "record", "-o", "/dev/full", "-n", 1, "./prog", code=1).stderr
        self.assertNotIn("compile it with", full)
        self.assertIn("/dev/full cannot be written: nothing is recorded", full)
        full = self.do("run", "-n", 1, "./prog", WINDROW_OVERLAP_FILE="/dev/full").stderr
        self.assertIn("/dev/full cannot be written: No space left on device", full)

    def test_older_recording(self):
        self.write("prog.c", CONFLICTS)
        self.build("-O1", "prog.c")
        self.record()
        newer = (self.folder / "r").stat().st_mtime + 10
        os.utime(self.folder / "prog.c", (newer, newer))
        self.assertIn("prog.c is newer than r", self.do("overlap", "report", "r").stderr)

    # Before, a folder that is closed to the user ended the report.
    def test_sources_that_cannot_be_read(self):
        self.write("prog.c", CONFLICTS)
        self.build("-O1", "prog.c")
        self.record()
        os.rename(self.folder / "prog.c", self.folder / "moved.c")
        (self.folder / "prog.c").symlink_to("prog.c")
        for words in (["--source"], ["--html", "page.html"]):
            done = self.do("overlap", "report", "r", "--all", *words)
            self.assertIn("prog.c cannot be read: its lines cannot be shown", done.stderr)
        page = (self.folder / "page.html").read_text(encoding="utf-8")
        self.assertIn('<div class="missed">', page)

    def test_interrupted(self):
        """What was recorded until then is there, under its name; another recording by the same name disturbs neither."""
        enough = "  for (int i = 0; i < 20000; i++) shmem_barrier_all(); // more than a PE keeps before it writes\n"
        self.write("prog.c", "#include <stdio.h>\n#include <unistd.h>\n" + CONFLICTS.replace("  free(mine);",
                   enough + "  if (other == 0 && shmem_n_pes() > 1) puts(\"running\"), fflush(stdout);\n"
                   "  while (shmem_n_pes() > 1) shmem_barrier_all(), usleep(1000);"))
        self.build("-O1", "prog.c")
        first = subprocess.Popen([WINDROW, "overlap", "record", "-n", "2", "./prog"], cwd=self.folder, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, text=True)
        with first:
            self.assertIn("running", first.stdout.readline())
            self.do("overlap", "record", "-n", 1, "./prog")
            other = (self.folder / "prog.overlap").read_bytes()
            first.send_signal(signal.SIGINT)
            said = first.communicate(timeout=60)[1]
            self.assertEqual(first.returncode, 130)
        self.assertRegex(said, r"prog.overlap: [0-9]+ events of 2 PEs.*2 PEs have not recorded their end")
        self.assertNotEqual(other, (self.folder / "prog.overlap").read_bytes())
        self.assertEqual([file.name for file in self.folder.glob("*.overlap*")], ["prog.overlap"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
