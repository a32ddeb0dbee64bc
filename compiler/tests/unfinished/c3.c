// language
static jmp_buf env;
CASE(goto_out) {
  long s = 0; long i;
#pragma shmem defer
  for (i = 0; i < 50; i++) { for (int j = 0; j < 4; j++) { long v = g(ctx, &tab[i * 4 + j], nb); s = s * 3 + v; if (i == 20 && j == 2) goto end; } }
end:
  return s + i;
}
CASE(goto_back) {
  int r = 0; long s = 0;
again:;
#pragma shmem defer
  for (int i = 0; i < 20; i++) { long v = g(ctx, &tab[i + r], nb); s = s * 3 + v; }
  if (++r < 4) goto again;
  return s;
}
CASE(goto_back_memory) {
  int r = 0;
again:;
#pragma shmem defer
  for (int i = 0; i < 20; i++) { long v = g(ctx, &tab[i + r], nb); out[i] += v; out2[i] = r; }
  out[r] *= 2;
  if (++r < 4) goto again;
  return out[3];
}
CASE(early_return) {
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); out[i] = v; if (i == 30) return out[29]; }
  return 1;
}
CASE(early_return_local) {
  long s = 0;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); s += v; if (i == other_id(30)) return s; }
  return 1;
}
CASE(break_staying) {
  long s = 0; int i;
#pragma shmem defer
  for (i = 0; i < 50; i++) { if (i * i > 700) break; long v = g(ctx, &tab[i], nb); if (i % 7 == 3) continue; s = s * 5 + v; }
  return s + i;
}
CASE(break_fetched) {
  long s = 0; int i;
#pragma shmem defer
  for (i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); s = s * 5 + v; if (v % 11 == 4) break; }
  return s + i;
}
static void jump_var(const char* f, ...) { va_list l; va_start(l, f); int x = va_arg(l, int); va_end(l); if (x > 30) longjmp(env, x); }
static long with_jump(shmem_ctx_t ctx) {
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); out[i] = v; jump_var("x", i); }
  return 2;
}
CASE(longjmp_variadic) { if (setjmp(env) == 0) return with_jump(ctx); return out[31] + out[30] + out[2]; }
static void jump_dep(long v) { if (v % 50 == 7) longjmp(env, (int)(v % 100)); }
static long with_jump_dep(shmem_ctx_t ctx) {
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); out[i] = v; jump_dep(v); }
  return 2;
}
CASE(longjmp_dependent) { int r = setjmp(env); if (r == 0) return with_jump_dep(ctx); return r + out[31] + out[30] + out[2]; }
static int rec_jump(int n, int i) { if (n == 0) { if (i == 25) longjmp(env, 3); return 1; } return rec_jump(n - 1, i) + 1; }
static long with_jump_rec(shmem_ctx_t ctx) {
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); out[i] = v; out2[i] = rec_jump(3, i); }
  return 2;
}
CASE(longjmp_recursive) { int r = setjmp(env); if (r == 0) return with_jump_rec(ctx); return r + out[31] + out[24] + out[2]; }
CASE(vla_before) {
  long n = other_id(40); long v[n];
#pragma shmem defer
  for (int i = 0; i < n; i++) { v[i] = g(ctx, &tab[i], nb); }
  return other_sum(v, n);
}
CASE(vla_scope) {
  long s = 0;
  for (int r = 0; r < 3; r++) {
    long n = other_id(20 + r); long v[n]; for (int i = 0; i < n; i++) v[i] = i;
#pragma shmem defer
    for (int i = 0; i < n; i++) { long x = g(ctx, &tab[i], nb); out[i] += x + v[i]; }
  }
  return s;
}
CASE(vla_inside) {
#pragma shmem defer
  for (int i = 1; i < 20; i++) { long v[i]; for (int j = 0; j < i; j++) v[j] = j; long x = g(ctx, &tab[i], nb); out[i] = x + v[x % i]; }
  return 0;
}
CASE(alloca_before) {
  long* v = (long*)__builtin_alloca(64 * sizeof(long)); memset(v, 0, 512);
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long x = g(ctx, &tab[i], nb); v[x & 31] += x; }
  return other_sum(v, 64);
}
CASE(block_array) {
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long t[4] = {i, i + 1, i * 2, 7}; long x = g(ctx, &tab[i], nb); out[i] = t[x & 3]; t[0] = x; out2[i] = t[i & 1]; }
  return 0;
}
CASE(block_big_array) {
  long t[40];
#pragma shmem defer
  for (int i = 0; i < 50; i++) { for (int j = 0; j < 40; j++) t[j] = i * j; long x = g(ctx, &tab[i], nb); out[i] = t[x % 40]; }
  return 0;
}
CASE(static_local) {
  static long total, calls; total = 0; calls = 0;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { static long last; long x = g(ctx, &tab[i], nb); total += x ^ last; last = i; calls++; }
  return total * 3 + calls;
}
static _Thread_local long tl_sum;
CASE(thread_local_sum) {
  tl_sum = 0;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long x = g(ctx, &tab[i], nb); tl_sum = tl_sum * 3 + x; }
  return tl_sum;
}
union un { long l; int i[2]; double d; char c[8]; };
CASE(union_fields) {
  union un u; u.l = 0; long s = 0;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long x = g(ctx, &tab[i], nb); u.l = x; u.i[1] = i; s = s * 3 + u.l + u.c[2]; }
  return s;
}
CASE(union_memory) {
  union un* u = (union un*)out;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long x = g(ctx, &tab[i], nb); u[i].l = x; u[i].i[1] = i; }
  return 0;
}
struct bits { unsigned x : 5, y : 11, z : 16; int w; };
CASE(bitfield_local) {
  struct bits t = {0, 0, 0, 0};
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); t.x = (unsigned)v & 31; t.y += (unsigned)v & 7; t.w += (int)t.x; }
  return t.x + t.y * 100 + t.w;
}
CASE(bitfield_memory) {
  struct bits* t = (struct bits*)out;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); t[i & 7].x = (unsigned)v & 31; t[i & 7].z += (unsigned)i; }
  return 0;
}
CASE(bitfield_staying_other) {
  struct bits* t = (struct bits*)out;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { t[i].z = (unsigned)i; long v = g(ctx, &tab[i], nb); t[i].x = (unsigned)v & 31; t[i].w = i; }
  return 0;
}
static long rec(shmem_ctx_t ctx, int n) {
  long s = 0;
#pragma shmem defer
  for (int i = 0; i < n; i++) { long v = g(ctx, &tab[i + n], nb); s = s * 3 + v; out[(v + n) % N] += n; }
  return n > 1 ? s + rec(ctx, n - 1) + rec(ctx, n / 2) : s;
}
CASE(recursion) { return rec(ctx, 6); }
static long rec_in(shmem_ctx_t ctx, int n) {
  long s = 0;
#pragma shmem defer
  for (int i = 0; i < n; i++) { long v = g(ctx, &tab[i + n], nb); s = s * 3 + v; if (n > 1) out[i] += rec_in(ctx, n - 1); }
  return s;
}
CASE(recursion_inside) { return rec_in(ctx, 4); }
static long rec_dep(shmem_ctx_t ctx, int n) {
  long s = 0;
#pragma shmem defer
  for (int i = 0; i < n; i++) { long v = g(ctx, &tab[i + n], nb); s = s * 3 + v; if (v & 1) s += rec_dep(ctx, n - 1); }
  return s;
}
CASE(recursion_dependent) { return rec_dep(ctx, 4); }
CASE(long_double_sum) {
  static long double src[8]; for (int i = 0; i < 8; i++) src[i] = 1.25L * i + me * 0; shmem_barrier_all();
  long double s = 0;
#ifndef REORDER
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long double v = shmem_ctx_longdouble_g(ctx, &src[i & 7], nb); s = s * 1.5L + v; if (i & 1) continue; fout[i] = (double)v; }
#endif
  shmem_barrier_all();
  return (long)(s / 1e5L);
}
CASE(small_types) {
  long s = 0; signed char sc = 0; unsigned short us = 0; _Bool bo = 0;
#pragma shmem defer
  for (int i = 0; i < 50; i++) {
    short v = shmem_ctx_short_g(ctx, &stab[i], nb); unsigned char c = shmem_ctx_uchar_g(ctx, &ctab[i], nb);
    sc = (signed char)(sc + v); us = (unsigned short)(us * 3 + c); bo = v & 1; s += v * c + bo; out[(unsigned char)v] += sc;
  }
  return s + sc + us + bo;
}
CASE(float_types) {
  float f = 0; double d = 0;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { float v = shmem_ctx_float_g(ctx, &gtab[i], nb); f += v * 0.3f; d += v; int k = (int)(v * 100); out[k] += 1; }
  fout[0] = f; fout[1] = d; return 0;
}
CASE(int_wrap) {
  unsigned s = 0; int k = 0;
#pragma shmem defer
  for (unsigned i = 0; i < 50; i++) { int v = shmem_ctx_int_g(ctx, &itab[i * 3 & 511], nb); s = s * 2654435761u + (unsigned)v; k ^= v; }
  return (long)s + k;
}
#define DEFER _Pragma("shmem defer")
#define FOR_EACH(i, n) DEFER for (int i = 0; i < (n); i++)
CASE(pragma_macro) { long s = 0; FOR_EACH(i, 50) { long v = g(ctx, &tab[i], nb); s = s * 3 + v; } return s; }
CASE(while_down) { long s = 0; int n = 50;
#pragma shmem defer
  while (n-- > 0) { long v = g(ctx, &tab[n], nb); s = s * 3 + v + n; }
  return s + n; }
