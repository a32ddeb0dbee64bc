// SPDX-License-Identifier: BSD-3-Clause
#include "tools/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "apps/support/whole_file.hpp"
#include "os/process.hpp"
#include "windrow/error.hpp"

namespace windrow::tools {

namespace {

constexpr auto colours = {"#7f7f7f", "#1f77b4", "#d95f02", "#1b9e77", "#7570b3",
                          "#e7298a", "#66a61e", "#a6761d", "#17becf", "#000000"};

/// A string of gnuplot's in single quotes, in which only these are special.
std::string in_quotes(const std::string& text) {
  std::string safe = "'";
  for (const char c : text) safe += c == '\'' ? std::string("''") : c == '\n' ? " " : std::string(1, c);
  return safe + "'";
}

std::string terminal(const std::string& file) {
  return file.ends_with(".svg") ? "svg size 1000,520 font 'sans-serif,13' background '#ffffff'"
                                : "pngcairo size 1000,520 font 'sans,11'";
}

std::string data(const chart_table& table) {
  std::string lines = "$table << END\n";
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    lines += '"' + table.rows[r] + '"';
    for (const auto value : table.values[r]) lines += value > 0 ? fmt::format(" {:.6g}", value) : " NaN";
    lines += '\n';
  }
  return lines + "END\n";
}

std::string plots(chart_kind kind, const chart_table& table) {
  std::string list;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const auto* const colour = colours.begin()[c % colours.size()];
    list += fmt::format("{} $table using {}:xtic(1) title {} {} lc rgb '{}'", c == 0 ? "" : ",",
                        (kind == chart_kind::bars ? "" : "0:") + std::to_string(c + 2),
                        in_quotes(table.columns[c]),
                        kind == chart_kind::bars ? "" : "with linespoints lw 2 pt 7", colour);
  }
  return list;
}

} // namespace

std::string chart_script(const std::string& file, chart_kind kind, const chart_table& table) {
  std::string script = fmt::format("set terminal {}\nset output {}\n", terminal(file), in_quotes(file));
  script += fmt::format("set title {} noenhanced\nset xlabel {}\nset ylabel {}\n", in_quotes(table.title),
                        in_quotes(table.x_label), in_quotes(table.y_label));
  script += table.logarithmic ? "set logscale y\n" : "set yrange [0:*]\n";
  script +=
      "set grid ytics\nset key outside top center horizontal noenhanced\n"
      "set xtics noenhanced rotate by -25\nset datafile missing 'NaN'\n";
  if (kind == chart_kind::bars)
    script +=
        "set style data histograms\nset style histogram clustered gap 1\n"
        "set style fill solid 0.9 noborder\nset boxwidth 0.95\n";
  return script + data(table) + "plot" + plots(kind, table) + "\n";
}

void require_chart(const std::string& file) {
  if (!file.ends_with(".svg") && !file.ends_with(".png"))
    throw error(fmt::format("'{}' is not a chart's name: let it end in .svg or .png", file));
  if (!os::why_not_runnable("gnuplot").empty())
    throw error("charts are drawn by gnuplot, which is not installed: apt-get install gnuplot-nox");
  apps::check_can_be_written(file); // gnuplot would draw on standard output instead
}

void draw_chart(const std::string& file, chart_kind kind, const chart_table& table) {
  require_chart(file);
  const auto has_none = [](const auto& row) {
    return std::ranges::none_of(row, [](double v) { return v > 0; });
  };
  if (std::ranges::all_of(table.values, has_none))
    throw error(fmt::format("{} is not drawn: without the blocking style there are no speed-ups", file));
  FILE* gnuplot = popen("exec gnuplot", "we");
  if (gnuplot == nullptr) throw error("cannot start gnuplot");
  const auto script = chart_script(file, kind, table);
  const bool written = std::fwrite(script.data(), 1, script.size(), gnuplot) == script.size();
  if (pclose(gnuplot) != 0 || !written) throw error(fmt::format("gnuplot could not draw {}", file));
}

} // namespace windrow::tools
