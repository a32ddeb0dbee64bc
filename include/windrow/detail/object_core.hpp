// SPDX-License-Identifier: BSD-3-Clause
// What an object_space is made of: the protocol of mobile objects on the aggregation engine.
// src/mobile/README.md describes it.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "windrow/balance.hpp"
#include "windrow/detail/message_kind.hpp"
#include "windrow/detail/mobile_protocol.hpp"
#include "windrow/detail/object_bytes.hpp"
#include "windrow/detail/variable_items.hpp"
#include "windrow/job.hpp"

namespace windrow {

/// What a balancing has done.
struct balance_report {
  double before = 1, after = 1; ///< the heaviest PE's load by the mean
  std::size_t objects = 0;
  std::size_t moved = 0;
  std::uint64_t bytes = 0; ///< of those
  double seconds = 0;
};

namespace mobile {

struct cell;

/// What is done with objects of one class.
struct object_type {
  void (*save)(const cell&, std::vector<std::byte>& to);
  cell* (*load)(std::span<const std::byte>);
  void (*destroy)(cell*);
  double (*load_of)(const cell&);
  std::size_t bytes;             ///< of the object itself
  const std::uint64_t* portable; ///< the address of this, for all PEs
};

/// An object that is here.
struct cell {
  const object_type* type;
  std::uint64_t busy = 0; ///< ticks spent in its handlers since the last balancing
};

/// Somebody who waits for a result.
struct reply_taker {
  void (*take)(reply_taker&, std::span<const std::byte> result);
};

enum class what : std::uint16_t { message, call, migrate, destroy, object, news, reply };

class core {
 public:
  explicit core(job&, std::size_t most_records);
  ~core();
  core(const core&) = delete;
  core& operator=(const core&) = delete;

  /// So many numbers of objects, the first of which is the result.
  std::uint64_t reserve(std::uint64_t count) { return std::exchange(next_serial_, next_serial_ + count); }
  /// A new object, with a number of its own.
  object_id create(std::uint64_t serial, cell*);
  /// Sends a message to an object; `fill(place)` writes its body, of whole units.
  template <class Fill>
  void send(object_id id, what w, std::size_t body_bytes, Fill fill) {
    const auto [to, head] = protocol_.stamp(id, static_cast<std::uint16_t>(w));
    put(to, head, body_bytes, fill);
  }
  template <class R>
  void reply(pe_t to, std::uint64_t taker, const R& result) {
    const packed<R> content(result);
    urgent_ = true;
    put(to, {taker, 0, 0, 0, 0, static_cast<std::uint16_t>(what::reply)}, content.bytes(),
        [&](std::byte* place) { content.write(place); });
  }
  void reply(pe_t to, std::uint64_t taker) {
    urgent_ = true;
    put(to, {taker, 0, 0, 0, 0, static_cast<std::uint16_t>(what::reply)}, 0, [](std::byte*) {});
  }

  cell* find(object_id id) const { return static_cast<cell*>(protocol_.find(id)); }
  /// The objects that are here now, by id.
  std::vector<object_id> ids() const;
  /// Calls `visit(cell)` for an object, if it is here, with its messages held meanwhile.
  template <class Visit>
  void visit(object_id id, Visit visit) {
    auto* const c = find(id);
    if (c == nullptr) return;
    const holding held(*this, id);
    visit(*c);
  }
  /// Sends a message that moves the object. Ends the job if there is no such PE.
  void migrate(object_id, pe_t to);
  /// Ends objects that are here.
  void destroy(std::span<const object_id>);

  void barrier();
  balance_report balance(const balance::policy&);
  void write_loads(const std::string& file);
  job& of() { return job_; }

  // For the protocol.

  void send_message(pe_t to, const message_head&, std::span<const std::byte> body);
  void send_object(pe_t to, const passage&, void* object);
  void send_news(pe_t to, const news&);
  void handle(void* object, const message_head&, std::span<const std::byte> body);
  [[noreturn]] void refuse(const message_head&) const;

 private:
  class early_sender;
  class holding {
   public:
    holding(core& c, object_id id) : core_(c), id_(id), outer_(c.protocol_.is_held(id)) {
      if (!outer_) core_.protocol_.hold(id);
    }
    ~holding() {
      if (!outer_) core_.protocol_.let_go(id_);
    }
    holding(const holding&) = delete;
    holding& operator=(const holding&) = delete;

   private:
    core& core_;
    object_id id_;
    bool outer_;
  };
  struct known_load;

  /// Items: a length in a unit of its own, the head, the body.
  static constexpr std::uint32_t unit = 8;

  template <class Fill>
  void put(pe_t to, const message_head& head, std::size_t body_bytes, Fill fill) {
    const auto content = sizeof head + body_bytes;
    if (content + unit > kind_.largest()) [[unlikely]]
      return put_large(to, head, body_bytes, fill);
    std::byte* const place =
        kind_.append_space(static_cast<unsigned>(to), static_cast<std::uint32_t>(unit + content));
    detail::store_length(place, static_cast<std::uint32_t>(content));
    std::memcpy(place + unit, &head, sizeof head);
    fill(place + unit + sizeof head);
  }
  template <class Fill>
  [[gnu::noinline]] void put_large(pe_t to, const message_head& head, std::size_t body_bytes, Fill fill) {
    std::vector<std::byte> item(sizeof head + body_bytes);
    std::memcpy(item.data(), &head, sizeof head);
    fill(item.data() + sizeof head);
    send_in_fragments(to, item);
  }
  void send_in_fragments(pe_t to, std::span<const std::byte> item);
  static void receive(aggregation::run_header&, const aggregation::work&, void* self) noexcept;
  void take(const std::byte* item, std::size_t bytes);
  void take_object(const message_head&, std::span<const std::byte> body);
  const void* here(std::uint64_t portable);
  std::vector<known_load> all_loads();

  job& job_;
  std::size_t most_records_;
  detail::message_kind kind_;
  protocol<core> protocol_;
  std::uint64_t next_serial_ = 1;
  std::uint64_t large_items_ = 0;
  std::uint64_t since_ = 0; ///< the end of the last handler, in ticks
  std::uint64_t moved_bytes_ = 0;
  bool urgent_ = false; ///< somebody may wait for what a handler has sent
  detail::assembly assembly_;
  struct address {
    std::uint64_t portable = 0;
    const void* here = nullptr;
  };
  std::array<address, 64> addresses_{}; ///< those used last
  std::unique_ptr<early_sender> early_;
  core* const outer_; ///< of another job that this thread has made before
  int exceptions_ = std::uncaught_exceptions();
};

/// Of the calling thread; null: it has none.
inline constinit thread_local core* core_of_thread = nullptr;
[[noreturn]] void no_core();
[[noreturn]] void refuse_null();
[[noreturn]] void refuse_index(std::uint64_t index, std::uint64_t size);
inline core& this_core() {
  if (core_of_thread == nullptr) [[unlikely]]
    no_core();
  return *core_of_thread;
}

} // namespace mobile
} // namespace windrow
