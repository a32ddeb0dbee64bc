# SPDX-License-Identifier: BSD-3-Clause
"""Legal programs of unusual kinds, for plans: `(name, extension, source)`. Each prints a line for each PE that depends on all that it got,
fetches or sends in a way that a plan can put off, and has work to do meanwhile."""
import pathlib
import platform

C_HEAD = """#include <fcntl.h>
#include <setjmp.h>
#include <shmem.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static long from[256], to[256], mine[256], work[4096], flag, turn, ticket, lock, account[4];
static int me, pes, next, other_input;
__attribute__((noinline)) static void compute(void) {
  for (int r = 0; r < 8; r++)
    for (int i = 1; i < 4096; i++) work[i] += work[i - 1];
}
static long sum(const long* of, int n) {
  long all = 0;
  for (int i = 0; i < n; i++) all = all * 3 + of[i];
  return all;
}
static long result;
"""
C_MAIN = """
int main(int count, char** words) {
  shmem_init();
  other_input = count > 1 && words[1][0] == '1';
  me = shmem_my_pe();
  pes = shmem_n_pes();
  next = (me + 1) % pes;
  for (int i = 0; i < 256; i++) from[i] = me * 1000 + i * i;
  shmem_barrier_all();
  for (int step = 1; step < 4; step++) once(step);
  shmem_barrier_all();
  printf("PE %d: %ld\\n", me, result);
  shmem_finalize();
  return 0;
}
"""

