// SPDX-License-Identifier: BSD-3-Clause
#include "mobile/meetings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "base/fatal.hpp"
#include "mobile/all_workers.hpp"
#include "tasks/worker.hpp"
#include "trace/recorder.hpp"
#include "windrow/busy_time.hpp"

namespace windrow::mobile {

// ---- as bytes

namespace {

constexpr std::size_t head_words = 4;

} // namespace

std::size_t core::meeting::bytes() const {
  return head_words * sizeof(std::uint64_t) + seats.size() * sizeof(seat) + arguments.size();
}

void core::meeting::write(std::byte* to) const {
  const std::uint64_t head[head_words] = {function, number, held, seats.size()};
  std::memcpy(to, head, sizeof head);
  std::memcpy(to + sizeof head, seats.data(), seats.size() * sizeof(seat));
  if (!arguments.empty())
    std::memcpy(to + sizeof head + seats.size() * sizeof(seat), arguments.data(), arguments.size());
}

core::meeting core::meeting::read(std::span<const std::byte> from) {
  std::uint64_t head[head_words];
  std::memcpy(head, from.data(), sizeof head);
  meeting m{.function = head[0],
            .number = head[1],
            .held = head[2],
            .seats = std::vector<seat>(head[3]),
            .arguments = {}};
  const auto seats = head[3] * sizeof(seat);
  std::memcpy(m.seats.data(), from.data() + sizeof head, seats);
  m.arguments.assign(from.begin() + static_cast<std::ptrdiff_t>(sizeof head + seats), from.end());
  return m;
}

pe_t core::meeting::place() const {
  return std::ranges::find(seats, 0U, &seat::named)->where;
}

// ---- from object to object

void core::multicast(std::span<const object_id> ids, const listed_handler& function,
                     std::vector<std::byte> arguments) {
  if (ids.empty()) base::fatal("multicast: names no object");
  meeting m{.function = function.where.portable(),
            .number = 0,
            .held = 0,
            .seats = {},
            .arguments = std::move(arguments)};
  for (std::uint32_t i = 0; i < ids.size(); ++i) {
    if (ids[i] == 0) refuse_null();
    m.seats.push_back({ids[i], i, nowhere});
  }
  std::ranges::sort(m.seats, {}, &seat::id);
  const auto twice = std::ranges::adjacent_find(m.seats, {}, &seat::id);
  if (twice != m.seats.end())
    base::fatal(fmt::format("multicast: {} is named twice; a handler has each of its objects once",
                            name_of(twice->id)));
  {
    const guard locked(*this);
    m.number = make_id(job_.pe(), meetings_->sent++);
  }
  hold_next(m);
}

void core::hold_next(const meeting& m) {
  send(m.seats[m.held].id, what::collect, m.bytes(), [&](std::byte* place) { m.write(place); });
}

// The object is idle, and held from now on.
void core::hold_for_meeting(object_id id, std::span<const std::byte> body) {
  if (!protocol_.is_held(id)) protocol_.hold(id);
  meetings_->held.insert(id);
  auto m = meeting::read(body);
  m.seats[m.held++].where = job_.pe();
  const unguarded meanwhile(*this);
  hurry();
  if (m.held < m.seats.size()) return hold_next(m);
  const auto place = m.place();
  for (const auto& s : m.seats)
    if (s.where != place)
      put(s.where, {s.id, 0, 0, place, 0, static_cast<std::uint16_t>(what::gather)}, 0, [](std::byte*) {});
  put(place, {m.number, 0, 0, job_.pe(), 0, static_cast<std::uint16_t>(what::all_held)}, m.bytes(),
      [&](std::byte* to) { m.write(to); });
}

void core::take_gather(object_id id, pe_t to) {
  const guard locked(*this);
  if (meetings_->visited.contains(id))
    return meetings_->after_visits.push_back(
        {{id, 0, 0, to, 0, static_cast<std::uint16_t>(what::gather)}, {}});
  meetings_->held.erase(id);
  protocol_.move(id, to, true);
}

// ---- where they meet

// All of its objects are held; some may be on their way here.
void core::take_all_held(std::span<const std::byte> body) {
  const guard locked(*this);
  auto m = meeting::read(body);
  std::size_t missing = 0;
  for (const auto& s : m.seats)
    if (!meetings_->held.contains(s.id)) {
      meetings_->expected.emplace(s.id, m.number);
      ++missing;
    }
  if (missing == 0) return meet(std::move(m));
  const auto number = m.number;
  meetings_->all.emplace(number, meetings::waiting{std::move(m), missing});
}

// Guarded. An object has come for a meeting, of which this PE may have heard or not.
void core::take_seat(object_id id) {
  meetings_->held.insert(id);
  const auto expected = meetings_->expected.find(id);
  if (expected == meetings_->expected.end()) return;
  const auto at = meetings_->all.find(expected->second);
  meetings_->expected.erase(expected);
  if (--at->second.missing > 0) return;
  auto m = std::move(at->second.what);
  meetings_->all.erase(at);
  meet(std::move(m));
}

// Guarded. What waited for it arrives once more, where handlers run.
void core::end_visit_before_meeting(object_id id) {
  const auto at = meetings_->visited.find(id);
  if (at == meetings_->visited.end()) return;
  if (--at->second == 0) meetings_->visited.erase(at);
  if (!meetings_->visited.empty()) return;
  for (const auto& [head, body] : std::exchange(meetings_->after_visits, {})) {
    const unguarded meanwhile(*this);
    put(job_.pe(), head, body.size(), [&, from = &body](std::byte* to) {
      if (!from->empty()) std::memcpy(to, from->data(), from->size());
    });
  }
}

// Guarded.
void core::meet(meeting m) {
  if (std::ranges::any_of(m.seats, [&](const seat& s) { return meetings_->visited.contains(s.id); })) {
    std::vector<std::byte> body(m.bytes());
    m.write(body.data());
    return meetings_->after_visits.push_back(
        {{m.number, 0, 0, job_.pe(), 0, static_cast<std::uint16_t>(what::all_held)}, std::move(body)});
  }
  for (const auto& s : m.seats) meetings_->begun.insert(s.id);
  ++stats_.object_messages;
  const auto function = handler_at(m.function);
  std::vector<cell*> objects(m.seats.size());
  for (const auto& s : m.seats) objects[s.named] = static_cast<cell*>(protocol_.find(s.id));
  if (all_workers_ == nullptr) {
    run_meeting(m, function, objects);
    count_time(*objects.front());
    return part(m);
  }
  ++meetings_->running;
  auto run = [this, m = std::move(m), function, objects = std::move(objects)] {
    const auto* const light = tasks::worker::here("multicast").light();
    {
      const guard locked(*this);
      meetings_->begun_on_workers[light] = {&m, function.name};
    }
    const busy_time time;
    run_meeting(m, function, objects);
    {
      const guard locked(*this);
      meetings_->begun_on_workers.erase(light);
      objects.front()->busy += static_cast<std::uint64_t>(time.so_far().count());
    }
    put(job_.pe(), {m.number, 0, 0, 0, 0, static_cast<std::uint16_t>(what::finished)}, m.bytes(),
        [&](std::byte* to) { m.write(to); });
    const guard locked(*this);
    --meetings_->running;
  };
  tasks::worker::here("multicast")
      .start_alone(tasks::spawned_task_of(std::move(run), function.name, "multicast"));
}

void core::run_meeting(const meeting& m, const address& function, const std::vector<cell*>& objects) const {
  const auto first = std::ranges::find(m.seats, 0U, &seat::named)->id;
  try {
    const trace::span event(trace_, {function.name, trace::category::object, nullptr, home_of(m.number),
                                     first, m.arguments.size()});
    reinterpret_cast<meeting_function>(function.here)(objects, m.arguments.data());
  } catch (...) { // who has sent the message may be anywhere
    end_by_exception(first, function.name);
  }
}

void core::take_finished(std::span<const std::byte> body) {
  const guard locked(*this);
  part(meeting::read(body));
}

// Guarded.
void core::part(const meeting& m) {
  for (const auto& s : m.seats) {
    meetings_->held.erase(s.id);
    meetings_->begun.erase(s.id);
    protocol_.let_go(s.id);
  }
}

} // namespace windrow::mobile
