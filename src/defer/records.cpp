// SPDX-License-Identifier: BSD-3-Clause
#include "defer/records.hpp"

#include <cstring>
#include <new>

#include "base/fatal.hpp"
#include "windrow/detail/round_up.hpp"

namespace windrow::deferral {

using detail::round_up;

namespace {

constexpr std::size_t chunk_capacity = chunk_bytes - sizeof(chunk);
constexpr std::align_val_t alignment{alignof(record)};

std::size_t size_with(std::size_t payload_bytes) {
  return sizeof(record) + round_up(payload_bytes, 16);
}
std::int64_t chunks_of(std::size_t bytes) {
  return static_cast<std::int64_t>(round_up(bytes, chunk_bytes) / chunk_bytes);
}

} // namespace

void counted_loads::finish_oldest() {
  const entry& e = entries_[finished_++ % entries_.size()];
  switch (e.width_log2) {
    case 0:
      *static_cast<std::uint8_t*>(e.slot) =
          __atomic_load_n(static_cast<const std::uint8_t*>(e.from), __ATOMIC_RELAXED);
      break;
    case 1: {
      const auto value = __atomic_load_n(static_cast<const std::uint16_t*>(e.from), __ATOMIC_RELAXED);
      std::memcpy(e.slot, &value, sizeof value);
      break;
    }
    case 2: {
      const auto value = __atomic_load_n(static_cast<const std::uint32_t*>(e.from), __ATOMIC_RELAXED);
      std::memcpy(e.slot, &value, sizeof value);
      break;
    }
    default: {
      const auto value = __atomic_load_n(static_cast<const std::uint64_t*>(e.from), __ATOMIC_RELAXED);
      std::memcpy(e.slot, &value, sizeof value);
    }
  }
  --*e.counter;
}

// At the end of a job that fails there may be records left. Their bodies do not run.
records::~records() {
  for (auto& level : levels_)
    while (record* r = level.oldest) {
      level.oldest = r->next;
      if (r->origin == nullptr) (*static_cast<drop_function*>(r->payload()))(r->payload());
      release(r);
    }
}

record& records::open(const void* origin, void (*body)(void*), std::size_t bytes, record* parent) {
  if (waiting_ > 0 && !mine())
    base::fatal(
        "code is deferred by two threads of this PE at a time; let one thread finish with a quiet first");
  opener_ = std::this_thread::get_id();
  const auto level = parent == nullptr ? 0 : parent->level + 1;
  if (parent != nullptr) ++parent->holders;
  auto* r = new (place(bytes))
      record{body, nullptr, parent, origin, 1, 1, level, static_cast<std::uint32_t>(bytes)};
  if (level >= levels_.size()) levels_.resize(level + 1);
  auto& queue = levels_[level];
  (queue.oldest == nullptr ? queue.oldest : queue.newest->next) = r;
  queue.newest = r;
  ++waiting_;
  ++uncommitted_;
  return *r;
}

record* records::place(std::size_t bytes) {
  const auto size = size_with(bytes);
  if (size > chunk_capacity) {
    chunks_.count_chunks(chunks_of(size));
    return static_cast<record*>(::operator new(size, alignment));
  }
  if (current_ == nullptr || static_cast<std::size_t>(current_->limit() - tail_) < size) {
    current_ = chunks_.take_chunk();
    tail_ = current_->first();
  }
  auto* at = tail_;
  tail_ += size;
  ++current_->live;
  return reinterpret_cast<record*>(at);
}

void records::release(record* r) {
  while (r != nullptr && --r->holders == 0) {
    record* const parent = r->parent;
    give_back(r);
    r = parent;
  }
}

void records::give_back(record* r) {
  const auto size = size_with(r->bytes);
  if (size > chunk_capacity) {
    chunks_.count_chunks(-chunks_of(size));
    return ::operator delete(r, alignment);
  }
  chunk* const c = chunk_of(reinterpret_cast<std::byte*>(r));
  if (--c->live > 0) return;
  if (c == current_) current_ = nullptr;
  chunks_.give_chunk(c);
}

bool records::ready() const {
  if (!any()) return false;
  for (const auto& level : levels_)
    if (level.oldest != nullptr && level.oldest->pending == 0) return true;
  return false;
}

// A body opens records of the next level, which may be new.
std::uint32_t records::run_ready() {
  std::uint32_t ran = 0;
  if (!any()) return ran;
  for (std::size_t i = 0; i < levels_.size(); ++i)
    for (record* r = levels_[i].oldest; r != nullptr && r->pending == 0; r = levels_[i].oldest) {
      levels_[i].oldest = r->next;
      r->body(r->payload());
      release(r);
      --waiting_;
      ++ran;
    }
  return ran;
}

} // namespace windrow::deferral
