// SPDX-License-Identifier: BSD-3-Clause
// Random streams of puts, gets, atomic operations, fences, quiets, signals, locks and collectives, against a
// model. All PEs make up the whole program from the seed, each carries out its part and models everybody's.
// On every PE each other PE has a range that it alone writes, so that every value that is read is known:
// operations of one PE on one other happen in their order. With `unordered` that is not taken for granted,
// only what fences and quiets say.
//   random_streams FIRST_SEED SEEDS [unordered]
#include <shmemx.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <random>
#include <span>
#include <string_view>
#include <vector>

#include "windrow/one_sided.hpp"

namespace {

using bytes = std::vector<unsigned char>;

constexpr std::size_t range_bytes = 24 << 10, busy_bytes = 512; // most operations meet in the first part
constexpr std::size_t counters_of_each = 8;
constexpr int most_pes = 8;

// Symmetric.
unsigned char* table;           // a range for each writer
long counted[counters_of_each]; // that everybody adds to
long guarded;                   // by the lock
long lock_word;
std::uint64_t* flags;            // of messages, by sender; on the heap, since C++ uses them too
std::uint64_t answers[most_pes]; // by who answers
long collected[most_pes * 8], shown[8];

class stream {
 public:
  stream(int me, int pes, bool unordered)
      : me_(me), pes_(pes), unordered_(unordered), contexts_{SHMEM_CTX_DEFAULT, {}, {}, {}} {
    for (int i = 0; const long options : {0L, SHMEM_CTX_PRIVATE + 0L})
      shmem_ctx_create(options, &contexts_[++i]);
    shmem_team_create_ctx(SHMEM_TEAM_WORLD, 0, &contexts_[3]);
    shmem_ctx_create(SHMEMX_CTX_AGGREGATE, &aggregated_);
  }
  ~stream() {
    for (std::size_t i = 1; i < contexts_.size(); ++i) shmem_ctx_destroy(contexts_[i]);
    shmem_ctx_destroy(aggregated_);
  }
  stream(const stream&) = delete;
  stream& operator=(const stream&) = delete;

  /// Returns the number of differences.
  int run(std::uint64_t seed) {
    random_.seed(seed);
    seed_ = seed;
    image_.assign(static_cast<std::size_t>(pes_ * pes_), bytes(range_bytes));
    counts_.assign(static_cast<std::size_t>(pes_) * counters_of_each, 0);
    guarded_ = 0;
    std::memset(table, 0, range_bytes * static_cast<std::size_t>(pes_));
    std::memset(counted, 0, sizeof counted);
    guarded = 0;
    shmem_barrier_all();
    const auto steps = 50 + random_() % 300;
    for (step_ = 0; step_ < steps; ++step_) step();
    shmem_ctx_quiet(aggregated_);
    complete();
    shmem_barrier_all();
    compare_all();
    shmem_barrier_all();
    return errors_;
  }

 private:
  struct touched {
    int pe;
    std::size_t offset, size;
    bool fenced = false; // what is written now happens later
  };

  // ---- random choices, the same on all PEs

  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(random_() % limit); }
  bytes some_bytes(std::size_t size) {
    bytes made(size);
    for (auto& b : made) b = static_cast<unsigned char>(random_());
    return made;
  }

  // ---- the range of the PE that acts, at `to_`

  bytes& model() { return image_[static_cast<std::size_t>(to_ * pes_ + actor_)]; }
  unsigned char* here(std::size_t offset) const {
    return table + range_bytes * static_cast<std::size_t>(actor_) + offset;
  }
  template <class T>
  T* here_as(std::size_t index) const {
    return reinterpret_cast<T*>(here(index * sizeof(T)));
  }
  template <class T>
  T modelled(std::size_t index) {
    T value;
    std::memcpy(&value, model().data() + index * sizeof(T), sizeof value);
    return value;
  }
  template <class T>
  void set_model(std::size_t index, T value) {
    std::memcpy(model().data() + index * sizeof(T), &value, sizeof value);
  }
  shmem_ctx_t a_context() { return contexts_[below(contexts_.size())]; }
  bool acts() const { return me_ == actor_; }

  // ---- what a program without a promise of order has to do

