// contexts, flags, memory
struct view { long* p; long n; };
OTHER struct view other_view(long* p, long n) { struct view v = {p, n}; return v; }
static struct view keep, keep2;
struct node { long value; struct node* next; };
CASE(struct_copy_alias) {
  struct view v = {out, 64}, w;
  w = v;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long x = g(ctx, &tab[i], nb); v.p[i % 8] += x; w.p[i % 8] *= 3; }
  shmem_ctx_quiet(ctx); return 0;
}
CASE(struct_copy_global) {
  keep.p = out; keep.n = 64;
  struct view w = keep;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long x = g(ctx, &tab[i], nb); keep.p[i % 8] += x; w.p[i % 8] *= 3; }
  shmem_ctx_quiet(ctx); return 0;
}
CASE(struct_copy_heap) {
  struct view* v = (struct view*)malloc(sizeof *v); v->p = out; v->n = 64;
  struct view w; memcpy(&w, v, sizeof w);
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long x = g(ctx, &tab[i], nb); v->p[i % 8] += x; w.p[i % 8] *= 3; }
  shmem_ctx_quiet(ctx); free(v); return 0;
}
static long by_view(shmem_ctx_t ctx, struct view v, struct view w) {
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long x = g(ctx, &tab[i], nb); v.p[i % 8] += x; out2[i] = i; }
  for (int i = 0; i < 50; i++) w.p[i % 8] ^= i;
  shmem_ctx_quiet(ctx); return 0;
}
CASE(view_param_behind) { struct view v = {out, 3}; return by_view(ctx, v, v); }
CASE(pointer_memcpy_alias) {
  long *p = out, *q; memcpy(&q, &p, sizeof q);
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long x = g(ctx, &tab[i], nb); p[i % 8] += x; q[i % 8] *= 3; }
  shmem_ctx_quiet(ctx); return 0;
}
CASE(union_pointer_alias) {
  union { long* l; char* c; } u; u.l = out; long* p = out;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long x = g(ctx, &tab[i], nb); p[i % 8] += x; u.c[(i % 8) * 8] = 1; }
  shmem_ctx_quiet(ctx); return 0;
}
CASE(pointer_array_alias) {
  long* rows[4]; for (int i = 0; i < 4; i++) rows[i] = out + (i / 2) * 16;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long x = g(ctx, &tab[i], nb); rows[i % 4][3] += x; rows[(i + 1) % 4][3] *= 3; }
  shmem_ctx_quiet(ctx); return 0;
}
CASE(other_view_alias) {
  struct view v = other_view(out, 64); long* p = out;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long x = g(ctx, &tab[i], nb); v.p[i % 8] += x; p[i % 8] *= 3; }
  shmem_ctx_quiet(ctx); return v.n;
}
CASE(other_view_twice) {
  struct view v = other_view(out, 64);
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long x = g(ctx, &tab[i], nb); v.p[i % v.n % 8] += x; v.p[(i + 1) % 8] *= 3; }
  shmem_ctx_quiet(ctx); return v.n;
}
CASE(pointer_int_alias) {
  uintptr_t u = (uintptr_t)out; long* p = out;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long x = g(ctx, &tab[i], nb); p[i % 8] += x; *(long*)(u + 8 * (i % 8)) *= 3; }
  shmem_ctx_quiet(ctx); return 0;
}
CASE(stack_push_pop) {
  long stack[64]; int top = 0;
#pragma shmem defer
  for (int i = 0; i < 60; i++) { long x = g(ctx, &tab[i], nb); stack[top++] = x; if (i % 3 == 2) { top--; out[i] = stack[top]; } }
  shmem_ctx_quiet(ctx); return top;
}
CASE(list_build) {
  struct node pool[50]; struct node* head = NULL;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long x = g(ctx, &tab[i], nb); pool[i].value = x; pool[i].next = head; head = &pool[i]; if (i > 10) head->next->value += 1; }
  shmem_ctx_quiet(ctx); long s = 0; for (struct node* n = head; n; n = n->next) s = s * 3 + n->value; return s;
}
CASE(list_build_dependent) {
  static struct node pool[50]; struct node* head = NULL;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long x = g(ctx, &tab[i], nb); if (x & 1) { pool[i].value = x; pool[i].next = head; head = &pool[i]; } }
  long s = 0; for (struct node* n = head; n; n = n->next) s = s * 3 + n->value; return s;
}
CASE(buckets) {
  struct node pool[50]; struct node* heads[8] = {0};
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long x = g(ctx, &tab[i], nb); struct node* n = &pool[i]; n->value = i; n->next = heads[x & 7]; heads[x & 7] = n; }
  shmem_ctx_quiet(ctx); long s = 0; for (int k = 0; k < 8; k++) for (struct node* n = heads[k]; n; n = n->next) s = s * 3 + n->value; return s;
}
CASE(realloc_staying) {
  long cap = 4, n = 0; long* list = (long*)malloc(4 * sizeof(long));
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long x = g(ctx, &tab[i], nb); if (n == cap) { cap *= 2; list = (long*)realloc(list, (size_t)cap * sizeof(long)); } list[n++] = x; }
  shmem_ctx_quiet(ctx); long s = other_sum(list, n); free(list); return s;
}
CASE(realloc_dependent) {
  long cap = 4, n = 0; long* list = (long*)malloc(4 * sizeof(long));
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long x = g(ctx, &tab[i], nb); if (x & 1) { if (n == cap) { cap *= 2; list = (long*)realloc(list, (size_t)cap * sizeof(long)); } list[n++] = x; } }
  long s = other_sum(list, n); free(list); return s;
}
CASE(malloc_each_round) {
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long* t = (long*)malloc(16); t[0] = i; t[1] = i * i; long x = g(ctx, &tab[i], nb); out[i] = x + t[x & 1]; free(t); }
  shmem_ctx_quiet(ctx); return 0;
}
CASE(malloc_kept) {
  long* rows[50];
#pragma shmem defer
  for (int i = 0; i < 50; i++) { rows[i] = (long*)malloc(16); rows[i][0] = i; long x = g(ctx, &tab[i], nb); rows[i][1] = x; }
  long s = 0; for (int i = 0; i < 50; i++) { s = s * 3 + rows[i][0] + rows[i][1]; free(rows[i]); } return s;
}
CASE(free_behind) {
  long* t = (long*)malloc(64 * sizeof(long));
#pragma shmem defer
  for (int i = 0; i < 50; i++) { t[i] = g(ctx, &tab[i], nb); }
  long s = t[7]; free(t); long* u = (long*)malloc(64 * sizeof(long)); memset(u, 1, 64 * sizeof(long)); shmem_ctx_quiet(ctx); s += u[7]; free(u); return s;
}
static void fill(shmem_ctx_t ctx, long* to, int n) {
#pragma shmem defer
  for (int i = 0; i < n; i++) to[i] = g(ctx, &tab[R()], nb);
}
CASE(fill_then_use) { fill(ctx, out, 50); long s = out[3]; long loc[50]; fill(ctx, loc, 50); return s + loc[4]; }
OTHER void fill_nowait(shmem_ctx_t ctx, long* to, int n) {
#pragma shmem defer nowait
  for (int i = 0; i < n; i++) to[i] = g(ctx, &tab[R()], nb);
}
CASE(nowait_quiet) { fill_nowait(ctx, out, 50); fill_nowait(ctx, out2, 50); shmem_ctx_quiet(ctx); return out[3] + out2[7]; }
CASE(helper_in_dep) {
#pragma shmem defer
  for (int i = 0; i < 20; i++) { long v = g(ctx, &tab[i], nb); fill(ctx, out + (v & 7) * 8, 8); out2[i] = out[(v & 7) * 8] + v; }
  shmem_ctx_quiet(ctx); return 0;
}
CASE(helper_staying) {
#pragma shmem defer
  for (int i = 0; i < 20; i++) { long v = g(ctx, &tab[i], nb); fill(ctx, out + (i & 7) * 8, 8); out2[i] = v; }
  shmem_ctx_quiet(ctx); return 0;
}
CASE(two_ctx_same_loop) {
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); long w = g(ctx2, &tab[i + 1], nb); out[i] = v - w; }
  shmem_ctx_quiet(ctx); shmem_ctx_quiet(ctx2); return 0;
}
CASE(two_ctx_update) {
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); out[i & 7] += v; shmem_ctx_long_atomic_add(ctx2, &cnt[0], out[i & 3], nb); }
  shmem_ctx_quiet(ctx); shmem_ctx_quiet(ctx2); return 0;
}
CASE(quiet_other_ctx) {
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); out[i & 7] += v; }
  shmem_ctx_quiet(ctx2); return out[3];
}
CASE(ctx_private) {
  shmem_ctx_t c; if (shmem_ctx_create(SHMEM_CTX_PRIVATE | SHMEMX_CTX_AGGREGATE, &c)) return -1;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(c, &tab[i], nb); out[i & 7] += v; shmem_ctx_long_atomic_inc(c, &cnt[v & 7], nb); }
  shmem_ctx_destroy(c); return out[3];
}
CASE(ctx_serialized_put) {
  shmem_ctx_t c; if (shmem_ctx_create(SHMEM_CTX_SERIALIZED | SHMEMX_CTX_AGGREGATE, &c)) return -1;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(c, &tab[i], nb); P(c, &dst[i], v * 2, nb); }
  shmem_ctx_destroy(c); shmem_barrier_all(); return dst[3];
}
CASE(ctx_plain_private) {
  shmem_ctx_t c; if (shmem_ctx_create(SHMEM_CTX_PRIVATE, &c)) return -1;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(c, &tab[i], nb); P(c, &dst[i], v * 2, nb); out[i] = g(c, &a[i], nb) + v; }
  shmem_ctx_quiet(c); shmem_ctx_destroy(c); return out[3];
}
CASE(ctx_default_in_variable) {
  shmem_ctx_t c = SHMEM_CTX_DEFAULT;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(c, &tab[i], nb); P(c, &dst[i], v * 2, nb); out[i] = v; }
  shmem_quiet(); return out[3];
}
CASE(ctx_reassigned) {
  shmem_ctx_t c = ctx; long s = 0;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(c, &tab[i], nb); s += v * i; P(c, &dst[i], v * 2, nb); c = (i & 1) ? ctx : ctx2; }
  shmem_ctx_quiet(ctx); shmem_ctx_quiet(ctx2); return s;
}
static struct { shmem_ctx_t c[2]; } G;
CASE(ctx_in_struct) {
  G.c[0] = ctx; G.c[1] = ctx2; long s = 0;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(G.c[i & 1], &tab[i], nb); s += v * i; P(G.c[i & 1], &dst[i], v * 2, nb); }
  shmem_ctx_quiet(ctx); shmem_ctx_quiet(ctx2); return s;
}
CASE(ctx_swapped_behind) {
  G.c[0] = ctx; G.c[1] = ctx2; 
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(G.c[0], &tab[i], nb); P(G.c[0], &dst[i], v * 2, nb); out[i] = v; }
  G.c[0] = ctx2; shmem_ctx_quiet(ctx); shmem_ctx_quiet(ctx2); return out[3];
}
CASE(default_atomic_behind) {
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); P(ctx, &dst[i], v, nb); out[i] = v; }
  shmem_long_atomic_inc(&cnt[3], nb); return out[2];
}
CASE(default_fetch_behind) {
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = shmem_ctx_long_atomic_fetch_add(ctx, &cnt[i % 7], 3, nb); out[i] = v; }
  return shmem_long_atomic_fetch(&cnt[3], nb);
}
CASE(same_ctx_blocking_behind) {
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = shmem_ctx_long_atomic_fetch_add(ctx, &cnt[i % 7], 3, nb); out[i] = v; }
  return shmem_ctx_long_atomic_fetch(ctx, &cnt[3], nb);
}
CASE(fence_only) {
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); out[i] = v; }
  shmem_fence(); return out[3];
}
CASE(ctx_fence_only) {
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); out[i] = v; }
  shmem_ctx_fence(ctx); return out[3];
}
#ifndef REORDER
CASE(signal_behind) {
  static uint64_t sig; sig = 0; shmem_barrier_all();
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); P(ctx, &dst[i], v, nb); out[i] = v; }
  shmem_ctx_quiet(ctx);
  shmem_long_put_signal(&dst[60], out, 50, &sig, 1, SHMEM_SIGNAL_SET, nb);
  shmem_signal_wait_until(&sig, SHMEM_CMP_EQ, 1);
  return dst[63];
}
CASE(signal_behind_no_quiet) {
  static uint64_t sig; sig = 0; shmem_barrier_all();
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); out[i] = v; }
  shmem_long_put_signal(&dst[60], out, 50, &sig, 1, SHMEM_SIGNAL_SET, nb);
  shmem_signal_wait_until(&sig, SHMEM_CMP_EQ, 1);
  long s = dst[63]; shmem_barrier_all(); return s;
}
CASE(signal_in_loop) {
  static uint64_t sig; sig = 0; shmem_barrier_all();
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); out[i] = v; shmem_ctx_long_put_signal(ctx, &dst[i], &out[i], 1, &sig, 1, SHMEM_SIGNAL_ADD, nb); }
  shmem_ctx_quiet(ctx);
  shmem_signal_wait_until(&sig, SHMEM_CMP_EQ, 50);
  shmem_barrier_all(); return dst[49];
}
CASE(flag_to_other) {
  static long ready; ready = 0; shmem_barrier_all();
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); dst[i] = v + i; }
  shmem_long_p(&ready, 1, nb);
  shmem_long_wait_until(&ready, SHMEM_CMP_EQ, 1);
  long s = shmem_long_g(&dst[49], (me + np - 1) % np); shmem_barrier_all(); return s;
}
CASE(flag_same_ctx) {
  static long ready; ready = 0; shmem_barrier_all();
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); dst[i] = v + i; }
  shmem_ctx_long_p(ctx, &ready, 1, nb); shmem_ctx_quiet(ctx);
  shmem_long_wait_until(&ready, SHMEM_CMP_EQ, 1);
  long s = shmem_long_g(&dst[49], (me + np - 1) % np); shmem_barrier_all(); return s;
}
CASE(flag_stdatomic) {
  static long ready; ready = 0; shmem_barrier_all();
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); dst[i] = v + i; }
  __atomic_store_n((long*)shmem_ptr(&ready, nb), 1, __ATOMIC_RELEASE);
  while (!__atomic_load_n(&ready, __ATOMIC_ACQUIRE)) shmem_quiet();
  long s = shmem_long_g(&dst[49], (me + np - 1) % np); shmem_barrier_all(); return s;
}
CASE(flag_volatile) {
  static long ready; ready = 0; shmem_barrier_all();
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); dst[i] = v + i; }
  *(volatile long*)shmem_ptr(&ready, nb) = 1;
  while (!*(volatile long*)&ready) {}
  long s = shmem_long_g(&dst[49], (me + np - 1) % np); shmem_barrier_all(); return s;
}
CASE(lock_around) {
  static long lock; static long total; total = 0; shmem_barrier_all();
  shmem_set_lock(&lock);
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], 0) & 3; total += v; shmem_ctx_long_atomic_add(ctx, &cnt[9], v, 0); }
  shmem_clear_lock(&lock);
  shmem_barrier_all(); return total;
}
CASE(lock_counter) {
  static long lock; static long total; total = 0; shmem_barrier_all();
  for (int r = 0; r < 3; r++) {
    shmem_set_lock(&lock);
#pragma shmem defer
    { long v = g(ctx, &total, 0); shmem_long_p(&total, v + 1 + r, 0); }
    shmem_quiet();
    shmem_clear_lock(&lock);
  }
  shmem_barrier_all(); return shmem_long_g(&total, 0);
}
CASE(lock_inside) {
  static long lock; static long total; total = 0; shmem_barrier_all();
#pragma shmem defer
  for (int r = 0; r < 3; r++) {
    shmem_set_lock(&lock);
    long v = g(ctx, &total, 0); shmem_long_p(&total, v + 1 + r, 0);
    shmem_quiet();
    shmem_clear_lock(&lock);
  }
  shmem_barrier_all(); return shmem_long_g(&total, 0);
}
CASE(collective_behind) {
  static long src[64], red[64];
#pragma shmem defer
  for (int i = 0; i < 64; i++) { long v = g(ctx, &tab[i], nb); src[i] = v % 1000; }
  shmem_long_sum_reduce(SHMEM_TEAM_WORLD, red, src, 64);
  return red[7];
}
CASE(barrier_in_loop) {
#pragma shmem defer
  for (int r = 0; r < 4; r++) {
    for (int i = 0; i < 16; i++) { long v = g(ctx, &a[i + r], nb); out[i] += v; }
    shmem_barrier_all();
    for (int i = 0; i < 16; i++) a[i] += out[i];
    shmem_barrier_all();
  }
  return a[3];
}
CASE(team_ctx) {
  shmem_ctx_t c; if (shmem_team_create_ctx(SHMEM_TEAM_WORLD, SHMEMX_CTX_AGGREGATE, &c)) return -1;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(c, &tab[i], nb); out[i & 7] += v; }
  shmem_ctx_quiet(c); shmem_ctx_destroy(c); return out[3];
}
static void done(shmem_ctx_t* c) { shmem_ctx_destroy(*c); *c = SHMEM_CTX_DEFAULT; }
CASE(destroy_in_helper) {
  shmem_ctx_t c; if (shmem_ctx_create(SHMEMX_CTX_AGGREGATE, &c)) return -1;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(c, &tab[i], nb); out[i & 7] += v; }
  done(&c); return out[3];
}
CASE(symmetric_free_behind) {
  long* s = (long*)shmem_malloc(512); for (int i = 0; i < 64; i++) s[i] = i * me; shmem_barrier_all();
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &s[i], nb); out[i] = v + 1; }
  shmem_free(s); return out[7];
}
#endif
