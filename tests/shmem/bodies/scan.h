// SPDX-License-Identifier: BSD-3-Clause
// Prefix sums over the members, with the own element or without it; also in place.
enum { count = 5 };
T* const base = (T*)arena;
#define FROM(set) (base + 3 * count * (set))
#define TO(set) (FROM(set) + count)
#define IN_PLACE(set) (TO(set) + count)
for (int set = 0; set < set_count; ++set)
  for (int i = 0; i < count; ++i) FROM(set)[i] = IN_PLACE(set)[i] = SUMMAND(me, set, i);
(void)set_team(0);
shmem_sync_all();
for (int set = 0; set < set_count; ++set)
  if (set_rank(set) >= 0) {
    CHECK(CALL(set_team(set), TO(set), FROM(set), count - 1) == 0);
    CHECK(CALL(set_team(set), IN_PLACE(set), IN_PLACE(set), count) == 0);
  }
shmem_sync_all();
for (int set = 0; set < set_count; ++set)
  for (int i = 0; set_rank(set) >= 0 && i < count; ++i) {
    T wanted = ZERO;
    for (int rank = 0; rank <= set_rank(set) - EXCLUSIVE; ++rank)
      wanted = (T)(wanted + SUMMAND(set_member(set, rank), set, i));
    EXPECT(TO(set)[i], i < count - 1 ? wanted : ZERO, "element", i);
    EXPECT(IN_PLACE(set)[i], wanted, "element in place", i);
  }
#undef FROM
#undef TO
#undef IN_PLACE
