// A directive that stands before no statement is an error at its line.
// RUN: %cc -fopenmp -fsyntax-only -Xclang -verify %s
void before_brace(void) {
#pragma shmem defer // expected-error@+1 {{expected statement}}
}
void before_declaration(void) {
#pragma shmem defer // expected-error {{'#pragma shmem defer' stands before a declaration; it goes before a statement: a loop, or a block}}
  int z = 3;
  (void)z;
}
typedef struct { int a; } pair;
void before_declaration_of_a_named_type(void) {
#pragma shmem defer strict // expected-error {{'#pragma shmem defer' stands before a declaration; it goes before a statement: a loop, or a block}}
  pair p = {3};
  (void)p;
  int pair = 1;
#pragma shmem defer
  pair = 2; // a variable here
  (void)pair;
}
#pragma shmem defer // expected-error {{expected identifier or '('}} expected-error@* {{expected identifier or '('}}
#pragma shmem frobnicate // expected-warning {{unknown '#pragma shmem' directive ignored; expected 'defer'}}
#pragma shmem // expected-warning {{unknown '#pragma shmem' directive ignored; expected 'defer'}}
void clause(void) {
#pragma shmem defer strict eagerly // expected-error {{unknown clause 'eagerly' of '#pragma shmem defer'; there are 'strict', 'no_fusion' and 'nowait'}}
  for (;;) break;
}
void dangling_else(int c) {
  if (c)
#pragma shmem defer
    for (;;) break;
  else
    c = 1;
}
void other_words_for_types(void) {
#pragma shmem defer // expected-error@+1 {{expected expression}}
  __attribute__((unused)) int z = 3;
}
void behind_directives_for_loops(int n) {
#pragma clang loop unroll(disable)
#pragma shmem defer // expected-error {{'#pragma shmem defer' stands between a loop and a directive for it; put it in front of that one}}
  for (; n < 3;) n++;
#pragma unroll 4 // of the loop

#pragma shmem relaxed // expected-error {{'#pragma shmem relaxed' stands between a loop and a directive for it}}
  for (; n < 3;) n++;
# pragma GCC unroll(2)
#pragma shmem defer // expected-error {{'#pragma shmem defer' stands between a loop and a directive for it}}
  for (; n < 3;) n++;
#pragma shmem defer // expected-error@+2 {{'#pragma shmem strict' stands between a loop and a directive for it}}
#pragma omp parallel for
#pragma shmem strict
  for (int i = 0; i < 3; i++) n++;
#pragma omp parallel
#pragma shmem defer
  for (; n < 3;) n++;
#pragma shmem defer
#pragma clang loop unroll(disable)
  for (; n < 3;) n++;
}