C_PARTS = {
    "volatile_flag": """
static volatile long* const seen = &flag;
static void once(int step) {
  for (int i = 0; i < 256; i++) mine[i] = me + step * i;
  shmem_long_put(to, mine, 256, next);
  compute();
  shmem_quiet();
  compute();
  shmem_long_p(&flag, step, next);
  for (int i = 0; i < 256; i++) mine[i] = -1;
  shmem_quiet();
  while (*seen < step) continue;
  result += sum(to, 256);
  shmem_barrier_all();
}
""",
    "critical_section": """
static void once(int step) {
  long here[4];
  for (int i = 0; i < 3; i++) {
    shmem_set_lock(&lock);
    shmem_long_get(here, account, 4, 0);
    compute();
    for (int j = 0; j < 4; j++) here[j] += step * j + 1;
    shmem_long_put(account, here, 4, 0);
    compute();
    shmem_quiet();
    shmem_clear_lock(&lock);
    here[1] = 99;
  }
  shmem_barrier_all();
  shmem_long_get(here, account, 4, 0);
  compute();
  result += sum(here, 4);
  shmem_barrier_all();
}
""",
    "ticket_lock": """
static void once(int step) {
  const long drawn = shmem_long_atomic_fetch_inc(&ticket, 0);
  while (shmem_long_atomic_fetch(&turn, 0) != drawn) continue;
  long here[4] = {step, 1, 2, 3};
  shmem_getmem(here, account, sizeof here, 0);
  compute();
  here[drawn % 4] = here[drawn % 4] * 2 + 1;
  shmem_putmem(account, here, sizeof here, 0);
  shmem_quiet();
  shmem_long_atomic_set(&turn, drawn + 1, 0);
  shmem_barrier_all();
  shmem_getmem(here, account, sizeof here, 0);
  compute();
  result += sum(here, 4);
  shmem_barrier_all();
}
""",
    # The array's life ends without a return.
    "long_jump": """
static jmp_buf back;
__attribute__((noinline)) static void leave(int step) {
  long here[256];
  shmem_long_get(here, from, 256, next);
  compute();
  if (step != 2) longjmp(back, 1);
  result += sum(here, 256);
}
__attribute__((noinline)) static long spread(int step) {
  long there[300];
  for (int i = 0; i < 300; i++) there[i] = step * i;
  compute();
  return sum(there, 300);
}
static void once(int step) {
  if (setjmp(back) == 0) leave(step);
  result += spread(step);
}
""",
    "library_with_callback": """
static int compare(const void* a, const void* b) {
  const long x = *(const long*)a, y = *(const long*)b;
  return (y > x) - (y < x);
}
static void once(int step) {
  char text[64];
  shmem_long_get(mine, from, 256, next);
  compute();
  qsort(mine, 256, sizeof mine[0], compare);
  result += sum(mine, 200);
  shmem_getmem(text, from + step, 16, next);
  compute();
  result += memchr(text, 0, sizeof text) != NULL;
  shmem_long_get(mine, from, 3, next);
  compute();
  result += snprintf(text, sizeof text, "%ld %ld", mine[1], mine[2]);
  result += text[0];
  shmem_barrier_all();
}
""",
    "memory_that_moves": """
struct block { long of[32]; };
static long of_copy(struct block given) { return sum(given.of, 32); }
static long of_many(int count, ...) {
  va_list all;
  va_start(all, count);
  long found = 0;
  while (count-- > 0) found = found * 5 + *va_arg(all, long*);
  va_end(all);
  return found;
}
static void once(int step) {
  long* moved = malloc(64 * sizeof(long));
  shmem_long_get(moved, from, 64, next);
  compute();
  moved = realloc(moved, (size_t)step * 100000 * sizeof(long));
  result += sum(moved, 64);
  struct block one, two;
  shmem_getmem(&one, from, sizeof one, next);
  compute();
  two = one;
  memset(&one, 0, sizeof one);
  result += of_copy(two) + of_copy(one);
  shmem_long_get(moved, from + step, 8, next);
  compute();
  result += of_many(3, moved + 1, moved + 7, moved);
  free(moved);
  shmem_barrier_all();
}
""",
    # The call itself copies them to the stack.
    "copies_of_arguments": """
struct place { double x, y, z; };
static struct place there[4], got;
__attribute__((noinline)) static double middle(struct place of) { return of.y; }
static double many(int count, ...) {
  va_list all;
  va_start(all, count);
  double found = 0;
  while (count-- > 0) found = found * 3 + va_arg(all, struct place).z;
  va_end(all);
  return found;
}
static void once(int step) {
  double (*volatile other)(struct place) = middle;
  for (int i = 0; i < 4; i++) there[i] = (struct place){me, me * 3 + step + i, step};
  shmem_barrier_all();
  memset(&got, 0, sizeof got);
  shmem_getmem(&got, there + 1, sizeof got, next);
  compute();
  result = result * 31 + (long)middle(got);
  shmem_getmem(&got, there + 2, sizeof got, next);
  compute();
  result = result * 31 + (long)many(2, got, there[0]);
  shmem_getmem(&got, there + 3, sizeof got, next);
  compute();
  result = result * 31 + (long)other(got);
  shmem_barrier_all();
}
""",
    # A put of a whole array follows, which is known to tell nobody; its source is another one than in the recorded run.
    "sent_on": """
static void once(int step) {
  memset(mine, 0, sizeof mine);
  shmem_long_get(mine, from + step, 64, next);
  compute();
  shmem_long_put(to, other_input ? mine : from, 64, next);
  shmem_barrier_all();
  result += sum(mine, 64) + sum(to, 64);
  shmem_barrier_all();
}
""",
    # Code that the dynamic linker calls, and constructors before those that programs may have.
    "early_code": """
static long early[8], *volatile early_at = early;
__attribute__((noinline)) static void set(long by) {
  for (int i = 0; i < 8; i++) early_at[i] += i * by;
}
__attribute__((constructor(50))) static void at_fifty(void) { set(1); }
__attribute__((constructor(0))) static void at_zero(void) { set(10); }
__attribute__((target_clones("avx2", "default"))) long sum_of_clone(const long* of, int n) {
  long all = 0;
  for (int i = 0; i < n; i++) all += of[i] * i;
  return all;
}
static void once(int step) {
  memset(mine, 0, sizeof mine);
  shmem_long_get(mine, from + step, 64, next);
  compute();
  result += sum_of_clone(mine, 64);
  shmem_long_get(early, from + step, 8, next);
  compute();
  set(step);
  result += sum(early, 8);
  shmem_barrier_all();
}
""",
    # Variables of a function whose last call takes its place.
    "tail_calls": """
__attribute__((noinline)) static long last(int step, int by) {
  long here[64];
  for (int i = 0; i < 64; i++) here[i] = step * 13 + i * by;
  compute();
  return sum(here, 64);
}
__attribute__((noinline)) static long first(int step, int by) {
  long here[64];
  for (int i = 0; i < 64; i++) here[i] = me * 100 + step + i;
  shmem_long_put(to, here, 64, next);
  compute();
  __attribute__((musttail)) return last(step, by);
}
__attribute__((noinline)) static long of_any_length(int step, int count) {
  long here[count];
  shmem_long_get(here, from, (size_t)count, next);
  compute();
  __attribute__((musttail)) return last(step, count);
}
static void once(int step) {
  result += first(step, 3) + of_any_length(step, 64 + step);
  shmem_barrier_all();
  result += sum(to, 64);
  shmem_barrier_all();
}
""",
    # A longer store behind a longer load and a shorter store.
    "parts_of_a_word": """
static union {
  int half;
  long whole;
} both;
static long other[4];
__attribute__((noinline)) static long change(char* at) {
  const long before = both.whole;
  both.half = 1;
  const long x = *at;
  both.whole = (before & 0xffffffff) + x + ((x + 77) << 32);
  return before;
}
static void once(int step) {
  both.whole = (long)(me * 100 + step) << 32 | 5;
  other[0] = step;
  shmem_putmem(to, (char*)&both + 4, 4, next);
  compute();
  result += change((char*)other) & 0xff;
  compute();
  shmem_quiet();
  shmem_barrier_all();
  result += sum(to, 1);
  shmem_barrier_all();
}
""",
    # Functions of the file itself that the compiler is told to leave alone.
    "functions_without_checks": """
#define BARE __attribute__((disable_sanitizer_instrumentation, noinline)) static
BARE long load(const long* of) { return *of; }
static void fetch(void) {
  shmem_long_get(mine, from + 5, 64, next);
  compute();
}
BARE long fetch_and_load(void) {
  fetch();
  return mine[7];
}
#ifdef __x86_64__
__attribute__((naked, noinline)) static long load_bare(long* of) { __asm__("movq (%rdi), %rax\\n ret"); }
#else
#define load_bare load
#endif
static void once(int step) {
  memset(mine, 0, sizeof mine);
  shmem_long_get(mine, from + step, 64, next);
  compute();
  result += load(mine + 3);
  shmem_long_get(mine, from + step + 1, 64, next);
  compute();
  result += load_bare(mine + 3);
  memset(mine, 0, sizeof mine);
  result += fetch_and_load();
  shmem_barrier_all();
}
""",
    # A call, and behind it at the same place what uses its result.
    "results_in_memory": """
struct large { long of[10]; };
static struct large fetched(int at) {
  struct large one;
  shmem_getmem(&one, from + at, sizeof one, next);
  compute();
  return one;
}
static void once(int step) {
  static struct large all;
  all = fetched(step + 1);
  result += sum(all.of, 10);
  shmem_barrier_all();
}
""",
    # Routines of OpenSHMEM that move nothing write memory of their callers all the same.
    "results_of_queries": """
static int told[4], there[4];
static char name[64], name_there[64];
static shmem_ctx_t context, context_there;
static void once(int step) {
  for (int i = 0; i < 4; i++) told[i] = step * 100 + me + i;
  shmem_int_put(there, told, 4, next);
  compute();
  shmem_info_get_version(&told[0], &told[1]);
  compute();
  shmem_query_thread(&told[2]);
  snprintf(name, sizeof name, "PE %d in step %d", me, step);
  shmem_putmem(name_there, name, sizeof name, next);
  compute();
  shmem_info_get_name(name);
  shmem_putmem(&context_there, &context, sizeof context, next);
  compute();
  if (shmem_ctx_create(0, &context) != 0) shmem_global_exit(1);
  compute();
  shmem_barrier_all();
  for (int i = 0; i < 4; i++) result = result * 3 + there[i];
  result = result * 3 + name_there[3] + name_there[13] + (context_there == NULL);
  shmem_ctx_destroy(context);
  context = NULL;
  shmem_barrier_all();
}
""",
    # Functions of the C library that use memory which their arguments do not show.
    "memory_of_the_library": """
static char text[64], out[128], names[64], line[64], there[64], buffer[256];
static void fetch(void) {
  shmem_getmem(text, names, sizeof text, next);
  compute();
}
static void send(void) {
  shmem_putmem(there, line, sizeof line, next);
  compute();
}
static void arrived(void) {
  compute();
  shmem_barrier_all();
  for (int i = 0; i < 64; i++) result = result * 5 + there[i];
  shmem_barrier_all();
}
__attribute__((format(printf, 1, 2), noinline)) static void say(const char* format, ...) {
  va_list all;
  va_start(all, format);
  vsnprintf(out, sizeof out, format, all);
  va_end(all);
}
static int compare(const void* a, const void* b) {
  return strcmp(text + *(const int*)a, text + *(const int*)b);
}
static void once(int step) {
  snprintf(names, sizeof names, "PE %d in step %d", me, step);
  shmem_barrier_all();
  fetch();
  say("neighbour: %s", text);
  for (int i = 0; out[i]; i++) result = result * 7 + out[i];
  memset(text, 0, sizeof text);
  fetch();
  const pid_t child = fork();
  if (child == 0) _exit(text[3] & 63);
  int status;
  waitpid(child, &status, 0);
  result = result * 64 + WEXITSTATUS(status);
  int places[3] = {0, 3, 8};
  memset(text, 0, sizeof text);
  fetch();
  qsort(places, 3, sizeof places[0], compare);
  result = result * 8 + places[0];
  snprintf(line, sizeof line, "alpha %d beta %d gamma", step, me);
  char* word = strtok(line, " ");
  line[5] = '_';
  send();
  while ((word = strtok(NULL, " ")) != NULL) result++;
  arrived();
  snprintf(line, sizeof line, "alpha %d beta %d gamma", step, me);
  char* save;
  word = strtok_r(line, " ", &save);
  send();
  while ((word = strtok_r(NULL, " ", &save)) != NULL) result++;
  arrived();
  FILE* stream = fmemopen(line, sizeof line, "w");
  fprintf(stream, "alpha %d beta %d gamma", step, me);
  fflush(stream);
  send();
  rewind(stream);
  fprintf(stream, "next %d %d", step * 7, me);
  fflush(stream);
  compute();
  fclose(stream);
  arrived();
  stream = fopen("/dev/null", "w");
  setvbuf(stream, buffer, _IOFBF, sizeof buffer);
  for (int i = 0; i < 256; i++) buffer[i] = (char)(me + step);
  fputs("first", stream);
  shmem_putmem(there, buffer, 64, next);
  compute();
  for (int i = 0; i < 9; i++) fputs("other", stream);
  compute();
  fclose(stream);
  arrived();
}
""",
    "texts_that_grow": """
static char line[64], more[32], there[64];
static void once(int step) {
  snprintf(line, sizeof line, "PE %d", me);
  snprintf(more, sizeof more, " in step %d", step);
  shmem_putmem(there, line, sizeof line, next);
  compute();
  strcat(line, more);
  compute();
  shmem_barrier_all();
  for (int i = 0; i < 64; i++) result = result * 5 + there[i];
  result += (long)strlen(line);
  shmem_barrier_all();
}
""",
    # PE 1 learns by a file that its data is there.
    "told_by_a_file": """
static int open_file(void) {
  if (me == 0) unlink("told");
  shmem_barrier_all();
  const int file = open("told", O_RDWR | O_CREAT, 0600);
  shmem_barrier_all();
  return file;
}
static void once(int step) {
  static int file;
  if (step == 1) file = open_file();
  char byte = 0;
  for (int i = 0; i < 256; i++) mine[i] = me + step * i;
  if (me == 0) {
    shmem_long_put(to, mine, 256, 1);
    shmem_quiet();
    compute();
    if (write(file, &byte, 1) != 1) shmem_global_exit(1);
    compute();
  } else if (me == 1) {
    while (pread(file, &byte, 1, step - 1) != 1) continue;
    result += sum(to, 256);
  }
  shmem_barrier_all();
}
""",
    "told_by_a_stream": """
static FILE* open_file(void) {
  if (me == 0) unlink("said");
  shmem_barrier_all();
  FILE* const file = fopen("said", "a+");
  shmem_barrier_all();
  return file;
}
static void once(int step) {
  static FILE* file;
  if (step == 1) file = open_file();
  for (int i = 0; i < 256; i++) mine[i] = me + step * i;
  if (me == 0) {
    shmem_long_put(to, mine, 256, 1);
    shmem_quiet();
    compute();
    fputc('x', file);
    fflush(file);
    compute();
  } else if (me == 1) {
    char byte;
    while (pread(fileno(file), &byte, 1, step - 1) != 1) continue;
    result += sum(to, 256);
  }
  shmem_barrier_all();
}
""",
    "contexts_and_teams": """
static void once(int step) {
  shmem_ctx_t a, b;
  shmem_team_t even;
  shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, (pes + 1) / 2, NULL, 0, &even);
  if (even != SHMEM_TEAM_INVALID) {
    shmem_team_create_ctx(even, 0, &a);
    shmem_ctx_long_get(a, mine, from, 256, (shmem_team_my_pe(even) + 1) % shmem_team_n_pes(even));
    compute();
    result += sum(mine, 256);
    shmem_ctx_destroy(a);
    shmem_team_destroy(even);
  }
  shmem_ctx_create(SHMEM_CTX_PRIVATE, &a);
  shmem_team_create_ctx(SHMEM_TEAM_WORLD, 0, &b);
  shmem_ctx_long_get(a, mine, from, 256, next);
  compute();
  shmem_ctx_long_put(b, to, from, 100 + step, next);
  compute();
  shmem_ctx_quiet(a);
  result += sum(mine, 256);
  compute();
  shmem_ctx_quiet(b);
  shmem_barrier_all();
  result += sum(to, 256);
  shmem_ctx_long_iget(b, mine, from + step, 2, 3, 20, next);
  compute();
  shmem_ctx_destroy(b);
  shmem_ctx_destroy(a);
  result += sum(mine, 60);
  shmem_barrier_all();
}
""",
    # By the generic forms of C11, blocks and sizes.
    "strided_types": """
static short small[1000];
static float real[1000];
static long double wide[200], wide_to[200];
static void once(int step) {
  float reals[300] = {0};
  short smalls[400] = {0};
  for (int i = 0; i < 200; i++) small[i * 5] = (short)(real[i * 5] = wide[i] = me * 7 + i * step);
  shmem_barrier_all();
  shmem_iget(reals, real, 3, 5, 90 + (size_t)step, next);
  compute();
  for (int i = 0; i < 300; i++) result += (long)reals[i] * i;
  shmem_iget(smalls, small, 4, 10, 100, next);
  compute();
  for (int i = 0; i < 400; i++) result += smalls[i] * i;
  shmem_longdouble_ibget(wide_to, wide, 4, 5, 3, 20, next);
  compute();
  for (int i = 0; i < 80; i++) result += (long)wide_to[i];
  shmem_iput128(wide_to + 100, wide, 2, 1, 40, next);
  compute();
  shmem_barrier_all();
  for (int i = 0; i < 200; i++) result += (long)wide_to[i];
  shmem_barrier_all();
}
""",
    "nothing_and_oneself": """
static void once(int step) {
  shmem_long_get(mine, from, 0, next);
  compute();
  shmem_long_iput(to, from, 2, 3, 0, next);
  compute();
  shmem_long_iput(to, from, 1, 1, 1, me);
  compute();
  shmem_quiet();
  result += to[0];
  shmem_long_put(to + 1, from + 1, 100, me);
  compute();
  from[5] += step;
  shmem_quiet();
  result += sum(to, 101);
  shmem_long_iget(mine, to, 2, 2, 50, me);
  compute();
  to[3] = step;
  to[4] = step;
  result += sum(mine, 100);
  shmem_barrier_all();
}
""",
}

