// SPDX-License-Identifier: BSD-3-Clause
// Every PE loads a value of every PE.
T* const source = (T*)arena;
for (int i = 0; i < 3; ++i) source[i] = VALUE(me, 0, i);
shmem_sync_all();
for (int from = 0; from < pes; ++from)
  for (int i = 0; i < 3; ++i) EXPECT(CALL(source + i, from), VALUE(from, 0, i), "element", i);
