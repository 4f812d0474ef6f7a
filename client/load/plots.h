// Plots as SVG without scripts. Colours are those of the page (classes c0 to c5 for series, `grid`,
// `label`, `bound`), so they follow light and dark. Pure functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace repath::load {

struct Series {
  std::string name;
  std::vector<std::optional<double>> values;
};

// A bound to draw beside the values.
struct Bound {
  std::string name;
  double value = 0;
};

// Lines over time. `x` ascending, in seconds; a shaded stretch before 0 is the warm-up. The value
// axis begins at 0. If a few values tower over the rest, it is cut off and labelled so. Empty
// without values.
std::string time_plot(const std::string& unit, const std::vector<double>& x,
                      const std::vector<Series>& series, const std::optional<Bound>& bound);

// The same as a file of its own, with its legend inside. Empty without values.
std::string time_plot_file(const std::string& unit, const std::vector<double>& x,
                           const std::vector<Series>& series, const std::optional<Bound>& bound);

// A histogram over a logarithmic axis. `bars`: from, to, count; marks are drawn as lines.
struct Bar {
  double from = 0;
  double to = 0;
  double count = 0;
};
std::string bar_plot(const std::string& unit, const std::vector<Bar>& bars,
                     const std::vector<Bound>& marks);

std::string escaped(const std::string& text);
// With three figures: "0.42", "16.2", "1,240".
std::string figures(double value);

}  // namespace repath::load
