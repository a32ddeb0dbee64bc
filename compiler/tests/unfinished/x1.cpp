// C++
#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>
#include <span>
#include <deque>
#include <sstream>
CASE(lambda_ref) { long s = 0; auto f = [&](long v) { s = s * 3 + v; };
#pragma shmem defer
  for (int i = 0; i < 50; i++) f(g(ctx, &tab[i], nb));
  return s; }
CASE(lambda_fetch) { long s = 0; auto f = [&](long i) { return g(ctx, &tab[i], nb); };
#pragma shmem defer
  for (int i = 0; i < 50; i++) { s = s * 3 + f(i); out[i] = f(i + 1); }
  return s; }
CASE(for_each_idx) { std::vector<int> idx(50); std::iota(idx.begin(), idx.end(), 0); long s = 0;
#pragma shmem defer
  std::for_each(idx.begin(), idx.end(), [&](int i) { long v = g(ctx, &tab[i], nb); s = s * 3 + v; out[i] = v; });
  return s; }
CASE(transform_out) { std::vector<long> idx(50), res(50); std::iota(idx.begin(), idx.end(), 3);
#pragma shmem defer
  std::transform(idx.begin(), idx.end(), res.begin(), [&](long i) { return g(ctx, &tab[i], nb) * 2; });
  return other_sum(res.data(), 50); }
CASE(accumulate_fetch) { std::vector<long> idx(50); std::iota(idx.begin(), idx.end(), 3); long s = 0;
#pragma shmem defer
  s = std::accumulate(idx.begin(), idx.end(), 0L, [&](long a0, long i) { return a0 * 3 + g(ctx, &tab[i], nb); });
  return s; }
CASE(std_function) { std::function<void(long)> f = [&](long v) { out[v & 63] += v; };
#pragma shmem defer
  for (int i = 0; i < 50; i++) f(g(ctx, &tab[i], nb));
  return 0; }
CASE(vector_push) { std::vector<long> w;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); w.push_back(v); }
  return other_sum(w.data(), (long)w.size()); }
CASE(vector_push_if) { std::vector<long> w;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); if (v & 1) w.push_back(i); }
  std::reverse(w.begin(), w.end()); return other_sum(w.data(), (long)w.size()); }
CASE(vector_grow_staying) { std::vector<long> w;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { w.push_back(0); long v = g(ctx, &tab[i], nb); w[i] = v; }
  return other_sum(w.data(), (long)w.size()); }
CASE(vector_resize_round) { std::vector<long> w; long s = 0;
#pragma shmem defer
  for (int r = 1; r < 6; r++) { w.assign(r * 8, r); for (int i = 0; i < r * 8; i++) { long v = g(ctx, &tab[i], nb); w[i] += v; } s = s * 3 + w.back(); }
  return s; }
CASE(vector_clear_round) { std::vector<long> w; 
#pragma shmem defer
  for (int r = 1; r < 6; r++) { w.clear(); for (int i = 0; i < 8; i++) w.push_back(g(ctx, &tab[i * r], nb)); for (int i = 0; i < 8; i++) out[r] = out[r] * 3 + w[i]; }
  return 0; }
CASE(vector_swap) { std::vector<long> x(64, 1), y(64, 2);
#pragma shmem defer
  for (int r = 0; r < 4; r++) { for (int i = 0; i < 64; i++) { long v = g(ctx, &tab[i], nb); y[i] = x[(i * 3) % 64] + v; } x.swap(y); }
  return other_sum(x.data(), 64) + other_sum(y.data(), 64); }
CASE(vector_move) { std::vector<std::vector<long>> rows;
  for (int r = 0; r < 4; r++) { std::vector<long> x(16);
#pragma shmem defer
    for (int i = 0; i < 16; i++) { long v = g(ctx, &tab[i + r], nb); x[i] = v; }
    rows.push_back(std::move(x)); }
  long s = 0; for (auto& x : rows) s = s * 3 + other_sum(x.data(), 16); return s; }
CASE(vector_move_inside) { std::vector<std::vector<long>> rows;
#pragma shmem defer
  for (int r = 0; r < 4; r++) { std::vector<long> x(16); for (int i = 0; i < 16; i++) { long v = g(ctx, &tab[i + r], nb); x[i] = v; } rows.push_back(std::move(x)); }
  long s = 0; for (auto& x : rows) s = s * 3 + other_sum(x.data(), 16); return s; }
