// SPDX-License-Identifier: BSD-3-Clause
#include "deferral/records.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "base/fatal.hpp"

namespace windrow::deferral {

void counted_load::carry_out() const {
  aggregation::copy_elements(static_cast<std::byte*>(slot), static_cast<const std::byte*>(from), bytes,
                             width);
  --*pending;
}

// At the end of a job that fails there may be records left. Their bodies do not run.
records::~records() {
  for (auto& queue : levels_) {
    queue.close_batch();
    while (!queue.empty()) {
      auto& r = queue.oldest();
      if (r.kind == record_kind::with_drop) (*static_cast<drop_function*>(r.payload()))(r.payload());
      remove_oldest(queue);
    }
    if (queue.last != nullptr) drop_hold(queue.last);
  }
}

record& records::open(void (*body)(void*), std::size_t bytes, record* parent, std::uint32_t level,
                      record_kind kind) {
  if (waiting() && !mine())
    base::fatal(
        "two threads of this PE are deferring code at the same time; call quiet in one before the other "
        "defers");
  opener_ = std::this_thread::get_id();
  if (level >= most_levels)
    base::fatal(
        "code is deferred behind more than 64 fetches of which each depends on the one before; let one of "
        "them block");
  depth_ = std::max(depth_, level + 1);
  auto& queue = levels_[level];
  queue.close_batch();
  const auto size = record::size_with(bytes);
  if (queue.room() < size) {
    add_chunk(queue, size);
    if (level > 0 && chunks_.is_over_limit()) end_run(levels_[level - 1]);
  }
  auto* r = new (queue.tail) record{.body = body,
                                    .parent = parent,
                                    .size = size,
                                    .level = static_cast<std::uint16_t>(level),
                                    .kind = kind,
                                    .holders = 1,
                                    .pending = 1};
  queue.tail += size;
  if (parent != nullptr) ++parent->holders;
  ++uncommitted_;
  return *r;
}

// ---- memory

void records::add_chunk(record_queue& q, std::uint32_t record_size) {
  chunk* const fresh = take_chunk(sizeof(chunk) + record_size);
  chunk* const full = q.last;
  const bool was_empty = q.empty();
  if (full != nullptr) {
    full->end = q.tail;
    full->next = fresh;
  }
  q.last = fresh;
  q.tail = fresh->first();
  q.limit = fresh->units == 1 ? fresh->limit() : q.tail + record_size;
  if (!was_empty) return;
  q.head = q.tail;
  if (full != nullptr) drop_hold(full);
}

// Large records have a chunk of their own.
chunk* records::take_chunk(std::size_t bytes) {
  chunk* fresh = nullptr;
  if (bytes <= chunk_bytes) {
    fresh = chunks_.take_chunk();
  } else {
    const auto size = detail::round_up(bytes, chunk_bytes);
    const auto units = static_cast<std::uint32_t>(size / chunk_bytes);
    chunks_.count_chunks(units);
    fresh = new (::operator new(size, chunk_alignment)) chunk{nullptr, nullptr, 0, units};
  }
  fresh->holds = 1;
  return fresh;
}

void records::drop_hold(chunk* c) {
  if (--c->holds > 0) return;
  if (c->units == 1) return chunks_.give_chunk(c);
  chunks_.count_chunks(-static_cast<std::int64_t>(c->units));
  ::operator delete(c, chunk_alignment);
}

// What others still need keeps its chunk.
void records::remove_oldest(record_queue& q) {
  auto& r = q.oldest();
  if (q.pass(r.room())) return;
  chunk* const c = chunk_of(q.head);
  q.head += r.room();
  const bool leaves_chunk = q.head == c->end;
  if (leaves_chunk) q.head = c->next->first();
  if (--r.holders > 0)
    ++c->holds;
  else if (r.parent != nullptr)
    release(r.parent);
  if (leaves_chunk) drop_hold(c);
}

// Of a queue that is empty: takes the same memory again, while the caches have it. That of a large record
// would count towards the limit as long as none follows.
void records::reuse(record_queue& q) {
  if (q.last->units == 1) {
    q.head = q.tail = q.last->first();
  } else {
    drop_hold(q.last);
    q = {};
  }
}

// Those that have been removed.
void records::release(record* r) {
  while (r != nullptr && --r->holders == 0) {
    record* const parent = r->parent;
    drop_hold(chunk_of(reinterpret_cast<std::byte*>(r)));
    r = parent;
  }
}

// ---- running

bool records::ready() const {
  for (std::size_t level = 0; level < depth_; ++level)
    if (may_run(level)) return mine();
  return false;
}

bool records::may_run(std::size_t level) const {
  const auto& q = levels_[level];
  return !q.empty() && q.oldest().pending == 0 && !waits_for_deeper(level);
}

bool records::waits_for_deeper(std::size_t level) const {
  return chunks_.is_over_limit() && !std::all_of(levels_.begin() + static_cast<std::ptrdiff_t>(level) + 1,
                                                 end(), [](const record_queue& q) { return q.empty(); });
}

// A body opens records of the next level, which may be new.
std::uint32_t records::run_ready() {
  return any() ? run_ready_from(0) : 0;
}

std::uint32_t records::run_ready_from(std::size_t level) {
  std::uint32_t ran = 0;
  const auto interrupted = running_;
  for (running_ = level; running_ < depth_; ++running_) ran += run_level(running_);
  running_ = interrupted;
  return ran;
}

// The oldest record runs, and those that follow in its run may lead to as much.
void records::end_run(const record_queue& q) {
  if (!q.empty() && q.oldest().has_run()) q.oldest().kind = record_kind::crowded;
}

std::uint32_t records::run_level(std::size_t level) {
  auto& q = levels_[level];
  std::uint32_t ran = 0;
  while (may_run(level)) {
    auto& r = q.oldest();
    if (r.has_run()) {
      ran += r.run(q);
      continue;
    }
    r.body(r.payload());
    remove_oldest(q);
    ++ran;
  }
  const bool is_free = q.empty() && q.last != nullptr && q.last->holds == 1;
  if (is_free && (ran > 0 || q.last->units > 1)) reuse(q);
  return ran;
}

} // namespace windrow::deferral
