/* Every kind of statement around and behind fetches. Prints one number per shape. */
#include <shmem.h>
#include <stdio.h>
#include <string.h>

#define G(object, pe) shmem_ctx_int64_g(ctx, (object), (int)(pe))

static int64_t exits_before_and_behind(shmem_ctx_t ctx, const int64_t* s, int64_t n) {
  int64_t c = 0, d = 0;
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    if (i > 40) break;
    int64_t v = G(&s[i], 1);
    c = 3 * c + v;
    if (i == 33) break;
    d ^= i;
  }
  shmem_ctx_quiet(ctx);
  return c + d;
}

static int64_t continues(shmem_ctx_t ctx, const int64_t* s, int64_t n) {
  int64_t c = 0;
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    if (i % 3 == 0) continue;
    int64_t v = G(&s[i], 1);
    if (i & 1) continue;
    c += v * i;
  }
  shmem_ctx_quiet(ctx);
  return c;
}

static int64_t switches(shmem_ctx_t ctx, const int64_t* s, int64_t n) {
  int64_t c = 0, i = 0;
#pragma shmem defer
  do {
    int64_t v = G(&s[i], 1);
    switch (v) {
      case 1:
        c += 3;
        break;
      case 2:
        c ^= 9; /* falls through */
      default:
        c -= i;
    }
    c += (v > 3 && c > i) ? v : -v;
  } while (++i < n);
  shmem_ctx_quiet(ctx);
  return c;
}

static int64_t jumps(shmem_ctx_t ctx, const int64_t* s, int64_t n) {
  int64_t c = 0;
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    int64_t v = G(&s[i], 1);
    if (v > 5) goto large;
    c += v;
    goto next;
  large:
    c = 2 * c - v;
  next:;
  }
  shmem_ctx_quiet(ctx);
  return c;
}

/* The frame ends before a quiet. */
static __attribute__((noinline)) void without_quiet(shmem_ctx_t ctx, const int64_t* s, int64_t n, int64_t* out) {
  int64_t c = 0;
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) c = 5 * c + G(&s[i], 1);
  *out = c;
}
static int64_t calls_another(shmem_ctx_t ctx, const int64_t* s, int64_t n) {
  int64_t result = 0;
  without_quiet(ctx, s, n, &result);
  return result;
}

static int64_t inner_loop_only(shmem_ctx_t ctx, const int64_t* s, int64_t n) {
  int64_t c = 0;
  for (int64_t r = 0; r < 10; r++) {
#pragma shmem defer
    for (int64_t i = 0; i < n; i++) c = 3 * c + G(&s[i], r & 3);
  }
  shmem_ctx_quiet(ctx);
  return c;
}

struct entry {
  int64_t a, b;
  double d;
};
static int64_t structures(shmem_ctx_t ctx, const int64_t* s, int64_t n) {
  int64_t c = 0;
  struct entry sum = {1, 2, 0.25};
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    struct entry e = {i, 2 * i, 0.5};
    int64_t v = G(&s[i], 1);
    c += v * e.a + e.b + (int64_t)(e.d * 4);
    sum.a = 3 * sum.a + v;
    sum.d += 0.5;
  }
  shmem_ctx_quiet(ctx);
  return c + sum.a + (int64_t)sum.d;
}

struct twelve {
  int64_t x[12];
};
static __attribute__((noinline)) struct twelve by_value(shmem_ctx_t ctx, const int64_t* s, int64_t n, struct twelve p) {
  struct twelve result = {{0}};
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) result.x[i % 12] = 7 * result.x[i % 12] + G(&s[i], 1) * p.x[i % 12];
  return result;
}
static int64_t passes_structures(shmem_ctx_t ctx, const int64_t* s, int64_t n) {
  const struct twelve p = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}};
  struct twelve r = by_value(ctx, s, n, p);
  int64_t sum = 0;
  for (int i = 0; i < 12; i++) sum = 3 * sum + r.x[i];
  return sum;
}

static int64_t blocks(shmem_ctx_t ctx, const int64_t* s, int64_t n) {
  int64_t c = 0;
  for (int64_t i = 0; i + 1 < n; i++)
#pragma shmem defer
  {
    int64_t v = G(&s[i], 1), w = G(&s[i + 1], 2);
    c += v * w;
  }
  shmem_ctx_quiet(ctx);
  return c;
}

static int64_t global;
static int64_t statics(shmem_ctx_t ctx, const int64_t* s, int64_t n) {
  static int64_t hidden;
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    int64_t v = G(&s[i], 1);
    global += v;
    hidden = 5 * hidden + v;
  }
  shmem_ctx_quiet(ctx);
  return global ^ hidden;
}

