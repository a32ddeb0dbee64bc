// SPDX-License-Identifier: BSD-3-Clause
#include "windrow/detail/memory_map.hpp"

#include <fmt/format.h>

#include "base/fatal.hpp"
#include "base/options.hpp"
#include "base/shared_copy.hpp"
#include "pgas/owner_process.hpp"
#include "transport/hook/distance.hpp"
#include "transport/hosts/other_hosts.hpp"
#include "windrow/array.hpp"

namespace windrow::detail {

void memory_map::put_slowly(pe_t owner, std::size_t offset, const void* from, std::size_t size,
                            const char* operation) {
  if (bytes == 0) bad_access(owner, offset, size, operation);
  auto* const place = address(owner, offset, size, operation);
  if (is_elsewhere(owner)) {
    ++stats.round_trips;
    return elsewhere->put(owner, offset, from, size);
  }
  round_trip(owner, size, 0);
  base::store_shared(place, from, size);
}

void memory_map::get_slowly(pe_t owner, std::size_t offset, void* to, std::size_t size,
                            const char* operation) {
  if (bytes == 0) bad_access(owner, offset, size, operation);
  const auto* const place = address(owner, offset, size, operation);
  if (is_elsewhere(owner)) {
    ++stats.round_trips;
    return elsewhere->get(owner, offset, to, size);
  }
  round_trip(owner, 0, size);
  base::load_shared(to, place, size);
}

bool memory_map::begins_elsewhere(pe_t owner, std::size_t offset, std::size_t size, const char* operation) {
  address(owner, offset, size, operation);
  if (!is_elsewhere(owner)) return false;
  ++stats.direct_operations;
  stats.direct_bytes += size;
  return begun_elsewhere = true;
}

bool memory_map::put_later(pe_t owner, std::size_t offset, const void* from, std::size_t size) {
  if (!begins_elsewhere(owner, offset, size, "put")) return false;
  elsewhere->put_later(owner, offset, from, size);
  return true;
}

bool memory_map::get_later(pe_t owner, std::size_t offset, void* to, std::size_t size) {
  if (!begins_elsewhere(owner, offset, size, "get")) return false;
  elsewhere->get_later(owner, offset, to, size);
  return true;
}

bool memory_map::change_later(pe_t owner, std::size_t offset, const atomic_change& change, void* before,
                              std::size_t size) {
  if (!begins_elsewhere(owner, offset, size, name_of(change.what))) return false;
  elsewhere->change_later(owner, offset, change, before, size);
  return true;
}

void memory_map::complete_elsewhere() {
  if (!begun_elsewhere) return;
  begun_elsewhere = false;
  ++stats.round_trips;
  elsewhere->complete();
}

bool memory_map::is_on_another_host(pe_t owner) const {
  return elsewhere->has(owner);
}

void memory_map::round_trip(pe_t owner, std::size_t there, std::size_t back) {
  if (far == nullptr) return;
  if (owner != pe) ++stats.round_trips;
  far->operate(owner, there, back);
}

void memory_map::bad_access(pe_t owner, std::size_t offset, std::size_t size, const char* operation) const {
  if (bytes == 0) base::fatal(fmt::format("{}: {}", operation, pgas::why_closed()));
  if (owner < 0 || owner >= pes)
    base::fatal(fmt::format("{}: PE {} does not exist; this job has PEs 0 to {}", operation, owner, pes - 1));
  base::fatal(fmt::format("{}: {} bytes at offset {} are outside the symmetric heap of {} per PE", operation,
                          size, offset, base::format_size(bytes)));
}

void index_out_of_range(std::uint64_t index, std::uint64_t size) {
  base::fatal(fmt::format("array: index {} is out of range; the array has {} elements", index, size));
}

} // namespace windrow::detail
