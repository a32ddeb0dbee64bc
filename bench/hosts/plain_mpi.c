/* SPDX-License-Identifier: BSD-3-Clause
   What plain MPI does between the first and the last rank: the measure of `windrow bench hosts`. Built once
   for each MPI that is installed. Rank 0 prints a line of JSON for each figure. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { round_trips = 2000, rounds = 7, window = 16, message_bytes = 64 * 1024 };

static int rank, last, one;

static int ascending(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

/* The median of the rounds after the first; `value` of each is given by `once`. */
static void report(const char* name, const char* unit, double (*once)(void)) {
  double results[rounds];
  once();
  for (int i = 0; i < rounds; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
    results[i] = once();
  }
  qsort(results, rounds, sizeof *results, ascending);
  if (rank == 0)
    printf("{\"figure\":\"%s\",\"unit\":\"%s\",\"value\":%.4f,\"least\":%.4f,\"most\":%.4f}\n", name, unit,
           results[rounds / 2], results[0], results[rounds - 1]);
  fflush(stdout);
}

/* Microseconds of a round trip of 8 bytes. */
static double ping_pong(void) {
  long word = 0;
  const double begin = MPI_Wtime();
  for (int i = 0; i < round_trips; ++i) {
    if (rank == 0) MPI_Send(&word, 8, MPI_BYTE, last, 1, MPI_COMM_WORLD);
    if (rank == 0) MPI_Recv(&word, 8, MPI_BYTE, last, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == last) MPI_Recv(&word, 8, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == last) MPI_Send(&word, 8, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
  }
  return (MPI_Wtime() - begin) / (int)round_trips * 1e6;
}

enum { messages = 2048, items_in_message = message_bytes / 16 };
static struct item {
  long index, value;
} text[window][items_in_message];
static long sum;

static void make(struct item* items, int message) {
  for (long i = 0; i < items_in_message; ++i)
    items[i] = (struct item){message * (long)items_in_message + i, 1};
}
static void apply(const struct item* items) {
  for (int i = 0; i < items_in_message; ++i) sum += items[i].value;
}

/* GB/s of messages of 64 KiB from rank 0 to the last, several under way; `with_items`: rank 0 makes what is
   in them, and the last works on it. */
static double stream(int with_items) {
  MPI_Request under_way[window];
  const double begin = MPI_Wtime();
  if (rank == 0 || rank == last)
    for (int i = 0; i < messages + window; ++i) {
      struct item* const place = text[i % window];
      MPI_Request* const request = &under_way[i % window];
      if (i >= window) MPI_Wait(request, MPI_STATUS_IGNORE);
      if (i >= window && rank == last && with_items) apply(place);
      if (i >= messages) continue;
      if (rank == 0 && with_items) make(place, i);
      if (rank == 0)
        MPI_Isend(place, message_bytes, MPI_BYTE, last, 2, MPI_COMM_WORLD, request);
      else
        MPI_Irecv(place, message_bytes, MPI_BYTE, 0, 2, MPI_COMM_WORLD, request);
    }
  if (rank == last) MPI_Send(&one, 1, MPI_INT, 0, 3, MPI_COMM_WORLD); /* all has arrived */
  if (rank == 0) MPI_Recv(&one, 1, MPI_INT, last, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return (double)messages * (int)message_bytes / (MPI_Wtime() - begin) / 1e9;
}
static double flow(void) {
  return stream(0);
}
/* The limit of aggregation: the same work with nothing but MPI. */
static double items_by_hand(void) {
  sum = 0;
  const double rate = stream(1);
  if (rank == last && sum != (long)messages * items_in_message) MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  return rate;
}

static MPI_Win words;

/* Microseconds of MPI_Fetch_and_op and MPI_Win_flush, while the target waits in a barrier. */
static double fetch_and_op(void) {
  const long addend = 1;
  long before = 0;
  const int operations = round_trips / 4;
  const double begin = MPI_Wtime();
  if (rank == 0)
    for (int i = 0; i < operations; ++i) {
      MPI_Fetch_and_op(&addend, &before, MPI_LONG, last, 0, MPI_SUM, words);
      MPI_Win_flush(last, words);
    }
  const double micros = (MPI_Wtime() - begin) / operations * 1e6;
  MPI_Barrier(MPI_COMM_WORLD);
  return micros;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &last);
  if (--last < 1) return EXIT_FAILURE;
  report("MPI ping-pong, 8 B round trip", "us", ping_pong);
  report("MPI messages of 64 KiB", "GB/s", flow);
  report("MPI, items of 16 B by hand", "GB/s", items_by_hand);
  /* Last: some libraries cannot, or end the job. */
  long* memory = NULL;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (MPI_Win_allocate(sizeof *memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &words) == MPI_SUCCESS) {
    MPI_Win_lock_all(0, words);
    report("MPI_Fetch_and_op", "us", fetch_and_op);
    MPI_Win_unlock_all(words);
    MPI_Barrier(MPI_COMM_WORLD); /* who has not unlocked yet needs the other ones' progress */
  }
  fflush(stdout);
#ifdef OPEN_MPI
  MPI_Finalize();
#endif
  _Exit(EXIT_SUCCESS); /* MPI_Finalize of MPICH 4.0 hangs now and then (src/transport/mpi/README.md) */
}
