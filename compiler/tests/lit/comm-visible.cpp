// Of instances of templates LLVM says little, since another file may have another copy; their code does.
// RUN: %clang %comm -std=c++20 -fplugin-arg-windrow-comm=relaxed %s -Xclang -verify
#include <shmem.h>

#define OWN __attribute__((noinline))

int unseen();
static int table[64];
static long flag;

template <class T>
struct engine {
  T state[4];
  OWN T operator()() {
    for (int k = 0; k < 4; k++) state[k] = state[k] * 6364136223846793005u + state[(k + 1) & 3];
    return state[0] >> 33;
  }
  OWN T counted() { return (*this)() + (T)++table[state[0] & 63]; }
  OWN T told() { return (*this)() + (T)unseen(); }
  OWN T checked() {
    if (state[0] == 7) throw 7;
    return (*this)();
  }
  OWN T waiting() {
    while (__atomic_load_n(&flag, __ATOMIC_RELAXED) == 0) continue;
    return (*this)();
  }
  OWN T fetched(const long* at, int pe) { return (*this)() + (T)shmem_long_atomic_fetch(at, pe); }
};
using random_numbers = engine<unsigned long>;

void updates(random_numbers& next, long* r, int n, int pes) {
  for (int i = 0; i < n; i++) {
    const unsigned long k = next();
    shmem_long_atomic_inc(&r[k % 100], (int)(k / 100) % pes); // expected-remark {{update vectorised}}
  }
}
void in_turn(random_numbers& next, long* r, int n, int pe) {
  for (int i = 0; i < n; i++) shmem_long_p(&r[i], (long)next.counted(), pe); // expected-remark {{write vectorised: one write}}
}
void by_unseen(random_numbers& next, long* r, int n, int pe) {
  for (int i = 0; i < n; i++) shmem_long_p(&r[i], (long)next.told(), pe); // expected-remark {{write stays as it is: the loop calls}}
}
void by_throwing(random_numbers& next, long* r, int n, int pe) {
  for (int i = 0; i < n; i++) shmem_long_p(&r[i], (long)next.checked(), pe); // expected-remark {{write stays as it is: the loop calls}}
}
void by_waiting(random_numbers& next, long* r, int n, int pe) {
  for (int i = 0; i < n; i++) shmem_long_p(&r[i], (long)next.waiting(), pe); // expected-remark {{write stays as it is: the loop calls}}
}
void by_fetching(random_numbers& next, const long* at, long* r, int n, int pe) {
  for (int i = 0; i < n; i++) shmem_long_p(&r[i], (long)next.fetched(at, pe), pe); // expected-remark {{write stays as it is: the loop calls}}
}
// What it changes may name the place.
long names(random_numbers& next, const long* r, int n, int pe) {
  long s = 0;
  for (int i = 0; i < n; i++) {
    s += shmem_long_g(&r[table[i & 63]], pe); // expected-remark {{read stays as it is}}
    next.counted();
  }
  return s;
}
