/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts numbers into buckets with little room: the owner of a bucket says which place is next. If there is
   one, the number is written there, else it is added to what is left over. All that is on one PE. */
#include "job.h"

enum { numbers = 4000, buckets = 60, room = 40 };

static int64_t bucket_of(int64_t number) {
  return (int64_t)(mixed((uint64_t)number, 11) % buckets);
}

static void sort(shmem_ctx_t ctx, int64_t* next, int64_t* kept, int64_t* left, int me, int npes) {
#pragma shmem defer strict
  for (int64_t number = me; number < numbers; number += npes) {
    const int64_t b = bucket_of(number), row = b / npes;
    const int pe = (int)(b % npes);
    const int64_t place = shmem_ctx_int64_atomic_fetch_inc(ctx, &next[row], pe);
    if (place < room && (number % 3 != 0 || place > 0))
      shmem_ctx_int64_p(ctx, &kept[row * room + place], number + 1, pe);
    else
      shmem_ctx_int64_atomic_add(ctx, &left[row], number + 1, pe);
  }
  shmem_ctx_quiet(ctx);
}

static int64_t wrong_buckets(const int64_t* next, const int64_t* kept, const int64_t* left, int me,
                             int npes) {
  int64_t wrong = 0;
  for (int64_t b = me; b < buckets; b += npes) {
    int64_t count = 0, sum = -left[b / npes];
    for (int64_t number = 0; number < numbers; number++)
      if (bucket_of(number) == b) {
        count++;
        sum += number + 1;
      }
    for (int i = 0; i < room; i++) {
      const int64_t one = kept[b / npes * room + i];
      sum -= one;
      wrong +=
          one != 0 ? bucket_of(one - 1) != b : i > 0 && i < count; /* the first may have been left over */
    }
    wrong += sum != 0 || next[b / npes] != count;
  }
  return wrong;
}

int main(void) {
  shmem_ctx_t ctx = start();
  const int npes = shmem_n_pes();
  int64_t *next = symmetric(buckets), *kept = symmetric(buckets * room), *left = symmetric(buckets),
          *total = symmetric(1);
  FOR_MY_PES(me) sort(ctx, next, kept, left, me, npes);
  shmem_barrier_all();
  FOR_MY_PES(me)
  shmem_ctx_int64_atomic_add(ctx, &total[0],
                             wrong_buckets(PART(next, me), PART(kept, me), PART(left, me), me, npes), 0);
  shmem_ctx_quiet(ctx);
  shmem_barrier_all();
  if (shmem_my_pe() == 0) printf("wrong buckets: %ld\n", (long)total[0]);
  shmem_ctx_destroy(ctx);
  shmem_finalize();
  return 0;
}
