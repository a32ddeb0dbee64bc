// In deferred code the debugger finds captured, shared and private variables.
// RUN: %cc -O0 -g -S -emit-llvm %s -o - | %FileCheck %s
#include <shmem.h>

int64_t look(shmem_ctx_t ctx, int64_t n, int64_t* table) {
  int64_t sum = 0;
#pragma shmem defer
  for (int64_t k = 0; k < n; k++) {
    const int64_t fetched = shmem_ctx_int64_atomic_fetch_inc(ctx, &table[k], 0);
    sum += fetched * k;
  }
  shmem_ctx_quiet(ctx);
  return sum;
}

// CHECK: define internal void @look.defer1.0(ptr %rec)
// CHECK: %rec.addr = alloca ptr
// CHECK: store ptr %rec, ptr %rec.addr
// CHECK-DAG: dbg{{.}}declare({{(metadata )?}}ptr %fetched, {{(metadata )?}}![[fetched:[0-9]+]], {{(metadata )?}}!DIExpression(){{[,)]}}
// CHECK-DAG: dbg{{.}}declare({{(metadata )?}}ptr %rec.addr, {{(metadata )?}}![[sum:[0-9]+]], {{(metadata )?}}!DIExpression(DW_OP_deref, DW_OP_plus_uconst, {{[0-9]+}}, DW_OP_deref){{[,)]}}
// CHECK-DAG: dbg{{.}}declare({{(metadata )?}}ptr %rec.addr, {{(metadata )?}}![[k:[0-9]+]], {{(metadata )?}}!DIExpression(DW_OP_deref, DW_OP_plus_uconst, {{[0-9]+}}){{[,)]}}
// CHECK-DAG: ![[fetched]] = !DILocalVariable(name: "fetched", scope: ![[callback:[0-9]+]]
// CHECK-DAG: ![[sum]] = !DILocalVariable(name: "sum", scope: ![[callback]]
// CHECK-DAG: ![[k]] = !DILocalVariable(name: "k", scope: ![[callback]]
