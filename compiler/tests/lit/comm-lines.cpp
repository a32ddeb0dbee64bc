// Lines of other files are told with the file.
// RUN: %clang %comm -fplugin-arg-windrow-comm=relaxed %s -Xclang -verify
#include "Inputs/comm-lines.h"

#include <shmem.h>

long used_there(const long* r, long* to, long n, int pe) {
  static long more[100];
  shmem_long_get(more, r, 100, pe);    // expected-remark-re {{read split: it is only begun here, and waited for at line 3 of comm-lines.h{{$}}}}
  shmem_long_get(to, r, (size_t)n, pe); // expected-remark-re {{read split: it is only begun here, and waited for at line 3 of comm-lines.h{{$}}}}
  return first_of(to);
}
long used_here(const long* r, long* to, long n, int pe) {
  static long more[100];
  shmem_long_get(more, r, 100, pe);    // expected-remark-re {{read split: it is only begun here, and waited for at line {{[0-9]+$}}}}
  shmem_long_get(to, r, (size_t)n, pe); // expected-remark-re {{read split: it is only begun here, and waited for at line {{[0-9]+$}}}}
  return to[0];
}
long changed_there(long* r, long* to, long n, int pe) {
  const long before = shmem_long_g(r, pe); // expected-remark {{it is not in a loop that counts}}
  fill(to, n);
  return before + 3 * shmem_long_g(r, pe); // expected-remark-re {{the place may be changed {{.*}}at line 6 of comm-lines.h{{$}}}} \
                                              expected-remark {{it is not in a loop that counts}}
}
