#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""plan_test.py WINDROW CLANG...: what `windrow cc -foverlap-plan` makes of programs, on the transport that does everything as late as it may."""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

from overlap_case import OverlapCase, WINDROW, line_of

CLANGS = sys.argv[2:]

# A line with a name in a comment is found by it. What is needed is printed.
PROGRAM = """#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
static double halo[512], inbox[512], work[4096];
static void fill(double* to, int n, double v) {
  for (int i = 0; i < n; i++)
    to[i] = v + i; // STORE
}
double sum(const double* of, int n) {
  double all = 0;
  for (int i = 0; i < n; i++)
    all += of[i]; // LOAD
  return all;
}
static void compute(void) {
  for (int r = 0; r < 20; r++)
    for (int i = 1; i < 4096; i++) work[i] += 0.5 * work[i - 1];
}
int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), other = (me + 1) % shmem_n_pes();
  double* mine = malloc(sizeof halo);
  double result = 0;
  fill(inbox, 512, me * 1000);
  for (int step = 0; step < 3; step++) {
    fill(mine, 512, me * 10 + step);
    shmem_barrier_all();
    shmem_double_put(halo, mine, 512, other); // PUT
    compute();
    fill(mine, 512, -1);
    compute();
    shmem_double_get(mine, inbox, 512, other); // GET
    compute();
    result += sum(mine, 512);
    mine[1] = 4; // AFTER
    result += sum(mine, 512);
    shmem_quiet(); // QUIET
    compute();
    shmem_barrier_all(); // BARRIER
    result += sum(halo, 512);
    inbox[step] += result;
  }
  free(mine);
  printf("PE %d: %.12g\\n", me, result);
  shmem_finalize();
  return 0;
}
"""

# Transfers are called by code that nobody has compiled with the plan, and used by that code.
CALLBACK = """#include <shmem.h>
#include <stdio.h>
static long from[256], to[256], work[4096];
long foreign(void (*call)(long*), long* to);
static void compute(void) {
  for (int r = 0; r < 20; r++)
    for (int i = 1; i < 4096; i++) work[i] += work[i - 1];
}
void fetch(long* into) {
  shmem_long_get(into, from, 256, (shmem_my_pe() + 1) % shmem_n_pes()); // GET
}
int main(void) {
  shmem_init();
  for (int i = 0; i < 256; i++) from[i] = shmem_my_pe() * 100 + i;
  shmem_barrier_all();
  long result = 0;
  for (int i = 0; i < 3; i++) {
    fetch(to);
    compute();
    result += to[7]; // LOAD
  }
  for (int i = 0; i < 3; i++) result += foreign(fetch, to);
  printf("PE %d: %ld\\n", shmem_my_pe(), result);
  shmem_finalize();
  return 0;
}
"""
FOREIGN = "long foreign(void (*call)(long*), long* to) { to[0] = 0; call(to); return to[0] + to[255]; }\n"

LIVES = """#include <shmem.h>
#include <stdio.h>
#include <string.h>
static long from[256], target[256], work[4096];
struct large { long of[64]; };
static void compute(void) {
  for (int r = 0; r < 20; r++)
    for (int i = 1; i < 4096; i++) work[i] += work[i - 1];
}
__attribute__((noinline)) static void send(struct large copy) {
  shmem_long_put(target, copy.of, 64, (shmem_my_pe() + 1) % shmem_n_pes()); // COPY
  compute();
}
__attribute__((noinline)) static void fetch(int count) {
  for (int i = 0; i < 2; i++) {
    long array[count];
    shmem_long_get(array, from, (size_t)count, (shmem_my_pe() + 1) % shmem_n_pes()); // ARRAY
    compute();
  }
}
__attribute__((noinline)) static long overwrite(int count) {
  volatile long array[count];
  for (int i = 0; i < count; i++) array[i] = i;
  compute();
  return array[count - 1] + array[1];
}
int main(void) {
  shmem_init();
  long result = 0;
  struct large mine;
  for (int i = 0; i < 64; i++) mine.of[i] = i * shmem_my_pe();
  for (int i = 0; i < 3; i++) {
    fetch(200 + i);
    result += overwrite(300);
    send(mine);
    result += overwrite(300);
    shmem_barrier_all();
    result += target[7] + target[63];
    shmem_barrier_all();
  }
  printf("PE %d: %ld\\n", shmem_my_pe(), result);
  shmem_finalize();
  return 0;
}
"""

INLINE = """#pragma once
__attribute__((noinline)) inline long use(const long* of) {
  long all = 0;
  for (int i = 0; i < 256; i++) all = all * 3 + of[i];
  return all;
}
"""
INLINE_PROGRAM = """#include <shmem.h>
#include <cstdio>
#include "both.hpp"
long other(const long* of);
static long from[256], to[256], work[4096];
int main() {
  shmem_init();
  for (int i = 0; i < 256; i++) from[i] = shmem_my_pe() * 100 + i;
  shmem_barrier_all();
  long result = 0;
  for (int i = 0; i < 3; i++) {
    shmem_long_get(to, from, 256, (shmem_my_pe() + 1) % shmem_n_pes()); // GET
    for (int r = 0; r < 20; r++)
      for (int j = 1; j < 4096; j++) work[j] += work[j - 1];
    result += use(to);
    for (int j = 0; j < 256; j++) to[j] = 0;
  }
  std::printf("PE %d: %ld %ld\\n", shmem_my_pe(), result, other(to));
  shmem_finalize();
}
"""

