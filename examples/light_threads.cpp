// SPDX-License-Identifier: BSD-3-Clause
// Light threads: tasks that may wait in any order. Each cell of a table needs those above it and to its left,
// and simply waits for them. Try it with windrow run -n 2 --workers 2.
#include <windrow/windrow.hpp>

#include <cstddef>
#include <iostream>
#include <vector>

namespace {

constexpr std::size_t rows = 60, columns = 40;

using cell = windrow::future<double>;

/// The number of ways to a cell from the first one, down and to the right.
cell begin(const cell* above, const cell* left) {
  if (above == nullptr || left == nullptr) return windrow::spawn_future([] { return 1.0; });
  return windrow::spawn_future([a = *above, l = *left] { return a.get() + l.get(); });
}

} // namespace

int main(int argc, char** argv) {
  windrow::job job(argc, argv);

  std::vector<std::vector<cell>> table(rows);
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < columns; ++column)
      table[row].push_back(begin(row == 0 ? nullptr : &table[row - 1][column],
                                 column == 0 ? nullptr : &table[row][column - 1]));
  double expected = 1; // (rows + columns - 2) over (rows - 1)
  for (std::size_t i = 1; i < rows; ++i)
    expected = expected * static_cast<double>(columns - 1 + i) / static_cast<double>(i);

  const double found = table.back().back().get();
  const bool right = found > 0.999999 * expected && found < 1.000001 * expected;
  const bool all_right = job.world().min(right ? 1 : 0) == 1;
  if (job.pe() == 0)
    std::cout << (all_right ? "right" : "wrong") << " on " << windrow::workers() << " workers\n";
  return all_right ? 0 : 1;
}
