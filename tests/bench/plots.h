// Plots as SVG, without scripts: colours are those of the page's style (classes s0 to s11 for
// series, `grid`, `label`), so they follow light and dark. Axes are logarithmic.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace repath::bench {

struct Axis {
  std::string title;
  std::string unit;  // "us": ticks read 10 µs, 1 ms, 1 s; "bytes": 1 KB, 1 MB; else a plain number
};

// A row for each category, a dot for each series. `values` by category, then by series; those that
// are absent or not above 0 have no dot. Empty if no value is there.
std::string dot_plot(const Axis& axis, const std::vector<std::string>& categories,
                     const std::vector<std::string>& series,
                     const std::vector<std::vector<std::optional<double>>>& values);

// A line for each series through its points; `values` by series, then by x.
std::string line_plot(const Axis& x_axis, const Axis& y_axis, const std::vector<double>& x,
                      const std::vector<std::string>& series,
                      const std::vector<std::vector<std::optional<double>>>& values);

// A plot from above as a file of its own, with its legend inside and `style` for its classes.
std::string standalone(const std::string& plot, const std::vector<std::string>& series,
                       const std::string& style);

// Names beside their colours, as HTML.
std::string legend(const std::vector<std::string>& series);

// For text in HTML.
std::string escaped(const std::string& text);
// With three figures and its unit.
std::string with_unit(double value, const std::string& unit);

}  // namespace repath::bench
