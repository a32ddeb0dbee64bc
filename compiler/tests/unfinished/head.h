#include <shmem.h>
#include <shmemx.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#ifdef REORDER
#define SYM __attribute__((section("symmetric")))
#define PARTS(q) for (int q = 0; q < shmem_n_pes(); q++)
#else
#define SYM
#define PARTS(q) for (int q = shmem_my_pe(), once_ = 1; once_; once_ = 0)
#endif
#define N 512
#define OTHER __attribute__((weak, noinline))
SYM long tab[N], a[N], b[N], cnt[N], dst[N], results[2];
SYM int itab[N]; SYM double ftab[N]; SYM unsigned char ctab[N]; SYM short stab[N]; SYM float gtab[N];
#ifdef __cplusplus
#define CASE(name) static long name(shmem_ctx_t ctx)
#else
#define CASE(name) static long name(shmem_ctx_t ctx)
#endif
static int me, np, nb;
static long out[N], out2[N];
static double fout[N];
static shmem_ctx_t ctx2;
static inline long mixi(long i) { return (i * 37 + 11) % N; }
static long seen_log[64]; static int n_seen;
OTHER long other_sum(const long* p, long n) { long s = 0; for (long i = 0; i < n; i++) s = s * 31 + p[i]; return s; }
OTHER void other_nop(void) {}
OTHER long other_id(long x) { return x; }
OTHER void other_set(long* p, long v) { *p = v; }
static void reset(void) {
  PARTS(q) for (long i = 0; i < N; i++) {
    ((long*)shmem_ptr(tab, q))[i] = 1000 * (q + 1) + 7 * i % 97;
    ((long*)shmem_ptr(a, q))[i] = 5 * i + 3;
    ((long*)shmem_ptr(b, q))[i] = (i * 73 + 5) % N;
    ((long*)shmem_ptr(cnt, q))[i] = 0;
    ((long*)shmem_ptr(dst, q))[i] = -1;
    ((int*)shmem_ptr(itab, q))[i] = (int)(i * i % 1009) - 300;
    ((short*)shmem_ptr(stab, q))[i] = (short)(i * 331 % 30011 - 15000);
    ((unsigned char*)shmem_ptr(ctab, q))[i] = (unsigned char)(i * 91 + q);
    ((double*)shmem_ptr(ftab, q))[i] = 1.0 / (1 + i % 13) + 1e9 * (i % 3) - 1e9 * (i % 5);
    ((float*)shmem_ptr(gtab, q))[i] = 1.0f / (float)(1 + i % 13);
  }
  memset(out, 0, sizeof out); memset(out2, 0, sizeof out2); memset(fout, 0, sizeof fout); n_seen = 0; memset(seen_log,0,sizeof seen_log);
}
static long hash_bytes(const void* p, size_t n) { const unsigned char* c = (const unsigned char*)p; unsigned long h = 1469598103934665603ul; for (size_t i = 0; i < n; i++) h = (h ^ c[i]) * 1099511628211ul; return (long)h; }
#define g(ctx, at, pe) shmem_ctx_long_g(ctx, at, pe)
#define P(ctx, at, v, pe) shmem_ctx_long_p(ctx, at, v, pe)
#define R() (i * 7 % N)
