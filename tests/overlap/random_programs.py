# SPDX-License-Identifier: BSD-3-Clause
"""Random SPMD programs with transfers, work and synchronisation, free of races: what a PE puts goes to a part of memory that is its own at
the target, and is read there only behind a barrier or a signal; what is got changes only between barriers."""
import random

SLOTS, WORDS, LOCALS = 4, 64, 4

HEAD = """#include <shmem.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define WORDS 64
static long in[4][8][WORDS], from[WORDS], flags[8], threes[8 * 3], three[3], sent;
static long work[512];
static long buffers[2][WORDS];
static long *b[4], total;
static int me, pes, seed;
__attribute__((noinline)) static void compute(int times) {
  for (int r = 0; r < times; r++)
    for (int i = 1; i < 512; i++) work[i] += work[i - 1] + r;
}
static void change(long* of, int begin, int end, long by) {
  for (int i = begin; i < end; i++) of[i] = of[i] * 3 + by + i;
}
long sum_of(const long* of, int begin, int end) {
  long all = 0;
  for (int i = begin; i < end; i++) all = all * 5 + of[i];
  return all;
}
struct part { long of[4]; };
__attribute__((noinline)) static long sum_of_copy(struct part copy) { return sum_of(copy.of, 0, 4); }
static long sum_of_list(int count, ...) {
  va_list all;
  va_start(all, count);
  long found = 0;
  while (count-- > 0) found = found * 5 + *va_arg(all, long*);
  va_end(all);
  return found;
}
__attribute__((format(printf, 1, 2), noinline)) static long sum_of_text(const char* format, ...) {
  char text[64];
  va_list all;
  va_start(all, format);
  long found = vsnprintf(text, sizeof text, format, all);
  va_end(all);
  for (int i = 0; text[i] != 0; i++) found = found * 5 + text[i];
  return found;
}
static int descending(const void* a, const void* b) {
  const long x = *(const long*)a, y = *(const long*)b;
  return (y > x) - (y < x);
}
__attribute__((noinline)) static long last_of(const long* of, int at) { return of[at] * 3 + at; }
__attribute__((noinline)) static long last_of_own(const long* of, int at) {
  long own[8];
  shmem_long_get(own, from, 8, (me + 1) % pes);
  total += own[0];
  shmem_long_get(own, from + 8, 8, (me + 1) % pes);
  __attribute__((musttail)) return last_of(of, at);
}
static int chance(int step, int of) {
  return (me * 7 + step * 3 + seed) % of == 0;
}
__attribute__((noinline)) void put_by_call(long* to, const long* data, int count, int pe) {
  shmem_long_put(to, data, (size_t)count, pe);
}
__attribute__((noinline)) static void get_by_call(long* to, const long* data, int count, int pe) {
  shmem_getmem(to, data, (size_t)count * sizeof(long), pe);
}
"""

TAIL = """int main(int argc, char** argv) {
  shmem_init();
  me = shmem_my_pe();
  pes = shmem_n_pes();
  seed = argc > 1 ? atoi(argv[1]) : 1;
  b[0] = malloc(sizeof(long) * WORDS);
  b[1] = shmem_malloc(sizeof(long) * WORDS);
  b[2] = buffers[0];
  b[3] = buffers[1];
  for (int i = 0; i < 4; i++) change(memset(b[i], 0, sizeof(long) * WORDS), 0, WORDS, me + i);
  change(from, 0, WORDS, me * 100);
  shmem_barrier_all();
  for (int step = 0; step < 3; step++) {
%s  }
  shmem_barrier_all();
  for (int i = 0; i < 4; i++) total = total * 3 + sum_of(b[i], 0, WORDS);
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < pes; j++) total = total * 3 + sum_of(in[i][j], 0, WORDS);
  printf("PE %%d: %%ld\\n", me, total);
  free(b[0]);
  shmem_finalize();
  return 0;
}
"""


