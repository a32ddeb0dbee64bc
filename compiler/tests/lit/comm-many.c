// Hundreds of reads in one loop, each of which a later store and a later place depend on: what they may decide is found
// in seconds, not in minutes. So is whether many writes meet.
// RUN: timeout 60 %clang %comm -fplugin-arg-windrow-comm=relaxed %s 2>&1 | %FileCheck %s
// CHECK: remark: read vectorised
// CHECK: remark: write stays as it is: too many places of the loop would have to be compared
#include <shmem.h>

#define ONE s = 3 * s + shmem_long_g(&r[i * (__COUNTER__ % 7 + 1)], pe); q[s & 1023] = s;
#define EIGHT ONE ONE ONE ONE ONE ONE ONE ONE
#define MANY EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT

long sum(const long* r, long* q, int n, int pe) {
  long s = 0;
  for (int i = 0; i < n; i++) {
    MANY MANY MANY MANY MANY MANY MANY MANY
  }
  return s;
}

// Each pair of them is compared in front of the loop: to no end, if there are too many.
#define WRITE shmem_long_p(&r[i + __COUNTER__ * n], i, pe);
#define WRITES WRITE WRITE WRITE WRITE WRITE WRITE WRITE WRITE WRITE WRITE

void fill(long* r, long n, int pe) {
  for (long i = 0; i < n; i++) {
    WRITES WRITES WRITES WRITES WRITES WRITES WRITES WRITES WRITES WRITES WRITES WRITES WRITES WRITES
  }
}