EXCEPTIONS = """#include <shmem.h>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>
static long from[256], work[4096];
static void compute() {
  for (int r = 0; r < 8; r++)
    for (int i = 1; i < 4096; i++) work[i] += work[i - 1];
}
struct wait_error : std::runtime_error {
  std::vector<long> data;
  explicit wait_error(std::vector<long> of) : std::runtime_error("wait"), data(std::move(of)) {}
};
struct fetched {
  std::vector<long> data;
  long& into;
  fetched(long& result, int pe) : data(64), into(result) { shmem_long_get(data.data(), from, data.size(), pe); }
  ~fetched() { into = into * 7 + data.back(); }
};
static void inner(int step, int pe, long& result) {
  fetched one(result, pe);
  compute();
  if (step % 3 == 0) throw wait_error(one.data);
  one.data.resize(10000 * static_cast<std::size_t>(step), 4);
  if (step % 3 == 1) throw std::string("other");
}
static void outer(int step, int pe, long& result) {
  fetched two(result, pe);
  try {
    inner(step, pe, result);
  } catch (const std::string& text) {
    compute();
    result += static_cast<long>(text.size()) + two.data[3];
    throw std::runtime_error(text);
  }
  auto mover = [data = std::move(two.data)]() mutable { data[1] *= 3; return data[1]; };
  two.data.assign(3, step);
  result += mover();
}
int main() {
  shmem_init();
  const int me = shmem_my_pe(), next = (me + 1) % shmem_n_pes();
  for (int i = 0; i < 256; i++) from[i] = me * 100 + i;
  shmem_barrier_all();
  long result = 0;
  for (int step = 0; step < 9; step++) try {
      outer(step, next, result);
    } catch (const wait_error& problem) {
      result += problem.data[5];
    } catch (const std::exception& problem) {
      result += problem.what()[0];
    }
  std::printf("PE %d: %ld\\n", me, result);
  shmem_finalize();
}
"""