CASE(map_insert) { std::map<long, long> m;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); m[v % 17] += i; }
  long s = 0; for (auto [k, v] : m) s = s * 31 + k * v; return s; }
CASE(unordered_count) { std::unordered_map<long, long> m;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { ++m[g(ctx, &tab[i], nb) % 17]; }
  long s = 0; for (auto [k, v] : m) s += (k + 1) * v * v; return s; }
CASE(set_insert) { std::set<long> m;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { m.insert(g(ctx, &tab[i], nb) % 17); out[i] = (long)m.size(); }
  return (long)m.size(); }
CASE(string_append) { std::string t;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); t += (char)('a' + v % 26); if (i % 10 == 9) t += '|'; }
  return (long)(hash_bytes(t.data(), t.size()) >> 8); }
CASE(ostringstream) { std::ostringstream t;
#pragma shmem defer
  for (int i = 0; i < 20; i++) { long v = g(ctx, &tab[i], nb); t << v << ' '; t << i; }
  std::string x = t.str(); return (long)(hash_bytes(x.data(), x.size()) >> 8); }
CASE(optional_best) { std::optional<long> best;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); if (!best || v > *best) best = v; }
  return best.value_or(-1); }
CASE(unique_ptr_round) {
#pragma shmem defer
  for (int i = 0; i < 50; i++) { auto p = std::make_unique<long>(i); long v = g(ctx, &tab[i], nb); *p += v; out[i] = *p; }
  return 0; }
CASE(new_delete) {
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long* p = new long[2]; p[0] = i; long v = g(ctx, &tab[i], nb); p[1] = v; out[i] = p[0] + p[1]; delete[] p; }
  return 0; }
struct flusher { shmem_ctx_t c; ~flusher() { shmem_ctx_quiet(c); seen_log[n_seen++ & 63] = out[n_seen]; } };
CASE(raii_quiet) { { flusher f{ctx};
#pragma shmem defer
    for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); out[i] = v; } }
  return out[3]; }
struct logger { long* at; ~logger() { seen_log[n_seen++ & 63] = *at; } };
CASE(raii_log_behind) { { logger f{&out[49]};
#pragma shmem defer
    for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); out[i] = v; } }
  return out[3]; }
CASE(raii_log_round) {
#pragma shmem defer
  for (int i = 0; i < 50; i++) { logger f{&out[i]}; long v = g(ctx, &tab[i], nb); out[i] = v; }
  return out[3]; }
struct adder { long& to; long v = 0; ~adder() { to = to * 3 + v; } };
CASE(raii_add_round) { long s = 0;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { adder f{s}; f.v = g(ctx, &tab[i], nb); }
  return s; }
CASE(throw_staying) { long s = 0;
  try {
#pragma shmem defer
    for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); out[i] = v; s += v; if (i == other_id(30)) throw std::runtime_error("x"); }
  } catch (const std::exception&) { return s * 3 + out[30]; }
  return s; }
CASE(throw_dependent) { long s = 0;
  try {
#pragma shmem defer
    for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); out[i] = v; s += v; if (v % 13 == 4) throw v; out2[i] = i; }
  } catch (long v) { return s * 3 + v; }
  return s; }
static long check(long v) { if (v % 29 == 3) throw std::out_of_range("v"); return v; }
CASE(throw_helper_dependent) { long s = 0;
  try {
#pragma shmem defer
    for (int i = 0; i < 50; i++) { long v = check(g(ctx, &tab[i], nb)); s = s * 3 + v; }
  } catch (const std::out_of_range&) { return s; }
  return s + 1; }
CASE(try_inside) { long s = 0;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); try { s += check(v); } catch (const std::exception&) { s ^= 5; } }
  return s; }
CASE(try_inside_staying) { long s = 0;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { try { if (i % 7 == 3) throw i; } catch (int k) { out2[i] = k; } long v = g(ctx, &tab[i], nb); s = s * 3 + v; }
  return s; }
OTHER void other_throw(long i) { if (i == 33) throw (int)i; }
CASE(other_may_throw) { long s = 0;
  try {
#pragma shmem defer
    for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); out[i] = v; other_throw(i); }
  } catch (int k) { return out[33] + k; }
  return s; }
