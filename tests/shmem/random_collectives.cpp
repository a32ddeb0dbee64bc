// SPDX-License-Identifier: BSD-3-Clause
// Random collectives against a sequential model: sizes from nothing to beyond the caches, types, teams and
// active sets, places in and out of line, in place. All PEs make up the whole program from the seed. What a
// collective must not touch is looked at too.   random_collectives FIRST_SEED SEEDS
#include <shmem.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <vector>

namespace {

constexpr std::size_t most_bytes = 12 << 20;
int me, pes;
std::byte *source_memory, *dest_memory; // symmetric

/// Who takes part; a team where it has one, else an active set.
struct members {
  int start, log_stride, size;
  shmem_team_t team = SHMEM_TEAM_INVALID;

  int at(int member) const { return start + (member << log_stride); }
  int number() const { // of this PE, or -1
    for (int m = 0; m < size; ++m)
      if (at(m) == me) return m;
    return -1;
  }
};

template <class T>
T value_of(std::uint64_t seed, int pe, std::size_t i) {
  auto x = (seed * 31 + static_cast<std::uint64_t>(pe) * 1009 + i) * 0x9e3779b97f4a7c15;
  return static_cast<T>(x >> 49); // 15 bits, so that no sum of a signed type overflows
}

/// Everything that one round is made of.
struct round {
  std::uint64_t seed;
  members who;
  std::size_t count;    ///< elements of a member's contribution
  std::size_t to, from; ///< elements before dest and source
  bool in_place;
  int root;

