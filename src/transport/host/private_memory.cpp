// SPDX-License-Identifier: BSD-3-Clause
#include "transport/host/private_memory.hpp"

#include "os/descriptor.hpp"
#include "os/memory.hpp"
#include "transport/host/heap_size.hpp"
#include "transport/host/host_transport.hpp"

namespace windrow::transport {

std::vector<std::unique_ptr<transport>> make_private_transports(const std::string& name, pe_t pes) {
  const geometry shape(pes, segment_of(heap_bytes_per_pe(pes), pes));
  const auto file = std::make_shared<os::descriptor>(os::create_shared_memory(shape.total, false));
  std::byte* const base = os::map_shared_memory(file->get(), shape.total, nullptr);
  const std::shared_ptr<void> mapping(
      base, [bytes = shape.total](void* memory) { os::unmap(static_cast<std::byte*>(memory), bytes); });
  os::prefer_huge_pages(base + shape.heaps, shape.total - shape.heaps);
  os::keep_in_core_dumps(base, shape.total, false);
  std::vector<std::unique_ptr<transport>> result;
  result.reserve(static_cast<std::size_t>(pes));
  for (pe_t pe = 0; pe < pes; ++pe)
    result.push_back(std::make_unique<host_transport>(name, host_memory(base, shape), pe, file, mapping));
  return result;
}

} // namespace windrow::transport