CASE(do_while) { long s = 0; int n = 0;
#pragma shmem defer
  do { long v = g(ctx, &tab[n], nb); s = s * 3 + v + n; n += 2; } while (n < 60);
  return s + n; }
CASE(pointer_loop) { long s = 0; long* o = out;
#pragma shmem defer
  for (long* p = tab; p != tab + 60; p += 3) { *o++ = g(ctx, p, nb); s += p - tab; }
  return s + (o - out); }
CASE(switch_fetched) { long s = 0;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); switch (v % 5) { case 0: s += 1; case 1: s *= 3; break; case 2: out[i] = v; break; default: s ^= v; } }
  return s; }
CASE(switch_staying) { long s = 0;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { switch (i % 5) { case 0: s += g(ctx, &tab[i], nb); case 1: s *= 3; break; case 2: out[i] = g(ctx, &tab[i + 1], nb); break; default: s ^= i; } }
  return s; }
CASE(expr_positions) { long s = 0, x = 0, y = 0, k = 0;
#pragma shmem defer
  for (int i = 0; i < 50; i++) {
    out[k++] = g(ctx, &tab[i], nb); x = (y = g(ctx, &tab[i + 1], nb)) + 1; out2[i] += i && g(ctx, &tab[i], nb) % 3 ? x : y;
    s = (s += g(ctx, &b[i], nb), s * 3); if ((x = g(ctx, &b[i], nb)) > 200 || i % 4 == 1) s ^= x; s += i % 3 ? g(ctx, &tab[i], me) : -1;
  }
  return s + x * 3 + y + k; }
