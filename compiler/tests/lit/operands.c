// Operands of code that runs at owners are made there if that takes less along.
// RUN: %same %programs/operands.c
// RUN: %at_length %instrumented --levels O2 --orders random %programs/operands.c
// RUN: %cc -O0 -Rpass=windrow-defer -c %programs/operands.c -o /dev/null 2>&1 | %FileCheck %s
// CHECK-COUNT-6: its operands are made there
// CHECK-NOT: made there
