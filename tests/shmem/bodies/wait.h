// SPDX-License-Identifier: BSD-3-Clause
// Waits until the neighbour has changed the flag to whatever.
T* const flag = (T*)arena;
*flag = VALUE(0, 0, 0);
shmem_sync_all();
if (me != 0) CALL(flag, VALUE(0, 0, 0));
STORE(flag, MAKE(bits(0, 0, 0) ^ (uint64_t)1 << (8 * sizeof(T) - 1)), (me + 1) % pes);
CALL(flag, VALUE(0, 0, 0));
CHECK(*flag != VALUE(0, 0, 0));