  static bool meet(const touched& a, int pe, std::size_t offset, std::size_t size) {
    return a.pe == pe && a.offset < offset + size && offset < a.offset + a.size;
  }
  void before_read(std::size_t offset, std::size_t size) {
    if (!unordered_) return;
    for (const auto& t : written_)
      if (meet(t, to_, offset, size)) return complete();
  }
  void before_write(std::size_t offset, std::size_t size) {
    if (!unordered_) return;
    const auto overtaken = [&](const touched& t) { return !t.fenced && meet(t, to_, offset, size); };
    if (std::ranges::any_of(written_, overtaken)) {
      for (const auto c : contexts_) shmem_ctx_fence(c);
      for (auto& t : written_) t.fenced = true;
    }
    written_.push_back({to_, offset, size});
  }
  void complete() {
    for (const auto c : contexts_) shmem_ctx_quiet(c);
    written_.clear();
    sources_.clear();
  }

  void differs(const char* what) {
    if (++errors_ <= 10)
      std::fprintf(stderr, "seed %llu step %zu: PE %d of %d, %s at PE %d differs\n",
                   static_cast<unsigned long long>(seed_), step_, me_, pes_, what, to_);
  }
  void expect(bool same, const char* what) {
    if (!same) differs(what);
  }
  void expect_range(const unsigned char* found, std::size_t offset, std::size_t size, const char* what) {
    expect(std::memcmp(found, model().data() + offset, size) == 0, what);
  }

  // ---- steps

  void step() {
    actor_ = static_cast<int>(below(static_cast<std::size_t>(pes_)));
    to_ = static_cast<int>(below(static_cast<std::size_t>(pes_)));
    switch (below(30)) {
      case 0:
        return p<std::uint8_t>(shmem_ctx_uint8_p);
      case 1:
        return p<std::uint16_t>(shmem_ctx_uint16_p);
      case 2:
        return p<std::uint32_t>(shmem_ctx_uint32_p);
      case 3:
      case 4:
        return p<std::uint64_t>(shmem_ctx_uint64_p);
      case 5:
        return put(1 + below(64), false);
      case 6:
        return put(1 + below(200), false);
      case 7:
        return put(1 + below(100), true);
      case 8:
        return below(4) == 0 ? put(1 + below(20000), false) : iput();
      case 9:
        return put_in_cpp();
      case 10:
        return put_range_in_cpp();
      case 11:
        return get(1 + below(64));
      case 12:
        return get(1 + below(300));
      case 13:
        return below(4) == 0 ? get(1 + below(20000)) : iget();
      case 14:
        return g();
      case 15:
        return get_later();
      case 16:
        return update();
      case 17:
        return update();
      case 18:
        return fetch();
      case 19:
        return fetch_later();
      case 20:
        return count(false);
      case 21:
        return count(true);
      case 22:
        return fence();
      case 23:
        return quiet();
      case 24:
        return message();
      case 25:
        return message();
      case 26:
        return through_third();
      case 27:
        return under_lock();
      case 28:
        return own_memory();
      default:
        return below(3) == 0 ? together() : get_in_cpp();
    }
  }

  template <class T, class P>
  void p(P routine) {
    const auto index = below(busy_bytes / sizeof(T));
    const auto value = static_cast<T>(random_());
    const auto context = a_context();
    if (acts()) {
      before_write(index * sizeof(T), sizeof(T));
      routine(context, here_as<T>(index), value, to_);
    }
    set_model(index, value);
  }

  void put(std::size_t size, bool nonblocking) {
    const auto offset = below(std::max(busy_bytes, size + 1) - size);
    auto source = some_bytes(size);
    const auto context = a_context();
    if (acts()) {
      before_write(offset, size);
      if (nonblocking) {
        sources_.push_back(source);
        shmem_ctx_putmem_nbi(context, here(offset), sources_.back().data(), size, to_);
      } else {
        auto used_again = source;
        shmem_ctx_putmem(context, here(offset), used_again.data(), size, to_);
        std::ranges::fill(used_again, static_cast<unsigned char>(0xEE));
      }
    }
    std::ranges::copy(source, model().begin() + static_cast<std::ptrdiff_t>(offset));
  }

