// SPDX-License-Identifier: BSD-3-Clause
// Few elements, many, and in place, where source and destination are one array.
enum { few = 5, many = most_reduced };
T* const base = (T*)arena; // few from, few to, in place; behind all sets' many from, many to
#define FROM(set) (base + 3 * few * (set))
#define TO(set) (FROM(set) + few)
#define IN_PLACE(set) (TO(set) + few)
T *const many_from = FROM(set_count), *const many_to = many_from + many;
for (int set = 0; set < set_count; ++set)
  for (int i = 0; i < few; ++i) FROM(set)[i] = IN_PLACE(set)[i] = INPUT(me, set, i);
for (int i = 0; i < many; ++i) many_from[i] = INPUT(me, 9, i);
SETS_READY();
shmem_sync_all();
for (int set = 0; set < set_count; ++set)
  if (set_rank(set) >= 0) {
    CALL_ON(set, 0, TO(set), FROM(set), few - 1);
    CALL_ON(set, 1, IN_PLACE(set), IN_PLACE(set), few);
  }
shmem_sync_all();
{
  const int set = 0;
  CALL_ON(set, 0, many_to, many_from, many);
}
for (int i = 0; i < many; ++i) {
  T wanted = INPUT(0, 9, i);
  for (int from = 1; from < pes; ++from) wanted = (T)(COMBINE(wanted, INPUT(from, 9, i)));
  EXPECT(many_to[i], wanted, "element of many", i);
}
for (int set = 0; set < set_count; ++set)
  for (int i = 0; set_rank(set) >= 0 && i < few; ++i) {
    T wanted = INPUT(set_member(set, 0), set, i);
    for (int rank = 1; rank < set_size(set); ++rank)
      wanted = (T)(COMBINE(wanted, INPUT(set_member(set, rank), set, i)));
    EXPECT(TO(set)[i], i < few - 1 ? wanted : ZERO, "element", i);
    EXPECT(IN_PLACE(set)[i], wanted, "element in place", i);
    EXPECT(FROM(set)[i], INPUT(me, set, i), "source", i);
  }
#undef FROM
#undef TO
#undef IN_PLACE
