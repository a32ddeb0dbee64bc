// What is not deferred stays as it is, and says why (A14). The same at every level (A5).
// RUN: %cc -O0 -c %s -o /dev/null -Xclang -verify
// RUN: %cc -O3 -c %s -o /dev/null -Xclang -verify -Rpass=windrow-defer-lines
// RUN: %cc -O1 -S -emit-llvm -Wno-pass-failed %s -o - | %FileCheck %s
// CHECK-NOT: call{{.*}} @windrow_defer_open
#include <setjmp.h>
#include <shmem.h>

#define G(object, pe) shmem_ctx_int64_g(ctx, (object), (pe))

int64_t total;
volatile int64_t seen;
jmp_buf place;
void opaque(int64_t*);
void use(int64_t);
void* alloca(size_t);

int64_t breaks(shmem_ctx_t ctx, const int64_t* s, int64_t n) {
  int64_t c = 0;
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    int64_t v = G(&s[i], 1); // expected-warning {{fetch not deferred: a fetched value decides whether the enclosing loop or block is left}}
    if (v == 7) break;
    c += v;
  }
  return c;
}

int64_t returns(shmem_ctx_t ctx, const int64_t* s, int64_t n) {
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    if (G(&s[i], 1) == 9) return i; // expected-warning {{fetch not deferred: a fetched value decides whether the enclosing loop or block is left}}
  }
  return -1;
}

int64_t continues_outside(shmem_ctx_t ctx, const int64_t* s, int64_t n) {
  int64_t c = 0;
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    int64_t v = G(&s[i], 1); // expected-warning {{fetch not deferred: a fetched value decides whether the enclosing loop or block is left}}
    c += v;
    if (c > 10) continue;
    use(i);
    c++;
    if (i == n - 1) goto done;
    c = i;
  }
done:
  return c;
}

int64_t controls_for(shmem_ctx_t ctx, const int64_t* s) {
  int64_t c = 0;
#pragma shmem defer
  for (int64_t i = 0; i < G(&s[i], 1); i++) c += i; // expected-warning {{fetch not deferred: a fetched value decides whether the enclosing loop or block is left}}
  return c;
}

int64_t controls_while(shmem_ctx_t ctx, const int64_t* s) {
  int64_t c = 0;
#pragma shmem defer
  while (G(s, 1) == 0) c++; // expected-warning {{fetch not deferred: a fetched value decides whether the enclosing loop or block is left}}
  return c;
}

int64_t chases(shmem_ctx_t ctx, const int64_t* s, int64_t n) {
  int64_t at = 0;
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) at = G(&s[at], 1); // expected-warning {{fetch not deferred: its own arguments depend on a fetched value carried around the loop}}
  return at;
}

int64_t escapes(shmem_ctx_t ctx, const int64_t* s, int64_t n) {
  int64_t x = 0;
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    int64_t v = G(&s[i], 1); // expected-warning {{fetch not deferred: the address of 'x' escapes, its deferred use cannot be tracked}}
    x += v;
    opaque(&x);
  }
  return x;
}

void is_volatile(shmem_ctx_t ctx, const int64_t* s, int64_t n) {
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) seen = G(&s[i], 1); // expected-warning {{fetch not deferred: volatile or atomic access in dependent code}}
}

void is_atomic(shmem_ctx_t ctx, const int64_t* s, int64_t n, _Atomic int64_t* sum) {
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) *sum += G(&s[i], 1); // expected-warning {{fetch not deferred: volatile or atomic access in dependent code}}
}

void has_assembly(shmem_ctx_t ctx, const int64_t* s, int64_t n) {
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    int64_t v = G(&s[i], 1); // expected-warning {{fetch not deferred: inline assembly in dependent code}}
    __asm__ volatile("" ::"r"(v));
  }
}

void waits(shmem_ctx_t ctx, const int64_t* s, int64_t n) {
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    int64_t v = G(&s[i], 1); // expected-warning {{fetch not deferred: synchronisation call 'shmem_ctx_quiet' in the scope of the fetch}}
    shmem_ctx_quiet(ctx);
    use(v);
  }
}

void waits_in_dependent_code(shmem_ctx_t ctx, const int64_t* s, int64_t n) {
#pragma shmem defer
  for (int64_t i = 0; i < n; i++)
    if (G(&s[i], 1)) shmem_barrier_all(); // expected-warning {{fetch not deferred: synchronisation call 'shmem_barrier_all' depends on or is ordered after deferred code}}
}

static void waits_inside(void) { shmem_sync_all(); }
void waits_in_a_callee(shmem_ctx_t ctx, const int64_t* s, int64_t n) {
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    int64_t v = G(&s[i], 1); // expected-warning {{fetch not deferred: synchronisation call 'shmem_sync_all' in the scope of the fetch}}
    waits_inside();
    use(v);
  }
}

