// SPDX-License-Identifier: BSD-3-Clause
// Every PE sets its flag on every PE; each takes them in groups, in the order of their coming.
#if VECTOR
#define OPERAND operands
#else
#define OPERAND operands[0]
#endif
T* const flags = (T*)arena;
T operands[most_pes + 1];
int status[most_pes + 1] = {0};
size_t indices[most_pes + 1];
for (int i = 0; i <= pes; ++i) operands[i] = VALUE(0, 0, VECTOR ? i : 0);
#if TESTING
CHECK(CALL(flags, (size_t)pes + 1, indices, status, SHMEM_CMP_EQ, OPERAND) == 0);
shmem_sync_all();
#endif
for (int k = 1; k <= pes; ++k) STORE(&flags[me], operands[me], (me + k) % pes);
for (size_t left = (size_t)pes; left > 0;) {
  const size_t found = CALL(flags, (size_t)pes + 1, indices, status, SHMEM_CMP_EQ, OPERAND);
  CHECK(found <= left && (TESTING || found > 0));
  if (found > left) break;
  for (size_t k = 0; k < found; ++k) {
    CHECK(indices[k] < (size_t)pes && status[indices[k]] == 0);
    if (indices[k] >= (size_t)pes) continue;
    EXPECT(flags[indices[k]], operands[indices[k]], "flag", indices[k]);
    status[indices[k]] = 1;
  }
  left -= found;
}
CHECK(CALL(flags, (size_t)pes, indices, NULL, SHMEM_CMP_EQ, OPERAND) == (size_t)pes);
CHECK(CALL(flags, (size_t)pes, indices, status, SHMEM_CMP_EQ, OPERAND) == 0); // all are masked
#undef OPERAND
