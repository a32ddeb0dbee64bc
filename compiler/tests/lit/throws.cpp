// Dependent code that throws, in every order, and what is said of it.
// RUN: %same %programs/throws.cpp
// RUN: %at_length %instrumented --levels O1 --orders random %programs/throws.cpp
// RUN: %cxx -O2 -c %programs/throws.cpp -o /dev/null -Rpass=windrow-defer 2>&1 | %FileCheck %s
// CHECK-DAG: throws.cpp:48:{{.*}} remark: deferred
// CHECK-DAG: throws.cpp:57:{{.*}} warning: fetch not deferred: dependent code may throw ({{.*}}), but the rounds behind would have fetched by then
// CHECK-DAG: throws.cpp:64:{{.*}} remark: deferred
// CHECK-DAG: throws.cpp:77:{{.*}} warning: fetch not deferred: dependent code may throw ({{.*}}), but the rounds behind would have fetched by then
// CHECK-DAG: throws.cpp:91:{{.*}} warning: fetch not deferred: dependent code may throw ({{.*}}), but the rounds behind would have fetched by then
// CHECK-DAG: throws.cpp:105:{{.*}} warning: fetch not deferred: dependent code may throw ({{.*}}), but the rounds behind would have fetched by then
// CHECK-DAG: throws.cpp:121:{{.*}} warning: fetch not deferred: dependent code may throw ({{.*}}), but the rounds behind would have fetched by then
// CHECK-DAG: throws.cpp:163:{{.*}} warning: fetch not deferred: dependent code may throw ({{.*}}), but the rounds behind would have fetched by then
// CHECK-DAG: throws.cpp:204:{{.*}} warning: fetch not deferred: dependent code may throw ('operator new'), but the handler uses 'k', which code that does not wait for the fetch changes
// CHECK-DAG: throws.cpp:217:{{.*}} warning: fetch not deferred: dependent code may throw ('operator new'), but code that does not wait for the fetch has effects
// CHECK-DAG: throws.cpp:181:{{.*}} remark: deferred
