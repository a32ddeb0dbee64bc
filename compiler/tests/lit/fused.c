// Deferred code that only updates objects on the PE that is fetched from runs there.
// RUN: %same %S/Inputs/fused.c
// RUN: %instrumented --levels O2 --orders random %S/Inputs/fused.c
// RUN: %cc -O0 -g -c %S/Inputs/fused.c -o /dev/null -Rpass=windrow-defer 2>&1 | %FileCheck %s
// CHECK: fused.c:13:{{[0-9]+}}: remark: fused at owner: 2 statement(s) behind 1 fetch, 8 bytes travel with it
// CHECK: fused.c:23:{{[0-9]+}}: remark: fused at owner: {{[3-5]}} statement(s) behind 1 fetch
// CHECK: fused.c:35:{{[0-9]+}}: remark: deferred
// CHECK: fused.c:46:{{[0-9]+}}: remark: deferred
// CHECK: fused.c:59:{{[0-9]+}}: remark: deferred
// RUN: %cc -O2 -g -c %S/Inputs/fused.c -o /dev/null -Rpass=windrow-defer -fplugin-arg-windrow-no-fusion 2>&1 | %FileCheck %s --check-prefix=OFF
// OFF-COUNT-5: remark: deferred
// OFF-NOT: fused
