// SPDX-License-Identifier: BSD-3-Clause
// Libraries that the program opens before it calls shmem_init, by argv[1]: "closed" closes one afterwards,
// whose variables stay what they are, also in forked processes; "many" opens more than a table would hold.
// argv[2] is the library.
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/shmem/harness.h"

enum { many = 300 };

static long* counters[many];

static void* open_library(const char* path, long** counter) {
  void* library = dlopen(path, RTLD_NOW);
  if (library != NULL) *counter = dlsym(library, "library_counter");
  if (library == NULL || *counter == NULL) {
    printf("%s\n", dlerror());
    exit(97);
  }
  return library;
}

static void copy(const char* from, const char* to) {
  static char buffer[1 << 16];
  FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
  if (in == NULL || out == NULL) exit(96);
  for (size_t bytes; (bytes = fread(buffer, 1, sizeof buffer, in)) != 0;) fwrite(buffer, 1, bytes, out);
  fclose(in);
  fclose(out);
}

// The same file would be opened once only.
static void open_copies(const char* path) {
  for (int i = 0; i < many; ++i) {
    char name[64];
    snprintf(name, sizeof name, "./opened_library_%ld_%d.so", (long)getpid(), i);
    copy(path, name);
    open_library(name, &counters[i]);
    unlink(name);
  }
}

static void start(void) {
  shmem_init();
  me = shmem_my_pe();
  pes = shmem_n_pes();
}

static void check_all(int libraries) {
  for (int pe = 0; pe < pes; ++pe)
    for (int i = 0; i < libraries; ++i) shmem_long_atomic_add(counters[i], i + 1, pe);
  shmem_barrier_all();
  for (int i = 0; i < libraries; ++i) CHECK(*counters[i] == 70 + pes * (i + 1));
}

// Whatever the program asks for lies elsewhere, so that the child's copy of the variables is not over it.
static void check_child(void) {
  enum { blocks = 64, bytes = 200000 };
  static char* block[blocks];
  for (int i = 0; i < blocks; ++i) block[i] = memset(malloc(bytes), 5, bytes);
  const pid_t child = fork();
  if (child == 0) {
    int changed = *counters[0] != 70 + pes;
    for (int i = 0; i < blocks; ++i)
      for (int at = 0; at < bytes; ++at) changed += block[i][at] != 5;
    _exit(changed != 0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  CHECK(status == 0);
  for (int i = 0; i < blocks; ++i) free(block[i]);
  shmem_barrier_all();
}

int main(int argc, char** argv) {
  if (argc < 3) return 98;
  if (strcmp(argv[1], "many") == 0) {
    open_copies(argv[2]);
    start();
    check_all(many);
  } else {
    void* library = open_library(argv[2], &counters[0]);
    start();
    dlclose(library);
    shmem_barrier_all();
    check_all(1);
    check_child();
  }
  return finish_tests();
}