CASE(vector_at) { std::vector<long> w(60); 
  try {
#pragma shmem defer
    for (int i = 0; i < 50; i++) { long v = g(ctx, &b[i], nb) % 61; w.at(v) += i; }
  } catch (const std::out_of_range&) { return other_sum(w.data(), 60) + 1; }
  return other_sum(w.data(), 60); }
CASE(reference_elem) { std::vector<long> w(64);
#pragma shmem defer
  for (int i = 0; i < 50; i++) { auto& x = w[i % 8]; long v = g(ctx, &tab[i], nb); x = x * 3 + v; auto& y = w[8 + v % 8]; y += i; }
  return other_sum(w.data(), 64); }
CASE(range_for_span) { std::array<long, 50> w{}; for (int i = 0; i < 50; i++) w[i] = i; long k = 0;
#pragma shmem defer
  for (long& x : std::span(w)) { x = g(ctx, &tab[x], nb) + k; k++; }
  return other_sum(w.data(), 50); }
CASE(vector_and_span) { std::vector<long> w(64, 1); std::span<long> sp(w.data(), 64);
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); out[i] = v + sp[i]; }
  for (auto x : w) out2[0] += x;
  return 0; }
struct base { virtual ~base() = default; virtual long f(long v) const { return v; } };
struct derived : base { long f(long v) const override { return v * 3 + out[v & 31]; } };
CASE(virtual_dep) { std::unique_ptr<base> p = std::make_unique<derived>();
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); out[32 + (i & 31)] = p->f(v); }
  return 0; }
template <class T> struct acc { T sum{}; void operator()(T v) { sum = sum * 3 + v; } acc& operator+=(T v) { sum += v; return *this; } };
CASE(functor) { acc<long> s; acc<long> t;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { s(g(ctx, &tab[i], nb)); t += g(ctx, &tab[i + 1], nb); }
  return s.sum + t.sum; }
class table_class { shmem_ctx_t c_; std::vector<long> got_; long n_ = 0; static inline long made_ = 0;
 public: explicit table_class(shmem_ctx_t c) : c_(c), got_(64) { ++made_;
#pragma shmem defer
    for (int i = 0; i < 64; i++) { got_[i] = g(c_, &tab[i], nb); n_++; } }
  long sum() { long s = 0;
#pragma shmem defer
    for (int i = 0; i < 64; i++) { long v = g(c_, &tab[i], nb); s += v * got_[i]; last = v; }
    return s + n_; }
  ~table_class() {
#pragma shmem defer
    for (int i = 0; i < 8; i++) { long v = g(c_, &tab[i], nb); out[i] = v + got_[i]; } }
  long last = 0; };
CASE(class_members) { long s = 0; { table_class t(ctx); s = t.sum() + t.last; } return s + out[3]; }
CASE(structured) { std::vector<std::pair<int, long>> w; for (int i = 0; i < 50; i++) w.emplace_back(i, 0);
#pragma shmem defer
  for (auto& [i, x] : w) { x = g(ctx, &tab[i], nb); if (x & 1) x += i; }
  long s = 0; for (auto& [i, x] : w) s = s * 3 + x; return s; }
CASE(minmax) { long lo = 1L << 40, hi = -1;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); lo = std::min(lo, v); hi = std::max(hi, v + i); }
  return lo * 3 + hi; }
CASE(clamp_swap) { long x = 1, y = 2;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); x = std::clamp(x + v, 10L, 100000L + i); if (v & 1) std::swap(x, y); }
  return x * 3 + y; }
CASE(deque_push) { std::deque<long> q;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); q.push_back(v); if (q.size() > 10) q.pop_front(); }
  long s = 0; for (long v : q) s = s * 3 + v; return s; }
CASE(shared_ptr_nodes) { std::vector<std::shared_ptr<long>> q;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { auto p = std::make_shared<long>(i); q.push_back(p); long v = g(ctx, &tab[i], nb); *p += v; }
  long s = 0; for (auto& v : q) s = s * 3 + *v; return s; }
