/* SPDX-License-Identifier: BSD-3-Clause
   What plain MPI does between the first and the last rank: the measure of `windrow bench hosts`, which is the
   other job of turns.h. Built once for each MPI that is installed. Rank 0 prints a line of JSON for each
   figure in the end. Arguments: the name of the measurement, and the kind of figures, if not all. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/hosts/turns.h"

enum { round_trips = 400, warm_up = 50, window = 16, message_bytes = 64 * 1024, most_turns = 100 };

static int rank, last, one;

/* Microseconds of a round trip of 8 bytes. */
static double ping_pong(int times) {
  long word = 0;
  const double begin = MPI_Wtime();
  for (int i = 0; i < times; ++i) {
    if (rank == 0) MPI_Send(&word, 8, MPI_BYTE, last, 1, MPI_COMM_WORLD);
    if (rank == 0) MPI_Recv(&word, 8, MPI_BYTE, last, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == last) MPI_Recv(&word, 8, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == last) MPI_Send(&word, 8, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
  }
  return (MPI_Wtime() - begin) / times * 1e6;
}
static double warm_ping_pong(void) {
  ping_pong(warm_up);
  return ping_pong(round_trips);
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

static MPI_Win words = MPI_WIN_NULL;

static void add_one(void) {
  const long addend = 1;
  long before = 0;
  MPI_Fetch_and_op(&addend, &before, MPI_LONG, last, 0, MPI_SUM, words);
  MPI_Win_flush(last, words);
}
static void get_one(void) {
  long word = 0;
  MPI_Get(&word, 1, MPI_LONG, last, 0, 1, MPI_LONG, words);
  MPI_Win_flush(last, words);
}

/* Microseconds of one operation on the last rank's window, while that one waits in a barrier. */
static double one_sided(void (*operation)(void)) {
  if (rank == 0)
    for (int i = 0; i < warm_up; ++i) operation();
  const double begin = MPI_Wtime();
  if (rank == 0)
    for (int i = 0; i < round_trips; ++i) operation();
  const double micros = (MPI_Wtime() - begin) / (int)round_trips * 1e6;
  MPI_Barrier(MPI_COMM_WORLD);
  return micros;
}
static double fetch_and_op(void) {
  return one_sided(add_one);
}
static double get(void) {
  return one_sided(get_one);
}

/* Works for so long without a call to MPI. */
static void compute(double seconds) {
  for (const double end = MPI_Wtime() + seconds; MPI_Wtime() < end;) continue;
}

/* The latency while the last rank computes, and looks at the network once in a millisecond, as a program does
   that has been told to. */
static double one_sided_while_busy(void (*operation)(void)) {
  int done = 0, operations = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  double micros = 0;
  if (rank == 0) {
    for (; MPI_Wtime() < begin + busy_seconds; ++operations) operation();
    micros = (MPI_Wtime() - begin) / operations * 1e6;
    MPI_Send(&one, 1, MPI_INT, last, 4, MPI_COMM_WORLD);
  }
  while (rank == last && !done) {
    compute(1e-3);
    MPI_Iprobe(0, 4, MPI_COMM_WORLD, &done, MPI_STATUS_IGNORE);
  }
  if (rank == last) MPI_Recv(&one, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  return micros;
}
static double fetch_and_op_while_busy(void) {
  return one_sided_while_busy(add_one);
}
static double get_while_busy(void) {
  return one_sided_while_busy(get_one);
}

static struct figure {
  const char *kind, *name, *unit;
  double (*once)(void);
  int needs_window;
  double values[most_turns];
} figures[] = {
    {"latency", "MPI ping-pong, 8 B round trip", "us", warm_ping_pong, 0, {0}},
    {"latency", "MPI_Get of 8 B and flush", "us", get, 1, {0}},
    {"latency", "MPI_Fetch_and_op and flush", "us", fetch_and_op, 1, {0}},
    {"flow", "MPI messages of 64 KiB", "GB/s", flow, 0, {0}},
    {"flow", "MPI, items of 16 B by hand", "GB/s", items_by_hand, 0, {0}},
    {"busy", "MPI_Get, target computes", "us", get_while_busy, 1, {0}},
    {"busy", "MPI_Fetch_and_op, target computes", "us", fetch_and_op_while_busy, 1, {0}},
};
enum { number_of_figures = sizeof figures / sizeof *figures };

static int is_measured(const struct figure* f, const char* kind) {
  return strcmp(f->kind, kind) == 0 && (!f->needs_window || words != MPI_WIN_NULL);
}

static void measure(struct turns* turns, const struct kind_of_figures* kind) {
  for (int turn = 0; turn < kind->turns; ++turn) {
    begin_turn(turns);
    for (struct figure* f = figures; f < figures + number_of_figures; ++f) {
      if (!is_measured(f, kind->name)) continue;
      MPI_Barrier(MPI_COMM_WORLD);
      f->values[turn] = f->once();
    }
    MPI_Barrier(MPI_COMM_WORLD);
    end_turn(turns);
  }
}

static void print(const struct kind_of_figures* kind) {
  for (const struct figure* f = figures; f < figures + number_of_figures; ++f) {
    if (rank != 0 || !is_measured(f, kind->name)) continue;
    printf("{\"figure\":\"%s\",\"unit\":\"%s\",\"values\":[", f->name, f->unit);
    for (int turn = 0; turn < kind->turns; ++turn) printf("%s%.4f", turn == 0 ? "" : ",", f->values[turn]);
    puts("]}");
  }
  fflush(stdout);
}

/* Some libraries cannot. */
static void make_window(void) {
  long* memory = NULL;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (MPI_Win_allocate(sizeof *memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &words) != MPI_SUCCESS)
    words = MPI_WIN_NULL;
  else
    MPI_Win_lock_all(0, words);
}

int main(int argc, char** argv) {
#ifdef OPEN_MPI
  setenv("OMPI_MCA_osc", "pt2pt", 0); /* the one that works over TCP (open-mpi/ompi 11466) */
#endif
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &last);
  if (--last < 1) return EXIT_FAILURE;
  make_window();
  struct turns turns;
  open_turns(&turns, argc > 1 ? argv[1] : NULL, rank, 1);
  MPI_Barrier(MPI_COMM_WORLD); /* all of the other job are there */
  for (int i = 0; i < number_of_kinds; ++i)
    if (argc <= 2 || strcmp(argv[2], kinds_of_figures[i].name) == 0) measure(&turns, &kinds_of_figures[i]);
  for (int i = 0; i < number_of_kinds; ++i)
    if (argc <= 2 || strcmp(argv[2], kinds_of_figures[i].name) == 0) print(&kinds_of_figures[i]);
  if (words != MPI_WIN_NULL) MPI_Win_unlock_all(words);
  MPI_Barrier(MPI_COMM_WORLD); /* who has not unlocked yet needs the other ones' progress */
#ifdef OPEN_MPI
  MPI_Finalize();
#endif
  _exit(EXIT_SUCCESS); /* MPI_Finalize of MPICH 4.0 hangs now and then (src/transport/mpi/README.md) */
}
