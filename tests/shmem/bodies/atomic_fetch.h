// SPDX-License-Identifier: BSD-3-Clause
// Every PE reads a value of every PE, between neighbours that differ.
T* const source = (T*)arena;
T seen[most_pes];
for (int i = 0; i < 3; ++i) source[i] = VALUE(me, 0, i);
shmem_sync_all();
for (int from = 0; from < pes; ++from) FETCH(&seen[from], source + 1, from);
QUIET();
for (int from = 0; from < pes; ++from) EXPECT(seen[from], VALUE(from, 0, 1), "value of PE", from);
