// SPDX-License-Identifier: BSD-3-Clause
// Every PE sets its flag on every PE; each waits for all of them. A masked flag is never set.
#if VECTOR
#define OPERAND operands
#else
#define OPERAND operands[0]
#endif
#if TESTING
#define AWAIT(...)             \
  while (!CALL(__VA_ARGS__)) { \
  }
#else
#define AWAIT(...) CALL(__VA_ARGS__)
#endif
T* const flags = (T*)arena;
T operands[most_pes + 1];
int status[most_pes + 1] = {0};
for (int i = 0; i <= pes; ++i) operands[i] = VALUE(0, 0, VECTOR ? i : 0);
status[pes] = 1;
#if TESTING
CHECK(!CALL(flags, (size_t)pes + 1, NULL, SHMEM_CMP_EQ, OPERAND));
shmem_sync_all();
#endif
for (int k = 1; k <= pes; ++k) STORE(&flags[me], operands[me], (me + k) % pes);
AWAIT(flags, (size_t)pes + 1, status, SHMEM_CMP_EQ, OPERAND);
for (int i = 0; i < pes; ++i) EXPECT(flags[i], operands[i], "flag", i);
EXPECT(flags[pes], ZERO, "masked flag", pes);
AWAIT(flags, (size_t)pes, NULL, SHMEM_CMP_EQ, OPERAND);
AWAIT(flags, 0, NULL, SHMEM_CMP_EQ, OPERAND); // nothing to wait for
for (int i = 0; i <= pes; ++i) status[i] = 1;
AWAIT(flags, (size_t)pes + 1, status, SHMEM_CMP_EQ, OPERAND);
#undef AWAIT
#undef OPERAND
