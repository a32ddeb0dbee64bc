// SPDX-License-Identifier: BSD-3-Clause
// Dependent code that throws: the program goes on where it would without the directive, with everything as it
// is there, whatever waits. All PEs hold the same, so that each can say what must come out.
#include "job.h"

#include <array>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using word = std::int64_t;
constexpr word places = 3000;

struct world {
  shmem_ctx_t ctx;
  word* table;
  std::vector<word> wanted;
};

word entry(word i) {
  return static_cast<word>(mixed(3, static_cast<std::uint64_t>(i)) % 1000);
}

word fetch(const world& w, word i) {
  return shmem_g(w.ctx, &w.table[i / shmem_n_pes()], static_cast<int>(i % shmem_n_pes()));
}

word mixed_sum(const std::vector<word>& values) {
  word sum = static_cast<word>(values.size());
  for (const word value : values) sum = (sum * 7 + value) % 1000003;
  return sum;
}

struct too_large {
  word value;
};

// ---- nothing is thrown

word pushed(world& w, word) {
  std::vector<word> out;
#pragma shmem defer
  for (const word i : w.wanted) {
    const word v = fetch(w, i);
    if (v & 1) out.push_back(v);
  }
  return mixed_sum(out);
}

word counted_checked(world& w, word) {
  std::vector<word> counts(1000);
#pragma shmem defer
  for (const word i : w.wanted) ++counts.at(static_cast<std::size_t>(fetch(w, i)));
  return mixed_sum(counts);
}

word pairs(world& w, word) {
  std::vector<std::pair<word, word>> out;
#pragma shmem defer
  for (const word i : w.wanted) out.emplace_back(i, fetch(w, i));
  word sum = 0;
  for (const auto& [i, v] : out) sum = (sum * 7 + i * v) % 1000003;
  return sum;
}

// ---- something is, on purpose: rounds behind that must not be begun, so that nothing is deferred

word caught(world& w, word limit) {
  word sum = 0;
  try {
#pragma shmem defer
    for (const word i : w.wanted) {
      const word v = fetch(w, i);
      if (v > limit) throw too_large{v};
      sum = (sum * 3 + v) % 1000003;
    }
  } catch (const too_large& what) {
    return -sum * 1000 - what.value;
  }
  return sum;
}

word checked_place(world& w, word limit) {
  std::vector<word> counts(static_cast<std::size_t>(limit));
  try {
#pragma shmem defer
    for (const word i : w.wanted) counts.at(static_cast<std::size_t>(fetch(w, i))) += i;
  } catch (const std::out_of_range&) {
    return -mixed_sum(counts);
  }
  return mixed_sum(counts);
}

// The index is checked by code that does not wait; what waits may throw before.
word checked_index(world& w, word limit) {
  std::vector<word> out;
  const auto end = w.wanted.size() + 3;
  try {
#pragma shmem defer
    for (std::size_t k = 0; k < end; ++k) {
      const word v = fetch(w, w.wanted.at(k));
      if (v > limit) throw too_large{v};
      out.push_back(v);
    }
  } catch (const std::out_of_range&) {
    return mixed_sum(out);
  } catch (const too_large& what) {
    return -mixed_sum(out) * 1000 - what.value;
  }
  return 0;
}

word out_of_function(const world& w, word limit, std::vector<word>& out) {
  word sum = 0;
#pragma shmem defer
  for (const word i : w.wanted) {
    const word v = fetch(w, i);
    out.push_back(v);
    if (v > limit) throw too_large{v};
    sum += v;
  }
  return sum;
}

word from_callee(world& w, word limit) {
  std::vector<word> out;
  try {
    return out_of_function(w, limit, out);
  } catch (const too_large& what) {
    return -mixed_sum(out) * 1000 - what.value;
  }
}

// A function that stays a call, since it has objects of its own.
void add(std::vector<std::string>& names, word value, word limit) {
  std::string text = "a value that is too long for the string itself: " + std::to_string(value);
  if (value > limit) throw std::runtime_error(text);
  names.push_back(std::move(text));
}

word by_function(world& w, word limit) {
  std::vector<std::string> names;
  try {
#pragma shmem defer
    for (const word i : w.wanted) add(names, fetch(w, i), limit);
  } catch (const std::exception& what) {
    return -static_cast<word>(names.size() * 1000 + std::string(what.what()).size());
  }
  return static_cast<word>(names.size());
}