CASE(nested_ternary) { long s = 0;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = i % 3 == 0 ? g(ctx, &tab[i], nb) : i % 3 == 1 ? g(ctx, &b[i], nb) : 7; s = s * 3 + v; out[i % 5] += v; }
  return s; }
CASE(fetch_as_argument) { long s = 0;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { out[i] = labs(g(ctx, &tab[i], nb) - 1500); s += mixi(g(ctx, &b[i], nb)); out2[mixi(i)] = s; }
  return s; }
CASE(volatile_local) { volatile long s = 0; long t = 0;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); s = i; t = t * 3 + v; }
  return s + t; }
static volatile long progress;
CASE(volatile_progress) { long t = 0;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); out[i] = v; progress = i; t += v; }
  return t + progress; }
static long twice(long x) { return 2 * x; }
static long (*volatile fp)(long) = twice;
CASE(function_pointer_dep) {
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); out[i] = fp(v); }
  return 0; }
static long log_it(long x) { seen_log[n_seen++ & 63] = out[x & 63] + x; return x; }
static long (*volatile fp2)(long) = log_it;
CASE(function_pointer_staying) {
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); out[i] = v; out2[i] = fp2(i); }
  return 0; }
CASE(function_pointer_behind) {
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); out[i] = v; }
  return fp2(7) + seen_log[0]; }
