#undef g
struct one_case { const char* name; long (*run)(shmem_ctx_t); };
static const struct one_case cases[] = {
#include CASES
};
int main(int argc, char** argv) {
  shmem_ctx_t ctx;
  shmem_init();
  me = shmem_my_pe(); np = shmem_n_pes(); nb = (me + 1) % np;
  shmem_ctx_create(SHMEMX_CTX_AGGREGATE, &ctx);
  shmem_ctx_create(SHMEMX_CTX_AGGREGATE, &ctx2);
  for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
    if (argc > 1 && strcmp(argv[1], cases[c].name)) continue;
    reset();
    shmem_barrier_all();
    results[0] = cases[c].run(ctx);
    shmem_ctx_quiet(ctx); shmem_ctx_quiet(ctx2); shmem_quiet();
    shmem_barrier_all();
    unsigned long h = 0;
    PARTS(q) {
      void* all[] = {tab, a, b, cnt, dst};
      for (int k = 0; k < 5; k++) h = h * 31 + (unsigned long)hash_bytes(shmem_ptr(all[k], q), sizeof tab);
    }
    h = h * 31 + (unsigned long)hash_bytes(out, sizeof out);
    h = h * 31 + (unsigned long)hash_bytes(out2, sizeof out2);
    h = h * 31 + (unsigned long)hash_bytes(fout, sizeof fout);
    h = h * 31 + (unsigned long)hash_bytes(seen_log, sizeof seen_log);
    results[1] = (long)h;
    shmem_barrier_all();
    if (me == 0) {
      printf("%s:", cases[c].name);
#ifdef REORDER
      printf(" %ld %lx", results[0], (unsigned long)results[1]);
#else
      for (int q = 0; q < np; q++) { long* r = (long*)shmem_ptr(results, q); printf(" %ld %lx", r[0], (unsigned long)r[1]); }
#endif
      printf("\n");
      fflush(stdout);
    }
    shmem_barrier_all();
  }
  shmem_finalize();
  return 0;
}
