/* SPDX-License-Identifier: BSD-3-Clause
   Two jobs on the same hosts that are measured in turn, so that whatever changes on the machines meets both
   alike. Each process has a partner: the process of the other job with the same number, on the same host.
   Whose turn it is has the processors for itself: its partner is stopped, with all its threads. */
#pragma once

#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Kinds of figures, in the order in which both jobs have them, and how many turns each job has for one. */
struct kind_of_figures {
  const char* name;
  int turns;
};
static const struct kind_of_figures kinds_of_figures[] = {
    {"latency", 40}, {"flow", 7}, {"busy", 7}, {"kernels", 1}};
enum { number_of_kinds = sizeof kinds_of_figures / sizeof *kinds_of_figures };
static const double busy_seconds = 0.04; /* that the target of a figure of the kind "busy" computes, about */

struct turns {
  int line; /* to the partner; -1: there is none, and it is always our turn */
  pid_t partner;
  int is_first; /* it begins, and its first turn has come */
};

/* Meets the partner: `name` is that of the measurement, which all processes of both jobs get, and null if
   there is no other job; of the two, one is `first`. Ends the process with a sentence if nobody comes within
   a minute. */
void open_turns(struct turns*, const char* name, int number, int first);
/* Returns when it is our turn and the partner is stopped. Ends the process if the partner has gone. */
void begin_turn(struct turns*);
/* The partner's turn. */
void end_turn(struct turns*);

#ifdef __cplusplus
}
#endif
