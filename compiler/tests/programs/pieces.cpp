// SPDX-License-Identifier: BSD-3-Clause
// Pointers that reach another place by functions which copy bytes, by pieces of their own, or as what they
// are not: they still name the same object. All lists are in memory that others know, or in variables that
// functions set.
#include <cstdarg>
#include <cstring>
#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "job.h"

extern "C" void* __memcpy_chk(void* to, const void* from, size_t bytes, size_t room);

namespace {

constexpr int entries = 64, width = 8;

shmem_ctx_t context;
int64_t* from; // the same on all PEs
int other;
int64_t first[width], second[width];

struct lists {
  int64_t *a, *b;
};
struct [[gnu::packed]] tight {
  int tag;
  int64_t* list;
};
struct tight_lists {
  tight a, b;
};
struct [[gnu::packed]] short_address {
  uint64_t list : 48;
  uint16_t tag;
};
struct short_lists {
  short_address a, b;
};
using floats [[gnu::vector_size(16)]] = float;

int64_t fetched(int64_t i) {
  return shmem_ctx_int64_g(context, &from[i % entries], other);
}

// What a round does: dependent code changes one list, other code the other one; then they change places.
#define ROUNDS(one, other, ...)                                         \
  _Pragma("shmem defer") for (int i = 0; i < width; i++) {              \
    for (int j = 0; j < width; j++) (one)[j] += fetched(i * width + j); \
    (other)[i] = (other)[i] * 3 + i;                                    \
    __VA_ARGS__                                                         \
  }

[[gnu::noinline]] void exchange_bytes(void* a, void* b, size_t n) {
  auto *one = static_cast<unsigned char*>(a), *two = static_cast<unsigned char*>(b);
  for (size_t i = 0; i < n; i++) {
    const auto kept = one[i];
    one[i] = two[i];
    two[i] = kept;
  }
}
void by_each_byte(lists* t) {
  ROUNDS(t->a, t->b, exchange_bytes(&t->a, &t->b, sizeof t->a);)
}
void by_copies_to_a_byte(lists* t) {
  ROUNDS(t->a, t->b, {
    int64_t* kept;
    memccpy(&kept, &t->a, 256, sizeof kept);
    memccpy(&t->a, &t->b, 256, sizeof kept);
    memccpy(&t->b, &kept, 256, sizeof kept);
  })
}
void by_checked_copies(lists* t) {
  ROUNDS(t->a, t->b, {
    int64_t* kept;
    __memcpy_chk(&kept, &t->a, sizeof kept, sizeof kept);
    __memcpy_chk(&t->a, &t->b, sizeof kept, sizeof kept);
    __memcpy_chk(&t->b, &kept, sizeof kept, sizeof kept);
  })
}
void by_halves(lists* t) {
  ROUNDS(t->a, t->b, {
    auto *one = reinterpret_cast<uint32_t*>(&t->a), *two = reinterpret_cast<uint32_t*>(&t->b);
    for (int half = 0; half < 2; half++) {
      const auto kept = one[half];
      one[half] = two[half];
      two[half] = kept;
    }
  })
}
void by_doubles(lists* t) {
  ROUNDS(t->a, t->b, {
    auto *one = reinterpret_cast<double*>(&t->a), *two = reinterpret_cast<double*>(&t->b);
    const auto kept = *one;
    *one = *two;
    *two = kept;
  })
}
void by_floats(lists* t) {
  ROUNDS(t->a, t->b, {
    auto& both = *reinterpret_cast<floats*>(t);
    both = floats{both[2], both[3], both[0], both[1]};
  })
}
void by_tight_structures(tight_lists* t) {
  ROUNDS(t->a.list, t->b.list, {
    const tight kept = t->a;
    t->a = t->b;
    t->b = kept;
  })
}
void by_short_addresses(short_lists* t) {
  ROUNDS(reinterpret_cast<int64_t*>(t->a.list), reinterpret_cast<int64_t*>(t->b.list), {
    const uint64_t kept = t->a.list;
    t->a.list = t->b.list;
    t->b.list = kept;
  })
}

// The same list under two names, one of which a function has set.
#define TWO_NAMES(q)                                                \
  _Pragma("shmem defer") for (int i = 0; i < width; i++) {          \
    for (int j = 0; j < width; j++) p[j] += fetched(i * width + j); \
    (q)[i] = (q)[i] * 3 + i;                                        \
  }

void set_by_list(int64_t** at, ...) {
  va_list all;
  va_start(all, at);
  *at = va_arg(all, int64_t*);
  va_end(all);
}
void by_list_of_arguments(int64_t* p) {
  int64_t* q;
  set_by_list(&q, p);
  TWO_NAMES(q)
}
void set_checked(int64_t** at, int64_t* const* value, size_t bytes) {
  __memcpy_chk(at, value, bytes, sizeof *at);
}
void by_checked_copy(int64_t* p) {
  int64_t* q;
  set_checked(&q, &p, sizeof q);
  TWO_NAMES(q)
}
void copy(tight* to, const tight* of) {
  *to = *of;
}
void by_tight_copy(int64_t* p) {
  const tight given{1, p};
  tight q;
  copy(&q, &given);
  TWO_NAMES(q.list)
}
#ifdef __x86_64__
[[gnu::target("avx2")]] void store_with_mask(long long* to, int64_t* p) {
  const auto address = static_cast<long long>(reinterpret_cast<uintptr_t>(p));
  _mm256_maskstore_epi64(to, _mm256_set1_epi64x(-1), _mm256_set1_epi64x(address));
}
#endif
void by_store_with_mask(int64_t* p) {
  long long all[4] = {};
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx2"))
    store_with_mask(all, p);
  else
#endif
    all[2] = static_cast<long long>(reinterpret_cast<uintptr_t>(p));
  TWO_NAMES(reinterpret_cast<int64_t*>(static_cast<uintptr_t>(all[2])))
}

void prepare() {
  for (int j = 0; j < width; j++) first[j] = j, second[j] = 100 * j;
}
void tell(const char* name) {
  shmem_ctx_quiet(context);
  uint64_t all = 0;
  for (int j = 0; j < width; j++)
    all = mixed(mixed(all, static_cast<uint64_t>(first[j])), static_cast<uint64_t>(second[j]));
  if (shmem_my_pe() == 0) printf("%s: %016lx\n", name, static_cast<unsigned long>(all));
}
template <class Structure>
void show(const char* name, void (*function)(Structure*), const Structure& made) {
  auto* const both = static_cast<Structure*>(aligned_alloc(16, 64));
  if (both == nullptr) exit(2);
  *both = made;
  prepare();
  function(both);
  tell(name);
  free(both);
}
void show(const char* name, void (*function)(int64_t*)) {
  prepare();
  function(first);
  tell(name);
}

} // namespace

int main() {
  context = start();
  from = symmetric(entries);
  for (int pe = 0; pe < shmem_n_pes(); pe++)
    for (int i = 0; i < entries; i++) shmem_int64_p(&from[i], 7 * i % 31 + i, pe);
  shmem_barrier_all();
  other = (shmem_my_pe() + 1) % shmem_n_pes();

  const lists both = {first, second};
  show("each byte", by_each_byte, both);
  show("copies to a byte", by_copies_to_a_byte, both);
  show("checked copies", by_checked_copies, both);
  show("halves", by_halves, both);
  show("doubles", by_doubles, both);
  show("floats", by_floats, both);
  show("tight structures", by_tight_structures, tight_lists{{1, first}, {2, second}});
  short_lists shortened{};
  shortened.a.list = reinterpret_cast<uintptr_t>(first) & ~uint64_t{0} >> 16;
  shortened.b.list = reinterpret_cast<uintptr_t>(second) & ~uint64_t{0} >> 16;
  show("short addresses", by_short_addresses, shortened);
  show("list of arguments", by_list_of_arguments);
  show("checked copy", by_checked_copy);
  show("tight copy", by_tight_copy);
  show("store with a mask", by_store_with_mask);
  shmem_barrier_all();
  shmem_finalize();
}
