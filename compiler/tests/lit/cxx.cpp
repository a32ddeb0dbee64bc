// C++ gets the same, objects with destructors and what may throw for want of memory included.
// RUN: %same %S/Inputs/cxx.cpp
// RUN: %instrumented --levels O1 --orders random %S/Inputs/cxx.cpp
// RUN: %cxx -O2 -c %S/Inputs/cxx.cpp -o /dev/null -Rpass=windrow-defer 2>&1 | %FileCheck %s
// CHECK-DAG: cxx.cpp:12:{{[0-9]+}}: remark: deferred 1 statement(s) behind 2 fetch(es)
// CHECK-DAG: cxx.cpp:22:{{[0-9]+}}: remark: deferred
// CHECK-DAG: cxx.cpp:35:{{[0-9]+}}: remark: deferred
// CHECK-DAG: cxx.cpp:47:{{[0-9]+}}: remark: deferred
// CHECK-DAG: cxx.cpp:59:{{[0-9]+}}: remark: deferred
// CHECK-DAG: cxx.cpp:75:{{[0-9]+}}: remark: deferred