CASE(sort_behind) { std::vector<long> w(50);
#pragma shmem defer
  for (int i = 0; i < 50; i++) w[i] = g(ctx, &tab[i * 5 % N], nb);
  std::sort(w.begin(), w.end()); return w[3] + 7 * w[40]; }
CASE(sort_each_row) { std::vector<long> w(8);
#pragma shmem defer
  for (int r = 0; r < 6; r++) { for (int i = 0; i < 8; i++) w[i] = g(ctx, &tab[(i * 5 + r) % N], nb); std::sort(w.begin(), w.end()); out[r] = w[3]; }
  return 0; }
CASE(generic_lambda) { long s = 0; double d = 0; auto f = [&](auto v, auto& to) { to = to * 3 + v; };
#pragma shmem defer
  for (int i = 0; i < 50; i++) { f(g(ctx, &tab[i], nb), s); f(shmem_ctx_double_g(ctx, &ftab[i], nb), d); d *= 0.1; }
  fout[0] = d; return s; }
static thread_local std::vector<long> tl_vec;
CASE(thread_local_vector) { tl_vec.assign(64, 0);
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); tl_vec[v & 63] += i; }
  return other_sum(tl_vec.data(), 64); }
CASE(static_local_init) {
#pragma shmem defer
  for (int i = 0; i < 50; i++) { static std::vector<long> memo(64, 3); long v = g(ctx, &tab[i], nb); memo[v & 63] += i; out[i] = i; }
  return 0; }
CASE(vector_bool) { std::vector<bool> seen(100); long n = 0;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb) % 100; if (!seen[v]) { seen[v] = true; n++; out[i] = 1; } }
  return n; }
CASE(array_of_vectors) { std::array<std::vector<long>, 4> q;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); q[v & 3].push_back(i); }
  long s = 0; for (auto& x : q) s = s * 3 + other_sum(x.data(), (long)x.size()); return s; }
CASE(emplace_and_back) { std::vector<std::pair<long, long>> q;
#pragma shmem defer
  for (int i = 0; i < 50; i++) { long v = g(ctx, &tab[i], nb); q.emplace_back(v, i); if (q.size() > 3) q.back().second += q[q.size() - 2].first; }
  long s = 0; for (auto& x : q) s = s * 3 + x.first + x.second; return s; }
CASE(iterator_loop) { std::vector<long> w(50); long k = 0;
#pragma shmem defer
  for (auto it = w.begin(); it != w.end(); ++it) *it = g(ctx, &tab[k++], nb);
  return other_sum(w.data(), 50) + k; }
CASE(find_if_fetched) { std::vector<long> w(50); std::iota(w.begin(), w.end(), 0); long s = 0;
#pragma shmem defer
  { auto it = std::find_if(w.begin(), w.end(), [&](long i) { return g(ctx, &tab[i], nb) % 11 == 5; }); s = it - w.begin(); }
  return s; }
CASE(noexcept_fn) { long s = 0; auto f = [&](long i) noexcept {
#pragma shmem defer
    for (int j = 0; j < 4; j++) { long v = g(ctx, &tab[i + j], nb); s = s * 3 + v; } };
  for (int i = 0; i < 10; i++) f(i);
  return s; }
CASE(copy_capture) { long s = 0; std::vector<std::function<long()>> fs;
#pragma shmem defer
  for (int i = 0; i < 20; i++) { long v = g(ctx, &tab[i], nb); fs.emplace_back([v, i] { return v * i; }); }
  for (auto& f : fs) s = s * 3 + f(); return s; }
CASE(ref_param) { long s = 0; auto run = [](shmem_ctx_t c, long& to) {
#pragma shmem defer
    for (int i = 0; i < 20; i++) { long v = g(c, &tab[i], nb); to = to * 3 + v; } };
  run(ctx, s); long t = s; run(ctx, s); return s + t; }
struct mat { std::unique_ptr<long[]> d = std::make_unique<long[]>(64); long& operator()(int i, int j) { return d[i * 8 + j]; } };
CASE(matrix_op) { mat m, t;
#pragma shmem defer
  for (int i = 0; i < 8; i++) for (int j = 0; j < 8; j++) { m(i, j) = g(ctx, &tab[i * 8 + j], nb); t(j, i) = m(i, j) * 2; }
  return other_sum(m.d.get(), 64) + other_sum(t.d.get(), 64); }
