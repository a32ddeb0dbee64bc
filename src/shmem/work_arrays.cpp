// SPDX-License-Identifier: BSD-3-Clause
#include "shmem/work_arrays.hpp"

#include <fmt/format.h>

#include <atomic>
#include <map>
#include <tuple>

#include "base/fatal.hpp"
#include "pgas/core.hpp"
#include "shmem/remote_word.hpp"
#include "shmem/state.hpp"

namespace windrow::shmem {

namespace {

/// A global variable, hence symmetric: the other members look at it.
struct last_use {
  std::atomic<std::uint64_t> array; ///< offset of pSync in the segment + 1; 0: the use is over
  std::atomic<std::uint64_t> set;
  std::atomic<std::uint64_t> call; ///< the ordinal number of the collective over the set

  void begin(std::uint64_t new_array, std::uint64_t new_set, std::uint64_t new_call) {
    array = 0;
    set = new_set;
    call = new_call;
    array = new_array;
  }
  /// A use of the same array by the same set before call number `next`. A torn look cannot be mistaken for
  /// one: call numbers of a set only grow, and `array` is read before and after.
  bool is_before(std::uint64_t that_array, std::uint64_t that_set, std::uint64_t next) const {
    return array == that_array && set == that_set && call < next && array == that_array;
  }
};
constinit last_use mine{};

struct {
  bool inside = false;          ///< of the collective that `mine` describes
  bool silent_accesses = false; ///< see expect_silent_accesses
  std::uint64_t steps = 0;      ///< of teams when this PE left it; the C++ interface takes steps too
  const long* array = nullptr;  ///< of the last collective, as long as this PE has made no call since
  pgas::strided_pes set{};      ///< its members
} here;

// Threads may be in several sets at a time, of which a record holds one.
bool is_recorded() {
  return cold.debug && !hot.map->keep_announced;
}

std::uint64_t next_call(std::uint64_t set) {
  static auto* const calls = new std::map<std::uint64_t, std::uint64_t>; // outlives main
  const auto lock = hot.core->exclusive();
  return ++(*calls)[set];
}

// A set of one PE is left when its call returns.
void require_same_set(const long* pSync, const pgas::strided_pes& set, const char* routine) {
  if (here.array != pSync || here.set.size == 1 || hot.core->stats().barriers != here.steps) return;
  if (set_number(here.set) == set_number(set)) return;
  base::fatal(fmt::format(
      "{}: pSync at {} may still be in use by the active set of PEs {} to {} in steps of {}, as whose member "
      "PE {} "
      "used it last; for that of PEs {} to {} in steps of {}, synchronize in between or use another array",
      routine, static_cast<const void*>(pSync), here.set.start, here.set.at(here.set.size - 1),
      here.set.stride, hot.pe, set.start, set.at(set.size - 1), set.stride));
}

/// What another PE has written there; `copy` is used if it is not plain memory.
const last_use& of(int pe, std::uint64_t offset, last_use& copy, const char* routine) {
  return *static_cast<const last_use*>(look_at(hot.map->known(pe, offset), sizeof copy, &copy, {routine}));
}

} // namespace

std::uint64_t set_number(const pgas::strided_pes& set) {
  return (static_cast<std::uint64_t>(set.start) << 20 | static_cast<std::uint64_t>(set.stride)) << 20 |
         static_cast<std::uint64_t>(set.size);
}

array_use::array_use(const long* pSync, const pgas::strided_pes& set, kind again, const char* routine)
    : set_(set), array_(pSync) {
  if (!is_recorded()) return;
  require_same_set(pSync, set, routine);
  if (again == at_once_again) return;
  const auto array = find_symmetric(pSync, sizeof *pSync), record = find_symmetric(&mine, sizeof mine);
  if (!array || !record) return;
  const auto number = set_number(set), call = next_call(number);
  const bool may_know_more = mine.array != *array + 1 || hot.core->stats().barriers != here.steps;
  last_use copy{};
  for (int m = 0; m < set.size && !may_know_more; ++m)
    if (set.at(m) != hot.pe && of(set.at(m), *record, copy, routine).is_before(*array + 1, number, call))
      base::fatal(
          fmt::format("{}: pSync at {} may still be in use by PE {}: neither PE has made a call since the "
                      "last collective with it; synchronize before using it again",
                      routine, static_cast<const void*>(pSync), set.at(m)));
  here.inside = true;
  mine.begin(*array + 1, number, call);
}

array_use::~array_use() {
  if (!is_recorded()) return;
  here.steps = hot.core->stats().barriers;
  here.inside = false;
  here.array = here.silent_accesses ? nullptr : array_;
  here.set = set_;
  if (here.silent_accesses) mine.array = 0;
}

void end_last_use() {
  if (here.inside) return;
  mine.array = 0;
  here.array = nullptr;
}

void expect_silent_accesses() {
  here.silent_accesses = true;
  end_last_use();
}

} // namespace windrow::shmem
