/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "bench/hosts/turns.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { limit_s = 60 };

static void end(const char* why) {
  fprintf(stderr, "bench: %s\n", why);
  _exit(EXIT_FAILURE);
}

static void rest(long ms) {
  const struct timespec time = {0, ms * 1000000};
  nanosleep(&time, NULL);
}

static int meet(int socket, const struct sockaddr* place, socklen_t bytes, int first) {
  if (first) {
    const struct timeval limit = {limit_s, 0};
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    if (bind(socket, place, bytes) != 0 || listen(socket, 1) != 0) return -1;
    const int line = accept(socket, NULL, NULL);
    close(socket);
    return line;
  }
  for (int i = 0; i < limit_s * 100; ++i) {
    if (connect(socket, place, bytes) == 0) return socket;
    rest(10);
  }
  return -1;
}

/* An abstract address, which leaves nothing behind. */
void open_turns(struct turns* t, const char* name, int number, int first) {
  *t = (struct turns){-1, 0, first};
  if (name == NULL) return;
  struct sockaddr_un place = {.sun_family = AF_UNIX};
  const int name_bytes =
      snprintf(place.sun_path + 1, sizeof place.sun_path - 1, "windrow-bench-%s-%d", name, number);
  const socklen_t bytes = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)name_bytes);
  t->line = meet(socket(AF_UNIX, SOCK_STREAM, 0), (const struct sockaddr*)&place, bytes, first);
  struct ucred partner;
  socklen_t room = sizeof partner;
  if (t->line < 0 || getsockopt(t->line, SOL_SOCKET, SO_PEERCRED, &partner, &room) != 0)
    end("the other job's process of the same number is not on this host");
  t->partner = partner.pid;
}

void begin_turn(struct turns* t) {
  char word;
  if (t->line < 0) return;
  if (!t->is_first && read(t->line, &word, 1) != 1) end("the other job has ended before its time");
  t->is_first = 0;
  kill(t->partner, SIGSTOP);
}

/* Threads of the library may be awake for a moment; stopped in that, they would notice that later. */
void end_turn(struct turns* t) {
  if (t->line < 0) return;
  rest(3);
  kill(t->partner, SIGCONT);
  send(t->line, "", 1, MSG_NOSIGNAL); /* after its last turn the partner may have gone */
}
