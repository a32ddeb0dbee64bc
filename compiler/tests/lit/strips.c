// A loop that opens records of one batch, and does nothing else with the library, keeps what that takes in registers;
// whatever else uses the library in the loop, or leaves it in a way that cannot be followed, prevents it.
// RUN: %cc -O1 -S -emit-llvm %s -o %t.ll 2>&1 | %FileCheck %s --check-prefix=SILENT --allow-empty
// RUN: %FileCheck %s --input-file %t.ll
// RUN: %cc -O2 -fsanitize=address -S -emit-llvm %s -o %t.asan.ll && %FileCheck %s --input-file %t.asan.ll
// RUN: %cc -O0 -S -emit-llvm %s -o - | %FileCheck %s --check-prefix=PLAIN
#include <shmem.h>

#define DEFER _Pragma("shmem defer")

// SILENT-NOT: warning
// PLAIN-NOT: defer.strip

// CHECK-LABEL: define dso_local i64 @histogram(
// CHECK: %defer.strip.sroa{{.*}} = phi ptr
// CHECK-NOT: alloca [30 x i64]
// Where a run is full the runtime makes room, and the batch goes on.
// CHECK: call void @windrow_defer_make_room(
int64_t histogram(shmem_ctx_t ctx, int64_t* table, const int64_t* places, int64_t n) {
  int64_t seen = 0;
  DEFER for (int64_t i = 0; i < n; i++) seen += shmem_ctx_int64_atomic_fetch_inc(ctx, &table[places[i]], 1);
  shmem_ctx_quiet(ctx);
  return seen;
}

// The widest loop without other calls: the strip goes on over the rows, and its ways out, also in the middle, end it.
// CHECK-LABEL: define dso_local i64 @rows(
// CHECK: %defer.strip.sroa{{.*}} = phi ptr
int64_t rows(shmem_ctx_t ctx, int64_t* table, const int64_t* offset, const int64_t* places, int64_t n) {
  int64_t seen = 0;
  DEFER for (int64_t row = 0; row < n; row++) {
    if (offset[row] < 0) break;
    for (int64_t i = offset[row]; i < offset[row + 1]; i++)
      seen += shmem_ctx_int64_atomic_fetch_inc(ctx, &table[places[i]], (int)(places[i] & 3));
  }
  shmem_ctx_quiet(ctx);
  return seen;
}

// Another use of the library in the loop.
// CHECK-LABEL: define dso_local i64 @with_an_update(
// CHECK-NOT: defer.strip
int64_t with_an_update(shmem_ctx_t ctx, int64_t* table, const int64_t* places, int64_t* seen_too, int64_t n) {
  int64_t seen = 0;
  DEFER for (int64_t i = 0; i < n; i++) {
    seen += shmem_ctx_int64_atomic_fetch_inc(ctx, &table[places[i]], 1);
    shmem_ctx_int64_atomic_inc(ctx, seen_too, 1);
  }
  shmem_ctx_quiet(ctx);
  return seen;
}

// A function that is not here to see.
// CHECK-LABEL: define dso_local i64 @with_a_call(
// CHECK-NOT: defer.strip
long lrand48(void);
int64_t with_a_call(shmem_ctx_t ctx, int64_t* table, int64_t n) {
  int64_t seen = 0;
  DEFER for (int64_t i = 0; i < n; i++)
    seen += shmem_ctx_int64_atomic_fetch_inc(ctx, &table[lrand48() % n], 1);
  shmem_ctx_quiet(ctx);
  return seen;
}

// One that is here to see.
// CHECK-LABEL: define dso_local i64 @with_a_known_call(
// CHECK: %defer.strip.sroa{{.*}} = phi ptr
static int64_t hash(int64_t place) {
  return place * 0x9e3779b9 >> 7 & 1023;
}
int64_t with_a_known_call(shmem_ctx_t ctx, int64_t* table, int64_t n) {
  int64_t seen = 0;
  DEFER for (int64_t i = 0; i < n; i++)
    seen += shmem_ctx_int64_atomic_fetch_inc(ctx, &table[hash(i)], 1);
  shmem_ctx_quiet(ctx);
  return seen;
}

// Two places that open records: their order is that of the queue.
// CHECK-LABEL: define dso_local void @two_places(
// CHECK-NOT: defer.strip
// CHECK: ret void
void two_places(shmem_ctx_t ctx, int64_t* table, const int64_t* places, int64_t* seen, int64_t n) {
  DEFER for (int64_t i = 0; i < n; i++) {
    if (places[i] & 1)
      seen[0] += shmem_ctx_int64_atomic_fetch_inc(ctx, &table[places[i]], 1);
    else
      seen[1] += shmem_ctx_int64_atomic_fetch_inc(ctx, &table[places[i]], 2);
  }
  shmem_ctx_quiet(ctx);
}

// A context that changes is compared; the updates of deferred code keep their routes over a batch.
// CHECK-LABEL: define dso_local void @several_contexts(
// CHECK: %defer.strip.sroa{{.*}} = phi ptr
// CHECK: ret void
// CHECK-LABEL: define internal {{.*}}@several_contexts.defer1.{{[0-9]+}}.run(
// CHECK: phi
// CHECK: ret i32
void several_contexts(const shmem_ctx_t* ctx, int64_t* next, int64_t* rows, const int64_t* places, int64_t n) {
  DEFER for (int64_t i = 0; i < n; i++) {
    const int64_t place = shmem_ctx_int64_atomic_fetch_inc(ctx[i & 1], &next[places[i]], 1);
    shmem_ctx_int64_p(ctx[i & 1], &rows[place], i, 0);
  }
  shmem_ctx_quiet(ctx[0]);
  shmem_ctx_quiet(ctx[1]);
}