static int cmp(const void* x, const void* y) { long p = *(const long*)x, q = *(const long*)y; return (p > q) - (p < q); }
CASE(qsort_behind) { long t[50];
#pragma shmem defer
  for (int i = 0; i < 50; i++) { t[i] = g(ctx, &tab[R()], nb); }
  qsort(t, 50, sizeof(long), cmp); return t[0] + t[25] * 3; }
CASE(qsort_rows) {
#pragma shmem defer
  for (int r = 0; r < 8; r++) { for (int i = 0; i < 8; i++) out[r * 8 + i] = g(ctx, &tab[(r * 8 + i) * 5 % N], nb); qsort(out + r * 8, 8, sizeof(long), cmp); }
  return 0; }
struct big { long v[12]; };
static struct big make_big(shmem_ctx_t ctx, struct big x) {
#pragma shmem defer
  for (int i = 0; i < 12; i++) { long v = g(ctx, &tab[i], nb); x.v[i] += v; }
  return x; }
CASE(struct_by_value) { struct big x; for (int i = 0; i < 12; i++) x.v[i] = i; x = make_big(ctx, x); return other_sum(x.v, 12); }
struct pair { long first, second; };
CASE(struct_local) { struct pair best = {-1, -1}, last = {0, 0};
#pragma shmem defer
  for (int i = 0; i < 50; i++) { struct pair p = {g(ctx, &tab[i], nb) % 31, i}; if (p.first > best.first) best = p; last = p; }
  return best.first * 100 + best.second + last.first * 7 + last.second; }
CASE(string_ops) { char buf[64]; long s = 0;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); snprintf(buf, sizeof buf, "%ld:%d", v, i); s += (long)strlen(buf) * (i + 1) + buf[0]; }
  return s; }
CASE(string_staying) { char buf[64]; long s = 0;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); snprintf(buf, sizeof buf, "%d", i * i); s += v * buf[0]; }
  return s; }
CASE(strtok_mixed) { char text[] = "a,bb,ccc,dddd,eeeee,ffffff"; char *t = strtok(text, ","); long s = 0;
#pragma shmem defer
  for (int i = 0; i < 5; i++) { long v = g(ctx, &tab[i], nb); s = s * 3 + v % 7; if (v & 1) { char* u = strtok(NULL, ","); s += u ? (long)strlen(u) : 0; } char* w = strtok(NULL, ","); out[i] = w ? (long)strlen(w) : -1; }
  return s + (t != NULL); }
CASE(rand_mixed) { srand(5); long s = 0;
#pragma shmem defer
  for (int i = 0; i < 20; i++) { long v = g(ctx, &tab[i], nb); if (v & 1) s += rand() % 10; out[i] = rand() % 100; }
  return s; }
CASE(errno_mixed) { errno = 0; long s = 0;
#pragma shmem defer
  for (int i = 0; i < 20; i++) { long v = g(ctx, &tab[i], nb); if (v & 1) errno = (int)(v % 50); s = s * 3 + errno; }
  s += errno; errno = 0; return s; }
CASE(strtol_errno) { char buf[64]; long s = 0; errno = 0;
#pragma shmem defer
  for (int i = 0; i < 20; i++) { long v = g(ctx, &tab[i], nb); snprintf(buf, 64, "%ld%s", v, v & 1 ? "999999999999999999999" : ""); s ^= strtol(buf, NULL, 10); if (errno == ERANGE) { s++; errno = 0; } }
  return s; }
static long pure_liar_calls;
__attribute__((pure)) static long pure_liar(long x) { return x * 3 + out[x & 63]; }
CASE(pure_reader) { pure_liar_calls = 0;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); out[i] = v; out2[i] = pure_liar(i); }
  return 0; }
__attribute__((malloc, noinline)) static long* arena(void) { static long pool[4096]; static int at; at = (at + 8) % 4096; return pool + at; }
CASE(arena_malloc) { long s = 0; 
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long* t = arena(); t[0] = i; long v = g(ctx, &tab[i], nb); t[1] = v; s += t[0] + t[1]; }
  return s; }
CASE(asm_barrier) {
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); out[i] = v; __asm__ volatile("" ::: "memory"); out2[i] = i; }
  return out[4]; }
CASE(atomic_fence) {
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); out[i] = v; __atomic_thread_fence(__ATOMIC_SEQ_CST); }
  return out[4]; }