THROWING = """#include <shmem.h>
#include <cstdio>
#include <stdexcept>
#include <vector>
static long from[256], work[4096];
static void compute() {
  for (int r = 0; r < 20; r++)
    for (int i = 1; i < 4096; i++) work[i] += work[i - 1];
}
struct guard {
  std::vector<long>& of;
  long& result;
  ~guard() { result += of[3]; }
};
static long once(bool fails) {
  std::vector<long> here(256);
  long result = 0;
  try {
    guard at_end{here, result};
    shmem_long_get(here.data(), from, 256, (shmem_my_pe() + 1) % shmem_n_pes()); // GET
    compute();
    if (fails) throw std::runtime_error("it");
    result += here[5];
  } catch (const std::exception&) {
    result += here[7];
  }
  return result;
}
int main() {
  shmem_init();
  for (int i = 0; i < 256; i++) from[i] = shmem_my_pe() * 100 + i;
  shmem_barrier_all();
  long result = 0;
  for (int i = 0; i < 6; i++) result += once(i % 2 != 0);
  std::printf("PE %d: %ld\\n", shmem_my_pe(), result);
  shmem_finalize();
}
"""


# Compiled twice.
VERSIONS = """#include <shmem.h>
#include <stdio.h>
static long from[256], mine[256], work[4096];
__attribute__((noinline)) static long once(int step) {
  shmem_long_get(mine, from + step, 64, (shmem_my_pe() + 1) % shmem_n_pes());
  for (int r = 0; r < 20; r++)
    for (int i = 1; i < 4096; i++) work[i] += work[i - 1];
#if VERSION
  mine[3] += 5;
#endif
  return mine[3];
}
long other(void);
#if VERSION
long other(void) { return once(1) + once(2); }
#else
int main(void) {
  shmem_init();
  const long result = once(1) + once(2) + other();
  printf("PE %d: %ld\\n", shmem_my_pe(), result);
  shmem_finalize();
}
#endif
"""

# The optimiser makes one call of two, which has no line.
MERGED = """#include <shmem.h>
#include <stdio.h>
static long from[256], mine[256], work[4096];
__attribute__((noinline)) static void fetch(int step, int other) {
  if (step == 1)
    shmem_long_get(mine, from + 3, 64, other);
  else
    shmem_long_get(mine, from, 64, other);
}
int main(void) {
  shmem_init();
  const int other = (shmem_my_pe() + 1) % shmem_n_pes();
  long result = 0;
  shmem_barrier_all();
  for (int step = 0; step < 4; step++) {
    fetch(step, other);
    for (int r = 0; r < 20; r++)
      for (int i = 1; i < 4096; i++) work[i] += work[i - 1];
    result += mine[3];
  }
  printf("PE %d: %ld\\n", shmem_my_pe(), result);
  shmem_finalize();
  return 0;
}
"""

# With an argument, the put of one word is a flag, by which PE 0 learns that it may change what was fetched.
CONSUMER = """#include <shmem.h>
#include <stdio.h>
static long data[64], flag, other, idle, value, mine[64], work[4096];
static void compute(void) {
  for (int r = 0; r < 20; r++)
    for (int i = 1; i < 4096; i++) work[i] += work[i - 1];
}
__attribute__((noinline)) static void tell(long* where) {
  shmem_long_put(where, &value, 1, 0);
}
int main(int argc, char** argv) {
  shmem_init();
  const int me = shmem_my_pe();
  (void)argv;
  long result = 0;
  for (long step = 1; step < 4; step++) {
    if (me == 0)
      for (int i = 0; i < 64; i++) data[i] = step * 100 + i;
    shmem_barrier_all();
    if (me == 1) {
      shmem_long_get(mine, data, 64, 0); // GET
      value = step;
      tell(argc > 1 ? &flag : &other);
      for (int i = 0; i < 40; i++) { // one or the other happens meanwhile
        compute();
        result += shmem_long_g(&idle, 0);
      }
      shmem_quiet();
      for (int i = 0; i < 64; i++) result += mine[i];
    } else if (me == 0 && argc > 1) {
      HOW
      for (int i = 0; i < 64; i++) data[i] = -1;
    }
    shmem_barrier_all();
  }
  printf("PE %d: %ld\\n", me, result);
  shmem_finalize();
  return 0;
}
"""

# Columns of a plate, whose inside changes while they are under way.
STRIDED = """#include <shmem.h>
#include <stdio.h>
enum { n = 64, w = n + 2 };
static double plate[w * w], told[w * w], work[4096];
static double mine[n];
static void compute(void) {
  for (int r = 0; r < 20; r++)
    for (int i = 1; i < 4096; i++) work[i] += 0.5 * work[i - 1];
}
__attribute__((noinline)) static void inner(double by) {
  for (int i = 1; i <= n; i++)
    for (int j = 2; j < n; j++)
      plate[i * w + j] = plate[i * w + j] * 0.5 + by; // INNER
}
__attribute__((noinline)) static void edges(double by) {
  for (int i = 1; i <= n; i++) {
    plate[i * w + n] += by; // EDGE
    plate[i * w + 1] -= by;
  }
}
__attribute__((noinline)) static double sum(const double* of, int step, int count) {
  double all = 0;
  for (int i = 0; i < count; i++)
    all += of[i * step]; // LOAD
  return all;
}
int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), right = (me + 1) % shmem_n_pes();
  shmem_ctx_t ctx;
  if (shmem_ctx_create(0, &ctx) != 0) shmem_global_exit(1);
  double result = 0;
  inner(me);
  edges(me + 1);
  shmem_barrier_all();
  for (int step = 0; step < 3; step++) {
    shmem_double_iput(told + w, plate + w + n, w, w, n, right); // IPUT
    compute();
    inner(step);
    compute();
    edges(step + 1);
    shmem_barrier_all();
    result += sum(told, 1, w * w);
    shmem_ctx_double_iget(ctx, mine, plate + w + 1, 1, w, n, right); // IGET
    compute();
    result += sum(told, 1, w * w);
    compute();
    result += sum(mine, 1, n);
    shmem_ctx_quiet(ctx);
    shmem_barrier_all();
    shmem_ibput64(told + w + 2, plate + w + 2, 8, w, 3, n / 4, right); // IBPUT
    compute();
    result += sum(plate + 5, w, w); // COLUMN
    compute();
    inner(step + result);
    shmem_barrier_all();
  }
  printf("PE %d: %.12g\\n", me, result);
  shmem_ctx_destroy(ctx);
  shmem_finalize();
  return 0;
}
"""

