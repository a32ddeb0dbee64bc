// What the compiler does for a function is bounded by a count: many fetches are deferred, and still more are refused with a remark.
// RUN: %cc -O0 -c %s -o /dev/null -DMANY -Rpass=windrow-defer 2>&1 | grep -c "remark: deferred" | grep -x 256
// RUN: %not %cc -O0 -c %s -o /dev/null -Werror 2>&1 | %FileCheck %s
// CHECK: region not deferred: the function is too large, with 1024 fetch(es) and {{[0-9]+}} instructions in this statement
// The same for much code around few fetches.
// RUN: %not %cc -O0 -c %s -o /dev/null -DWIDE -Werror 2>&1 | %FileCheck --check-prefix=WIDE %s
// WIDE: fetch not deferred: the function is too large, with {{[0-9]+}} instructions, conditions and loops around this fetch
// Functions that call each other and return pointers: once for each of them, not for each way through all.
// RUN: %cc -O0 -c %s -o /dev/null -DCALLS -Rpass=windrow-defer 2>&1 | grep -c "fetch not deferred: memory written by deferred code" | grep -x 1
// Fetches on conditions: each is looked at once, not once for each two of them, which took 16 s.
// RUN: (ulimit -t 8 && %cc -O0 -c %s -o /dev/null -DCONDITIONS -Rpass=windrow-defer 2>&1) | grep -c "behind 1 fetch" | grep -x 96
#include <shmem.h>
#include <stdint.h>

#ifdef CONDITIONS
#define ONE \
  if (chosen[at++]) w += shmem_ctx_int64_g(c, &a[i], 1);
#define FOUR ONE ONE ONE ONE
#define SIXTEEN FOUR FOUR FOUR FOUR

int64_t sum(shmem_ctx_t c, const int64_t* a, const int64_t* chosen, int64_t n) {
  int64_t s = 0;
#pragma shmem defer
  for (int64_t i = 0, at = 0; i < n; i++) {
    int64_t w = 0;
    SIXTEEN SIXTEEN SIXTEEN SIXTEEN SIXTEEN SIXTEEN
    s += w;
  }
  shmem_ctx_quiet(c);
  return s;
}
#elif defined CALLS
struct ends {
  int64_t *begin, *end;
};
#define DECLARED(NAME) static int64_t* NAME(struct ends* of, int64_t* p, int64_t d)
#define CALL(NAME, N) if (d % N) p = NAME(of, p, d - N);
#define DEFINED(NAME)                                                                                \
  DECLARED(NAME) {                                                                                   \
    if (d < 0) return p;                                                                             \
    CALL(first, 2) CALL(second, 3) CALL(third, 5) CALL(fourth, 7) CALL(fifth, 11) of->end = p;       \
    return p + 1;                                                                                    \
  }
DECLARED(first);
DECLARED(second);
DECLARED(third);
DECLARED(fourth);
DECLARED(fifth);
DEFINED(first)
DEFINED(second)
DEFINED(third)
DEFINED(fourth)
DEFINED(fifth)

void count(shmem_ctx_t c, const int64_t* a, int64_t* table, int64_t n) {
  struct ends of = {a == table ? 0 : table, 0};
  int64_t* p = first(&of, table, n);
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    *p = i;
    table[shmem_ctx_int64_g(c, &a[i], 1)] += 3;
  }
  shmem_ctx_quiet(c);
}
#else

#define ONE for (int64_t i = 0; i < n; i++) s += shmem_ctx_int64_g(c, &a[i * i], 1);
#define FOUR ONE ONE ONE ONE
#define SIXTEEN FOUR FOUR FOUR FOUR
#define SIXTY_FOUR SIXTEEN SIXTEEN SIXTEEN SIXTEEN
#define HUNDREDS SIXTY_FOUR SIXTY_FOUR SIXTY_FOUR SIXTY_FOUR

#define IF if (v & 1) s += v;
#define IFS IF IF IF IF IF IF IF IF
#define MANY_IFS IFS IFS IFS IFS IFS IFS IFS IFS
#define HUNDREDS_OF_IFS MANY_IFS MANY_IFS MANY_IFS MANY_IFS MANY_IFS MANY_IFS MANY_IFS MANY_IFS

int64_t sum(shmem_ctx_t c, const int64_t* a, int64_t n) {
  int64_t s = 0;
#pragma shmem defer
#ifdef WIDE
  for (int64_t i = 0; i < n; i++) {
    const int64_t v = shmem_ctx_int64_g(c, &a[i * i], 1);
    HUNDREDS_OF_IFS HUNDREDS_OF_IFS HUNDREDS_OF_IFS HUNDREDS_OF_IFS
  }
#else
  {
    HUNDREDS
#ifndef MANY
    HUNDREDS HUNDREDS HUNDREDS
#endif
  }
#endif
  shmem_ctx_quiet(c);
  return s;
}
#endif
