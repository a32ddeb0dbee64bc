// SPDX-License-Identifier: BSD-3-Clause
// The deprecated collectives, whose members are given by three numbers and agree through a work array. Each
// active set becomes a team when it is first used, and stays one.
#include <fmt/format.h>

#include <bit>
#include <map>
#include <memory>
#include <tuple>

#include "base/fatal.hpp"
#include "pgas/team_state.hpp"
#include "shmem/collectives.hpp"
#include "shmem/define.hpp"
#include "shmem/ordering.hpp"
#include "shmem/work_arrays.hpp"

namespace windrow::shmem {

namespace {

using pgas::strided_pes;

/// Words of the pSync of a set's first PE, on which its members agree on a team slot. All 0 before and after.
class slot_agreement {
  enum words { used, arrived, decision, departed };

 public:
  static constexpr int word_count = departed + 1;

  slot_agreement(const strided_pes& set, long* pSync, const char* routine)
      : set_(set), words_(remote(pSync, set.start, routine)) {}

  /// A slot that is free on all members, or -1. Who comes last decides; who leaves last tidies up, which is
  /// before the first barrier of the new team can end.
  int agree(std::uint64_t free) {
    word(used).fetch_or(static_cast<long>(~free));
    if (word(arrived).fetch_add(1) + 1 == set_.size) decide();
    hot.core->wait({transport::wait_kind::collective}, [this] { return word(decision).load() != 0; });
    const auto slot = word(decision).load() - 1;
    if (word(departed).fetch_add(1) + 1 == set_.size)
      for (const auto w : {used, arrived, decision, departed}) word(w).store(SHMEM_SYNC_VALUE);
    return slot == none ? -1 : static_cast<int>(slot);
  }

 private:
  static constexpr long none = transport::max_teams;

  void decide() {
    word(decision).store(std::countr_one(static_cast<std::uint64_t>(word(used).load())) + 1);
    for (int m = 0; m < set_.size; ++m)
      if (set_.at(m) != hot.pe) hot.core->link().ring(set_.at(m));
  }
  far_word<long> word(words w) const { return far_word(words_ + w); }

  strided_pes set_;
  long* words_;
};

using set_key = std::tuple<int, int, int>;
std::map<set_key, windrow::team>& known_sets() {
  static auto* const sets = new std::map<set_key, windrow::team>; // never destroyed: the teams outlive main
  return *sets;
}

strided_pes checked(int start, int log_stride, int size, const char* routine) {
  const auto& j = running_job(routine);
  const bool possible = log_stride >= 0 && log_stride < 31 && size >= 1;
  const strided_pes set{start, possible && size > 1 ? 1 << log_stride : 1, size};
  if (!possible || !set.lies_within(j.pes()))
    base::fatal(fmt::format(
        "{}: the active set (PE_start {}, logPE_stride {}, PE_size {}) leaves the job, which has PEs "
        "0 to {}",
        routine, start, log_stride, size, j.pes() - 1));
  if (set.member(j.pe()) < 0)
    base::fatal(fmt::format("{}: PE {} is not in the active set (PE_start {}, logPE_stride {}, PE_size {})",
                            routine, j.pe(), start, log_stride, size));
  return set;
}

windrow::team make_team(const strided_pes& set, long* pSync, const char* routine) {
  auto& world = cold.job->world().state();
  const int slot = slot_agreement(set, pSync, routine).agree(world.free_slots());
  if (slot < 0)
    base::fatal(fmt::format("{}: more than {} teams and active sets include the same PE", routine,
                            transport::max_teams));
  return windrow::team(std::make_shared<pgas::team_state>(world, static_cast<std::uint32_t>(slot), set));
}

const windrow::team* known_team(const strided_pes& set) {
  if (set.size == cold.job->pes()) return &cold.job->world();
  const auto lock = hot.core->exclusive();
  const auto known = known_sets().find({set.start, set.stride, set.size});
  return known == known_sets().end() ? nullptr : &known->second;
}

const windrow::team& team_of(const strided_pes& set, long* pSync, const char* routine) {
  if (const auto* known = known_team(set)) return *known;
  auto team = make_team(set, pSync, routine);
  const auto lock = hot.core->exclusive();
  return known_sets().emplace(set_key{set.start, set.stride, set.size}, std::move(team)).first->second;
}

/// With SHMEM_DEBUG: work arrays must hold SHMEM_SYNC_VALUE. (Other members may have begun to agree on a slot
/// in the array of the first.)
void require_clean(long* pSync, const strided_pes& set, const char* routine) {
  if (!cold.debug) return;
  symmetric_offset(pSync, SHMEM_SYNC_SIZE * sizeof(long), routine);
  const bool used_by_others = set.start == hot.pe && known_team(set) == nullptr;
  for (int i = used_by_others ? slot_agreement::word_count : 0; i < SHMEM_SYNC_SIZE; ++i)
    if (const long word = std::atomic_ref(pSync[i]).load(); word != SHMEM_SYNC_VALUE)
      base::fatal(
          fmt::format("{}: pSync at {} holds {} in element {} instead of SHMEM_SYNC_VALUE: in use, or not "
                      "initialized",
                      routine, static_cast<void*>(pSync), word, i));
}

/// Carries out a collective over an active set.
template <class Action>
void over(int start, int log_stride, int size, long* pSync, const char* routine, Action action) {
  const auto set = checked(start, log_stride, size, routine);
  const array_use use(pSync, set, routine);
  require_clean(pSync, set, routine);
  action(group(team_of(set, pSync, routine), routine));
}

// A barrier may use the same array again at once.
void barrier(int start, int log_stride, int size, long* pSync, const char* routine) {
  const auto set = checked(start, log_stride, size, routine);
  require_clean(pSync, set, routine);
  group(team_of(set, pSync, routine), routine).meet();
}

} // namespace

} // namespace windrow::shmem