CASE(atomic_counter) { static long c; c = 0;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); out[i] = v; __atomic_fetch_add(&c, 1, __ATOMIC_RELAXED); }
  return out[4] + c; }
CASE(omp_simd) { long s = 0;
#pragma shmem defer
#pragma omp simd reduction(+ : s)
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); s += v; out[i] = v; }
  return s; }
CASE(omp_parallel) { long s = 0;
#pragma omp parallel num_threads(1) reduction(+ : s)
  {
#pragma shmem defer
    for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); s += v; out[i] = v; }
  }
  return s; }
CASE(omp_master) { long s = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp master
    {
#pragma shmem defer
    for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); s += v; out[i] = v; }
    }
#pragma omp barrier
#pragma omp critical
    { out2[0] += s; }
  }
  return s; }
CASE(omp_parallel_inside) {
#pragma shmem defer
  for (int r = 0; r < 3; r++) {
    for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i + r], nb); out[i] += v; }
#pragma omp parallel for num_threads(2)
    for (int i = 0; i < 50; i++) out2[i] += out[49 - i];
  }
  return 0; }
CASE(compare_swap_loop) {
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = shmem_ctx_long_atomic_compare_swap(ctx, &cnt[i % 7], i / 7, i / 7 + 1, nb); if (v == i / 7) out[i] = 1; else out2[i] = v; }
  return 0; }
CASE(swap_chain) {
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = shmem_ctx_long_atomic_swap(ctx, &cnt[b[i] & 7], i, nb); out[i] = v; }
  return 0; }
CASE(owner_list) {
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long k = shmem_ctx_long_atomic_fetch_inc(ctx, &cnt[0], nb); P(ctx, &dst[k], i * 3, nb); if (k % 2) shmem_ctx_long_atomic_add(ctx, &cnt[1 + k % 4], i, nb); }
  shmem_ctx_quiet(ctx); return 0; }
CASE(owner_then_same_place) {
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long k = g(ctx, &b[i], nb); P(ctx, &dst[i % 6], k, nb); if (i % 10 == 9) P(ctx, &dst[i % 6], -7, nb); }
  shmem_ctx_quiet(ctx); return 0; }
CASE(unannotated_statement) {
#pragma shmem defer
  out[0] = g(ctx, &tab[3], nb) + g(ctx, &tab[4], nb);
  return out[0]; }
CASE(if_statement) {
#pragma shmem defer
  if (g(ctx, &tab[3], nb) > 1000) out[0] = 3; else out[0] = 4;
  return out[0]; }
CASE(atexit_like) { long s = 0;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); out[i] = v; if (i == 40) { s = out[39]; break; } }
  return s; }
CASE(label_inside) { long s = 0;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { int t = 0; retry: s = s * 3 + g(ctx, &tab[i + t], nb); if (++t < 2) goto retry; out[i] = s; }
  return s; }
CASE(many_fetches) { long s = 0;
#pragma shmem defer
  for (int i = 0; i < 40; i++) { long v1 = g(ctx, &tab[i], nb), v2 = g(ctx, &tab[i + 1], nb), v3 = g(ctx, &tab[i + 2], nb), v4 = g(ctx, &tab[i + 3], nb), v5 = g(ctx, &tab[i + 4], nb), v6 = g(ctx, &tab[i + 5], nb); s = s * 3 + v1 + v2 * v3 - v4 * v5 + v6; out[i] = s; }
  return s; }
CASE(self_alias_restrict) { long* restrict o = out; const long* restrict in = tab; long s = 0;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &in[i], nb); o[i] = v; s += v; }
  return s + out[3]; }
static long restrict_param(shmem_ctx_t ctx, long* restrict o) {
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); o[i] = v; }
  long s = o[3]; o[3] = 1; return s + o[4]; }
CASE(restrict_param_case) { return restrict_param(ctx, out); }
static inline __attribute__((always_inline)) long get_checked(shmem_ctx_t ctx, long i) { if (i < 0 || i >= N) abort(); return g(ctx, &tab[i], nb); }
CASE(checked_wrapper) { long s = 0;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = get_checked(ctx, i * 3); s = s * 5 + v; out[i] = get_checked(ctx, v % N); }
  return s; }
