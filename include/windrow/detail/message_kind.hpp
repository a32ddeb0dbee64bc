// SPDX-License-Identifier: BSD-3-Clause
// What streams and mailboxes are made of: a kind of messages of the user's own in the aggregation engine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "windrow/detail/lanes.hpp"
#include "windrow/detail/run.hpp"
#include "windrow/job.hpp"
#include "windrow/types.hpp"

namespace windrow::detail {

/// A kind, known to the engine as long as this object lives. All PEs make and destroy theirs in the same
/// order, and nobody sends before all have made it. Items take whole `unit_bytes`.
class message_kind {
 public:
  message_kind(job&, std::size_t unit_bytes, aggregation::run_function, void* object);
  ~message_kind();
  message_kind(const message_kind&) = delete;
  message_kind& operator=(const message_kind&) = delete;

  /// Ends the job if there is no PE `to`.
  void require_pe(pe_t to) const {
    if (static_cast<unsigned>(to) >= pes_) [[unlikely]]
      lanes_.require_pe(to);
  }

  /// Appends an item of one unit for `to`, which exists. hot: about 8 instructions.
  template <class T>
  void append(std::size_t to, const T& item) {
    aggregation::writer* w = writer_for(to);
    if (w->is_full()) [[unlikely]]
      return put_in_new_room(w, item);
    w->put(item);
  }
  /// Appends an item in a handler, while no other one runs. `before_room` is called where room has to be made
  /// first: always in a new run, and after everything has left.
  template <class T, class BeforeRoom>
  void append_in_handler(std::size_t to, const T& item, BeforeRoom before_room) {
    aggregation::writer* w = writer_for(to);
    if (w->is_full()) [[unlikely]] {
      before_room();
      w = &make_room(w, sizeof(T));
    }
    w->put(item);
  }
  /// Room for an item of `bytes`, whole units up to `largest`, for `to`, which exists.
  std::byte* append_space(std::size_t to, std::uint32_t bytes) {
    aggregation::writer* w = writer_for(to);
    if (!w->has_room(bytes)) [[unlikely]]
      w = &make_room(w, bytes);
    return w->take(bytes);
  }
  std::uint32_t largest() const { return largest_; }

  /// Collective: returns when nothing is under way in the engine, of any kind.
  void quiesce() const;
  /// Of a kind that an exception leaves while its messages may be under way. Local: those that reach this PE
  /// from now on are dropped, and nothing is to be sent.
  void abandon();
  /// The end of a kind that may be in use: abandons it while an exception unwinds and in a process that the
  /// PE has forked; otherwise collective, as `quiesce`.
  void leave(bool unwinding);

  /// Collective over the members: returns when no item of this kind is under way between them, whatever else
  /// is.
  void drain(const team& members) const;

  /// Of the kind, alike on all PEs; for diagnosis.
  std::uint32_t number() const { return id_ - aggregation::builtin_kinds + 1; }

 private:
  /// Those of the calling thread, by PE.
  aggregation::writer* row() const {
    return reinterpret_cast<aggregation::writer*>(reinterpret_cast<std::byte*>(writers_) +
                                                  aggregation::row_of_thread);
  }
  aggregation::writer* writer_for(std::size_t to) const { return row() + to; }
  /// Handlers that run meanwhile may change what `item` refers to.
  template <class T>
  [[gnu::noinline]] void put_in_new_room(const aggregation::writer* full, const T& item) {
    const T kept = item;
    make_room(full, sizeof(T)).put(kept);
  }
  /// Where this one has none. It tells itself which PE it is for: no register need hold that up to here.
  aggregation::writer& make_room(const aggregation::writer* full, std::uint32_t bytes);

  job& job_;
  aggregation::lanes& lanes_; ///< of the PE's own thread
  aggregation::kind_id id_;
  unsigned pes_;
  std::uint32_t largest_;
  aggregation::writer* writers_; ///< of no thread, by PE
  bool abandoned_ = false;
};

} // namespace windrow::detail
