struct view { long* p; long n; };
static struct view keep;
CASE(p_then_g_same) { long s = 0;
  for (int i = 0; i < 5; i++) { P(ctx, &dst[0], i, nb); s = s * 10 + g(ctx, &dst[0], nb); }
  shmem_ctx_quiet(ctx); return s; }
CASE(set_then_fetch_same) { long s = 0;
  for (int i = 0; i < 5; i++) { shmem_ctx_long_atomic_set(ctx, &dst[0], i, nb); s = s * 10 + shmem_ctx_long_atomic_fetch(ctx, &dst[0], nb); }
  shmem_ctx_quiet(ctx); return s; }
CASE(p_then_g_same_deferred) { long s = 0;
#pragma shmem defer
  for (int i = 0; i < 5; i++) { P(ctx, &dst[0], i, nb); long v = g(ctx, &dst[0], nb); s = s * 10 + v; }
  shmem_ctx_quiet(ctx); return s; }
#define BEFORE(W, V) \
_Pragma("shmem defer") \
  for (int i = 0; i < 50; i++) { W[i % 8] *= 3; long x = g(ctx, &tab[i], nb); V[i % 8] += x; } \
  shmem_ctx_quiet(ctx); return 0;
CASE(struct_copy_before) { struct view v = {out, 64}, w; w = v; BEFORE(w.p, v.p) }
CASE(struct_copy_global_before) { keep.p = out; keep.n = 64; struct view w = keep; BEFORE(w.p, keep.p) }
CASE(struct_copy_heap_before) { struct view* v = (struct view*)malloc(sizeof *v); v->p = out; v->n = 64; struct view w; memcpy(&w, v, sizeof w); BEFORE(w.p, v->p) }
CASE(struct_copy_loop_before) { keep.p = out;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { struct view w = keep; w.p[i % 8] *= 3; long x = g(ctx, &tab[i], nb); keep.p[i % 8] += x; }
  shmem_ctx_quiet(ctx); return 0; }
CASE(pointer_memcpy_before) { long *p = out, *q; memcpy(&q, &p, sizeof q); BEFORE(q, p) }
CASE(pointer_int_before) { uintptr_t u = (uintptr_t)out; long* p = out; BEFORE(((long*)u), p) }
static struct view make_view(long* p) { struct view v = {p, 3}; return v; }
CASE(visible_view_before) { struct view w = make_view(out); long* p = out; BEFORE(w.p, p) }
OTHER struct view other_view(long* p, long n) { struct view v = {p, n}; return v; }
CASE(other_view_before) { struct view w = other_view(out, 5); long* p = out; BEFORE(w.p, p) }
OTHER long* other_ptr(long* p) { return p; }
CASE(other_ptr_before) { long* w = other_ptr(out); long* p = out; BEFORE(w, p) }
struct three { long* p; long* q; long n; };
static void fill_three(struct three* t, long* p) { t->p = p; t->q = p; t->n = 5; }
CASE(filled_struct_before) { struct three t; fill_three(&t, out); BEFORE(t.q, t.p) }
CASE(same_member_before) { struct three* t = (struct three*)malloc(sizeof *t); fill_three(t, out); long* q = t->p; BEFORE(q, t->p) }
CASE(levels_effect_read) {
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long k = shmem_ctx_long_atomic_fetch_inc(ctx, &cnt[i % 3], nb); long w = g(ctx, &cnt[k % 5], nb); out[i] = w; }
  shmem_ctx_quiet(ctx); return 0; }
CASE(levels_effect_both) {
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long k = shmem_ctx_long_atomic_fetch_add(ctx, &cnt[i % 3], 2, nb); long w = shmem_ctx_long_atomic_fetch_add(ctx, &cnt[k % 5], 1, nb); out[i] = w; }
  shmem_ctx_quiet(ctx); return 0; }
CASE(levels_swap_heads) {
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long old = shmem_ctx_long_atomic_swap(ctx, &dst[i % 8], i, nb); if (old >= 0) { long o2 = shmem_ctx_long_atomic_swap(ctx, &dst[8 + old % 8], i, nb); out[i] = o2; } }
  shmem_ctx_quiet(ctx); return 0; }
CASE(plans_fused_and_not) {
  int nb2 = (me + 2) % np;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { if (i & 1) { long v = g(ctx, &tab[i], nb); P(ctx, &dst[0], v, nb); } else { long v = g(ctx, &tab[i], nb2); P(ctx, &dst[0], v, nb); } if (i == 41) break; }
  shmem_ctx_quiet(ctx); return 0; }
CASE(plans_fused_both) {
#pragma shmem defer
  for (int i = 0; i < 50; i++) { if (i % 3) { long v = g(ctx, &tab[i], nb); P(ctx, &dst[0], v, nb); } else { long v = g(ctx, &b[i], nb); P(ctx, &dst[0], v + i, nb); } if (i == 42) break; }
  shmem_ctx_quiet(ctx); return 0; }
CASE(put_before_fused) {
  for (int r = 0; r < 3; r++) {
  P(ctx, &dst[0], 77, nb);
#pragma shmem defer
  for (int i = 0; i < 1 + r; i++) { long v = g(ctx, &tab[i], nb); P(ctx, &dst[r], v, nb); }
  P(ctx, &dst[1], 78, nb); }
  shmem_ctx_quiet(ctx); return 0; }
CASE(order_of_two_puts_dep) {
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); P(ctx, &dst[v % 4], i, nb); if (v & 1) P(ctx, &dst[(v + 1) % 4], -i, nb); }
  shmem_ctx_quiet(ctx); return 0; }
CASE(flags_one) {
#pragma shmem defer
  for (int i = 0; i < 50; i++) { P(ctx, &dst[i], 1, nb); long v = g(ctx, &b[i], nb); P(ctx, &dst[v], 1, nb); }
  shmem_ctx_quiet(ctx); return 0; }
CASE(inc_and_set) {
#pragma shmem defer
  for (int i = 0; i < 50; i++) { if (i % 10 == 0) shmem_ctx_long_atomic_set(ctx, &cnt[0], i, nb); long v = g(ctx, &b[i], nb); if (v & 1) shmem_ctx_long_atomic_inc(ctx, &cnt[0], nb); }
  shmem_ctx_quiet(ctx); return 0; }
CASE(put_multi_and_p) {
#pragma shmem defer
  for (int i = 0; i < 50; i++) { out2[0] = i; out2[1] = i + 1; shmem_ctx_long_put(ctx, dst, out2, 2, nb); long v = g(ctx, &b[i], nb); if (i % 3 == 1) P(ctx, &dst[1], v, nb); }
  shmem_ctx_quiet(ctx); return 0; }
CASE(different_contexts_place) {
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &b[i], nb); P(ctx, &dst[0], v, nb); if (i == 40) shmem_long_p(&dst[0], 5, nb); }
  shmem_ctx_quiet(ctx); shmem_quiet(); return 0; }
static void die(const char* f, ...) { va_list l; va_start(l, f); vfprintf(stderr, f, l); va_end(l); exit(3); }
CASE(die_staying) {
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &b[i], nb); out[i] = v; if (i > 100) die("no %d", i); }
  return out[3]; }