// Again and again: nothing of an exception is left for the next statement.
word in_rows(world& w, word limit) {
  word sum = 0, thrown = 0;
  for (std::size_t row = 0; row < 20; ++row) {
    try {
#pragma shmem defer
      for (std::size_t k = row * 10; k < row * 10 + 10; ++k) {
        const word v = fetch(w, w.wanted[k]);
        if (v > limit) throw v;
        sum += v;
      }
    } catch (word value) {
      thrown = (thrown * 3 + value) % 1000003;
    }
  }
  return sum * 1000 + thrown;
}

// Behind the statement, by a function that is here to see: what the caller has given is complete.
[[gnu::noinline]] void refuse(word value, word limit) {
  if (value > limit) throw too_large{value};
}

void fill(const world& w, word limit, word* to, word count) {
#pragma shmem defer
  for (word k = 0; k < count; ++k) to[k] = fetch(w, w.wanted[static_cast<std::size_t>(k)]);
  refuse(950, limit);
  shmem_ctx_quiet(w.ctx);
}

word thrown_behind(world& w, word limit) {
  std::vector<word> out(100);
  word thrown = 0;
  try {
    fill(w, limit, out.data(), 100);
  } catch (const too_large& what) {
    thrown = what.value;
  }
  return mixed_sum(out) * 1000 + thrown;
}

// Refused: what the handler sees depends on how far the loop has come, and updates cannot be taken back.
word handler_sees_index(world& w, word limit) {
  std::size_t k = 0;
  std::vector<word> out;
  try {
#pragma shmem defer
    for (; k < w.wanted.size(); ++k)
      if (const word v = fetch(w, w.wanted[k]); v > limit) out.push_back(v);
  } catch (const std::bad_alloc&) {
    return static_cast<word>(k);
  }
  return mixed_sum(out);
}

word handler_sees_marks(world& w, word limit) {
  std::vector<word> seen(w.wanted.size()), out;
  std::size_t k = 0;
  try {
#pragma shmem defer
    for (const word i : w.wanted) {
      const word v = fetch(w, i);
      seen[k++] = 1;
      if (v > limit) out.push_back(v);
    }
  } catch (const std::bad_alloc&) {
    return mixed_sum(seen);
  }
  return mixed_sum(seen) * 1000 + mixed_sum(out);
}

} // namespace

// Of the program, but named as routines are. What it is only the linker knows.
extern "C" void shmem_check_sum(word sum);
extern "C" void check_sum(word sum) {
  if (sum % 3 != 0) throw too_large{sum};
}
__asm__(".globl shmem_check_sum\n.set shmem_check_sum, check_sum");

namespace {

word thrown_by_namesake(world& w, word limit) {
  word sum = limit, thrown = 0;
  try {
#pragma shmem defer
    for (const word i : w.wanted) sum += fetch(w, i);
    shmem_ctx_quiet(w.ctx);
    shmem_check_sum(sum);
    sum = 0;
  } catch (const too_large& what) {
    thrown = what.value;
  }
  return sum * 1000 + thrown;
}

struct named {
  const char* name;
  word (*run)(world&, word);
};
constexpr named loops[] = {
#define LOOP(NAME) {#NAME, NAME}
    LOOP(pushed),
    LOOP(counted_checked),
    LOOP(pairs),
    LOOP(caught),
    LOOP(checked_place),
    LOOP(checked_index),
    LOOP(from_callee),
    LOOP(by_function),
    LOOP(in_rows),
    LOOP(thrown_behind),
    LOOP(handler_sees_index),
    LOOP(handler_sees_marks),
    LOOP(thrown_by_namesake),
};

} // namespace

int main() {
  world w{start(), nullptr, {}};
  const int npes = shmem_n_pes();
  w.table = symmetric(places / npes + 1);
  FOR_MY_PES(me)
  for (word i = me; i < places; i += npes) PART(w.table, me)[i / npes] = entry(i);
  for (word k = 0; k < 1000; ++k)
    w.wanted.push_back(static_cast<word>(mixed(5, static_cast<std::uint64_t>(k)) % places));
  shmem_barrier_all();
  for (const auto& [name, run] : loops)
    for (const word limit : {1000, 998, 990, 700, 10}) {
      const word result = run(w, limit);
      if (shmem_my_pe() == 0)
        std::printf("%s %lld: %lld\n", name, static_cast<long long>(limit), static_cast<long long>(result));
    }
  shmem_barrier_all();
  shmem_ctx_destroy(w.ctx);
  shmem_finalize();
}
