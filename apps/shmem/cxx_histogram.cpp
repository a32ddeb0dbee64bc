// SPDX-License-Identifier: BSD-3-Clause
// A histogram in C++: symmetric memory in a RAII array, templates over the element type, the counts gathered
// with fcollect and checked against a sequential computation.
#include <shmem.h>

#include <cstdint>
#include <cstdio>
#include <numeric>
#include <random>
#include <span>
#include <vector>

namespace {

struct session {
  session() { shmem_init(); }
  ~session() { shmem_finalize(); }
  session(const session&) = delete;
  session& operator=(const session&) = delete;
};

template <class T>
class symmetric_array {
 public:
  explicit symmetric_array(std::size_t size)
      : data_(static_cast<T*>(shmem_calloc(size, sizeof(T)))), size_(size) {}
  ~symmetric_array() { shmem_free(data_); }
  symmetric_array(const symmetric_array&) = delete;
  symmetric_array& operator=(const symmetric_array&) = delete;

  T* data() { return data_; }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return data_[i]; }
  std::span<T> span() { return {data_, size_}; }

 private:
  T* data_;
  std::size_t size_;
};

constexpr std::size_t buckets_each = 16;
constexpr int samples = 20000;

std::vector<std::uint64_t> draw(int pe, std::size_t buckets) {
  std::mt19937_64 random(static_cast<unsigned>(pe) + 1u);
  std::vector<std::uint64_t> values(samples);
  for (auto& value : values) value = (random() % buckets) * (random() % buckets) / buckets;
  return values;
}

void count(symmetric_array<std::uint64_t>& mine, std::size_t buckets) {
  for (const auto value : draw(shmem_my_pe(), buckets))
    shmem_uint64_atomic_inc(&mine[value % buckets_each], static_cast<int>(value / buckets_each));
}

// Everybody can recompute what everybody drew.
bool right(std::span<const std::uint64_t> all) {
  std::vector<std::uint64_t> wanted(all.size());
  for (int pe = 0; pe < shmem_n_pes(); ++pe)
    for (const auto value : draw(pe, all.size())) ++wanted[value];
  return std::equal(all.begin(), all.end(), wanted.begin()) &&
         std::accumulate(all.begin(), all.end(), std::uint64_t{0}) ==
             std::uint64_t{samples} * static_cast<unsigned>(shmem_n_pes());
}

int run() {
  const std::size_t buckets = buckets_each * static_cast<std::size_t>(shmem_n_pes());
  symmetric_array<std::uint64_t> mine(buckets_each), all(buckets);
  count(mine, buckets);
  shmem_barrier_all();
  shmem_uint64_fcollect(SHMEM_TEAM_WORLD, all.data(), mine.data(), mine.size());
  const bool good = right(all.span());
  if (!good) std::fprintf(stderr, "cxx_histogram: PE %d has a wrong histogram\n", shmem_my_pe());
  if (shmem_my_pe() == 0) std::printf("cxx_histogram: %zu buckets\n", buckets);
  shmem_barrier_all();
  return good ? 0 : 1;
}

} // namespace

int main() {
  session s;
  const int wrong = run();
  if (wrong != 0) shmem_global_exit(1);
  return 0;
}