  void iput() {
    const auto count = 1 + below(6), stride = 1 + below(4), from = 1 + below(2);
    const auto index = below(busy_bytes / 4 - count * stride);
    const auto source = some_bytes(count * from * 4);
    if (acts()) {
      before_write(index * 4, count * stride * 4);
      shmem_iput32(here(index * 4), source.data(), static_cast<std::ptrdiff_t>(stride),
                   static_cast<std::ptrdiff_t>(from), count, to_);
    }
    for (std::size_t i = 0; i < count; ++i)
      std::copy_n(source.begin() + static_cast<std::ptrdiff_t>(i * from * 4), 4,
                  model().begin() + static_cast<std::ptrdiff_t>((index + i * stride) * 4));
  }

  windrow::global_ptr<std::uint64_t> global(std::size_t index) const {
    return shmemx_job().global(here_as<std::uint64_t>(index)).on(to_);
  }
  void put_in_cpp() {
    const auto index = below(busy_bytes / 8);
    const auto value = random_();
    if (acts()) {
      before_read(index * 8, 8);
      windrow::put(shmemx_job(), *global(index), value);
    }
    set_model(index, value);
  }
  void put_range_in_cpp() {
    const auto count = 1 + below(below(8) == 0 ? 2000 : 20);
    const auto index = below(std::max(busy_bytes / 8, count + 1) - count);
    std::vector<std::uint64_t> source(count);
    for (auto& value : source) value = random_();
    if (acts()) {
      before_read(index * 8, count * 8);
      windrow::put(shmemx_job(), global(index), source);
    }
    for (std::size_t i = 0; i < count; ++i) set_model(index + i, source[i]);
  }
  void get_in_cpp() {
    const auto index = below(busy_bytes / 8);
    if (!acts()) return;
    before_read(index * 8, 8);
    expect(windrow::get(shmemx_job(), *global(index)) == modelled<std::uint64_t>(index), "get of C++");
  }

  void get(std::size_t size) {
    const auto offset = below(std::max(busy_bytes, size + 1) - size);
    const auto context = a_context();
    if (!acts()) return;
    before_read(offset, size);
    bytes found(size);
    shmem_ctx_getmem(context, found.data(), here(offset), size, to_);
    expect_range(found.data(), offset, size, "getmem");
  }
  void get_later() {
    const auto size = 1 + below(64), offset = below(busy_bytes - size);
    if (!acts()) return;
    before_read(offset, size);
    bytes found(size);
    shmem_getmem_nbi(found.data(), here(offset), size, to_);
    complete();
    expect_range(found.data(), offset, size, "getmem_nbi");
  }
  void iget() {
    const auto count = 1 + below(6), stride = 1 + below(4);
    const auto index = below(busy_bytes / 8 - count * stride);
    if (!acts()) return;
    before_read(index * 8, count * stride * 8);
    std::uint64_t found[6];
    shmem_uint64_iget(found, here_as<std::uint64_t>(index), 1, static_cast<std::ptrdiff_t>(stride), count,
                      to_);
    for (std::size_t i = 0; i < count; ++i)
      expect(found[i] == modelled<std::uint64_t>(index + i * stride), "iget");
  }
  void g() {
    const auto index = below(busy_bytes / 4);
    const auto context = a_context();
    if (!acts()) return;
    before_read(index * 4, 4);
    expect(shmem_ctx_uint32_g(context, here_as<std::uint32_t>(index), to_) == modelled<std::uint32_t>(index),
           "g");
  }

