// SPDX-License-Identifier: BSD-3-Clause
#include "transport/bulk/bulk_transport.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "base/options.hpp"
#include "transport/hosts/other_hosts.hpp"
#include "windrow/error.hpp"

namespace windrow::transport {

namespace {

bool add_part(std::string_view name, bulk_parts& parts) {
  const bool all = name == "overlap";
  const bool known = all || name == "puts" || name == "bursts" || name == "gets";
  parts.puts |= all || name == "puts";
  parts.bursts |= all || name == "bursts";
  parts.gets |= all || name == "gets";
  return known;
}

std::vector<bool> far_pes(transport& link) {
  const auto* const other = link.remote_hosts();
  std::vector<bool> far(static_cast<std::size_t>(link.pes()));
  for (pe_t pe = 0; pe < link.pes(); ++pe)
    far[static_cast<std::size_t>(pe)] =
        pe != link.pe() && (link.latency() != nullptr || (other != nullptr && other->has(pe)));
  return far;
}

} // namespace

bulk_parts parse_bulk(std::string_view text) {
  bulk_parts parts;
  if (text == "off") return parts;
  for (auto rest = text;;) {
    const auto end = rest.find(',');
    const auto one = rest.substr(0, end);
    if (!add_part(one, parts))
      throw error(
          fmt::format("WINDROW_BULK={}: '{}' is no part; give overlap (all parts), some of puts, "
                      "bursts and gets with commas between, or off alone",
                      text, one));
    if (end == std::string_view::npos) return parts;
    rest.remove_prefix(end + 1);
  }
}

bulk_parts bulk_transport::set_bulk(bulk_parts parts, std::unique_ptr<remote_memory>& memory) {
  const auto before = std::exchange(parts_, parts);
  if (memory_ != nullptr) {
    memory_->set_parts(parts);
  } else if (parts.any()) {
    auto made = std::make_unique<bulk_memory>(std::move(memory), parts, far_pes(*inner_), *counted_);
    memory_ = made.get();
    memory = std::move(made);
  }
  return before;
}

void bulk_transport::commit(block* b, pe_t to) {
  settle();
  inner_->commit(b, to);
}

void bulk_transport::send_home(block* b) {
  settle();
  inner_->send_home(b);
}

block* bulk_transport::receive() {
  auto* const b = inner_->receive();
  if (b != nullptr && memory_ != nullptr) memory_->hear();
  return b;
}

void bulk_transport::charge_by(counters& c) {
  counted_ = &c;
  inner_->charge_by(c);
}

bulk_parts chosen_bulk() {
  const auto text = base::text_option("WINDROW_BULK");
  return text ? parse_bulk(*text) : bulk_parts();
}

std::unique_ptr<transport> with_bulk(std::unique_ptr<transport> inner) {
  const bool any_far = inner->pes() > 1 && (inner->latency() != nullptr || inner->remote_hosts() != nullptr);
  return any_far ? std::make_unique<bulk_transport>(std::move(inner)) : std::move(inner);
}

} // namespace windrow::transport
