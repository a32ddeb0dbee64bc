// SPDX-License-Identifier: BSD-3-Clause
// A policy of one's own, as docs/mobile-objects.md has it: the heaviest PE gives the lightest one its best
// object, again and again, until that helps no more.
#include <algorithm>
#include <vector>

#include "windrow/balance.hpp"

namespace {

using namespace windrow;

struct give_and_take {
  balance::moves operator()(const balance::problem& p) const {
    std::vector<double> load(static_cast<std::size_t>(p.pes));
    std::vector<pe_t> place;
    for (const auto& o : p.objects) {
      load[static_cast<std::size_t>(o.pe)] += o.load;
      place.push_back(o.pe);
    }
    for (;;) {
      const auto [lightest, heaviest] = std::ranges::minmax_element(load);
      const auto from = static_cast<pe_t>(heaviest - load.begin());
      const auto gap = *heaviest - *lightest;
      std::size_t best = place.size();
      for (std::size_t i = 0; i < place.size(); ++i)
        if (place[i] == from && p.objects[i].load < gap &&
            (best == place.size() || p.objects[i].load > p.objects[best].load))
          best = i;
      if (best == place.size() || p.objects[best].load <= 0) break;
      *heaviest -= p.objects[best].load;
      *lightest += p.objects[best].load;
      place[best] = static_cast<pe_t>(lightest - load.begin());
    }
    balance::moves result;
    for (std::size_t i = 0; i < place.size(); ++i)
      if (place[i] != p.objects[i].pe) result.push_back({i, place[i]});
    return result;
  }
};

} // namespace

WINDROW_POLICY(give_and_take{})