  void update() {
    const auto index = below(busy_bytes / 8), which = below(5);
    const auto value = random_();
    const auto context = a_context();
    auto* const at = here_as<std::uint64_t>(index);
    if (acts()) {
      before_write(index * 8, 8);
      if (which == 0) shmem_ctx_uint64_atomic_add(context, at, value, to_);
      if (which == 1) shmem_ctx_uint64_atomic_xor(context, at, value, to_);
      if (which == 2) shmem_ctx_uint64_atomic_inc(context, at, to_);
      if (which == 3) shmem_ctx_uint64_atomic_set(context, at, value, to_);
      if (which == 4) shmem_ctx_uint64_atomic_and(context, at, value, to_);
    }
    const auto old = modelled<std::uint64_t>(index);
    const std::uint64_t now[] = {old + value, old ^ value, old + 1, value, old & value};
    set_model(index, now[which]);
  }
  void fetch() {
    const auto index = below(busy_bytes / 8), which = below(4);
    const auto value = random_(), old = modelled<std::uint64_t>(index);
    auto* const at = here_as<std::uint64_t>(index);
    if (acts()) {
      before_read(index * 8, 8);
      std::uint64_t found = 0;
      if (which == 0) found = shmem_uint64_atomic_fetch_add(at, value, to_);
      if (which == 1) found = shmem_uint64_atomic_swap(at, value, to_);
      if (which == 2) found = shmem_uint64_atomic_compare_swap(at, old, value, to_);
      if (which == 3) found = shmem_uint64_atomic_fetch(at, to_);
      expect(found == old, "an atomic operation with a result");
    }
    const std::uint64_t now[] = {old + value, value, value, old};
    set_model(index, now[which]);
  }
  void fetch_later() {
    const auto index = below(busy_bytes / 8);
    const auto value = random_(), old = modelled<std::uint64_t>(index);
    if (acts()) {
      before_write(index * 8, 8);
      std::uint64_t found = 0;
      shmem_uint64_atomic_fetch_add_nbi(&found, here_as<std::uint64_t>(index), value, to_);
      complete();
      expect(found == old, "atomic_fetch_add_nbi");
    }
    set_model(index, old + value);
  }

  void count(bool in_aggregated) {
    const auto which = below(counters_of_each);
    const auto value = static_cast<long>(below(1000));
    if (acts())
      shmem_ctx_long_atomic_add(in_aggregated ? aggregated_ : SHMEM_CTX_DEFAULT, &counted[which], value, to_);
    counts_[static_cast<std::size_t>(to_) * counters_of_each + which] += value;
  }

  void fence() {
    if (acts()) shmem_fence();
  }
  void quiet() {
    if (acts()) complete();
  }

  // The sender waits for an answer, so that nobody writes what is being looked at.
  void message() {
    const auto how = below(5), size = 1 + below(100), offset = below(busy_bytes - 100);
    const auto source = some_bytes(size);
    const auto number = ++numbers_;
    if (to_ == actor_) return;
    if (acts()) send_message(how, source, offset, number);
    std::ranges::copy(source, model().begin() + static_cast<std::ptrdiff_t>(offset));
    if (me_ == to_) {
      shmem_uint64_wait_until(&flags[actor_], SHMEM_CMP_EQ, number);
      expect_range(here(offset), offset, size, "what came before a flag");
      shmem_uint64_p(&answers[to_], number, actor_);
    }
    if (acts()) shmem_uint64_wait_until(&answers[to_], SHMEM_CMP_EQ, number);
  }
  void send_message(std::size_t how, const bytes& source, std::size_t offset, std::uint64_t number) {
    if (unordered_) complete();
    auto* const flag = &flags[actor_];
    if (how == 0) {
      shmem_putmem(here(offset), source.data(), source.size(), to_);
      shmem_quiet();
      shmem_uint64_atomic_set(flag, number, to_);
    } else if (how == 1) {
      shmem_putmem(here(offset), source.data(), source.size(), to_);
      shmem_fence();
      shmem_uint64_p(flag, number, to_);
    } else if (how == 2) {
      shmem_uint8_put_signal(here(offset), source.data(), source.size(), flag, number, SHMEM_SIGNAL_SET, to_);
    } else {
      auto& job = shmemx_job();
      windrow::put(job, job.global(here(offset)).on(to_), std::span(source));
      if (how == 3)
        windrow::put(job, *job.global(flag).on(to_), number);
      else
        windrow::atomic_set(job, *job.global(flag).on(to_), number);
    }
  }