HEAP_PROGRAM = """#include <shmem.h>
#include <cstdio>
#include <new>
#include <vector>
static long from[256], work[4096];
static int next;
static long result;
__attribute__((noinline)) static void compute() {
  for (int r = 0; r < 8; r++)
    for (int i = 1; i < 4096; i++) work[i] += work[i - 1];
}
struct block {
  long of[64];
};
int main() {
  shmem_init();
  const int me = shmem_my_pe();
  next = (me + 1) % shmem_n_pes();
  for (int i = 0; i < 256; i++) from[i] = me * 1000 + i;
  shmem_barrier_all();
  for (int step = 1; step < 4; step++) {
    block* one = new block;
    shmem_long_get(one->of, from, 64, next); // GET
    compute();
    std::vector<long> other(100, step);
    compute();
    result += other[7];
    delete one;
    shmem_barrier_all();
    compute();
    block *a = new block, *b = new block;
    a->of[0] = b->of[0] = step;
    result += a->of[0] + b->of[0];
    delete a;
    delete b;
  }
  shmem_barrier_all();
  std::printf("PE %d: %ld\\n", me, result);
  shmem_finalize();
}
"""
# Of blocks that malloc has never given: a pool whose free blocks are in a list, and a mapping for each.
HEAPS = ("""#include <cstddef>
#include <new>
static char pool[1 << 20] __attribute__((aligned(4096)));
static std::size_t used;
struct link {
  link* next;
};
static link* list;
void* operator new(std::size_t bytes) {
  if (bytes == 512 && list != nullptr) {
    void* const block = list;
    list = list->next;
    return block;
  }
  void* const block = pool + used;
  used += (bytes + 63) / 64 * 64;
  if (used > sizeof pool) throw std::bad_alloc();
  return block;
}
void operator delete(void*) noexcept {}
void operator delete(void* block, std::size_t bytes) noexcept {
  if (bytes != 512) return;
  auto* const one = static_cast<link*>(block);
  one->next = list;
  list = one;
}
""", """#include <sys/mman.h>
#include <cstddef>
#include <new>
void* operator new(std::size_t bytes) { return mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); }
void operator delete(void*) noexcept {}
void operator delete(void* block, std::size_t bytes) noexcept { munmap(block, bytes); }
""", "")


# The get is complete when it returns, whatever the quiet behind it waits for.
OWED = """#include <shmem.h>
#include <stdio.h>
static long from[256], to[256], mine[256], here[256], work[4096], result;
static void compute(void) {
  for (int r = 0; r < 20; r++)
    for (int i = 1; i < 4096; i++) work[i] += work[i - 1];
}
int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), next = (me + 1) % shmem_n_pes();
  for (int i = 0; i < 256; i++) from[i] = me * 100 + i;
  shmem_barrier_all();
  for (int step = 0; step < 3; step++) {
    shmem_long_put_nbi(to, mine, 256, next);
    shmem_long_get(here, from, 256, next);
    shmem_quiet(); // QUIET
    compute();
    for (int i = 0; i < 256; i++) result += here[i];
    compute();
    mine[step] = step; // STORE
    shmem_barrier_all();
  }
  printf("PE %d: %ld\\n", me, result);
  shmem_finalize();
  return 0;
}
"""

# Handlers of a stream run in the get, and put something themselves.
HANDLERS = """#include <shmem.h>
#include <shmemx.h>
#include <cstdio>
#include <cstring>
#include <span>
#include <windrow/windrow.hpp>
struct item { long value; };
static long from[64], told[64], work[512], wrong;
static void compute() {
  for (int i = 1; i < 512; i++) work[i] += work[i - 1];
}
int main(int count, char**) {
  shmem_init();
  const int me = shmem_my_pe(), next = (me + 1) % shmem_n_pes();
  for (int i = 0; i < 64; i++) from[i] = me * 100 + i + 1;
  {
    windrow::stream<item> items(shmemx_job(), [&](std::span<const item> batch, windrow::pe_t) {
      for (const auto& one : batch) shmem_long_put(&told[one.value % 64], &one.value, 1, me);
    });
    shmem_barrier_all();
    long here[64];
    for (long round = 0; round < (count > 1 ? 20000 : 100); round++) {
      std::memset(here, 0, sizeof here);
      for (long i = 0; i < 20; i++) items.send(next, {round + i});
      shmem_long_get(here, from, 64, next); // GET
      compute();
      for (int i = 0; i < 64; i++) wrong += here[i] != next * 100 + i + 1;
    }
    items.barrier();
  }
  shmem_barrier_all();
  std::printf("PE %d: %ld\\n", me, wrong);
  shmem_finalize();
}
"""

CONTEXTS = """#include <shmem.h>
static long to[256], mine[256], work[4096];
static void compute(void) {
  for (int i = 1; i < 4096; i++) work[i] += work[i - 1];
}
int main(void) {
  shmem_init();
  for (int step = 0; step < 3; step++) {
    shmem_ctx_t context;
    shmem_ctx_create(SHMEM_CTX_PRIVATE, &context);
    shmem_ctx_long_put_nbi(context, to, mine, 256, shmem_my_pe());
    shmem_ctx_quiet(context); // QUIET
    compute();
    mine[0] = step;
    shmem_ctx_long_put_nbi(context, to, mine, 256, shmem_my_pe());
    shmem_ctx_destroy(context); // DESTROY
    compute();
    mine[1] = step;
  }
  shmem_finalize();
  return 0;
}
"""


