// SPDX-License-Identifier: BSD-3-Clause
// Every PE sets its flag on every PE; each takes them one by one, in the order of their coming.
#if VECTOR
#define OPERAND operands
#else
#define OPERAND operands[0]
#endif
T* const flags = (T*)arena;
T operands[most_pes + 1];
int status[most_pes + 1] = {0};
for (int i = 0; i <= pes; ++i) operands[i] = VALUE(0, 0, VECTOR ? i : 0);
#if TESTING
CHECK(CALL(flags, (size_t)pes + 1, status, SHMEM_CMP_EQ, OPERAND) == SIZE_MAX);
shmem_sync_all();
#endif
for (int k = 1; k <= pes; ++k) STORE(&flags[me], operands[me], (me + k) % pes);
for (int left = pes; left > 0; --left) {
  size_t found = CALL(flags, (size_t)pes + 1, status, SHMEM_CMP_EQ, OPERAND);
#if TESTING
  while (found == SIZE_MAX) found = CALL(flags, (size_t)pes + 1, status, SHMEM_CMP_EQ, OPERAND);
#endif
  CHECK(found < (size_t)pes);
  if (found >= (size_t)pes) break;
  CHECK(status[found] == 0);
  EXPECT(flags[found], operands[found], "flag", found);
  status[found] = 1;
}
CHECK(CALL(flags, (size_t)pes, NULL, SHMEM_CMP_EQ, OPERAND) < (size_t)pes);
CHECK(CALL(flags, (size_t)pes, status, SHMEM_CMP_EQ, OPERAND) == SIZE_MAX); // all are masked
CHECK(CALL(flags, 0, NULL, SHMEM_CMP_EQ, OPERAND) == SIZE_MAX);
#undef OPERAND
