// SPDX-License-Identifier: BSD-3-Clause
// SHMEM_DEBUG: is the first promise of `#pragma shmem defer` kept (docs/defer-pragma.md)? Statements run as
// they are written, and what would wait is noted by place. Code that does not wait, stands behind it, and
// comes to the same place, could run first.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <unordered_map>

#include "base/fatal.hpp"
#include "shmem/state.hpp"
#include "windrow/detail/deferred_calls.h"

namespace windrow::shmem {

namespace {

constexpr std::size_t most_words = std::size_t{1} << 20; // then those so far are forgotten

/// What dependent code or fetches have done to the bytes of a word.
struct word_uses {
  std::uint8_t read = 0, written = 0; ///< a bit for each byte
  const char *reader = nullptr, *writer = nullptr;
  bool fetched = false; ///< the reader is a fetch
};

/// Bytes of one word of a PE.
struct part_of_word {
  std::uint64_t address;
  int pe;
  std::uint8_t bytes;
  bool operator==(const part_of_word& other) const { return address == other.address && pe == other.pe; }
};
struct hash_of_word {
  std::size_t operator()(const part_of_word& at) const {
    return static_cast<std::size_t>(
        (at.address ^ (static_cast<std::uint64_t>(at.pe) << 48)) * 0x9e3779b97f4a7c15U >> 20);
  }
};

std::unordered_map<part_of_word, word_uses, hash_of_word> waiting_places;

template <class Use>
void for_each_word(std::uint64_t address, std::size_t bytes, int pe, Use use) {
  for (const auto end = address + bytes; address < end;) {
    const auto word = address & ~std::uint64_t{7}, first = address - word;
    const auto last = std::min<std::uint64_t>(end - word, 8);
    use(part_of_word{word, pe, static_cast<std::uint8_t>((0xffU << first) & (0xffU >> (8 - last)))});
    address = word + 8;
  }
}

void note_use(const part_of_word& at, std::uint32_t kind, const char* where) {
  if (waiting_places.size() >= most_words) waiting_places.clear();
  auto& uses = waiting_places[at];
  if ((kind & windrow_defer_writes) != 0) {
    uses.written |= at.bytes;
    uses.writer = where;
  } else {
    uses.read |= at.bytes;
    uses.reader = where;
    uses.fetched = (kind & windrow_defer_fetches) != 0;
  }
}

[[noreturn]] void promise_broken(const part_of_word& at, bool writes, const char* where,
                                 const word_uses& uses, bool written) {
  const auto* first = written        ? "what dependent code"
                      : uses.fetched ? "what the fetch"
                                     : "what dependent code";
  base::fatal(fmt::format(
      "#pragma shmem defer: code at {} that does not wait for a fetch {} {} at {} {} (in the word at "
      "{:#x} of PE {}), so that with the directive the second may come first; use one pointer for "
      "both, or move that code out of the statement",
      where, writes ? "writes" : "reads", first, written ? uses.writer : uses.reader,
      written ? "writes" : "reads", at.address, at.pe));
}

void compare_with_waiting(const part_of_word& at, std::uint32_t kind, const char* where) {
  const auto known = waiting_places.find(at);
  if (known == waiting_places.end()) return;
  const auto& uses = known->second;
  const bool writes = (kind & windrow_defer_writes) != 0;
  if ((uses.written & at.bytes) != 0) promise_broken(at, writes, where, uses, true);
  if (writes && (uses.read & at.bytes) != 0) promise_broken(at, writes, where, uses, false);
}

} // namespace

} // namespace windrow::shmem

using namespace windrow::shmem; // everything below is the C interface

extern "C" void windrow_defer_check_begin(void) {
  waiting_places.clear();
}

extern "C" void windrow_defer_check(const void* at, size_t bytes, shmem_ctx_t ctx, int pe, uint32_t kind,
                                    const char* where) {
  const auto job_pe = ctx == nullptr ? hot.pe : ctx->start + pe * ctx->stride;
  for_each_word(reinterpret_cast<std::uintptr_t>(at), bytes, job_pe, [&](const part_of_word& word) {
    if ((kind & windrow_defer_waits) != 0)
      note_use(word, kind, where);
    else
      compare_with_waiting(word, kind, where);
  });
}
