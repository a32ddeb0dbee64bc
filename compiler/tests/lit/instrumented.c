// Deferred code under sanitizers, and with flags that add code of their own to it.
// RUN: %same --levels O2 --orders random --flags="-g -fsanitize=address,undefined" %programs/several.c
// RUN: %same --levels O2 --orders random --flags="-g -fsanitize=address,undefined" %programs/strips.c
// RUN: %same --levels O2 --orders random --flags="-g -fsanitize=address,undefined" %programs/triangles.c
// RUN: %same --levels O1 --orders random --flags="-g -fsanitize=address,undefined" %programs/toposort.c
// RUN: %same --levels O1 --orders random --flags="-fsanitize=address,undefined -fsanitize-trap=undefined" %programs/transpose.c
// RUN: %same --levels O2 --orders random --flags="-fprofile-instr-generate -fcoverage-mapping" %programs/triangles.c
// RUN: %same --levels O2 --orders random --flags="-flto" %programs/triangles.c
// RUN: %same --levels O2 --orders random --flags="-ftrivial-auto-var-init=zero -fstack-protector-all" %programs/triangles.c
// Sums that are checked are sums: what is known of addresses is the same.
// RUN: %same --levels O0 --orders lifo --flags="-fsanitize=undefined" %programs/recurrences.c
// RUN: %same --levels O0 --orders lifo --flags="-fsanitize=undefined -fno-sanitize=signed-integer-overflow" %programs/addresses.c