void waits_in_outer_loop(shmem_ctx_t ctx, const int64_t* s, int64_t* out, int64_t n) {
#pragma shmem defer
  for (int64_t r = 0; r < n; r++) {
    for (int64_t i = 0; i < n; i++) out[i] = G(&s[i], 1); // expected-warning {{fetch not deferred: synchronisation call 'shmem_sync_all' in the region}}
    shmem_sync_all();
  }
}

int64_t unknown_call_between(shmem_ctx_t ctx, const int64_t* s, int64_t n) {
  int64_t c = 0;
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    int64_t v = G(&s[i], 1); // expected-warning {{fetch not deferred: call with unknown effects ('use') between the fetch and the code that uses it}}
    use(i);
    c += v;
  }
  return c;
}

void jumps_back(shmem_ctx_t ctx, const int64_t* s, int64_t n) {
#pragma shmem defer
  for (int64_t i = 0; i < n; i++)
    if (G(&s[i], 1) == 5) longjmp(place, 1); // expected-warning {{fetch not deferred: longjmp in dependent code}}
}

__attribute__((noinline)) static void jump_if_five(int64_t v, ...) {
  if (v == 5) longjmp(place, 1);
}
void jumps_back_in_callee(shmem_ctx_t ctx, const int64_t* s, int64_t n) {
#pragma shmem defer
  for (int64_t i = 0; i < n; i++)
    jump_if_five(G(&s[i], 1), 2); // expected-warning {{fetch not deferred: call of 'jump_if_five' in dependent code may leave by 'longjmp'}}
}

// Which of them is only known later.
int64_t chosen_variable(shmem_ctx_t ctx, const int64_t* s, int64_t n) {
  int64_t odd = 0, even = 0;
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    int64_t v = G(&s[i], 1); // expected-warning {{fetch not deferred: the address of 'odd' escapes, its deferred use cannot be tracked}}
    *(v & 1 ? &odd : &even) += v;
  }
  return odd - even;
}

void sets_jump(shmem_ctx_t ctx, const int64_t* s, int64_t n) {
  if (setjmp(place)) return;
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) use(G(&s[i], 1)); // expected-warning {{fetch not deferred: the function calls setjmp}}
}

void has_array(shmem_ctx_t ctx, const int64_t* s, int64_t n) {
#pragma shmem defer
  for (int64_t i = 1; i < n; i++) {
    int64_t v = G(&s[i], 1); // expected-warning {{fetch not deferred: variable-length array or alloca in the region}}
    int64_t a[i];
    a[0] = v;
    opaque(a);
  }
}

void uses_array(shmem_ctx_t ctx, const int64_t* s, int64_t n) {
  int64_t a[n];
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) a[i] = G(&s[i], 1); // expected-warning {{fetch not deferred: variable-length array or alloca in dependent code}}
  opaque(a);
}

void row_counts(shmem_ctx_t ctx, const int64_t* s, int64_t n, volatile int64_t* out) {
#pragma shmem defer
  for (int64_t r = 0; r < n; r++) {
    int64_t count = 0;
    for (int64_t j = 0; j < r; j++) count += G(&s[j], 1); // expected-warning {{fetch not deferred: 'count' is updated by deferred code but is also accessed by code of the region that is not deferred}}
    out[r] = count;
  }
}

void reads_what_it_writes(shmem_ctx_t ctx, const int64_t* s, int64_t* out, int64_t n) {
#pragma shmem defer
  for (int64_t r = 0; r < n; r++) {
    const int64_t other = out[n - r];
    out[r] = G(&s[other], 1); // expected-warning {{fetch not deferred: memory written by deferred code is accessed by code of the region that is not deferred (or the reverse)}}
  }
}

// Which place it is matters, so it is not fetched in any case either.
void writes_what_it_fetches_on_condition(shmem_ctx_t ctx, int64_t* s, const int64_t* at, int64_t n) {
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    int64_t v = i;
    if (at[i] > 0) v = G(&s[at[i]], 1); // expected-warning {{fetch not deferred: 'v' is updated by deferred code but is also accessed by code of the region that is not deferred}}
    s[at[i]] = v + 1;
  }
}

void large_array(shmem_ctx_t ctx, const int64_t* s, int64_t n, int64_t* out) {
  int64_t a[32] = {0};
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    int64_t v = G(&s[i], 1); // expected-warning {{fetch not deferred: large local 'a' is read by deferred code and modified in the region}}
    out[i] = a[v & 31];
    a[i & 31] = i;
  }
}

void unused(shmem_ctx_t ctx, const int64_t* s, int64_t n) {
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) G(&s[i], 1); // expected-warning {{fetch not deferred: the value is not used}}
}

void no_fetch(int64_t* s, int64_t n) {
#pragma shmem defer // expected-warning {{'#pragma shmem defer' region contains no fetch to defer}}
  for (int64_t i = 0; i < n; i++) s[i]++;
}

