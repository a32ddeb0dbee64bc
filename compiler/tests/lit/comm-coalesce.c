// Reads of neighbouring places become one, if nothing is in between.
// RUN: %clang %comm -fplugin-arg-windrow-comm=relaxed %s -Xclang -verify
// RUN: %clang %comm -fplugin-arg-windrow-comm=relaxed,vectorise %s 2>&1 | %FileCheck %s --check-prefix=OFF
// OFF-NOT: remark: read together
#include <shmem.h>

struct pair {
  int a, b;
  long c[200];
};

long use(long* read);

long members(const struct pair* r, int pe) {
  return shmem_int_g(&r->a, pe)         // expected-remark {{read together with 2 beside it: 16 bytes}}
         + shmem_int_g(&r->b, pe)       // expected-remark {{read together with 2 beside it: 16 bytes}}
         * shmem_long_g(&r->c[0], pe)   // expected-remark {{read together with 2 beside it: 16 bytes}}
         + shmem_long_g(&r->c[190], pe); // expected-remark {{it is not in a loop that counts}}
}
long behind_fence(const struct pair* r, int pe) {
  const long a = shmem_int_g(&r->a, pe); // expected-remark {{it is not in a loop that counts}}
  shmem_fence();
  return a + shmem_int_g(&r->b, pe); // expected-remark {{it is not in a loop that counts}}
}
long behind_store(struct pair* r, int pe) {
  const long a = shmem_int_g(&r->a, pe); // expected-remark {{it is not in a loop that counts}}
  r->b = 3;
  return a + shmem_int_g(&r->b, pe); // expected-remark {{it is not in a loop that counts}}
}
long behind_own_store(const struct pair* r, int pe) {
  long read[2];
  read[0] = shmem_int_g(&r->a, pe); // expected-remark {{read together with 1 beside it: 8 bytes}}
  read[1] = shmem_int_g(&r->b, pe); // expected-remark {{read together with 1 beside it: 8 bytes}}
  return use(read);
}
long behind_write(struct pair* r, int pe) {
  const long a = shmem_int_g(&r->a, pe); // expected-remark {{it is not in a loop that counts}}
  shmem_int_p(&r->b, 3, pe);             // expected-remark {{it is not in a loop that counts}}
  return a + shmem_int_g(&r->b, pe);     // expected-remark {{it is not in a loop that counts}}
}
long two_blocks(const struct pair* r, int pe) {
  const long a = shmem_int_g(&r->a, pe);        // expected-remark {{it is not in a loop that counts}}
  return a > 3 ? shmem_int_g(&r->b, pe) : a; // expected-remark {{it is not in a loop that counts}}
}
long polled(const struct pair* r, int pe) {
  int b;
  do b = shmem_int_g(&r->b, pe);         // expected-remark {{the number of rounds is not known}}
  while (!shmem_int_g(&r->a, pe)); // expected-remark {{the number of rounds is not known}}
  return b;
}
struct node {
  long value, next;
};
long walked(const struct node* r, long at, int pe) {
  long sum = 0;
  while (at >= 0) {
    sum += shmem_long_g(&r[at].value, pe); // expected-remark {{read together with 1 beside it: 16 bytes}}
    at = shmem_long_g(&r[at].next, pe); // expected-remark {{read together with 1 beside it: 16 bytes}}
  }
  return sum;
}
int first_of_all(const struct pair* r, int n_pes) {
  int pe = 0, b;
  do {
    pe = (pe + 1) % n_pes;
    b = shmem_int_g(&r->b, pe);          // expected-remark {{the number of rounds is not known}}
  } while (!shmem_int_g(&r->a, pe)); // expected-remark {{the number of rounds is not known}}
  return b;
}
long strict(const struct pair* r, int pe) {
  const long a = shmem_int_g(&r->a, pe); // expected-remark {{it is not in a loop that counts}}
  long b;
#pragma shmem strict
  b = shmem_int_g(&r->b, pe); // expected-remark {{it is not in a loop that counts}}
  return a + b;
}
