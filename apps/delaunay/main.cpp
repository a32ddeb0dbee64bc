// SPDX-License-Identifier: BSD-3-Clause
// Delaunay refinement of a square that is fine at one spot: leaves that stay, and leaves as mobile objects.
#include <fmt/format.h>

#include "apps/delaunay/simulation.hpp"
#include "apps/support/balanced_program.hpp"

namespace delaunay = windrow::apps::delaunay;

namespace {

using options = windrow::apps::balanced_options<delaunay::settings>;

int parse(options& o, int argc, char** argv, bool speaks) {
  windrow::apps::command_line line(
      "Delaunay refinement of a square that is fine at one spot: leaves that stay, and leaves as mobile "
      "objects, each of which is refined together with its neighbours",
      "delaunay");
  line.add("--leaves", &o.chosen.where.leaves, "leaves in a row, and rows").in(1, 1024);
  line.add("--levels", &o.chosen.where.levels, "meshes, each with triangles of half the size").in(1, 10);
  line.add("--finest", &o.chosen.where.finest,
           "radius of the last circumcircles at the spot; the square has the side 1")
      .in(1e-4, 1.0);
  line.add("--growth", &o.chosen.where.growth, "how much larger they are at a distance of 1").in(0.0, 1.0);
  line.add_flag(
      "--all-workers", [&] { o.chosen.runs = windrow::handlers::on_all_workers; },
      "leaves on all workers of a PE");
  line.add_flag("--optimistic", o.chosen.optimistic,
                "all workers of a PE refine a leaf, with locks of vertices: the mesh is one of many");
  line.require([&]() -> std::string {
    const auto& d = o.chosen.where;
    if (d.finest >= d.least_size()) return {};
    return fmt::format(
        "--finest: with {} leaves in a row, whose coordinates are whole numbers, {:.2g} at least", d.leaves,
        d.least_size());
  });
  windrow::apps::add_balancing_options(line, o.chosen.balance_every, o.policy);
  return line.parse(argc, argv, speaks);
}

/// Whether the mesh has no faults, and is the wanted one, if there is one only.
bool print(const char* name, const delaunay::outcome& r, const delaunay::outcome& wanted,
           const delaunay::settings& s) {
  const auto wrong = delaunay::faults(s.where, r.mesh);
  const bool is_right = wrong.empty() && (s.optimistic || r.checksum == wanted.checksum);
  windrow::apps::print_outcome(name, r, is_right);
  for (const auto* fault : wrong) fmt::print("  {}\n", fault);
  if (s.optimistic) fmt::print("  {} triangles, {} conflicts\n", r.triangles, r.conflicts);
  return is_right;
}

bool report(const delaunay::settings& s, const delaunay::outcome& stay, const delaunay::outcome& move) {
  const auto alone = delaunay::run_sequential(s);
  fmt::print("{} triangles after {} rounds\n", alone.triangles, alone.rounds);
  bool all_right = print("sequential", alone, alone, s);
  all_right &= print("static", stay, alone, s);
  all_right &= print("mobile", move, alone, s);
  return all_right;
}

} // namespace

int main(int argc, char** argv) {
  return windrow::apps::run_balanced<delaunay::settings>(argc, argv, parse, delaunay::run_static,
                                                         delaunay::run_mobile, report);
}