static int64_t versions(shmem_ctx_t ctx, const int64_t* s, int64_t n) {
  int64_t c = 0, k = 0;
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    k = i;
    int64_t v = G(&s[i], 1);
    c = 3 * c + v * k;
    k = 2 * i + 1;
    c ^= v + k;
    k++;
    c += k * v;
  }
  shmem_ctx_quiet(ctx);
  return c;
}

static int64_t both_arms(shmem_ctx_t ctx, const int64_t* s, int64_t n) {
  int64_t c = 0, d = 0;
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    if (i & 1) {
      c += G(&s[i], 1);
    } else {
      int64_t v = G(&s[i], 2);
      c = 7 * c - v;
      d ^= v;
    }
  }
  shmem_ctx_quiet(ctx);
  return c + d;
}

/* One loop's sums are read by the next one's deferred code. */
static int64_t loop_after_loop(shmem_ctx_t ctx, const int64_t* s, int64_t n) {
  int64_t c = 0, d = 0;
#pragma shmem defer
  for (int64_t r = 0; r < 3; r++) {
    for (int64_t i = 0; i < n; i++) c += G(&s[i], 1);
    for (int64_t i = 0; i < n; i++) d = 3 * d + c * G(&s[i], 2);
  }
  shmem_ctx_quiet(ctx);
  return c + d;
}

/* The number of rounds, and what they fetch, are fetched. */
static int64_t fetched_bounds(shmem_ctx_t ctx, const int64_t* s, int64_t n) {
  int64_t c = 0;
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    const int64_t begin = G(&s[i], 1), end = begin + G(&s[i], 2);
    for (int64_t j = begin; j < end; j++) {
      const int64_t at = G(&s[j], 3);
      if (at > 2) c = 3 * c + G(&s[at], 0);
    }
  }
  shmem_ctx_quiet(ctx);
  return c;
}

static int64_t kept(shmem_ctx_t ctx, const int64_t* s, int64_t n) {
  int64_t histogram[64] = {0}, few[3] = {1, 2, 3}, c = 0;
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    const int64_t v = G(&s[i], 1);
    histogram[v & 63] += few[i % 3];
  }
  shmem_ctx_quiet(ctx);
  for (int i = 0; i < 64; i++) c += histogram[i] * i;
  return c;
}

static int64_t narrow(shmem_ctx_t ctx, int* words, int64_t n) {
  int64_t c = 0;
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    const int v = shmem_ctx_int_g(ctx, &words[i], 1);
    const unsigned u = shmem_ctx_uint_atomic_fetch_add(ctx, (unsigned*)&words[n + i], 3, 2);
    const float f = shmem_ctx_float_g(ctx, (float*)&words[2 * n + i], 3);
    const short t = shmem_ctx_short_g(ctx, (short*)&words[i], 1);
    c = 3 * c + v - (int64_t)u + (f == 0.0f) + t;
  }
  shmem_ctx_quiet(ctx);
  return c;
}

/* Calls that C11 resolves by type. */
static int64_t generic(shmem_ctx_t ctx, long* s, int64_t n) {
  int64_t c = 0;
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) c = 3 * c + shmem_g(ctx, &s[i], 1) + shmem_atomic_fetch_add(ctx, &s[200 + i], 2L, 3);
  shmem_ctx_quiet(ctx);
  return c;
}

int main(void) {
  enum { entries = 100, used = 60 };
  shmem_ctx_t ctx;
  shmem_init();
  shmem_ctx_create(0, &ctx);
  int64_t* s = shmem_calloc(1000, sizeof *s);
  int* words = shmem_calloc(1000, sizeof *words);
  for (int pe = 0; pe < shmem_n_pes(); pe++)
    for (int i = 0; i < entries; i++) {
      ((int64_t*)shmem_ptr(s, pe))[i] = (i * 7 + pe * 5) % 11;
      ((int*)shmem_ptr(words, pe))[i] = (i * 7 + pe * 5) % 11 - 5;
    }
  static int64_t (*const shapes[])(shmem_ctx_t, const int64_t*, int64_t) = {
      exits_before_and_behind, continues, switches, jumps, calls_another, inner_loop_only, structures, passes_structures,
      blocks, statics, versions, both_arms, loop_after_loop, fetched_bounds, kept};
  for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++) printf("%u: %ld\n", i, (long)shapes[i](ctx, s, used));
  printf("narrow: %ld\n", (long)narrow(ctx, words, 30));
  printf("generic: %ld\n", (long)generic(ctx, (long*)s, used));
  shmem_ctx_destroy(ctx);
  shmem_finalize();
  return 0;
}
