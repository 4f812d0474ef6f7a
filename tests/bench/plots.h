// Plots as SVG, without scripts. Colours are those of the page's style (classes s0 to s11 for
// series, `grid`, `label`), so they suit light and dark pages. Axes are logarithmic.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace repath::bench {

struct Axis {
  std::string title;
  // "us": ticks read 10 µs, 1 ms, 1 s; "bytes": 1 KB, 1 MB; otherwise a plain number.
  std::string unit;
};

// Returns a plot with a row for each category and a dot for each series. `values` is by category,
// then by series; only values above 0 have a dot. Empty if there is no value.
std::string dot_plot(const Axis& axis, const std::vector<std::string>& categories,
                     const std::vector<std::string>& series,
                     const std::vector<std::vector<std::optional<double>>>& values);

// Returns a plot with a line for each series; `values` is by series, then by x.
std::string line_plot(const Axis& x_axis, const Axis& y_axis, const std::vector<double>& x,
                      const std::vector<std::string>& series,
                      const std::vector<std::vector<std::optional<double>>>& values);

// Returns a plot from above as a file of its own, with its legend inside and `style` for its
// classes.
std::string standalone(const std::string& plot, const std::vector<std::string>& series,
                       const std::string& style);

// Returns names beside their colours, as HTML.
std::string legend(const std::vector<std::string>& series);

// Returns the text escaped for HTML.
std::string escaped(const std::string& text);
// Returns the value with three figures and its unit.
std::string with_unit(double value, const std::string& unit);

}  // namespace repath::bench
