// SPDX-License-Identifier: BSD-3-Clause
#include "tools/topology.hpp"

#include <fmt/format.h>
#include <hwloc.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/options.hpp"
#include "windrow/error.hpp"

namespace windrow::tools {

struct topology::state {
  hwloc_topology_t tree = nullptr;

  int count(hwloc_obj_type_t type) const { return std::max(1, hwloc_get_nbobjs_by_type(tree, type)); }

  /// The first object of a kind, and how many.
  struct range {
    hwloc_obj_type_t type;
    int first, count;
  };

  // Neighbours in number are neighbours in the machine.
  range places(binding kind, int pe, int pes, int workers) const {
    if (kind == binding::numa) {
      const int nodes = count(HWLOC_OBJ_NUMANODE);
      return {HWLOC_OBJ_NUMANODE, pes < nodes ? pe : pe * nodes / pes, 1};
    }
    const auto type = pes * workers <= count(HWLOC_OBJ_CORE) ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
    const int all = count(type);
    const int each = std::clamp(all / pes, 1, workers);
    return {type, pe * each % all, each};
  }

  hwloc_obj_t object(hwloc_obj_type_t type, int index) const {
    return hwloc_get_obj_by_type(tree, type, static_cast<unsigned>(index));
  }
};

topology::topology() : state_(std::make_unique<state>()) {
  auto& tree = state_->tree;
  if (hwloc_topology_init(&tree) != 0 || hwloc_topology_load(tree) != 0)
    throw error("hwloc cannot read the topology of this machine; use --bind none");
  const auto mine = hwloc_bitmap_alloc();
  if (hwloc_get_cpubind(tree, mine, HWLOC_CPUBIND_PROCESS) == 0) hwloc_topology_restrict(tree, mine, 0);
  hwloc_bitmap_free(mine);
}

topology::~topology() {
  hwloc_topology_destroy(state_->tree);
}

int topology::packages() const {
  return state_->count(HWLOC_OBJ_PACKAGE);
}
int topology::numa_nodes() const {
  return state_->count(HWLOC_OBJ_NUMANODE);
}
int topology::cores() const {
  return state_->count(HWLOC_OBJ_CORE);
}
int topology::processors() const {
  return state_->count(HWLOC_OBJ_PU);
}

std::vector<std::string> topology::caches() const {
  std::vector<std::string> result;
  for (const auto type : {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE})
    if (const auto* first = state_->object(type, 0); first != nullptr)
      result.push_back(fmt::format("{} x L{} {}", state_->count(type), first->attr->cache.depth,
                                   base::format_size(first->attr->cache.size)));
  return result;
}

void topology::bind(binding kind, int pe, int pes, int workers) const {
  if (kind == binding::none) return;
  const auto [type, first, count] = state_->places(kind, pe, pes, workers);
  const auto processors = hwloc_bitmap_alloc();
  for (int i = first; i < first + count; ++i)
    if (const auto* place = state_->object(type, i); place != nullptr)
      hwloc_bitmap_or(processors, processors, place->cpuset);
  const int failure = hwloc_set_cpubind(state_->tree, processors, HWLOC_CPUBIND_PROCESS) == 0 ? 0 : errno;
  hwloc_bitmap_free(processors);
  if (failure != 0)
    throw error(
        fmt::format("cannot bind PE {} to its processors: {}; use --bind none", pe, std::strerror(failure)));
}

} // namespace windrow::tools