class Writer:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.phases, self.begun = [], []

    def program(self):
        calls = [self.phase(i) for i in range(self.random.randint(2, 4))]
        return HEAD + "".join(self.phases) + TAIL % "".join(f"    {call};\n" for call in calls)

    def part(self, least=1):
        begin = self.random.randint(0, WORDS - least)
        return begin, self.random.randint(least, WORDS - begin)

    def target(self):
        return f"(me + {self.random.randint(0, 3)}) % pes"

    def phase(self, number):
        """A function: transfers, then a barrier or signals, then what has arrived is used."""
        self.begun = []
        body = "".join(self.statement(1) for _ in range(self.random.randint(3, 7)))
        body += self.random.choice([self.barrier, self.barrier, self.signals])()
        kind = self.random.choice(["static void", "__attribute__((noinline)) static void", "void"])
        self.phases.append(f"{kind} phase{number}(int step) {{\n  long here[WORDS];\n  change(memset(here, 0, sizeof here), 0, WORDS, step);\n"
                           f"{body}  total += sum_of(here, 0, WORDS);\n}}\n")
        return f"phase{number}(step)"

    def statement(self, depth):
        choices = [self.put, self.put, self.get, self.get, self.use, self.use, self.compute, self.compute, self.quiet, self.copy]
        if depth < 3:
            choices += [self.condition, self.loop]
        return self.random.choice(choices)(depth)

    def local(self):
        return self.random.choice([f"b[{i}]" for i in range(LOCALS)] + ["here"])

    # Puts are not ordered, so each of a phase has words of its own: a row of the sender's for each, or a quiet behind it.
    def put(self, depth):
        begin, count = self.part()
        if self.random.random() < .25:
            return f"  shmem_long_iput(in[{self.random.randrange(SLOTS)}][me] + {self.strided()}, {self.target()});\n" + self.statement_between(depth) + "  shmem_quiet();\n"
        one = f"in[{self.random.randrange(SLOTS)}][me] + {begin}, {self.local()} + {self.random.randint(0, WORDS - count)}, {count}, {self.target()}"
        text = f"  {self.random.choice(['put_by_call', 'shmem_long_put', 'shmem_long_put'])}({one});\n"
        work = self.statement_between(depth)
        return text + work + "  shmem_quiet();\n"

    # "begin, source, stride, stride, count": every second or third word, say.
    def strided(self, source=None):
        to, at, steps = self.random.randrange(WORDS), self.random.randrange(WORDS), (self.random.randint(1, 3), self.random.randint(1, 3))
        most = min((WORDS - 1 - to) // steps[0], (WORDS - 1 - at) // steps[1]) + 1
        return f"{to}, {source or self.local()} + {at}, {steps[0]}, {steps[1]}, {self.random.randint(1, most)}"

    def statement_between(self, depth):
        return "".join(self.random.choice([self.use, self.compute, self.get, self.copy])(depth) for _ in range(self.random.randint(0, 2)))

    def get(self, _):
        begin, count = self.part()
        to = f"{self.local()} + {self.random.randint(0, WORDS - count)}"
        if self.random.random() < .25:
            return f"  shmem_long_iget({self.local()} + {self.strided('from')}, {self.target()});\n"
        if self.random.random() < .3:
            return f"  get_by_call({to}, from + {begin}, {count}, {self.target()});\n"
        return f"  shmem_long_get({to}, from + {begin}, {count}, {self.target()});\n"

    def use(self, _):
        begin, count = self.part()
        of = self.local()
        four = min(begin, WORDS - 4)
        if self.random.random() < .4:
            return self.random.choice([f"  total += sum_of_copy(*(struct part*)({of} + {four}));\n", f"  total += sum_of_list(2, {of} + {begin}, {of} + {four});\n",
                                       f"  total += sum_of_text(\"%.8s %ld\", (char*)({of} + {begin}), {of}[{four}]);\n",
                                       f"  qsort({of} + {begin}, {count}, sizeof(long), descending);\n", f"  total += memcmp({of} + {begin}, {of}, {count} * sizeof(long)) > 0;\n",
                                       f"  total += last_of_own({of}, {begin});\n", f"  total += snprintf(NULL, 0, \"%.*s\", {count}, (char*)({of} + {begin}));\n"])
        return self.random.choice([f"  total += sum_of({of}, {begin}, {begin + count});\n", f"  change({of}, {begin}, {begin + count}, step);\n",
                                   f"  {of}[{begin}] += total;\n", f"  if ({of}[{begin}] % 3 == 0) total++;\n"])

    def copy(self, _):
        a, b = self.local(), self.local()
        begin, count = self.part()
        return f"  memmove({a} + {self.random.randint(0, WORDS - count)}, {b} + {begin}, {count} * sizeof(long));\n"

    def compute(self, _):
        return f"  compute({self.random.randint(4, 12)});\n"

    def quiet(self, _):
        return self.random.choice(["  shmem_quiet();\n", "  shmem_fence();\n"])

    def condition(self, depth):
        inside = "".join(self.statement(depth + 1) for _ in range(self.random.randint(1, 2)))
        end = self.random.choice(["", "", f"  else {{\n{self.use(depth)}  }}\n"])
        return f"  if (chance(step, {self.random.randint(2, 3)})) {{\n{inside}  }}\n{end}"

    def loop(self, depth):
        inside = "".join(self.statement(depth + 1) for _ in range(self.random.randint(1, 2)))
        return f"  for (int i{depth} = 0; i{depth} < {self.random.randint(1, 3)}; i{depth}++) {{\n{inside}  }}\n"

    def arrived(self):
        return f"  for (int j = 0; j < pes; j++) total = total * 3 + sum_of(in[{self.random.randrange(SLOTS)}][j], 0, WORDS);\n"

    def barrier(self):
        quiet = self.random.choice(["  shmem_barrier_all();\n", "  shmem_quiet();\n  compute(5);\n  shmem_barrier_all();\n",
                                    "  shmem_quiet();\n  compute(5);\n  shmem_sync_all();\n"])
        return quiet + self.arrived() + "  change(from, 0, WORDS, total);\n  compute(3);\n  shmem_barrier_all();\n"

    # To the right neighbour, who waits for the left one.
    def signals(self):
        slot = self.random.randrange(SLOTS)
        value = f"step * 100 + 1 + {len(self.phases)}"
        if self.random.random() < .3:
            tell = f"for (int i = 0; i < 3; i++) three[i] = {value};\n    shmem_long_put(threes + 3 * me, three, 3, to);"
            wait = f"shmem_long_wait_until_all(threes + 3 * left, 3, NULL, SHMEM_CMP_EQ, {value});"
        else:
            tell = self.random.choice(["shmem_long_p(flags + me, VALUE, to);", "shmem_long_atomic_set(flags + me, VALUE, to);"]).replace("VALUE", value)
            wait = f"shmem_long_wait_until(flags + left, SHMEM_CMP_EQ, {value});"
        return ("  shmem_barrier_all();\n  {\n    const int to = (me + 1) % pes, left = (me + pes - 1) % pes;\n"
                f"    shmem_long_put(in[{slot}][me], b[{self.random.randrange(LOCALS)}], WORDS, to);\n    shmem_quiet();\n    compute(6);\n"
                f"    {tell}\n    {wait}\n"
                f"    total += sum_of(in[{slot}][left], 0, WORDS);\n    shmem_barrier_all();\n  }}\n")


def program(seed):
    return Writer(seed).program()