class Plan(OverlapCase):
    def setUp(self):
        super().setUp()
        self.write("prog.c", PROGRAM)

    def record(self, *words, pes=2, compiler="cc", **environment):
        self.do(compiler, "-foverlap", *words, "-o", "recorded", "-lm", **environment)
        return sorted(self.do("overlap", "record", "-o", "r", "-n", pes, "./recorded").stdout.splitlines())

    def plan(self, *words, code=0):
        return json.loads(self.do("overlap", "plan", "r", "--all", *words, code=code).stdout)

    def entry(self, plan, source, name):
        found = [one for one in plan["entries"] if one["site"]["line"] == line_of(source, name)]
        self.assertEqual(len(found), 1, plan["entries"])
        return found[0]

    def apply(self, plan, *words, compiler="cc", **environment):
        self.write("plan.json", json.dumps(plan))
        return self.do(compiler, "-foverlap-plan=plan.json", *words, "-o", "prog", "-lm", **environment).stderr

    def late(self, pes=2, seed=1, program="./prog", **environment):
        return sorted(self.do("run", "-n", pes, program, WINDROW_ADVERSARY=str(seed), **environment).stdout.splitlines())

    def test_the_approved_plan_changes_no_result(self):
        for clang in CLANGS:
            for level in (["-O0"], ["-O2"], ["-O3", "-g"]) if clang == CLANGS[0] else (["-O2"],):
                with self.subTest(clang=clang, level=level):
                    expected = self.record("-O2", "prog.c", CC=clang)
                    plan = self.plan("--approve", "all")
                    for name in ("PUT", "GET", "QUIET"):
                        self.assertTrue(self.entry(plan, PROGRAM, name)["approved"])
                    self.assertEqual(self.apply(plan, *level, "prog.c", CC=clang), "")
                    for seed in (1, 2):
                        self.assertEqual(self.late(seed=seed), expected)
                    self.assertRegex(self.do("overlap", "check", "-n", 2, "./prog").stderr, r"18 transfers and quiets put off")
        for pes in (1, 3, 4):
            self.assertEqual(self.late(pes=pes), self.late(pes=pes, program="./recorded"))

    def test_hashes_are_the_same_for_all_compilers(self):
        seen = set()
        for clang, words in [(CLANGS[0], ["-O1", "-g"]), (CLANGS[0], ["-O0"]), (CLANGS[0], ["-O3"]), (CLANGS[-1], ["-O2"])]:
            self.record(*words, "prog.c", CC=clang)
            seen.add(self.entry(self.plan(), PROGRAM, "PUT")["site"]["hash"])
        self.assertEqual(len(seen), 1)

    def test_one_place_with_calls_of_several_forms(self):
        """A macro has one: of its calls `g` has no nonblocking form, and stays as it is."""
        self.write("prog.c", """#include <shmem.h>
#include <stdio.h>
static long to[8], from[8];
#define BOTH(pe) do { shmem_long_get(to, from, 8, pe); to[1] += shmem_long_g(from, pe); } while (0)
int main(void) {
  shmem_init();
  from[0] = shmem_my_pe() + 1;
  shmem_barrier_all();
  BOTH((shmem_my_pe() + 1) % shmem_n_pes());
  printf("%ld %ld\\n", to[0], to[1]);
  shmem_finalize();
}
""")
        expected = self.record("-O1", "prog.c")
        plan = json.loads(self.do("overlap", "plan", "r", "--all", "--approve", "all").stdout)
        self.assertTrue(plan["entries"])
        self.assertEqual(self.apply(plan, "-O1", "prog.c"), "")
        self.assertIn("2 transfers and quiets put off", self.do("overlap", "check", "-n", 2, "./prog").stderr)
        self.assertEqual(self.late(), expected)

    def test_nothing_is_done_that_is_not_approved(self):
        expected = self.record("-O2", "prog.c")
        self.apply(self.plan(), "-O2", "prog.c")
        self.assertIn("has put nothing off", self.do("overlap", "check", "-n", 2, "./prog", code=1).stderr)
        get = self.entry(self.plan(), PROGRAM, "GET")["id"]
        self.assertEqual(get, f"prog.c:{line_of(PROGRAM, 'GET')}:5")
        plan = self.plan("--approve", get)
        self.assertEqual([one["id"] for one in plan["entries"] if one["approved"]], [get])
        self.apply(plan, "-O2", "prog.c")
        self.assertIn(": 6 transfers", self.do("overlap", "check", "-n", 2, "./prog").stderr)
        self.assertEqual(self.late(), expected)

    def test_one_access_too_late_is_caught(self):
        """By the check, and where accesses are not checked by the wrong result; where they are, the result is right."""
        expected = self.record("-O1", "-fno-inline", "prog.c")
        plan = self.plan("--approve", f"prog.c:{line_of(PROGRAM, 'GET')}:5")
        later = self.entry(plan, PROGRAM, "QUIET")
        get = self.entry(plan, PROGRAM, "GET")
        load = get["complete"][0]["site"]["line"]
        self.assertEqual(load, line_of(PROGRAM, "LOAD"))
        moved = [{"before": "store", "site": {**later["site"], "line": line_of(PROGRAM, "AFTER"), "column": 13}, "times": 1}]
        right, get["complete"] = get["complete"], moved
        self.apply(plan, "-O1", "prog.c")
        self.assertEqual(self.late(), expected)
        said = self.do("overlap", "check", "-n", 2, "./prog", code=1).stderr
        self.assertRegex(said, rf"the load in \S*prog.c:{load}:\d+ needs the transfer in \S*prog.c:{line_of(PROGRAM, 'GET')}:5 complete")
        self.apply(plan, "-O1", "-fplugin-arg-windrow-without-guards", "prog.c")
        self.assertNotEqual(self.late(), expected)
        get["complete"] = right
        self.apply(plan, "-O1", "-fplugin-arg-windrow-without-guards", "prog.c")
        self.assertEqual(self.late(), expected)

    def test_what_is_over_when_it_returns_is_not_too_early(self):
        self.write("prog.c", OWED)
        expected = self.record("-O1", "prog.c")
        plan = self.plan()
        self.entry(plan, OWED, "QUIET")["approved"] = True
        self.assertEqual(self.apply(plan, "-O1", "prog.c"), "")
        self.assertIn("6 transfers and quiets put off", self.do("overlap", "check", "-n", 2, "./prog").stderr)
        self.assertEqual(self.late(), expected)

    def test_code_that_was_not_compiled_with_the_plan(self):
        self.write("prog.c", CALLBACK)
        self.write("foreign.c", FOREIGN)
        self.do("cc", "-O2", "-c", "foreign.c")
        expected = self.record("-O1", "-fno-inline", "prog.c", "foreign.o")
        plan = self.plan("--approve", "all")
        self.assertTrue(self.entry(plan, CALLBACK, "GET")["approved"])
        for words in (["-O2"], ["-O1", "-fno-inline"], ["-O0"]):
            self.apply(plan, *words, "prog.c", "foreign.o")
            self.assertEqual(self.late(), expected)
            self.assertIn(": 12 transfers", self.do("overlap", "check", "-n", 2, "./prog").stderr)

    def test_a_heap_of_the_program(self):
        """It may be in place of the usual one, which then says nothing of blocks; else what is fetched into a block may come until that is freed."""
        self.write("prog.cpp", HEAP_PROGRAM)
        cxx = {"compiler": "c++", "CXX": CLANGS[0].replace("clang-", "clang++-")}
        for heap in HEAPS:
            self.write("heap.cpp", heap)
            self.do("c++", "-O2", "-c", "heap.cpp", CXX=cxx["CXX"])
            for words in (["-O0"], ["-O2"]) if heap else (["-O2"], ["-O2", "-no-pie"]):
                with self.subTest(heap=heap[:20], words=words):
                    expected = self.record(*words, "prog.cpp", "heap.o", **cxx)
                    plan = self.plan("--approve", "all")
                    if not heap:
                        self.assertEqual({one["before"] for one in self.entry(plan, HEAP_PROGRAM, "GET")["complete"]}, {"end of life"})
                    self.assertEqual(self.apply(plan, *words, "prog.cpp", "heap.o", **cxx), "")
                    for seed in (1, 2):
                        self.assertEqual(self.late(seed=seed), expected)

    def test_ends_of_life(self):
        """Of arrays of variable length and of structures that are passed as copies; nothing else uses them."""
        self.write("prog.c", LIVES)
        expected = self.record("-O1", "prog.c")
        plan = self.plan("--approve", "all")
        for name in ("ARRAY", "COPY"):
            self.assertEqual(self.entry(plan, LIVES, name)["complete"][0]["before"], "end of life")
        for level in ("-O0", "-O2"):
            self.apply(plan, level, "prog.c")
            self.assertEqual(self.late(), expected)

    def test_another_copy_of_an_inline_function(self):
        """The linker takes that of the file which was compiled without the plan."""
        self.write("both.hpp", INLINE)
        self.write("prog.cpp", INLINE_PROGRAM)
        self.write("other.cpp", '#include "both.hpp"\nlong other(const long* of) { return use(of); }\n')
        clangxx = CLANGS[0].replace("clang-", "clang++-")
        self.do("c++", "-O1", "-c", "other.cpp", CXX=clangxx)
        expected = self.record("-O1", "other.o", "prog.cpp", compiler="c++", CXX=clangxx)
        plan = self.plan("--approve", "all")
        get = self.entry(plan, INLINE_PROGRAM, "GET")
        self.assertEqual([one["before"] for one in get["complete"]], ["call into other code"])
        get["complete"] = []
        self.apply(plan, "-O1", "other.o", "prog.cpp", compiler="c++", CXX=clangxx)
        self.assertEqual(self.late(), expected)
        self.assertIn(": 6 transfers", self.do("overlap", "check", "-n", 2, "./prog").stderr)

    def test_exceptions(self):
        self.write("prog.cpp", THROWING)
        clangxx = CLANGS[0].replace("clang-", "clang++-")
        expected = self.record("-O1", "prog.cpp", compiler="c++", CXX=clangxx)
        plan = self.plan("--approve", "all")
        self.assertTrue(self.entry(plan, THROWING, "GET")["approved"])
        for level in ("-O0", "-O2"):
            self.assertEqual(self.apply(plan, level, "prog.cpp", compiler="c++", CXX=clangxx), "")
            self.assertEqual(self.late(), expected)
        self.assertIn(": 12 transfers", self.do("overlap", "check", "-n", 2, "./prog").stderr)

    def test_it_can_be_turned_off(self):
        expected = self.record("-O2", "prog.c")
        self.apply(self.plan("--approve", "all"), "-O2", "prog.c")
        get = f"prog.c:{line_of(PROGRAM, 'GET')}:5"
        self.assertEqual(self.late(WINDROW_OVERLAP="off"), expected)
        for switch, times in ((f"off:{get}", 12), ("on", 18)):
            self.assertIn(f": {times} transfers", self.do("overlap", "check", "-n", 2, "./prog", WINDROW_OVERLAP=switch).stderr)
        self.assertIn("put nothing off", self.do("overlap", "check", "-n", 2, "./prog", code=1, WINDROW_OVERLAP="off").stderr)
        self.assertIn("it must be on, off, or off:ID", self.do("run", "-n", 1, "./prog", code=1, WINDROW_OVERLAP="of").stderr)
        said = self.do("run", "-n", 2, "./prog", WINDROW_OVERLAP="off:prog.c:1:1").stderr
        self.assertIn("WINDROW_OVERLAP turns off prog.c:1:1, and the program has no such entry of a plan", said)
        self.do("overlap", "record", "-o", "again", "-n", 2, "./prog")

    def test_names_of_files(self):
        """Commas in them end no name of an entry; the same file may be named from several folders."""
        for folder in ("d, e", "a", "b"):
            (self.folder / folder).mkdir()
        file = "d, e/my prog,v2.c"
        self.write(file, PROGRAM)
        expected = self.record("-O2", file)
        ids = [f"{file}:{line_of(PROGRAM, name)}:5" for name in ("PUT", "GET")]
        plan = self.plan("--approve", ",".join(ids))
        self.assertEqual({one["id"] for one in plan["entries"] if one["approved"]}, set(ids))
        self.apply(plan, "-O2", file)
        self.assertEqual(self.late(), expected)
        self.assertIn(": 6 transfers", self.do("overlap", "check", "-n", 2, "./prog", WINDROW_OVERLAP=f"off:{ids[0]}").stderr)
        self.assertIn("the plan has no entry d, e/x,y", self.do("overlap", "plan", "r", "--approve", "d, e/x,y", code=1).stderr)
        mapped = ["-O2", f"-ffile-prefix-map={self.folder}=/elsewhere", "-ffile-prefix-map=d, e=d", file]
        self.record(*mapped)
        plan = self.plan("--approve", "all")
        self.assertEqual({one["site"]["file"].split("/")[1] for one in plan["entries"] if one["approved"]}, {"elsewhere"})
        self.assertEqual(self.apply(plan, *mapped), "")
        self.assertIn(": 18 transfers", self.do("overlap", "check", "-n", 2, "./prog").stderr)
        for folder in ("a", "b"):
            for words in (["-foverlap", "../prog.c"], ["-foverlap-plan=plan.json", "../prog.c"]):
                if folder == "b" and words[0] == "-foverlap":
                    continue
                done = subprocess.run([WINDROW, "cc", "-O2", *words, "-o", "prog"], cwd=self.folder / folder, capture_output=True, text=True, check=False)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                if words[0] == "-foverlap":
                    self.do("overlap", "record", "-o", "r", "-n", 2, "a/prog")
                    self.write("b/plan.json", json.dumps(self.plan("--approve", "all")))
                    self.write("a/plan.json", json.dumps(self.plan("--approve", "all")))
            self.assertIn(": 18 transfers", self.do("overlap", "check", "-n", 2, f"{folder}/prog").stderr)

    def test_stale_entries_are_not_applied(self):
        self.record("-O2", "prog.c")
        plan = self.plan("--approve", "all")
        self.write("prog.c", PROGRAM.replace("all += of[i]; // LOAD", "all += 2 * of[i]; // LOAD"))
        said = self.apply(plan, "-O2", "prog.c")
        get = f"prog.c:{line_of(PROGRAM, 'GET')}:5"
        self.assertIn(f"entry {get} of the plan is not carried out: function 'sum' has changed since the run was recorded", said)
        self.write("prog.c", PROGRAM.replace("double result = 0;", "double result  =  0; /* of all */"))
        self.assertEqual(self.apply(plan, "-O2", "prog.c"), "")
        self.write("prog.c", PROGRAM.replace("int main(void)", "static int other_name(void)") + "int main(void) { return other_name(); }\n")
        said = self.apply(plan, "-O2", "prog.c")
        self.assertIn("is not carried out: function 'main' has changed", said)
        self.write("prog.c", PROGRAM)
        absent = json.loads(json.dumps(plan))
        self.entry(absent, PROGRAM, "GET")["site"]["function"] = "absent"
        self.assertRegex(self.apply(absent, "-O2", "prog.c"), rf"entry {get} of the plan is not carried out: there is no function 'absent' in \S*prog.c")
        self.write("other.c", PROGRAM)
        self.assertIn("the plan says nothing of this file", self.apply(plan, "-O2", "other.c"))

    def test_a_file_that_is_compiled_twice_with_other_macros(self):
        self.write("prog.c", VERSIONS)

        def build(option, program):
            said = [self.do("cc", option, "-O1", f"-DVERSION={version}", "-c", "prog.c", "-o", f"{version}.o", CC=CLANGS[0]).stderr
                    for version in (0, 1)]
            self.do("cc", option, "0.o", "1.o", "-o", program, CC=CLANGS[0])
            return said

        build("-foverlap", "recorded")
        self.do("overlap", "record", "-o", "r", "-n", 2, "./recorded")
        self.write("plan.json", json.dumps(self.plan("--all", "--approve", "all")))
        self.assertEqual(build("-foverlap-plan=plan.json", "prog"), ["", ""])
        self.assertIn("8 transfers and quiets put off", self.do("overlap", "check", "-n", 2, "./prog").stderr)
        self.write("prog.c", VERSIONS.replace("+= 5", "+= 7"))
        self.assertIn("function 'once' has changed", build("-foverlap-plan=plan.json", "changed")[1])

    def test_calls_that_the_optimiser_would_merge_keep_their_places(self):
        self.write("prog.c", MERGED)
        self.record("-O2", "prog.c")
        plan = self.plan("--all", "--approve", "all")
        self.assertEqual(sorted((one["site"]["line"], one.get("refused"), one["approved"]) for one in plan["entries"]),
                         [(243 - 237, None, True), (245 - 237, None, True)])
        self.assertEqual(self.apply(plan, "-O2", "prog.c"), "")

    def test_misuse(self):
        self.record("-O2", "prog.c")
        plan = self.plan("--approve", "all")
        self.assertIn("the plan has no entry prog.c:9:9", self.do("overlap", "plan", "r", "--approve", "prog.c:9:9", code=1).stderr)
        self.assertIn("absent cannot be read", self.do("overlap", "plan", "absent", code=1).stderr)

        def refused(change, sentence):
            wrong = json.loads(json.dumps(plan))
            change(wrong)
            self.write("plan.json", json.dumps(wrong))
            self.assertIn(sentence, self.do("cc", "-foverlap-plan=plan.json", "-c", "prog.c", code=1).stderr)

        refused(lambda p: p.update(speed=3), "the plan has the field 'speed', which this compiler does not know")
        refused(lambda p: p["entries"][0].update(skip=1), "an entry has the field 'skip', which this compiler does not know")
        refused(lambda p: p["entries"][0].pop("approved"), "does not say whether it is approved")
        refused(lambda p: p["entries"][0].update(refused="a race"), "cannot be approved: a race")
        refused(lambda p: p["entries"][0].pop("site"), "it has no 'site' where one belongs")
        refused(lambda p: p["entries"][0]["complete"][0].pop("site"), "it has no 'site' where one belongs")
        refused(lambda p: p.update(version=2), "it has version 2, and this compiler reads version 1")
        refused(lambda p: p.update(schema="other"), "it is no plan of windrow overlap")
        refused(lambda p: p["entries"][0]["site"].update(hash="xyz"), "a hash is no number of hexadecimal digits")
        self.write("plan.json", json.dumps(plan)[:100])
        self.assertIn("plan.json is no JSON", self.do("cc", "-foverlap-plan=plan.json", "-c", "prog.c", code=1).stderr)
        self.assertIn("absent cannot be read", self.do("cc", "-foverlap-plan=absent", "-c", "prog.c", code=1).stderr)
        self.assertIn("name one file", self.do("cc", "-foverlap-plan", "-c", "prog.c", code=1).stderr)
        self.assertIn("-foverlap-plan does nothing with -save-temps", self.do("cc", "-foverlap-plan=r", "-save-temps", "-c", "prog.c", code=1).stderr)
        self.assertIn("./recorded has no plan", self.do("overlap", "check", "-n", 2, "./recorded", code=1).stderr)
        self.assertIn("name the program", self.do("overlap", "check", "-n", 1, code=1).stderr)

    def test_what_returns_a_value_is_left_alone(self):
        """By the recording; and by the compiler, whatever the plan says."""
        self.write("prog.c", PROGRAM.replace("    mine[1] = 4; // AFTER", "    mine[1] = shmem_double_g(inbox, other); // G"))
        expected = self.record("-O2", "prog.c")
        plan = self.plan("--approve", "all")
        line = line_of((self.folder / "prog.c").read_text(), "G")
        self.assertNotIn(line, [one["site"]["line"] for one in plan["entries"]])
        self.entry(plan, PROGRAM, "GET")["site"].update(line=line, column=15)
        self.assertIn("is not carried out: shmem_double_g has no nonblocking form", self.apply(plan, "-O2", "prog.c"))
        self.assertEqual(self.late(), expected)

    def test_handlers_that_run_in_a_call(self):
        chosen = {"CXX": CLANGS[0].replace("clang-", "clang++-")}
        self.write("prog.cpp", HANDLERS)
        expected = self.record("-O0", "prog.cpp", compiler="c++", **chosen)
        plan = self.plan()
        self.entry(plan, HANDLERS, "GET")["approved"] = True
        self.assertEqual(self.apply(plan, "-O0", "prog.cpp", compiler="c++", **chosen), "")
        for seed in (1, 2, 3, 4):
            late = self.do("run", "-n", 2, "./prog", "long", WINDROW_ADVERSARY=str(seed)).stdout.splitlines()
            self.assertEqual(sorted(late), expected)

    def test_the_end_of_a_context_stays(self):
        self.write("prog.c", CONTEXTS)
        self.record("-O1", "prog.c")
        plan = self.plan("--approve", "all")
        self.assertEqual([one["site"]["line"] for one in plan["entries"]], [line_of(CONTEXTS, "QUIET")])
        plan["entries"][0]["site"]["line"] = line_of(CONTEXTS, "DESTROY")
        self.assertIn("is not carried out: there is no such call that can be put off", self.apply(plan, "-O1", "prog.c"))

    def test_prediction(self):
        self.record("-O2", "prog.c")
        lines = self.do("overlap", "predict", "r", "--network", "cloud,far.latency=3ms").stdout.splitlines()
        times = [float(line.split()[-2]) for line in lines[1:]]
        self.assertEqual([line.rsplit(None, 2)[0] for line in lines[1:]], ["as it is", "with the plan", "all hidden"])
        self.assertEqual(len({len(line) for line in lines}), 1)
        self.assertGreater(times[0], times[1])
        self.assertGreater(times[1], times[2])
        self.assertIn("'clouds'", self.do("overlap", "predict", "r", "--network", "clouds", code=1).stderr)

    def test_full_disk_and_long_names(self):
        folder = self.folder / ("a_long_name_of_a_folder_" * 4)
        folder.mkdir()
        racy = PROGRAM.replace("    shmem_quiet(); // QUIET", "    shmem_double_put(halo, mine, 256, other);\n    shmem_quiet(); // QUIET")
        (folder / "prog.c").write_text(racy, encoding="ascii")
        self.record("-O2", folder / "prog.c")
        text = self.do("overlap", "report", "r").stdout
        self.assertIn("Race", text)
        self.assertTrue(all(len(line) <= 100 for line in text.splitlines()), text)
        for what in (["plan"], ["report"], ["report", "--json"], ["predict", "--network", "hdr"]):
            with open("/dev/full", "w", encoding="ascii") as full:
                done = subprocess.run([WINDROW, "overlap", what[0], "r", *what[1:]], cwd=self.folder, stdout=full, stderr=subprocess.PIPE, text=True,
                                      check=False)
            self.assertEqual(done.returncode, 1)
            self.assertIn("the output cannot be written: No space left on device", done.stderr)

    def test_a_flag_that_the_recorded_run_does_not_have(self):
        for how in ("shmem_long_wait_until(&flag, SHMEM_CMP_EQ, step);", "while (shmem_long_g(&flag, 0) != step) continue;"):
            self.write("prog.c", CONSUMER.replace("HOW", how))
            self.record("-O1", "prog.c")
            plan = self.plan("--approve", "all")
            self.assertTrue(self.entry(plan, CONSUMER, "GET")["approved"])
            self.assertEqual(self.apply(plan, "-O1", "prog.c"), "")
            expected = sorted(self.do("run", "-n", 2, "./recorded", "1").stdout.splitlines())
            for seed in (1, 2, 3, 4):
                self.assertEqual(sorted(self.do("run", "-n", 2, "./prog", "1", WINDROW_ADVERSARY=str(seed)).stdout.splitlines()), expected)

    def test_strided_transfers(self):
        """What lies between the blocks is other memory: it changes while they are under way."""
        self.write("prog.c", STRIDED)
        for level in ("-O0", "-O2"):
            expected = self.record(level, "prog.c")
            plan = self.plan("--approve", "all")
            for name, place in (("IPUT", "EDGE"), ("IGET", "LOAD"), ("IBPUT", "INNER")):
                found = {(one["before"], one["site"]["line"]) for one in self.entry(plan, STRIDED, name)["complete"]}
                self.assertEqual({line for _, line in found}, {line_of(STRIDED, place)}, (level, name, found))
            self.assertNotIn("Race", self.do("overlap", "report", "r").stdout)
            self.assertEqual(self.apply(plan, level, "prog.c"), "")
            for seed in (1, 2):
                self.assertEqual(self.late(seed=seed), expected)
            self.assertIn(": 18 transfers", self.do("overlap", "check", "-n", 2, "./prog").stderr)
        self.apply(plan, "-O2", "-fplugin-arg-windrow-without-guards", "prog.c")
        self.assertEqual(self.late(), expected)
        for pes in (1, 3):
            self.assertEqual(self.late(pes=pes), self.late(pes=pes, program="./recorded"))

    def saved_by_page(self, *ticked):
        """(name, what the page says, text) of the file that the page's own script saves."""
        script = pathlib.Path(__file__).with_name("page_test.js")
        done = subprocess.run([shutil.which("node"), script, "page.html", *map(str, ticked)], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.split("\n", 2)

    def page(self):
        self.do("overlap", "report", "r", "--all", "--html", "page.html")
        return (self.folder / "page.html").read_text(encoding="utf-8")

    def test_approval_in_the_page(self):
        """The file that it saves is that of `plan --approve`, to the letter."""
        name = "a<b>.c"
        self.write(name, PROGRAM)
        self.record("-O2", name)
        page = self.page()
        embedded = re.findall(r'<script type="application/json" id="plan">(.*?)</script>', page, re.DOTALL)
        self.assertEqual([json.loads(one) for one in embedded], [self.plan()])
        ids = [one["id"] for one in self.plan()["entries"]]
        self.assertEqual(re.findall(r'data-entry="(\d+)"', page), [str(i) for i in range(len(ids))])
        self.assertNotRegex(page, r"https?:|src=|@import|url\(")
        if not shutil.which("node"):
            self.skipTest("there is no node to run the page's script with")
        for ticked, approved in (([], []), ([0], [ids[0]]), ([0, 2], [ids[0], ids[2]]), (["all"], ["all"])):
            file, said, text = self.saved_by_page(*ticked)
            self.assertEqual(file, "plan.json")
            self.assertEqual(said, f"{len(ids) if approved == ['all'] else len(ticked)} of {len(ids)} approved")
            self.assertEqual(text, self.do("overlap", "plan", "r", "--all", *(["--approve", ",".join(approved)] if approved else [])).stdout)

    def test_races_cannot_be_approved(self):
        self.write("prog.c", PROGRAM.replace("    shmem_quiet(); // QUIET", "    shmem_double_put(halo, mine, 256, other);\n    shmem_quiet(); // QUIET"))
        self.record("-O2", "prog.c")
        plan = self.plan("--approve", "all")
        racy = [one for one in plan["entries"] if "refused" in one]
        self.assertTrue(racy and all(one["refused"].startswith("a race") and not one["approved"] for one in racy))
        said = self.do("overlap", "plan", "r", "--all", "--approve", racy[0]["id"], code=1).stderr
        self.assertIn(f"{racy[0]['id']} cannot be approved: a race", said)
        page = self.page()
        numbers = [i for i, one in enumerate(plan["entries"]) if "refused" in one]
        for i in numbers:
            self.assertRegex(page, rf'data-entry="{i}" disabled>.*cannot be approved: a race')
        if shutil.which("node"):
            self.assertEqual(self.saved_by_page(*numbers, "all")[2], self.do("overlap", "plan", "r", "--all", "--approve", "all").stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
