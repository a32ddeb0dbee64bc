// SPDX-License-Identifier: BSD-3-Clause
// The only place that knows hwloc.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace windrow::tools {

enum class binding { none, core, numa };

/// The processors that this process may use.
class topology {
 public:
  topology();
  ~topology();

  int packages() const;
  int numa_nodes() const;
  int cores() const;
  int processors() const; ///< hardware threads
  /// One line per kind of cache, e.g. "2 x L2 2 MiB".
  std::vector<std::string> caches() const;

  /// Binds this process, as PE `pe` of `pes`, to a core for each of its workers, or to the processors of a
  /// NUMA node. If cores are too few, hardware threads take their place; if these are too few for all
  /// workers, each PE gets an equal part, and with more PEs than places they are dealt out in turn.
  void bind(binding, int pe, int pes, int workers) const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

} // namespace windrow::tools
