// A directive that stands before no statement is an error at its line.
// RUN: %cc -fsyntax-only -Xclang -verify %s
void before_brace(void) {
#pragma shmem defer // expected-error@+1 {{expected statement}}
}
void before_declaration(void) {
#pragma shmem defer // expected-error@+1 {{expected expression}}
  int z = 3;
}
#pragma shmem defer // expected-error 1+ {{expected identifier or '('}}
#pragma shmem frobnicate // expected-warning {{unknown '#pragma shmem' directive ignored; expected 'defer'}}
#pragma shmem // expected-warning {{unknown '#pragma shmem' directive ignored; expected 'defer'}}
void clause(void) {
#pragma shmem defer strict eagerly // expected-error {{unknown clause 'eagerly' of '#pragma shmem defer'; there are 'strict' and 'no_fusion'}}
  for (;;) break;
}
void dangling_else(int c) {
  if (c)
#pragma shmem defer
    for (;;) break;
  else
    c = 1;
}
