/* SPDX-License-Identifier: BSD-3-Clause */
/* What `windrow cc -fcomm` puts into programs for reads whose places are computed in front of the rounds that
   need them, and for writes that are made behind them: the interface between compiled code and the runtime.
   Programs do not call it themselves.

   Where windrow_comm_has_far_pes is not 0, compiled code stores the places and PEs of the next rounds, and

     struct windrow_comm_read reads[] = {{places, pes, sizeof(long), number, 0, 0}};
     if (windrow_comm_gather(reads, 1, &extents)) {
       ...                                                           reads[0].values[i] is that at places[i]
       windrow_comm_release(reads);
     }

   Where it returns 0 there is no memory, and nothing is to be released.

   Writes and updates of a loop are collected: between

     struct windrow_comm_writes* late = windrow_comm_begin_writes();

   and windrow_comm_end_writes(late), `windrow_comm_write(late, &routine, &a[b[i]], pe, value)` stands for
   shmem_p, or an update.

   Bulk gets and puts are begun, and waited for later:

     begun = NULL;
     begun = windrow_comm_begin_get(begun, "shmem_getmem", dest, source, bytes, pe);
     if (begun) begun = windrow_comm_before_access(begun, at, bytes, 0);          before what may read dest
     if (begun) windrow_comm_complete(begun), begun = NULL;              before what could tell anybody else
 */
#ifndef WINDROW_DETAIL_COMM_CALLS_H
#define WINDROW_DETAIL_COMM_CALLS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One read of the program, as often as the next rounds make it. */
struct windrow_comm_read {
  const void* const* places; /* symmetric, as shmem_g is given them */
  const int* pes;
  size_t bytes;  /* of a value */
  size_t number; /* of places */
  void* values;  /* set by windrow_comm_gather: `bytes` for each place, 16-byte aligned */
  void* index;   /* of the runtime, in the first */
};

/* The bytes from `low` to `end`; empty if low >= end. */
struct windrow_comm_extent {
  uintptr_t low, end;
};
struct windrow_comm_extents {
  struct windrow_comm_extent near_memory; /* what was read by loads, where it lies in this process */
  struct windrow_comm_extent places;      /* all that was read, by its symmetric address */
};

/* Not 0 if there are PEs whose memory this one cannot load from, while the job runs. Compiled code only reads
 * it. */
extern int windrow_comm_has_far_pes;

/* Reads the values of `count` reads, after all puts that this PE has begun. Blocks until they are here, and
   needs nobody's help: owners that call the library answer in bulk, and from one that does not for a while
   each value is got by itself. Misuse of places and PEs ends the job as shmem_g does. Any thread. */
int windrow_comm_gather(struct windrow_comm_read* reads, size_t count, struct windrow_comm_extents* extents);
/* This PE has put `bytes` from `source` to `place` of that PE: what the gather has read from there becomes
   that. */
void windrow_comm_change_gathered(struct windrow_comm_read* reads, size_t count, const void* place,
                                  const void* source, size_t bytes, int pe);
/* Gives the memory of all values of a gather back. */
void windrow_comm_release(const struct windrow_comm_read* reads);

/* What a write or an update does. */
enum windrow_comm_change {
  windrow_comm_put, /* as shmem_p: not as a whole, if it leaves with others beside it */
  windrow_comm_add,
  windrow_comm_increment,
  windrow_comm_and,
  windrow_comm_or,
  windrow_comm_xor,
  windrow_comm_set /* an atomic one */
};
struct windrow_comm_routine {
  const char* name;   /* for messages */
  uint32_t change;    /* an enum windrow_comm_change */
  uint32_t log_size;  /* of the value, which has 1, 2, 4 or 8 bytes: 0, 1, 2 or 3 */
  uint32_t completes; /* not 0: it has happened when the routine returns */
};
struct windrow_comm_writes;

/* Null: there is no memory. Any thread; what is begun is for one thread at a time. */
struct windrow_comm_writes* windrow_comm_begin_writes(void);
/* Makes the write, or keeps it for later: `operand` has the bits of the value. At PEs whose memory this one
   can load from it is made at once. What goes to one PE is made in the order of the calls. Misuse of places
   and PEs ends the job as the routine does. */
void windrow_comm_write(struct windrow_comm_writes*, const struct windrow_comm_routine*, void* place, int pe,
                        uint64_t operand);
/* Makes what has been kept, as the routines do: complete at quiet, or when this returns if one of them has
   been then. Waits for nobody's help. */
void windrow_comm_end_writes(struct windrow_comm_writes*);

struct windrow_comm_transfers;

/* Makes a get, or a put, as the routine does that it names, except that it may be under way when this
   returns. It comes behind all in `begun` that it could meet, here or at the PE, and a put behind gets that
   fill memory which others can read. Null, as the argument or the result: nothing is under way. Until
   `windrow_comm_complete` the thread calls nothing else of the library but these, reads of what no put in
   `begun` writes, and queries, and accesses no memory that they fill, and changes none that they read, but
   behind `windrow_comm_before_access`. Any thread; what is begun is for one at a time. */
struct windrow_comm_transfers* windrow_comm_begin_get(struct windrow_comm_transfers* begun,
                                                      const char* routine, void* dest, const void* source,
                                                      size_t bytes, int pe);
/* The same for a get of a loop that does nothing else: it begins when `windrow_comm_start` is called behind
   the loop, or before, together with the others, those of the PEs behind this one first: not all PEs ask PE 0
   at once. */
struct windrow_comm_transfers* windrow_comm_begin_get_later(struct windrow_comm_transfers* begun,
                                                            const char* routine, void* dest,
                                                            const void* source, size_t bytes, int pe);
/* A strided get: `number` elements of `bytes`, which lie `dest_stride` and `source_stride` bytes apart, more
   than none and no fewer than `bytes`. If `later` is not 0, as windrow_comm_begin_get_later begins it. */
struct windrow_comm_transfers* windrow_comm_begin_iget(struct windrow_comm_transfers* begun,
                                                       const char* routine, void* dest, const void* source,
                                                       size_t dest_stride, size_t source_stride, size_t bytes,
                                                       size_t number, int pe, int later);
/* `begun` is not null. */
void windrow_comm_start(struct windrow_comm_transfers* begun);
struct windrow_comm_transfers* windrow_comm_begin_put(struct windrow_comm_transfers* begun,
                                                      const char* routine, void* dest, const void* source,
                                                      size_t bytes, int pe);
/* The program is about to read or write memory of this PE: waits if something in `begun`, which is not null,
   is not done with it, or if others can reach what is written, and could learn of it what is done, of memory
   that they can reach too. */
struct windrow_comm_transfers* windrow_comm_before_access(struct windrow_comm_transfers* begun,
                                                          const void* at, size_t bytes, int writes);
/* Returns when all in `begun`, which is not null, is complete. */
void windrow_comm_complete(struct windrow_comm_transfers* begun);

#ifdef __cplusplus
}
#endif

#endif