void two_contexts(shmem_ctx_t ctx, shmem_ctx_t other, const int64_t* s, int64_t n, int64_t* out) {
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    int64_t v = G(&s[i], 1), w = shmem_ctx_int64_g(other, &s[i], 2); // expected-warning 2 {{fetch not deferred: it is on another context than an earlier fetch of its scope}}
    out[i] = v + w;
  }
}

void computed_goto(shmem_ctx_t ctx, const int64_t* s, int64_t n, int64_t* out) {
  const void* where = &&there;
  goto *where;
there:
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) out[i] = G(&s[i], 1); // expected-warning {{fetch not deferred: the function has computed gotos}}
}

void jumped_into(shmem_ctx_t ctx, const int64_t* s, int64_t n, int64_t* out) {
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    switch (i & 3) {
      case 0:
        use(i); // falls through
      case 1:
        out[i] = G(&s[i], 1); // expected-warning {{fetch not deferred: the enclosing loop or block can be left before it, or entered in several ways}}
        break;
      default:
        break;
    }
  }
}

// Where the statement counts the places itself, and a later round comes, or may come, to what an earlier one has stored.
struct cursor {
  int64_t* of;
  int64_t at;
};

void counts_in_a_loop_inside(shmem_ctx_t ctx, int64_t* a, const int64_t* length, int64_t n, int me) {
  int64_t k = 0;
#pragma shmem defer
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < length[i]; j++, k++) a[k + 1] = G(&a[k], me); // expected-warning {{fetch not deferred: a later fetch reads what dependent code writes, or changes what it uses}}
}

void counts_on_a_condition(shmem_ctx_t ctx, int64_t* a, const int64_t* which, int64_t n, int me) {
  int64_t k = 0;
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    if (which[i]) k++;
    a[k + 700] = G(&a[k], me); // expected-warning {{fetch not deferred: a later fetch reads what dependent code writes, or changes what it uses}}
  }
}

void counts_in_a_member(shmem_ctx_t ctx, int64_t* a, int64_t n, int me) {
  struct cursor it = {a, 0};
#pragma shmem defer
  for (it.at = 0; it.at < n; it.at++) it.of[it.at + 1] = G(&it.of[it.at], me); // expected-warning {{fetch not deferred: a later fetch reads what dependent code writes, or changes what it uses}}
}

void counts_around_a_ring(shmem_ctx_t ctx, int64_t* a, int64_t length, int64_t n, int me) {
  int64_t k = 0;
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    const int64_t from = k;
    if (++k == length) k = 0;
    a[k] = G(&a[from], me); // expected-warning {{fetch not deferred: a later fetch reads what dependent code writes, or changes what it uses}}
  }
}

void counts_to_a_large_limit(shmem_ctx_t ctx, int64_t* a, uint32_t n, int me) {
#pragma shmem defer
  for (uint32_t i = 0; i < UINT32_MAX; i++) {
    a[i + 1] = G(&a[i], me); // expected-warning {{fetch not deferred: a later fetch reads what dependent code writes, or changes what it uses}}
    if (i == n) break;
  }
}

// The outer fetch can be deferred but for the lists, and with it would go the inner one.
void lists_take_turns(shmem_ctx_t ctx, const int64_t* key, const int64_t* count, int64_t* x, int64_t* y, int64_t* out, int64_t n) {
  while (n) {
    int64_t again = 0;
#pragma shmem defer
    for (int64_t j = 0; j < n; j++) {
      const int64_t s = x[j];
      const int64_t k = G(&key[s], 0); // expected-warning {{fetch not deferred: memory written by deferred code is accessed by code of the region that is not deferred}}
      if (k == 7)
        out[j] = G(&count[s], 0); // expected-warning {{fetch not deferred: it is made only once another fetch is there, which is not deferred either at line 327}}
      else
        y[again++] = s + 1;
    }
    int64_t* t = x;
    x = y;
    y = t;
    n = again;
  }
}

// Which version of a function runs is chosen when it begins.
void allows_threads(shmem_ctx_t ctx, const int64_t* s, int64_t n, int64_t* out) {
  int level;
  shmem_init_thread(SHMEM_THREAD_MULTIPLE, &level);
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) out[i] = G(&s[i], 1); // expected-warning {{fetch not deferred: the function itself calls shmem_init_thread, perhaps for several threads at line 343}}
}

// The program's own calls of a sanitizer.
void __asan_poison_memory_region(const volatile void* start, size_t bytes);
void __asan_unpoison_memory_region(const volatile void* start, size_t bytes);
void hides(shmem_ctx_t ctx, const int64_t* s, int64_t n, int64_t* table) {
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    __asan_unpoison_memory_region(table, 512);
    const int64_t v = G(&s[i], 1); // expected-warning {{fetch not deferred: call with unknown effects ('__asan_poison_memory_region') in dependent code}}
    table[v & 63]++;
    __asan_poison_memory_region(table, 512);
  }
}