# Destructors fetch into functions further out while an exception is under way, one of which has nothing to clean up.
UNWINDING = """#include <alloca.h>
#include <shmem.h>
#include <cstdio>
static long from[256], work[4096], result;
static int next;
__attribute__((noinline)) static void compute() {
  for (int r = 0; r < 8; r++)
    for (int i = 1; i < 4096; i++) work[i] += work[i - 1];
}
struct refresh {
  long* to;
  ~refresh() {
    shmem_long_get(to, from, 64, next);
    compute();
  }
};
__attribute__((noinline)) static void own(int step) {
  long here[64];
  refresh one{here};
  if (step > 0) throw step;
}
__attribute__((noinline)) static void allocated(int step) {
  refresh one{static_cast<long*>(alloca(64 * sizeof(long)))};
  if (step > 0) throw step;
}
__attribute__((noinline)) static void of_caller(long* there, int step) {
  refresh one{there};
  if (step > 0) throw step;
}
__attribute__((noinline)) static void without_destructors(int step) {
  long there[64] = {step};
  of_caller(there, step);
  result += there[3];
}
__attribute__((noinline)) static long use(int step) {
  long array[300];
  for (int i = 0; i < 300; i++) array[i] = i * step;
  compute();
  long all = 0;
  for (int i = 0; i < 300; i++) all = all * 3 + array[i];
  return all;
}
int main() {
  shmem_init();
  const int me = shmem_my_pe();
  next = (me + 1) % shmem_n_pes();
  for (int i = 0; i < 256; i++) from[i] = me * 1000 + i;
  shmem_barrier_all();
  for (int step = 0; step < 9; step++) {
    try {
      step % 3 == 0 ? own(step) : step % 3 == 1 ? allocated(step) : without_destructors(step);
    } catch (int thrown) {
      result += thrown;
    }
    result += use(step);
  }
  shmem_barrier_all();
  std::printf("PE %d: %ld\\n", me, result);
  shmem_finalize();
}
"""

