// SPDX-License-Identifier: BSD-3-Clause
// Every PE sets a cell of its own on every PE, and all of them one in common.
T* const dest = (T*)arena;
for (int to = 0; to < pes; ++to) CALL(dest + 3 * me + 1, VALUE(me, to, 0), to);
for (int to = 0; to < pes; ++to) CALL(dest + 3 * most_pes, VALUE(me, to, 1), to);
QUIET();
shmem_sync_all();
for (int i = 0; i < 3 * pes; ++i) EXPECT(dest[i], i % 3 == 1 ? VALUE(i / 3, me, 0) : ZERO, "element", i);
bool from_someone = false;
for (int from = 0; from < pes; ++from) from_someone |= dest[3 * most_pes] == VALUE(from, me, 1);
CHECK(from_someone);
