/* SPDX-License-Identifier: BSD-3-Clause */
/* What `windrow cc -foverlap` puts into programs: the interface between instrumented code and what records
   its run (src/overlap). Programs do not call it themselves.

   Before each load and store
     if (windrow_overlap_pages[address >> 12]) windrow_overlap_load(address, bytes, &site);
   before what uses a range of memory
     if (windrow_overlap_open) windrow_overlap_range(address, bytes, &site, store);
   before a call of a function that may not be instrumented
     if (windrow_overlap_begun) windrow_overlap_foreign(function, &site);
   and around each call of OpenSHMEM, if (windrow_overlap_follows), windrow_overlap_begin and
   windrow_overlap_end.

   Without WINDROW_OVERLAP_FILE nothing is recorded, and all pages are 0. Any thread may call these.

   `-foverlap-plan` puts in the same, and in place of a call that a plan puts off, and where it is to be
   complete, if (windrow_overlap_follows && windrow_overlap_puts_off(&entry, context)) shmem_put_nbi(...);
   else shmem_put(...); if (windrow_overlap_open) windrow_overlap_reach(&entry); What is put off is under way
   for the checks, which complete it before anything that is in conflict with it. */
#ifndef WINDROW_DETAIL_OVERLAP_CALLS_H
#define WINDROW_DETAIL_OVERLAP_CALLS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A place in the source: lines of "bytes TAB file TAB function TAB line TAB column TAB hash", the innermost
   first, where the name of the file has so many bytes. The hash is that of the function's text, in
   hexadecimal digits. The runtime gives the place a number. */
struct windrow_overlap_site {
  const char* text;
  uint32_t number;
};

/* As windrow::overlap::action. */
enum windrow_overlap_action {
  WINDROW_OVERLAP_PUT,
  WINDROW_OVERLAP_GET,
  WINDROW_OVERLAP_UPDATE,
  WINDROW_OVERLAP_PUT_SIGNAL,
  WINDROW_OVERLAP_FENCE,
  WINDROW_OVERLAP_QUIET,
  WINDROW_OVERLAP_BARRIER,
  WINDROW_OVERLAP_COLLECTIVE,
  WINDROW_OVERLAP_NOTIFY,
  WINDROW_OVERLAP_WAIT,
  WINDROW_OVERLAP_TEST
};
enum windrow_overlap_flag {
  WINDROW_OVERLAP_BLOCKING = 1,
  WINDROW_OVERLAP_ATOMIC = 2,
  WINDROW_OVERLAP_LAST = 4,       /* shmem_finalize */
  WINDROW_OVERLAP_IMPLIED = 8,    /* a barrier or quiet of a routine that does more */
  WINDROW_OVERLAP_SILENT = 16,    /* a put that is no signal to anybody, as the plan has it */
  WINDROW_OVERLAP_FLOATING = 32,  /* an atomic operation on a floating-point number */
  WINDROW_OVERLAP_GATHERS = 64,   /* a collective whose destination has `count` elements of each member */
  WINDROW_OVERLAP_SCATTERS = 128, /* whose source has `count` elements for each member */
  WINDROW_OVERLAP_OPENS = 256,    /* shmem_init */
  WINDROW_OVERLAP_ADDS = 512,     /* an atomic operation that adds and returns nothing */
  WINDROW_OVERLAP_HANDLE = 1024   /* it does nothing if its context, or team, is the invalid one */
};

struct windrow_overlap_entry;

/* A call, as the compiler knows it; what it does not take is 0. Strides are in elements. Of a collective
   `remote` is the destination and `local` the source, both of this PE, and `pe` the root; `signal` is the
   work array of an active set. Of a routine of the symmetric heap `count` blocks of `block` bytes are what it
   is to give, and `local` is what it is to take: without either it does nothing. */
struct windrow_overlap_call {
  struct windrow_overlap_site* site;
  const void *context, *team, *remote, *local, *signal;
  uint64_t element_bytes, count, block;
  int64_t remote_stride, local_stride;
  uint32_t action, flags;
  int32_t pe;                                /* in the team of the context; -1: none */
  int32_t first, log2_stride, members;       /* an active set; no members: it is none */
  uint64_t begin_ns, team_number;            /* the runtime's */
  const struct windrow_overlap_entry* entry; /* that puts it off: the runtime's */
};

/* An entry of a plan, once in each translation unit. The runtime gives it a number, and decides whether it is
 * on. */
struct windrow_overlap_entry {
  const char* id;
  uint32_t number, off;
};

extern unsigned char* windrow_overlap_pages;
extern unsigned char windrow_overlap_open;
/* Whether a transfer has begun, wherever its memory is, since the last place at which all must be complete:
   what nobody sees into, or tells others, is such a place. */