  // Written at one PE, told to another one, which looks.
  void through_third() {
    const auto reader = (to_ + 1) % pes_;
    const auto index = below(busy_bytes / 8);
    const auto value = random_();
    const auto in_cpp = below(2) == 0;
    const auto number = ++numbers_;
    if (reader == actor_) return;
    if (acts()) {
      before_write(index * 8, 8);
      if (in_cpp) {
        if (unordered_) complete();
        windrow::put(shmemx_job(), *global(index), value);
        windrow::atomic_set(shmemx_job(), *shmemx_job().global(&flags[actor_]).on(reader), number);
      } else {
        shmem_uint64_p(here_as<std::uint64_t>(index), value, to_);
        complete();
        shmem_uint64_p(&flags[actor_], number, reader);
      }
    }
    set_model(index, value);
    if (me_ == reader) {
      shmem_uint64_wait_until(&flags[actor_], SHMEM_CMP_EQ, number);
      expect(shmem_uint64_g(here_as<std::uint64_t>(index), to_) == value, "what a third PE was told of");
      shmem_uint64_p(&answers[reader], number, actor_);
    }
    if (acts()) shmem_uint64_wait_until(&answers[reader], SHMEM_CMP_EQ, number);
  }

  void under_lock() {
    const auto value = static_cast<long>(below(1000));
    if (acts()) {
      shmem_set_lock(&lock_word);
      shmem_long_p(&guarded, shmem_long_g(&guarded, 0) + value, 0);
      shmem_clear_lock(&lock_word);
    }
    guarded_ += value;
  }

  void own_memory() {
    to_ = actor_;
    const auto index = below(busy_bytes / 8);
    const auto value = random_();
    if (acts()) {
      before_write(index * 8, 8);
      shmem_uint64_p(here_as<std::uint64_t>(index), value, me_);
      if (unordered_) complete();
      expect(*here_as<volatile std::uint64_t>(index) == value, "own memory");
    }
    set_model(index, value);
  }

  // What each PE has of the one that acts.
  void together() {
    const auto value = static_cast<long>(below(1000));
    complete();
    shmem_barrier_all();
    for (std::size_t i = 0; i < 8; ++i) shown[i] = *here_as<long>(i);
    shmem_long_fcollect(SHMEM_TEAM_WORLD, collected, shown, 8);
    for (to_ = 0; to_ < pes_; ++to_)
      expect_range(reinterpret_cast<unsigned char*>(collected + to_ * 8), 0, 64, "a collective's part");
    shown[0] = value + me_;
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, collected, shown, 1);
    expect(collected[0] == pes_ * value + pes_ * (pes_ - 1) / 2, "a sum");
  }

  void compare_all() {
    to_ = me_;
    for (actor_ = 0; actor_ < pes_; ++actor_) expect_range(here(0), 0, range_bytes, "the range of a PE");
    for (std::size_t i = 0; i < counters_of_each; ++i)
      expect(counted[i] == counts_[static_cast<std::size_t>(me_) * counters_of_each + i], "a counter");
    if (me_ == 0) expect(guarded == guarded_, "what a lock guards");
  }

  int me_, pes_;
  bool unordered_;
  std::vector<shmem_ctx_t> contexts_;
  shmem_ctx_t aggregated_{};
  std::mt19937_64 random_;
  std::uint64_t seed_ = 0, numbers_ = 0;
  std::size_t step_ = 0;
  int actor_ = 0, to_ = 0, errors_ = 0;
  std::vector<bytes> image_; // by PE and writer
  std::vector<long> counts_;
  long guarded_ = 0;
  std::vector<touched> written_; // since the last quiet, by this PE
  std::deque<bytes> sources_;    // of puts that may be under way
};

} // namespace

int main(int argc, char** argv) {
  shmem_init();
  const auto first = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1,
             seeds = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 20;
  const int pes = shmem_n_pes();
  table = static_cast<unsigned char*>(shmem_malloc(range_bytes * static_cast<std::size_t>(pes)));
  flags = static_cast<std::uint64_t*>(shmem_calloc(most_pes, sizeof *flags));
  int errors = 0;
  {
    stream s(shmem_my_pe(), pes, argc > 3 && std::string_view(argv[3]) == "unordered");
    for (auto seed = first; seed < first + seeds; ++seed) errors = s.run(seed);
    shmem_barrier_all();
  }
  shmem_finalize();
  return errors == 0 ? 0 : 1;
}
