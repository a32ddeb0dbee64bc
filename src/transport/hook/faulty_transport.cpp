// SPDX-License-Identifier: BSD-3-Clause
#include "transport/hook/faulty_transport.hpp"

#include <fmt/format.h>

#include <charconv>
#include <memory>
#include <string>
#include <utility>

#include "base/fatal.hpp"
#include "base/options.hpp"
#include "windrow/error.hpp"

namespace windrow::transport {

namespace {

template <class Number>
bool read_number(std::string_view text, Number most, Number& number) {
  const auto* const end = std::to_address(text.end());
  const auto read = std::from_chars(std::to_address(text.begin()), end, number);
  return read.ec == std::errc{} && read.ptr == end && number <= most;
}

bool read_fault(std::string_view name, std::string_view value, faults& f) {
  constexpr std::uint32_t many = 1'000'000, always = 99;
  constexpr auto any = ~std::uint64_t{0};
  if (name == "blocks") return read_number(value, many, f.blocks) && f.blocks > 0;
  if (name == "refuse") return read_number(value, always, f.refuse);
  if (name == "hold") return read_number(value, always, f.hold);
  if (name == "unread") return read_number(value, 1U, f.unread);
  if (name == "lose") return read_number(value, any, f.lose);
  return name == "seed" && read_number(value, any, f.seed);
}

} // namespace

faults parse_faults(std::string_view text) {
  faults f;
  for (auto rest = text; !rest.empty();) {
    const auto one = rest.substr(0, rest.find(','));
    rest.remove_prefix(one.size() == rest.size() ? one.size() : one.size() + 1);
    const auto equals = one.find('=');
    if (equals == std::string_view::npos || !read_fault(one.substr(0, equals), one.substr(equals + 1), f))
      throw error(
          fmt::format("WINDROW_FAULTS: '{}' is no fault; there are blocks=N (from 1 on), refuse=PERCENT and "
                      "hold=PERCENT (up to 99), lose=N, unread=1 and seed=N",
                      one));
  }
  return f;
}

faulty_transport::faulty_transport(std::unique_ptr<transport> inner, const faults& f)
    : forwarding_transport(std::move(inner)),
      faults_(f),
      random_(f.seed + static_cast<std::uint64_t>(pe())) {}

bool faulty_transport::happens(std::uint32_t percent) {
  if (percent == 0) return false;
  const std::lock_guard lock(drawing_);
  return random_() % 100 < percent;
}

block* faulty_transport::acquire() {
  const bool short_of_blocks =
      faults_.blocks > 0 && in_use_ >= faults_.blocks + static_cast<std::uint32_t>(pes());
  auto* const b = short_of_blocks || happens(faults_.refuse) ? nullptr : inner_->acquire();
  ++(b == nullptr ? counted_.refused : counted_.acquired);
  if (b != nullptr) ++in_use_;
  return b;
}

void faulty_transport::discard(block* b) {
  --in_use_;
  inner_->discard(b);
}

void faulty_transport::commit(block* b, pe_t to) {
  if (++counted_.committed == faults_.lose)
    base::fatal(fmt::format("WINDROW_FAULTS: block {} of this PE, to PE {}, is lost", faults_.lose, to));
  if (faults_.unread == 0) return inner_->commit(b, to);
  b->target = to;
  inner_->send_home(b);
  inner_->ring(pe());
}

block* faulty_transport::receive() {
  if (happens(faults_.hold) && inner_->has_arrivals()) {
    ++counted_.held;
    return nullptr;
  }
  auto* const b = inner_->receive();
  if (b != nullptr) ++counted_.received;
  return b;
}

void faulty_transport::ring(pe_t to) {
  ++counted_.rung;
  inner_->ring(to);
}

void faulty_transport::sleep(std::uint32_t ticket, std::chrono::nanoseconds limit) {
  ++counted_.slept;
  inner_->sleep(ticket, limit);
}

void faulty_transport::set_state(pe_state state) {
  if (may_end(state))
    base::say(fmt::format(
        "WINDROW_FAULTS: blocks acquired {}, refused {}, committed {}, received {}, held back {}; "
        "rung {}, slept {}",
        counted_.acquired.load(), counted_.refused.load(), counted_.committed.load(),
        counted_.received.load(), counted_.held.load(), counted_.rung.load(), counted_.slept.load()));
  inner_->set_state(state);
}

std::unique_ptr<transport> with_faults(std::unique_ptr<transport> inner) {
  const auto text = base::text_option("WINDROW_FAULTS");
  if (!text) return inner;
  const auto f = parse_faults(*text);
  if (inner->pe() == 0) base::say(fmt::format("WINDROW_FAULTS={}: with seed {}", *text, f.seed));
  return std::make_unique<faulty_transport>(std::move(inner), f);
}

} // namespace windrow::transport