extern unsigned char windrow_overlap_begun;
/* 0 once it is known that nothing is recorded in this process, and nothing can be put off. */
extern unsigned char windrow_overlap_follows;

void windrow_overlap_load(const void* at, uint64_t bytes, struct windrow_overlap_site*);
void windrow_overlap_store(const void* at, uint64_t bytes, struct windrow_overlap_site*);
/* A volatile or atomic load: perhaps the program waits for the value. */
void windrow_overlap_poll(const void* at, uint64_t bytes, struct windrow_overlap_site*);
/* The load of the last poll is done: what it read was there by now. */
void windrow_overlap_polled(void);
/* Bytes: UINT64_MAX if nobody knows where the memory ends. */
void windrow_overlap_range(const void* at, uint64_t bytes, struct windrow_overlap_site*, int store);
/* As many bytes as the text has, with the 0 at its end, but no more than `most`. */
void windrow_overlap_text(const void* at, const char* text, uint64_t most, struct windrow_overlap_site*,
                          int store);
/* Its life ends. Bytes: UINT64_MAX of a block of the heap. */
void windrow_overlap_dies(const void* at, uint64_t bytes, struct windrow_overlap_site*);
/* A function of the heap, and what it frees; code that nobody knows if the program has one in place of the
 * usual. */
void windrow_overlap_heap(const void* function, const void* freed, struct windrow_overlap_site*);
/* A function of the C library that uses the stream, a FILE: code that nobody knows if the stream may be kept
 * in memory of the program. */
void windrow_overlap_stream(const void* function, const void* stream, struct windrow_overlap_site*);
/* Output to a descriptor, or to a stream: others may read it, and learn by that what is done. Standard output
 * and errors are the user's. */
void windrow_overlap_written(int descriptor, struct windrow_overlap_site*);
void windrow_overlap_printed(const void* stream, struct windrow_overlap_site*);
/* Input, which others may have written. */
void windrow_overlap_read(int descriptor, struct windrow_overlap_site*);
void windrow_overlap_scanned(const void* stream, struct windrow_overlap_site*);
/* Code that nobody knows, unless the function is known to have checks. Null: no function. */
void windrow_overlap_foreign(const void* function, struct windrow_overlap_site*);
void windrow_overlap_begin(struct windrow_overlap_call*);
void windrow_overlap_end(struct windrow_overlap_call*);
/* A volatile or atomic store: perhaps another PE waits for the value. */
void windrow_overlap_publish(const void* at, uint64_t bytes, struct windrow_overlap_site*);
/* Both as one step, as atomic_exchange does. */
void windrow_overlap_exchange(const void* at, uint64_t bytes, struct windrow_overlap_site*);
/* shmem_iput and shmem_iget, shmem_ibput and shmem_ibget that return before they are complete, which
   OpenSHMEM does not have: blocks that begin so many bytes apart, of `block` bytes. */
void windrow_overlap_begin_iput(const void* context, void* dest, const void* source, int64_t dest_stride,
                                int64_t source_stride, uint64_t block, uint64_t blocks, int32_t pe);
void windrow_overlap_begin_iget(const void* context, void* dest, const void* source, int64_t dest_stride,
                                int64_t source_stride, uint64_t block, uint64_t blocks, int32_t pe);
/* Whether the call that comes next may return before it is complete: a transfer; a quiet, which is left out
 * then. */
int windrow_overlap_puts_off(struct windrow_overlap_entry*, const void* context);
int windrow_overlap_puts_off_quiet(struct windrow_overlap_entry*, const void* context);
/* The entries of a translation unit which has checks, before anything of it runs. Others are not carried out.
 */
void windrow_overlap_plan(struct windrow_overlap_entry* const* entries, uint64_t count);
/* The entry is to be complete. */
void windrow_overlap_reach(struct windrow_overlap_entry*);
/* The function returns to code that has no checks. */
void windrow_overlap_leave(void);
/* Threads are about to begin, which nobody watches. */
void windrow_overlap_threads(void);
/* The function that a call of code with checks is about to enter: one that finds itself here returns to
 * checks. */
extern const void* windrow_overlap_callee;
/* The functions of a translation unit, before anything of it runs. */
void windrow_overlap_instrumented(const void* const* functions, uint64_t count);

/* The translation unit asks for pointers to memory of other PEs. */
void windrow_overlap_pointers(void);
/* Those that other translation units may have too. The copy that the linker has taken has checks if there are
   two marks in front of it. */
void windrow_overlap_marked(const void* const* functions, uint64_t count);

#ifdef __cplusplus
}
#endif
#endif
