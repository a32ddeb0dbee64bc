// SPDX-License-Identifier: BSD-3-Clause
// Every PE stores one value on every PE, with room around it.
T* const dest = (T*)arena;
for (int to = 0; to < pes; ++to) CALL(dest + 3 * me + 1, VALUE(me, to, 0), to);
QUIET();
shmem_sync_all();
for (int i = 0; i < 3 * pes; ++i) EXPECT(dest[i], i % 3 == 1 ? VALUE(i / 3, me, 0) : ZERO, "element", i);
