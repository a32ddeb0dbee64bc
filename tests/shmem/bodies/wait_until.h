// SPDX-License-Identifier: BSD-3-Clause
// A chain from PE to PE, once for each comparison: every PE but the first waits for its neighbour's store, so
// most of them wait in earnest. `low` is below `high` only for who knows the sign and the width.
#if TESTING
#define AWAIT(...)             \
  while (!CALL(__VA_ARGS__)) { \
  }
#else
#define AWAIT(...) CALL(__VA_ARGS__)
#endif
const bool is_signed = (T)-1 < (T)1;
const T low = is_signed ? (T)-2 : (T)1, high = is_signed ? (T)1 : (T)-2;
const T exact = VALUE(0, 0, 0), near = MAKE(bits(0, 0, 0) ^ (uint64_t)1 << (8 * sizeof(T) - 1));
const struct {
  int comparison;
  T before, after, operand;
} steps[] = {
    {SHMEM_CMP_EQ, near, exact, exact}, {SHMEM_CMP_NE, exact, near, exact}, {SHMEM_CMP_GT, low, high, low},
    {SHMEM_CMP_GE, low, high, high},    {SHMEM_CMP_LT, high, low, high},    {SHMEM_CMP_LE, high, low, low},
};
enum { count = 6 };
T* const flags = (T*)arena;
long* const data = (long*)((char*)arena + 1024);
for (int i = 0; i < count; ++i) flags[i] = steps[i].before;
shmem_sync_all();
const int next = (me + 1) % pes;
for (int i = 0; i < count; ++i) {
#if TESTING
  if (me == 0) CHECK(!CALL(&flags[i], steps[i].comparison, steps[i].operand)); // nobody stores before PE 0
#endif
  if (me != 0) {
    AWAIT(&flags[i], steps[i].comparison, steps[i].operand);
    CHECK(data[i] == 100 * i + me);
  }
  shmem_long_p(&data[i], 100 * i + next, next);
  shmem_fence();
  STORE(&flags[i], steps[i].after, next);
}
if (me == 0)
  for (int i = 0; i < count; ++i) AWAIT(&flags[i], steps[i].comparison, steps[i].operand);
for (int i = 0; i < count; ++i) {
  AWAIT(&flags[i], steps[i].comparison, steps[i].operand); // holds already
  EXPECT(flags[i], steps[i].after, "flag", i);
}
#undef AWAIT
