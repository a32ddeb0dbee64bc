// SPDX-License-Identifier: BSD-3-Clause
#include "apps/runner/run.hpp"

#include <ostream>

#include "apps/runner/measure.hpp"
#include "apps/runner/styles.hpp"
#include "apps/support/json.hpp"

namespace windrow::apps {

namespace {

/// The lines that PE 0 writes; the others are silent.
class reporter {
 public:
  reporter(const job& j, std::ostream& out) : speaks_(j.pe() == 0), out_(out) {}
  void tell(const char* event, json content) {
    if (!speaks_) return;
    content["event"] = event;
    out_ << content.dump(-1, ' ', false, json::error_handler_t::replace) << '\n'
         << std::flush; // at once: somebody shows progress
  }

 private:
  bool speaks_;
  std::ostream& out_;
};

json start_of(const job& j, const plan& chosen, const workload& w, const energy_meter& meter) {
  std::size_t runs = 0;
  for (const auto* entry : chosen.kernels) runs += chosen.styles_of(*entry).size() * (chosen.repeats + 1);
  return {{"pes", j.pes()},
          {"graph", w.name},
          {"vertices", w.graph.vertices},
          {"edges", w.graph.edges.size()},
          {"repeats", chosen.repeats},
          {"runs", runs},
          {"energy", {{"counted", meter.present()}, {"source", meter.source()}}}};
}

} // namespace

bool run(job& j, const plan& chosen, const workload& w, const energy_meter& meter, std::ostream& out) {
  reporter report(j, out);
  report.tell("start", start_of(j, chosen, w, meter));
  bool all_right = true;
  for (const auto* entry : chosen.kernels) {
    const auto listener = [&](kernel_style style, unsigned turn) {
      report.tell("turn", {{"kernel", entry->name}, {"style", name_of(style)}, {"turn", turn}});
    };
    for (const auto& r : measure(j, *entry, w, chosen.styles_of(*entry), chosen.repeats, meter, listener)) {
      report.tell("result", r);
      all_right = all_right && r.is_right();
    }
  }
  return all_right;
}

} // namespace windrow::apps