# Instructions of the processor that touch memory: masked, gathered, unaligned.
VECTORS = "#include <immintrin.h>\n" + C_HEAD + """
__attribute__((target("avx2"))) static long sum_of_lanes(__m256i lanes) {
  long each[4];
  _mm256_storeu_si256((__m256i*)each, lanes);
  return sum(each, 4);
}
static void fetch(int step) {
  memset(mine, 0, sizeof mine);
  shmem_long_get(mine, from + step, 64, next);
  compute();
}
__attribute__((target("avx2"))) static void once(int step) {
  const int places[4] = {-1, 3 - 5, 7 - step, 2};
  fetch(step);
  result += sum_of_lanes(_mm256_i32gather_epi64((const long long*)mine + 5, _mm_loadu_si128((const __m128i*)places), 8));
  fetch(step);
  const long odd = step % 2 ? -1 : 0;
  result += sum_of_lanes(_mm256_maskload_epi64((const long long*)mine, _mm256_setr_epi64x(odd, -1, ~odd, -1)));
  fetch(step);
  result += sum_of_lanes(_mm256_lddqu_si256((const __m256i*)mine));
  for (int i = 0; i < 64; i++) mine[i] = me * 7 + i + step;
  shmem_long_put(to, mine, 64, next);
  compute();
  _mm_maskmoveu_si128(_mm_set1_epi8(9), _mm_set1_epi8(-1), (char*)mine);
  compute();
  _mm256_maskstore_epi64((long long*)mine + 8, _mm256_set1_epi64x(-1), _mm256_set1_epi64x(step));
  compute();
  shmem_barrier_all();
  result += sum(to, 64);
  shmem_barrier_all();
}
""" + C_MAIN

