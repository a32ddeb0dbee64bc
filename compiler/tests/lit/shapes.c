// Every kind of statement, in every order, with sanitizers, and with the same decisions at every level (A5, A6, A7).
// RUN: %same %S/Inputs/shapes.c
// RUN: %instrumented --orders lifo,random %S/Inputs/shapes.c
// RUN: %cc -O0 -g -c %S/Inputs/shapes.c -o /dev/null -Rpass=windrow-defer -Rpass-analysis=windrow-defer > %t.0 2>&1
// RUN: %cc -O3 -g -c %S/Inputs/shapes.c -o /dev/null -Rpass=windrow-defer -Rpass-analysis=windrow-defer > %t.3 2>&1
// RUN: diff %t.0 %t.3 && %FileCheck %s --input-file %t.0
// CHECK-COUNT-17: remark: deferred
