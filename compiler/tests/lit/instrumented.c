// Deferred code under sanitizers, and with flags that add code of their own to it.
// RUN: %at_length %same --levels O2 --orders random --flags="-g -fsanitize=address,undefined" %programs/several.c
// RUN: %at_length %same --levels O2 --orders random --flags="-g -fsanitize=address,undefined" %programs/strips.c
// RUN: %same --levels O2 --orders random --flags="-g -fsanitize=address,undefined" %programs/triangles.c
// RUN: %at_length %same --levels O1 --orders random --flags="-g -fsanitize=address,undefined" %programs/toposort.c
// RUN: %same --levels O1 --orders random --flags="-fsanitize=address,undefined -fsanitize-trap=undefined" %programs/transpose.c
// RUN: %same --levels O2 --orders random --flags="-fprofile-instr-generate -fcoverage-mapping" %programs/triangles.c
// RUN: %at_length %same --levels O2 --orders random --flags="-fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc" %programs/triangles.c
// RUN: %cc -O1 -fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc -Werror -c %programs/triangles.c -o /dev/null
// RUN: %cc -O1 -fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc -Werror -c %s -o /dev/null
// RUN: %cxx -O1 -fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc -Werror -c %S/constexpr.cpp -o /dev/null
// RUN: %at_length %same --levels O2 --orders random --flags="-flto" %programs/triangles.c
// RUN: %same --levels O2 --orders random --flags="-ftrivial-auto-var-init=zero -fstack-protector-all" %programs/triangles.c
// Sums that are checked are sums: what is known of addresses is the same.
// RUN: %same --levels O0 --orders lifo --flags="-fsanitize=undefined" %programs/recurrences.c
// RUN: %at_length %same --levels O0 --orders lifo --flags="-fsanitize=undefined -fno-sanitize=signed-integer-overflow" %programs/addresses.c
#include <shmem.h>

// The variable of the coverage that decisions collect in is one of each decision.
void decides(shmem_ctx_t ctx, const int64_t* from, int64_t* to, int64_t* seen, int n) {
#pragma shmem defer
  for (int i = 0; i < n; i++) {
    if (n < 4 || (i > 3 && (i & 1))) seen[i]++;
    const int64_t v = shmem_ctx_int64_g(ctx, &from[i], 0);
    if ((v & 1) && i > 3) to[i]++;
  }
}