# The optimiser passes the variable itself in place of a copy, unless something stands between.
PASSED = """#include <shmem.h>
#include <cstdio>
struct place {
  double x, y, z;
};
static place own, work[2000];
__attribute__((noinline)) static double norm(place of) { return of.x * of.x + of.y * of.y + of.z * of.z; }
__attribute__((noinline)) static void compute() {
  for (int r = 0; r < 8; r++)
    for (int i = 1; i < 2000; i++) work[i].x += work[i - 1].y + r;
}
int main() {
  shmem_init();
  const int me = shmem_my_pe(), next = (me + 1) % shmem_n_pes();
  own = {1.0 + me, 2.0 * me, 3.0};
  shmem_barrier_all();
  place other{};
  shmem_double_get(&other.x, &own.x, 3, next);
  compute();
  std::printf("PE %d: %g\\n", me, norm(other));
  shmem_finalize();
}
"""

# Another thread computes with what was fetched; only the first one calls the library.
THREADS = C_HEAD + """#include <pthread.h>
static void* use(void* of) {
  result += sum(of, 256);
  return NULL;
}
static void once(int step) {
  static long here[256];
  shmem_long_get(here, from, 256, next);
  compute();
  pthread_t other;
  pthread_create(&other, NULL, use, here);
  pthread_join(other, NULL);
  shmem_long_get(here, from, (size_t)step, next);
  compute();
  pthread_create(&other, NULL, use, here);
  pthread_join(other, NULL);
  shmem_barrier_all();
}
""" + C_MAIN

