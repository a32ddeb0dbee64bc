/* SPDX-License-Identifier: BSD-3-Clause */
/* What the programs of this folder have in common: a value of each PE is told under a name. */
#ifndef WINDROW_COMPILER_TESTS_TOLD_H
#define WINDROW_COMPILER_TESTS_TOLD_H

#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Not looked into. */
#define OPAQUE __attribute__((noinline))

static uint64_t told_value;

static OPAQUE uint64_t hash_of(const void* memory, size_t bytes) {
  const unsigned char* byte = (const unsigned char*)memory;
  uint64_t hash = 1469598103934665603u;
  for (size_t i = 0; i < bytes; i++) hash = (hash ^ byte[i]) * 1099511628211u;
  return hash;
}

/* Collective: PE 0 prints the values of all. */
static OPAQUE void tell(const char* name, uint64_t value) {
  told_value = value;
  shmem_barrier_all();
  if (shmem_my_pe() == 0) {
    printf("%s:", name);
    for (int pe = 0; pe < shmem_n_pes(); pe++)
      printf(" %llx", (unsigned long long)shmem_uint64_g(&told_value, pe));
    printf("\n");
  }
  shmem_barrier_all();
}

/* The same for what the memory holds when all have written. */
static OPAQUE void tell_memory(const char* name, const void* memory, size_t bytes) {
  shmem_barrier_all();
  tell(name, hash_of(memory, bytes));
}

#endif