  /// Collected contributions differ in length.
  std::size_t count_of(int member) const { return count - count * static_cast<std::size_t>(member) / 16; }
};

template <class T>
T* dest_of(const round& r) {
  return reinterpret_cast<T*>(dest_memory) + r.to;
}
template <class T>
T* source_of(const round& r) {
  return r.in_place ? dest_of<T>(r) : reinterpret_cast<T*>(source_memory) + r.from;
}

/// What is in the source of a PE, and what is in every dest before.
template <class T>
void fill(const round& r, std::size_t sources, std::size_t dests) {
  for (std::size_t i = 0; i < r.to + dests + 16; ++i)
    reinterpret_cast<T*>(dest_memory)[i] = static_cast<T>(i % 100);
  for (std::size_t i = 0; i < sources; ++i) source_of<T>(r)[i] = value_of<T>(r.seed, me, i);
}

template <class T>
int complain(const round& r, const char* what, std::size_t i, T found, T wanted) {
  std::printf(
      "seed %llu: PE %d: %s of %zu elements of %zu bytes, set %d %d %d%s: element %zu is %g, not %g\n",
      static_cast<unsigned long long>(r.seed), me, what, r.count, sizeof(T), r.who.start, r.who.log_stride,
      r.who.size, r.in_place ? ", in place" : "", i, static_cast<double>(found), static_cast<double>(wanted));
  return 1;
}

/// Dest has `wanted`, what is around it and the source are as they were.
template <class T>
int check(const round& r, const char* what, const std::vector<T>& wanted, std::size_t sources) {
  const auto* const dest = reinterpret_cast<const T*>(dest_memory);
  for (std::size_t i = 0; i < r.to + wanted.size() + 16; ++i) {
    const bool outside = i < r.to || i >= r.to + wanted.size();
    const T right = outside ? static_cast<T>(i % 100) : wanted[i - r.to];
    const bool overwritten = outside && r.in_place && i >= r.to && i < r.to + sources; // by its own values
    if (dest[i] != right && !overwritten) return complain(r, what, i, dest[i], right);
  }
  for (std::size_t i = 0; i < sources && !r.in_place; ++i)
    if (const auto right = value_of<T>(r.seed, me, i); source_of<T>(r)[i] != right)
      return complain(r, "a source", i, source_of<T>(r)[i], right);
  return 0;
}

template <class T, class Call>
int run(const round& r, const char* what, std::size_t sources, const std::vector<T>& wanted, Call call) {
  fill<T>(r, sources, wanted.size());
  shmem_barrier_all();
  call(dest_of<T>(r), source_of<T>(r));
  shmem_barrier_all();
  return check(r, what, wanted, sources);
}

long sync_words[2][SHMEM_SYNC_SIZE];
long* next_sync() { // in turn: the round ends with a barrier
  static int turn = 0;
  return sync_words[turn ^= 1];
}
bool in_team(const round& r) {
  return r.who.team != SHMEM_TEAM_INVALID;
}
#define SET r.who.start, r.who.log_stride, r.who.size

template <class T>
int run_broadcast(const round& r) {
  std::vector<T> wanted(r.count);
  const bool keeps = !in_team(r) && r.who.number() == r.root; // active sets leave the root alone
  for (std::size_t i = 0; i < r.count; ++i)
    wanted[i] = keeps ? (r.in_place ? value_of<T>(r.seed, me, i) : static_cast<T>((r.to + i) % 100))
                      : value_of<T>(r.seed, r.who.at(r.root), i);
  return run<T>(r, "broadcast", r.count, wanted, [&](T* dest, T* source) {
    if (in_team(r))
      shmem_broadcastmem(r.who.team, dest, source, r.count * sizeof(T), r.root);
    else if (sizeof(T) == 4)
      shmem_broadcast32(dest, source, r.count, r.root, SET, next_sync());
    else
      shmem_broadcast64(dest, source, r.count, r.root, SET, next_sync());
  });
}

template <class T>
int run_fcollect(const round& r) {
  std::vector<T> wanted;
  for (int m = 0; m < r.who.size; ++m)
    for (std::size_t i = 0; i < r.count; ++i) wanted.push_back(value_of<T>(r.seed, r.who.at(m), i));
  return run<T>(r, "fcollect", r.count, wanted, [&](T* dest, T* source) {
    if (in_team(r))
      shmem_fcollectmem(r.who.team, dest, source, r.count * sizeof(T));
    else if (sizeof(T) == 4)
      shmem_fcollect32(dest, source, r.count, SET, next_sync());
    else
      shmem_fcollect64(dest, source, r.count, SET, next_sync());
  });
}

template <class T>
int run_collect(const round& r) {
  std::vector<T> wanted;
  for (int m = 0; m < r.who.size; ++m)
    for (std::size_t i = 0; i < r.count_of(m); ++i) wanted.push_back(value_of<T>(r.seed, r.who.at(m), i));
  const auto mine = r.count_of(r.who.number());
  return run<T>(r, "collect", mine, wanted, [&](T* dest, T* source) {
    if (in_team(r))
      shmem_collectmem(r.who.team, dest, source, mine * sizeof(T));
    else if (sizeof(T) == 4)
      shmem_collect32(dest, source, mine, SET, next_sync());
    else
      shmem_collect64(dest, source, mine, SET, next_sync());
  });
}

template <class T>
int run_alltoall(const round& r) {
  std::vector<T> wanted;
  const auto mine = r.count * static_cast<std::size_t>(r.who.number());
  for (int m = 0; m < r.who.size; ++m)
    for (std::size_t i = 0; i < r.count; ++i) wanted.push_back(value_of<T>(r.seed, r.who.at(m), mine + i));
  return run<T>(r, "alltoall", wanted.size(), wanted, [&](T* dest, T* source) {
    if (in_team(r))
      shmem_alltoallmem(r.who.team, dest, source, r.count * sizeof(T));
    else if (sizeof(T) == 4)
      shmem_alltoall32(dest, source, r.count, SET, next_sync());
    else
      shmem_alltoall64(dest, source, r.count, SET, next_sync());
  });
}

template <class T, class Op, class Call>
int run_reduce(const round& r, const char* what, Op op, Call call) {
  std::vector<T> wanted(r.count);
  for (std::size_t i = 0; i < r.count; ++i) {
    wanted[i] = value_of<T>(r.seed, r.who.at(0), i);
    for (int m = 1; m < r.who.size; ++m)
      wanted[i] = static_cast<T>(op(wanted[i], value_of<T>(r.seed, r.who.at(m), i)));
  }
  return run<T>(r, what, r.count, wanted, call);
}

#define REDUCE_OF_TEAM(T, name, op) \
  run_reduce<T>(r, #name, op,       \
                [&](T* dest, T* source) { shmem_##name##_reduce(r.who.team, dest, source, r.count); })
#define REDUCE_OF_SET(T, N, name, op)                                                                \
  run_reduce<T>(r, #N " " #name " to all", op, [&](T* dest, T* source) {                             \
    static T work[2][SHMEM_REDUCE_MIN_WRKDATA_SIZE]; /* Windrow does not look at it */               \
    shmem_##N##_##name##_to_all(dest, source, static_cast<int>(r.count), SET, work[0], next_sync()); \
  })

template <class T>
int reduce_in_team(const round& r, std::uint64_t which) {
  const auto larger = [](T a, T b) { return std::max(a, b); };
  const auto smaller = [](T a, T b) { return std::min(a, b); };
  if (which == 0) return REDUCE_OF_TEAM(T, max, larger);
  if (which == 1) return REDUCE_OF_TEAM(T, min, smaller);
  if constexpr (std::is_unsigned_v<T>) {
    if (which == 2) return REDUCE_OF_TEAM(T, prod, [](T a, T b) { return std::uint64_t{a} * b; });
    if (which == 3) return REDUCE_OF_TEAM(T, xor, std::bit_xor<>());
    if (which == 4) return REDUCE_OF_TEAM(T, and, std::bit_and<>());
  }
  return REDUCE_OF_TEAM(T, sum, [](T a, T b) { return static_cast<T>(a + b); });
}

int run_reduce(const round& r, std::uint64_t type, std::uint64_t which) {
  if (!in_team(r)) {
    if (type % 3 == 0) return REDUCE_OF_SET(int, int, sum, std::plus<>());
    if (type % 3 == 1) return REDUCE_OF_SET(long, long, or, std::bit_or<>());
    return REDUCE_OF_SET(double, double, sum, std::plus<>());
  }
  switch (type) {
    case 0:
      return reduce_in_team<unsigned short>(r, which);
    case 1:
      return reduce_in_team<unsigned>(r, which);
    case 2:
      return reduce_in_team<unsigned long>(r, which);
    case 3:
      return reduce_in_team<float>(r, which);
    case 4:
      return reduce_in_team<long double>(r, which);
    default:
      return reduce_in_team<double>(r, which);
  }
}

template <class T>
int run_moving(round r, std::uint64_t kind) {
  switch (kind) {
    case 0:
      return run_broadcast<T>(r);
    case 1:
      return r.in_place = false, run_fcollect<T>(r);
    case 2:
      return r.in_place = false, run_collect<T>(r);
    default:
      return r.in_place = false, run_alltoall<T>(r);
  }
}

/// Elements of up to 16 bytes, all members' together in `most_bytes`.
std::size_t choose_count(std::mt19937_64& random, int size) {
  const std::size_t most = most_bytes / 16 / static_cast<std::size_t>(size) - 64;
  const auto chance = random() % 16;
  if (chance == 0) return random() % 3;
  if (chance == 1) return random() % most;
  return random() % (chance < 8 ? 40 : 5000);
}

members choose_members(std::mt19937_64& random) {
  const int log_stride = static_cast<int>(random() % 2);
  const int size = 1 + static_cast<int>(random() % static_cast<unsigned>((pes - 1) / (1 << log_stride) + 1));
  const int free = pes - ((size - 1) << log_stride);
  return {static_cast<int>(random() % static_cast<unsigned>(free)), log_stride, size};
}

int run_seed(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  round r{.seed = seed,
          .who = choose_members(random),
          .count = 0,
          .to = random() % 20,
          .from = random() % 20,
          .in_place = random() % 4 == 0,
          .root = 0};
  r.count = choose_count(random, r.who.size);
  r.root = static_cast<int>(random() % static_cast<unsigned>(r.who.size));
  const auto kind = random() % 8, type = random() % 6, which = random() % 6;
  if (random() % 2 == 0)
    shmem_team_split_strided(SHMEM_TEAM_WORLD, r.who.start, 1 << r.who.log_stride, r.who.size, nullptr, 0,
                             &r.who.team);
  int errors = 0;
  if (r.who.number() < 0) // who is not in a set does not call
    shmem_barrier_all(), shmem_barrier_all();
  else if (kind >= 4)
    errors = run_reduce(r, type, which);
  else
    errors = type % 2 ? run_moving<float>(r, kind) : run_moving<long>(r, kind);
  if (r.who.team != SHMEM_TEAM_INVALID) shmem_team_destroy(r.who.team);
  return errors;
}

} // namespace

int main(int argc, char** argv) {
  const std::uint64_t first = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1;
  const std::uint64_t count = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 100;
  shmem_init();
  me = shmem_my_pe();
  pes = shmem_n_pes();
  for (auto& words : sync_words) std::fill(std::begin(words), std::end(words), SHMEM_SYNC_VALUE);
  source_memory = static_cast<std::byte*>(shmem_align(64, most_bytes));
  dest_memory = static_cast<std::byte*>(shmem_align(64, most_bytes));
  shmem_barrier_all();
  int errors = 0;
  for (auto seed = first; seed < first + count && errors == 0; ++seed) errors += run_seed(seed);
  if (errors != 0) shmem_global_exit(1);
  shmem_finalize();
}
