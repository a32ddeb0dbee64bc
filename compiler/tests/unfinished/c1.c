// ordering among places
CASE(put_same_place_after) {
#pragma shmem defer
  for (long i = 0; i < 50; i++) { long v = g(ctx, &tab[R()], nb); P(ctx, &dst[0], v, nb); P(ctx, &dst[0], i, nb); }
  shmem_ctx_quiet(ctx); return 0;
}
CASE(put_same_place_arms) {
#pragma shmem defer
  for (long i = 0; i < 51; i++) { if (i & 1) P(ctx, &dst[i / 8], i, nb); else { long v = g(ctx, &tab[R()], nb); P(ctx, &dst[i / 8], v, nb); } }
  shmem_ctx_quiet(ctx); return 0;
}
CASE(put_before_and_dependent) {
#pragma shmem defer
  for (long i = 0; i < 50; i++) { P(ctx, &dst[i % 5], -i, nb); long v = g(ctx, &tab[R()], nb); if (v % 3 == 0) P(ctx, &dst[i % 5], v, nb); }
  shmem_ctx_quiet(ctx); return 0;
}
CASE(put_two_levels) {
#pragma shmem defer
  for (long i = 0; i < 50; i++) {
    long v = g(ctx, &b[R()], nb);
    if (i & 1) P(ctx, &dst[i % 3], v, nb);
    else { long w = g(ctx, &tab[v], nb); P(ctx, &dst[i % 3], w, nb); }
  }
  shmem_ctx_quiet(ctx); return 0;
}
CASE(set_then_add_same_place) {
#pragma shmem defer
  for (long i = 0; i < 50; i++) { long v = g(ctx, &tab[R()], nb); shmem_ctx_long_atomic_add(ctx, &cnt[i % 4], v, nb); if (i == 30) shmem_ctx_long_atomic_set(ctx, &cnt[2], 5, nb); }
  shmem_ctx_quiet(ctx); return 0;
}
CASE(xor_and_mixed) {
#pragma shmem defer
  for (long i = 0; i < 50; i++) { long v = g(ctx, &tab[R()], nb); shmem_ctx_ulong_atomic_xor(ctx, (unsigned long*)&cnt[1], (unsigned long)v, nb); shmem_ctx_ulong_atomic_and(ctx, (unsigned long*)&cnt[1], ~(unsigned long)i, nb); }
  shmem_ctx_quiet(ctx); return 0;
}
CASE(recurrence_next) {
#pragma shmem defer
  for (long i = 0; i + 1 < N; i++) a[i + 1] = g(ctx, &a[i], me) + 1;
  shmem_ctx_quiet(ctx); return a[N - 1];
}
CASE(recurrence_stride) {
  long* p = a;
#pragma shmem defer
  for (long i = 4; i < N; i += 2) { long v = shmem_ctx_long_g(ctx, p + i - 4, me); p[i] += v; }
  shmem_ctx_quiet(ctx); return a[N - 1];
}
CASE(shift_down) {
#pragma shmem defer
  for (long i = 0; i + 4 < N; i++) a[i] = g(ctx, &a[i + 4], me) * 3;
  shmem_ctx_quiet(ctx); return 0;
}
CASE(recurrence_rows) {
  long (*m)[16] = (long (*)[16])a;
#pragma shmem defer
  for (int i = 1; i < 32; i++) for (int j = 0; j < 16; j++) m[i][j] = g(ctx, &m[i - 1][j], me) + j;
  shmem_ctx_quiet(ctx); return 0;
}
CASE(recurrence_down) {
#pragma shmem defer
  for (long i = N - 2; i >= 0; i--) a[i] = g(ctx, &a[i + 1], me) - 7;
  shmem_ctx_quiet(ctx); return 0;
}
CASE(recurrence_pointer) {
  long* p = a;
#pragma shmem defer
  while (p < a + 100) { long v = g(ctx, p, me); p[1] = v + 2; p++; }
  shmem_ctx_quiet(ctx); return 0;
}
CASE(load_own_counter) {
#pragma shmem defer
  for (long i = 0; i < 60; i++) { long v = shmem_ctx_long_atomic_fetch_inc(ctx, &cnt[i % 8], me); out[i] = v + cnt[(v + 1) % 8]; }
  shmem_ctx_quiet(ctx); return 0;
}
CASE(load_own_swap) {
#pragma shmem defer
  for (long i = 0; i < 60; i++) { long v = shmem_ctx_long_atomic_swap(ctx, &a[i % 8], i, me); out[v % N] += a[v % 8]; }
  shmem_ctx_quiet(ctx); return 0;
}
CASE(two_phases_block) {
#pragma shmem defer
  for (long i = 0; i < 40; i++) {
    { long v = g(ctx, &tab[R()], nb); out[v & 63] += v; }
    { long w = g(ctx, &tab[mixi(i)], nb); out2[i] = w + out[w & 63]; }
  }
  shmem_ctx_quiet(ctx); return 0;
}
CASE(two_phases_loops) {
#pragma shmem defer
  for (int r = 0; r < 4; r++) {
    for (long i = 0; i < 32; i++) out[i] = g(ctx, &tab[(i + r) % N], nb);
    for (long i = 0; i < 32; i++) out2[i] += out[31 - i] * r;
  }
  shmem_ctx_quiet(ctx); return 0;
}
CASE(three_phases) {
  long* x = out; long* y = out2; long tmp[32];
#pragma shmem defer
  {
    for (int i = 0; i < 32; i++) x[i] = g(ctx, &tab[i * 3], nb);
    for (int i = 0; i < 32; i++) tmp[i] = x[i] ^ 5;
    for (int i = 0; i < 32; i++) y[i] = tmp[(i * 5) % 32] + g(ctx, &tab[i], me);
    for (int i = 0; i < 32; i++) x[i] = y[i] + tmp[i];
  }
  shmem_ctx_quiet(ctx); return 0;
}
CASE(cond_phase) {
#pragma shmem defer
  for (long i = 0; i < 64; i++) {
    if (i % 3 == 0) { long v = g(ctx, &tab[R()], nb); out[i / 8] = v; }
    if (i % 5 == 0) { long w = g(ctx, &tab[i], nb); out[i / 8] += w; }
    if (i % 7 == 0) out[i / 8] *= 2;
  }
  shmem_ctx_quiet(ctx); return 0;
}
CASE(inner_then_outer) {
#pragma shmem defer
  for (int i = 0; i < 16; i++) {
    long s = 0;
    for (int j = 0; j < 5; j++) s += g(ctx, &tab[i * 5 + j], nb) * (j + 1);
    out[i] = s; out2[s & 255] += i;
    if (i > 0) out[i - 1] += s;
  }
  shmem_ctx_quiet(ctx); return 0;
}
CASE(outer_fetch_inner_use) {
#pragma shmem defer
  for (int i = 0; i < 16; i++) {
    long v = g(ctx, &tab[i * 9], nb);
    for (int j = 0; j < 4; j++) { long w = g(ctx, &b[i * 4 + j], nb); out[w] += v * (j + 1); out2[j] = out2[j] * 3 + v + w; }
    out[i] ^= v;
  }
  shmem_ctx_quiet(ctx); return 0;
}
CASE(exchange_places) {
#pragma shmem defer
  for (long i = 0; i < 100; i += 2) { long t = g(ctx, &a[i], nb), u = g(ctx, &a[i + 1], nb); P(ctx, &a[i], u, nb); P(ctx, &a[i + 1], t, nb); }
  shmem_ctx_quiet(ctx); return 0;
}
CASE(exchange_own) {
#pragma shmem defer
  for (long i = 0; i < 100; i++) { long j = (i * 7) % 100; long t = g(ctx, &a[i], me), u = g(ctx, &a[j], me); a[i] = u; a[j] = t; }
  shmem_ctx_quiet(ctx); return 0;
}
CASE(reverse_in_place) {
#pragma shmem defer
  for (long i = 0; i < 50; i++) { long t = g(ctx, &a[i], me); long u = a[99 - i]; a[i] = u; a[99 - i] = t; }
  shmem_ctx_quiet(ctx); return 0;
}
CASE(local_max) {
  long best = -1, at = -1;
#pragma shmem defer
  for (long i = 0; i < 100; i++) { long v = g(ctx, &tab[R()], nb) % 89; if (v > best) { best = v; at = i; } }
  return best * 1000 + at;
}
CASE(running_and_staying) {
  long s = 0, c = 0;
#pragma shmem defer
  for (long i = 0; i < 100; i++) { long v = g(ctx, &tab[R()], nb); s += v; c += i; out[i] = c; if (v & 1) out2[i] = s; }
  return s * 3 + c;
}
CASE(dst_index_staying_counter) {
  long n = 0;
#pragma shmem defer
  for (long i = 0; i < 100; i++) { long v = g(ctx, &tab[R()], nb); if (i % 3) out[n++] = v; }
  return n;
}
CASE(dst_index_dependent_counter) {
  long n = 0;
#pragma shmem defer
  for (long i = 0; i < 100; i++) { long v = g(ctx, &tab[R()], nb); if (v % 3) out[n++] = i; }
  for (long i = 0; i < n; i++) out2[i] = out[i] * 2;
  return n;
}
CASE(fetch_inc_two_routines) {
#pragma shmem defer
  for (long i = 0; i < 60; i++) { long v = shmem_ctx_long_atomic_fetch_add(ctx, &cnt[i % 4], i, nb); long w = shmem_ctx_long_atomic_fetch_inc(ctx, &cnt[i % 4], nb); out[i] = v * 3 + w; }
  shmem_ctx_quiet(ctx); return 0;
}
CASE(fetch_after_own_update) {
#pragma shmem defer
  for (long i = 0; i < 60; i++) { cnt[i % 4] += i; long v = g(ctx, &cnt[i % 4], me); out[i] = v; }
  shmem_ctx_quiet(ctx); return 0;
}
CASE(dep_load_vs_staying_put_self) {
#pragma shmem defer
  for (long i = 0; i < 60; i++) { long v = g(ctx, &b[i], nb); out[i] = dst[v % 16]; dst[i % 16] = i; }
  shmem_ctx_quiet(ctx); return 0;
}
CASE(float_order) {
  double s = 0;
#pragma shmem defer
  for (long i = 0; i < 100; i++) { s += shmem_ctx_double_g(ctx, &ftab[R()], nb); if (i % 4 == 0) s += 0.1 * (double)i; }
  fout[0] = s; return 0;
}
CASE(float_rows) {
#pragma shmem defer
  for (int i = 0; i < 20; i++) { double s = 0; for (int j = 0; j < 7; j++) s += shmem_ctx_double_g(ctx, &ftab[i * 7 + j], nb) * j; fout[i % 3] += s; }
  shmem_ctx_quiet(ctx); return 0;
}
CASE(levels3) {
#pragma shmem defer
  for (long i = 0; i < 50; i++) { long u = g(ctx, &b[i], nb); long v = g(ctx, &b[u], nb); long w = g(ctx, &tab[v], nb); out[u] = w; out2[i] = u - v; }
  shmem_ctx_quiet(ctx); return 0;
}
CASE(levels_same_array) {
#pragma shmem defer
  for (long i = 0; i < 50; i++) { long u = g(ctx, &b[i], nb); out[u % 16] = u; if (u & 1) { long v = g(ctx, &b[u], nb); out[v % 16] = v; } }
  shmem_ctx_quiet(ctx); return 0;
}
CASE(levels_local_sum) {
  long s = 0, t = 0;
#pragma shmem defer
  for (long i = 0; i < 50; i++) { long u = g(ctx, &b[i], nb); s = s * 3 + u; long v = g(ctx, &b[u], nb); t = t * 5 + v + u; }
  return s ^ t;
}
CASE(nested_directive) {
#pragma shmem defer
  for (int i = 0; i < 10; i++) {
    out[i] = i;
#pragma shmem defer
    for (int j = 0; j < 10; j++) { long v = g(ctx, &tab[i * 10 + j], nb); out[i] += v; }
    out2[i] = out[i];
  }
  shmem_ctx_quiet(ctx); return 0;
}
CASE(two_regions_memory) {
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); out[v & 63] += v; }
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); out2[i] = out[v & 63]; out[i & 63] = 0; }
  shmem_ctx_quiet(ctx); return 0;
}
CASE(two_regions_levels) {
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &b[i], nb); long w = g(ctx, &tab[v], nb); out[i] = w; }
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); out2[i] = out[49 - i] + v; }
  shmem_ctx_quiet(ctx); return 0;
}
CASE(region_in_loop_alternating) {
  long *cur = out, *next = out2;
  for (int r = 0; r < 5; r++) {
#pragma shmem defer
    for (int i = 0; i < 64; i++) { long v = g(ctx, &tab[(i + r) % N], nb); next[i] = cur[(i * 3) % 64] + v; }
    long* t = cur; cur = next; next = t;
  }
  shmem_ctx_quiet(ctx); return cur[5];
}
CASE(swap_buffers_inside) {
  long *cur = out, *next = out2;
#pragma shmem defer
  for (int r = 0; r < 5; r++) {
    for (int i = 0; i < 64; i++) { long v = g(ctx, &tab[(i + r) % N], nb); next[i] = cur[(i * 3) % 64] + v; }
    long* t = cur; cur = next; next = t;
  }
  shmem_ctx_quiet(ctx); return cur[5];
}
CASE(zero_then_sum) {
#pragma shmem defer
  for (int r = 0; r < 5; r++) {
    memset(out, 0, 64 * sizeof(long));
    for (int i = 0; i < 64; i++) { long v = g(ctx, &b[(i + r * 17) % N], nb); out[v & 63] += i; }
    for (int i = 0; i < 64; i++) out2[r] = out2[r] * 3 + out[i];
  }
  shmem_ctx_quiet(ctx); return 0;
}
CASE(copy_back_each_round) {
#pragma shmem defer
  for (int r = 0; r < 5; r++) {
    for (int i = 0; i < 64; i++) out2[i] = g(ctx, &a[(i * 3 + r) % 64], me);
    memcpy(a, out2, 64 * sizeof(long));
  }
  shmem_ctx_quiet(ctx); return 0;
}
CASE(put_back_each_round) {
#pragma shmem defer
  for (int r = 0; r < 5; r++) {
    for (int i = 0; i < 64; i++) { long v = g(ctx, &a[(i * 3 + r) % 64], nb); out2[i] = v + r; }
    shmem_ctx_long_put(ctx, a, out2, 64, nb);
    shmem_ctx_quiet(ctx);
  }
  return 0;
}
CASE(put_back_outside) {
  for (int r = 0; r < 5; r++) {
#pragma shmem defer
    for (int i = 0; i < 64; i++) { long v = g(ctx, &a[(i * 3 + r) % 64], nb); out2[i] = v + r; }
    shmem_ctx_long_put(ctx, dst, out2, 64, nb);
  }
  shmem_ctx_quiet(ctx);
  return 0;
}
CASE(put_back_default) {
  for (int r = 0; r < 5; r++) {
#pragma shmem defer
    for (int i = 0; i < 64; i++) { long v = g(ctx, &a[(i * 3 + r) % 64], nb); out2[i] = v + r; }
    shmem_long_put(a, out2, 64, nb);
  }
  shmem_ctx_quiet(ctx);
  return 0;
}
CASE(put_nbi_source) {
#pragma shmem defer
  for (int i = 0; i < 64; i++) { long v = g(ctx, &a[(i * 3) % 64], nb); out2[i] = v + 1; shmem_ctx_long_put_nbi(ctx, &dst[i], &out2[i], 1, nb); }
  shmem_ctx_quiet(ctx); return 0;
}
CASE(put_nbi_all) {
#pragma shmem defer
  { for (int i = 0; i < 64; i++) out2[i] = g(ctx, &a[(i * 3) % 64], nb); shmem_ctx_long_put_nbi(ctx, dst, out2, 64, nb); }
  shmem_ctx_quiet(ctx); return 0;
}
CASE(get_nbi_dependent) {
#pragma shmem defer
  for (int i = 0; i < 64; i++) { long v = g(ctx, &b[i], nb); shmem_ctx_long_get_nbi(ctx, &out[i], &tab[v], 1, nb); }
  shmem_ctx_quiet(ctx); return out[3];
}
CASE(get_many_dependent) {
#pragma shmem defer
  for (int i = 0; i < 64; i++) { long v = g(ctx, &b[i], nb) % 400; shmem_ctx_long_get(ctx, &out[i * 4], &tab[v], 4, nb); }
  shmem_ctx_quiet(ctx); return out[3];
}
CASE(get_default_dependent) {
#pragma shmem defer
  for (int i = 0; i < 64; i++) { long v = g(ctx, &b[i], nb) % 400; shmem_long_get(&out[i * 4], &tab[v], 4, nb); out2[i] = out[i * 4 + 3]; }
  shmem_ctx_quiet(ctx); return out[3];
}
CASE(g_default_dependent) {
#pragma shmem defer
  for (int i = 0; i < 64; i++) { long v = g(ctx, &b[i], nb); out2[i] = shmem_long_g(&tab[v], nb) + v; }
  shmem_ctx_quiet(ctx); return 0;
}
