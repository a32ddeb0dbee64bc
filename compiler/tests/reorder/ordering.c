/* SPDX-License-Identifier: BSD-3-Clause */
/* What the reordering runtime has of signals, locks and untyped or long transfers. All of it is direct:
   others may see what was stored before. A call that waits completes what the library completes in it. */
#include <string.h>

#include "reorder.h"

static void (*watcher)(void);

void reorder_watch(void (*chosen)(void)) {
  watcher = chosen;
}
void reorder_seen(void) {
  if (watcher) watcher();
}

void shmem_set_lock(long* lock) {
  *lock = 1;
}
int shmem_test_lock(long* lock) {
  *lock = 1;
  return 0;
}
void shmem_clear_lock(long* lock) {
  reorder_seen();
  *lock = 0;
}

void shmem_putmem(void* dest, const void* source, size_t bytes, int pe) {
  memcpy(shmem_ptr(dest, pe), source, bytes);
}
void shmem_getmem(void* dest, const void* source, size_t bytes, int pe) {
  memcpy(dest, shmem_ptr(source, pe), bytes);
}
void shmem_ctx_putmem(shmem_ctx_t ctx, void* dest, const void* source, size_t bytes, int pe) {
  (void)ctx;
  shmem_putmem(dest, source, bytes, pe);
}
void shmem_ctx_getmem(shmem_ctx_t ctx, void* dest, const void* source, size_t bytes, int pe) {
  (void)ctx;
  shmem_getmem(dest, source, bytes, pe);
}

void shmem_signal_set(uint64_t* sig_addr, uint64_t signal, int pe) {
  *(uint64_t*)shmem_ptr(sig_addr, pe) = signal;
  reorder_seen();
}
void shmem_signal_add(uint64_t* sig_addr, uint64_t signal, int pe) {
  *(uint64_t*)shmem_ptr(sig_addr, pe) += signal;
  reorder_seen();
}
uint64_t shmem_signal_fetch(const uint64_t* sig_addr) {
  return *sig_addr;
}

#define TRANSFERS(T, N, A, B)                                                                               \
  void shmem_ctx_##N##_iput(shmem_ctx_t ctx, T* dest, const T* source, ptrdiff_t dst, ptrdiff_t sst,        \
                            size_t nelems, int pe) {                                                        \
    (void)ctx;                                                                                              \
    for (size_t i = 0; i < nelems; i++)                                                                     \
      ((T*)shmem_ptr(dest, pe))[(ptrdiff_t)i * dst] = source[(ptrdiff_t)i * sst];                           \
    reorder_seen();                                                                                         \
  }                                                                                                         \
  void shmem_##N##_put(T* dest, const T* source, size_t nelems, int pe) {                                   \
    shmem_putmem(dest, source, nelems * sizeof(T), pe);                                                     \
  }                                                                                                         \
  void shmem_##N##_get(T* dest, const T* source, size_t nelems, int pe) {                                   \
    shmem_getmem(dest, source, nelems * sizeof(T), pe);                                                     \
  }                                                                                                         \
  void shmem_##N##_put_signal(T* dest, const T* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, \
                              int sig_op, int pe) {                                                         \
    shmem_putmem(dest, source, nelems * sizeof(T), pe);                                                     \
    (sig_op == SHMEM_SIGNAL_SET ? shmem_signal_set : shmem_signal_add)(sig_addr, signal, pe);               \
  }
WINDROW_SHMEM_REALS(TRANSFERS, , )
WINDROW_SHMEM_SMALL_INTEGERS(TRANSFERS, , )
WINDROW_SHMEM_INTEGERS(TRANSFERS, , )
WINDROW_SHMEM_SIZED(TRANSFERS, , )