# These get an argument that the recorded run did not have.
WITH_OTHER_INPUT = {"sent_on"}
# The thread shares the cache lines and pages of what is fetched, and runs before the library does.
EARLY_THREAD = """#include <pthread.h>
#include <shmem.h>
#include <stdatomic.h>
#include <stdio.h>
static atomic_int done;
static long from[256], shared[512]; /* the thread's, then what is fetched */
static void* use(void* of) {
  long* own = of;
  while (!atomic_load_explicit(&done, memory_order_relaxed))
    for (int i = 0; i < 250; i++) own[i]++;
  return NULL;
}
int main(int count, char** words) {
  pthread_t other;
  (void)words;
  pthread_create(&other, NULL, use, shared);
  int given;
  shmem_init_thread(SHMEM_THREAD_FUNNELED, &given);
  const int me = shmem_my_pe(), next = (me + 1) % shmem_n_pes();
  for (int i = 0; i < 256; i++) from[i] = me * 1000 + i;
  shmem_barrier_all();
  long result = 0;
  for (int round = 0; round < (count > 1 ? 5000 : 20); round++) {
    shmem_long_get(shared + 256, from + round % 100, 64, next);
    for (int i = 0; i < 64; i++) result = result * 3 + i;
    for (int i = 0; i < 64; i++) result = result * 3 + shared[256 + i];
  }
  done = 1;
  pthread_join(other, NULL);
  shmem_barrier_all();
  printf("PE %d: %ld\\n", me, result);
  shmem_finalize();
  return 0;
}
"""

# Nobody sees that it begins a thread.
HIDDEN_THREAD = C_HEAD + """#include <pthread.h>
#include <stdatomic.h>
static long boxes[64][512], total;
static atomic_int ready;
static int (*volatile begin_thread)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*) = pthread_create;
static pthread_t other;
static void* use(void* of) {
  for (int i = 1; i < 64; i++) {
    while (ready < i) continue;
    total = total * 3 + sum(boxes[i], 400);
  }
  return of;
}
static void once(int step) {
  if (step == 1) begin_thread(&other, NULL, use, NULL);
  for (int i = step * 21 - 20; i <= step * 21; i++) {
    shmem_long_get(boxes[i], from, 256, next);
    shmem_long_get(boxes[i] + 256, from, 144, next);
    compute();
    ready = i;
  }
  if (step == 3) pthread_join(other, NULL);
  result = total;
  shmem_barrier_all();
}
""" + C_MAIN

PROGRAMS = [(name, "c", C_HEAD + part + C_MAIN) for name, part in C_PARTS.items()]
PROGRAMS += [("exceptions", "cpp", EXCEPTIONS), ("unwinding", "cpp", UNWINDING), ("passed_by_value", "cpp", PASSED), ("threads", "c", THREADS)]
# Their threads begin before anything could be put off.
AS_THEY_ARE = [("early_thread", "c", EARLY_THREAD), ("hidden_thread", "c", HIDDEN_THREAD)]
if platform.machine() == "x86_64" and " avx2 " in pathlib.Path("/proc/cpuinfo").read_text(encoding="ascii"):
    PROGRAMS.append(("vector_instructions", "c", VECTORS))
