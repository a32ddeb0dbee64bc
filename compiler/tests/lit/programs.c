// Listing 3 of the publication, triangle counting and topological sort (A1, A2, A3), values that depend on a condition and sums of
// rows (A15, A16): all in every order, no fetch blocks, and the same decisions at every level.
// RUN: %same %programs/transpose.c
// RUN: %same %programs/triangles.c
// RUN: %same %programs/toposort.c
// RUN: %same %programs/buckets.c
// RUN: %same %programs/limited.c
// RUN: %same %programs/much.c
// RUN: %same %programs/conditions.c
// RUN: %cc -O2 -S -emit-llvm -Rpass=windrow-defer %programs/conditions.c -o - 2>&1 | %FileCheck %s --check-prefix=CONDITIONS
// CONDITIONS-NOT: warning
// CONDITIONS-COUNT-2: remark: deferred {{.*}} behind 1 fetch(es)
// CONDITIONS-NOT: warning
// RUN: %cc -O2 -Rpass=windrow-defer -c %programs/limited.c -o /dev/null 2>&1 | %FileCheck %s --check-prefix=BUCKETS
// RUN: %cc -O2 -Rpass=windrow-defer -c %programs/buckets.c -o /dev/null 2>&1 | %FileCheck %s --check-prefix=BUCKETS
// BUCKETS: remark: fused at owner
// RUN: %same %programs/counters.c
// RUN: %same %programs/frames.c
// RUN: %same %programs/endless.c
// RUN: %same %programs/arenas.cpp
// RUN: %same %programs/cursors.cpp
// RUN: %same %programs/several.c
// RUN: %same %programs/addresses.c
// RUN: %same %programs/updates.c
// RUN: %same %programs/places.c
// RUN: %same %programs/beside.c
// RUN: %same %programs/derived.c
// RUN: %same %programs/derived.cpp
// RUN: %same %programs/moved.cpp
// RUN: %same %programs/parts.cpp
// RUN: %same %programs/pieces.cpp
// RUN: %same %programs/coroutines.cpp
// RUN: %cxx -O1 -DREORDER -Rpass=windrow-defer -c %programs/parts.cpp -o /dev/null 2>&1 | grep -c "remark: deferred" | grep -x 14
// RUN: %same %programs/numbers.c
// RUN: %same %programs/uneven.c
// RUN: %cc -O1 -DREORDER -Rpass=windrow-defer -c %programs/numbers.c -o /dev/null 2>&1 | grep -c "remark: deferred" | grep -x 2
// RUN: %same %programs/strips.c
//
// RUN: %cc -O0 -Rpass=windrow-defer -c %programs/transpose.c -o /dev/null 2>&1 | %FileCheck %s --check-prefix=TRANSPOSE
// TRANSPOSE-NOT: warning
// TRANSPOSE: remark: deferred 4 statement(s) behind 1 fetch(es), captured {{[1-6][0-9]|7[0-2]}} bytes by value
// TRANSPOSE-NOT: warning
//
// RUN: %cc -O0 -Rpass=windrow-defer -c %programs/triangles.c -o /dev/null 2>&1 | %FileCheck %s --check-prefix=TRIANGLES
// TRIANGLES-NOT: warning
// TRIANGLES: remark: deferred 17 statement(s) behind 2 fetch(es), {{.*}}shared by reference [numpulled, cnt]
// TRIANGLES: remark: deferred 13 statement(s) behind 1 vectorised fetch, {{.*}}shared by reference [start, cnt], nesting level 2
// TRIANGLES-NOT: warning
//
// RUN: %cc -O0 -Rpass=windrow-defer -c %programs/toposort.c -o /dev/null 2>&1 | %FileCheck %s --check-prefix=TOPOSORT
// TOPOSORT-NOT: warning
// TOPOSORT: remark: deferred
// TOPOSORT: nesting level 2
// TOPOSORT: nesting level 3
// TOPOSORT: remark: deferred 2 statement(s) behind 1 fetch(es), {{.*}}shared by reference [opened], nesting level 4
// TOPOSORT-NOT: warning