using namespace windrow::shmem; // everything below is the C interface

SHMEM_FUNCTION(void, shmem_barrier, (int PE_start, int logPE_stride, int PE_size, long* pSync)) {
  require_running(ROUTINE);
  complete_begun();
  barrier(PE_start, logPE_stride, PE_size, pSync, ROUTINE);
}
SHMEM_FUNCTION(void, shmem_sync, (int PE_start, int logPE_stride, int PE_size, long* pSync)) {
  barrier(PE_start, logPE_stride, PE_size, pSync, ROUTINE);
}

#define SET int PE_start, int logPE_stride, int PE_size
#define OVER(call) over(PE_start, logPE_stride, PE_size, pSync, ROUTINE, [=](const group& g) { call; })
#define COLLECTIVES(S, size)                                                                             \
  SHMEM_FUNCTION(void, shmem_broadcast##S,                                                               \
                 (void* dest, const void* source, size_t nelems, int PE_root, SET, long* pSync)) {       \
    OVER(broadcast(g, dest, source, nelems*(size), PE_root, at_root::leave));                            \
  }                                                                                                      \
  SHMEM_FUNCTION(void, shmem_collect##S,                                                                 \
                 (void* dest, const void* source, size_t nelems, SET, long* pSync)) {                    \
    OVER(collect(g, dest, source, nelems*(size)));                                                       \
  }                                                                                                      \
  SHMEM_FUNCTION(void, shmem_fcollect##S,                                                                \
                 (void* dest, const void* source, size_t nelems, SET, long* pSync)) {                    \
    OVER(fcollect(g, dest, source, nelems*(size)));                                                      \
  }                                                                                                      \
  SHMEM_FUNCTION(void, shmem_alltoall##S,                                                                \
                 (void* dest, const void* source, size_t nelems, SET, long* pSync)) {                    \
    OVER(alltoall(g, dest, source, nelems*(size)));                                                      \
  }                                                                                                      \
  SHMEM_FUNCTION(                                                                                        \
      void, shmem_alltoalls##S,                                                                          \
      (void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, SET, long* pSync)) { \
    OVER(alltoalls(g, dest, source, dst, sst, nelems, size));                                            \
  }
COLLECTIVES(32, 4)
COLLECTIVES(64, 8)

#define REDUCE(T, N, name, op)                                                     \
  SHMEM_FUNCTION(void, shmem_##N##_##name##_to_all,                                \
                 (T * dest, const T* source, int nreduce, SET, T*, long* pSync)) { \
    OVER(reduce(g, dest, source, static_cast<std::size_t>(nreduce), op()));        \
  }
WINDROW_SHMEM_OLD_INTEGERS(REDUCE, and, bitwise_and)
WINDROW_SHMEM_OLD_INTEGERS(REDUCE, or, bitwise_or)
WINDROW_SHMEM_OLD_INTEGERS(REDUCE, xor, bitwise_xor)
WINDROW_SHMEM_OLD_ORDERED(REDUCE, max, larger)
WINDROW_SHMEM_OLD_ORDERED(REDUCE, min, smaller)
WINDROW_SHMEM_OLD_ARITHMETIC(REDUCE, sum, sum)
WINDROW_SHMEM_OLD_ARITHMETIC(REDUCE, prod, product)

#undef COLLECTIVES
#undef REDUCE
