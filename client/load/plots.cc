#include "load/plots.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "load/page_style.h"

namespace repath::load {
namespace {

constexpr double kWidth = 860;
constexpr double kHeight = 260;
constexpr double kLeft = 64;
constexpr double kRight = 16;
constexpr double kTop = 14;
constexpr double kBottom = 34;
constexpr double kPlotRight = kWidth - kRight;
constexpr double kPlotBottom = kHeight - kBottom;
constexpr int kTicks = 5;
constexpr std::size_t kColours = 6;
constexpr double kTowering = 3;  // times the 98th percentile
constexpr int kBarsAnOctave = 6;
constexpr double kLeastBar = 0.01;  // smaller values count as this

std::string pixels(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f", value);
  return text.data();
}

std::string text_at(double x, double y, const char* anchor, const std::string& text) {
  return "<text class=\"label\" x=\"" + pixels(x) + "\" y=\"" + pixels(y) + "\" text-anchor=\"" +
         anchor + "\">" + escaped(text) + "</text>\n";
}

std::string line_at(const char* kind, double x1, double y1, double x2, double y2) {
  return std::string("<line class=\"") + kind + "\" x1=\"" + pixels(x1) + "\" y1=\"" + pixels(y1) +
         "\" x2=\"" + pixels(x2) + "\" y2=\"" + pixels(y2) + "\"/>\n";
}

std::string opened(const std::string& what) {
  return "<svg viewBox=\"0 0 " + pixels(kWidth) + " " + pixels(kHeight) +
         "\" role=\"img\" aria-label=\"" + escaped(what) + "\">\n";
}

// Returns 1, 2 or 5 times a power of ten, a few of which make `most`.
double nice_step(double most) {
  const double rough = most / kTicks;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough) return factor * power;
  }
  return 10 * power;
}

struct Scale {
  double low = 0;
  double high = 1;
  double from = 0;
  double to = 1;
  double at(double value) const { return from + (to - from) * (value - low) / (high - low); }
};

// Returns the top of the axis, below the highest value if that towers over the rest.
double top_of(const std::vector<Series>& series, const std::optional<Bound>& bound) {
  std::vector<double> all;
  for (const Series& one : series)
    for (const auto& value : one.values)
      if (value) all.push_back(*value);
  if (all.empty()) return 0;
  std::sort(all.begin(), all.end());
  const double usual = all[(all.size() - 1) * 98 / 100];
  double top = all.back() > kTowering * usual && usual > 0 ? 1.5 * usual : all.back();
  if (bound) top = std::max(top, 1.1 * bound->value);
  return top > 0 ? top : 1;
}

std::string axes(const Scale& x, const Scale& y, const std::string& unit) {
  std::string svg;
  const double step = nice_step(y.high);
  for (double tick = 0; tick <= y.high * 1.0001; tick += step) {
    svg += line_at("grid", kLeft, y.at(tick), kPlotRight, y.at(tick));
    svg += text_at(kLeft - 8, y.at(tick) + 4, "end", figures(tick));
  }
  const double stride = std::max(1.0, nice_step(x.high - x.low));
  for (double tick = std::ceil(x.low / stride) * stride; tick <= x.high; tick += stride)
    svg += text_at(x.at(tick), kPlotBottom + 18, "middle", figures(tick == 0 ? 0 : tick) + " s");
  return svg + text_at(kLeft, kTop - 3, "start", unit);
}

std::string legend(const std::vector<Series>& series, const std::optional<Bound>& bound) {
  std::string html = "<p class=\"legend\">";
  for (std::size_t i = 0; i < series.size(); ++i)
    html += "<span><i class=\"c" + std::to_string(i % kColours) + "\"></i>" +
            escaped(series[i].name) + "</span> ";
  if (bound) html += "<span><i class=\"b\"></i>" + escaped(bound->name) + "</span>";
  return html + "</p>\n";
}

// Returns a line with gaps where nothing was measured.
std::string curve(const std::vector<double>& xs, const Series& series, std::size_t colour,
                  const Scale& x, const Scale& y) {
  std::string path;
  bool is_open = false;
  for (std::size_t i = 0; i < xs.size(); ++i) {
    if (!series.values[i]) {
      is_open = false;
      continue;
    }
    const double top = std::min(*series.values[i], y.high);
    path += (is_open ? "L" : "M") + pixels(x.at(xs[i])) + " " + pixels(y.at(top));
    if (!is_open) path += "h0.1";  // a lone value is a dot
    is_open = true;
  }
  return "<path class=\"c" + std::to_string(colour % kColours) + "\" d=\"" + path + "\"/>\n";
}

}  // namespace

std::string time_plot(const std::string& unit, const std::vector<double>& x,
                      const std::vector<Series>& series, const std::optional<Bound>& bound) {
  const double top = top_of(series, bound);
  if (top == 0 || x.size() < 2) return "";
  const double step = nice_step(top);
  const Scale across{x.front(), x.back(), kLeft, kPlotRight};
  const Scale up{0, std::ceil(top / step) * step, kPlotBottom, kTop};
  std::string svg = opened(unit + " over time");
  if (across.low < 0)
    svg += "<rect class=\"before\" x=\"" + pixels(kLeft) + "\" y=\"" + pixels(kTop) +
           "\" width=\"" + pixels(across.at(std::min(0.0, across.high)) - kLeft) + "\" height=\"" +
           pixels(kPlotBottom - kTop) + "\"/>\n";
  svg += axes(across, up, unit);
  double highest = 0;
  for (std::size_t i = 0; i < series.size(); ++i) {
    svg += curve(x, series[i], i, across, up);
    for (const auto& value : series[i].values) highest = std::max(highest, value.value_or(0));
  }
  if (bound) svg += line_at("bound", kLeft, up.at(bound->value), kPlotRight, up.at(bound->value));
  if (highest > up.high)
    svg += text_at(kPlotRight, kTop - 3, "end", "cut off; the highest is " + figures(highest));
  return legend(series, bound) + svg + "</svg>\n";
}

std::string time_plot_file(const std::string& unit, const std::vector<double>& x,
                           const std::vector<Series>& series, const std::optional<Bound>& bound) {
  constexpr double kLegend = 34;  // its height
  constexpr double kLine = 22;
  constexpr double kCharacter = 7;  // no less than the width of most
  const std::string page = time_plot(unit, x, series, bound);
  const std::size_t at = page.find("<svg ");
  if (at == std::string::npos) return "";
  const std::string height = pixels(kHeight + kLegend);
  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + pixels(kWidth) +
                    " " + height + "\">\n<style>" + kPlotFileStyle +
                    "</style>\n<rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n";
  double left = kLeft;
  for (std::size_t i = 0; i < series.size(); ++i) {
    svg += "<path class=\"c" + std::to_string(i % kColours) + "\" d=\"M" + pixels(left) + " 16h" +
           pixels(kLine) + "\"/>" + text_at(left + kLine + 6, 20, "start", series[i].name);
    left += 2 * kLine + kCharacter * static_cast<double>(series[i].name.size());
  }
  return svg + "<svg y=\"" + pixels(kLegend) + "\" width=\"" + pixels(kWidth) + "\" height=\"" +
         pixels(kHeight) + "\" " + page.substr(at + 5) + "</svg>\n";
}

std::string bar_plot(const std::string& unit, const std::vector<Bar>& bars,
                     const std::vector<Bound>& marks) {
  if (bars.empty()) return "";
  const auto place = [](double value) {
    return static_cast<int>(std::floor(std::log2(std::max(value, kLeastBar)) * kBarsAnOctave));
  };
  const int first = place((bars.front().from + bars.front().to) / 2);
  const int last = place((bars.back().from + bars.back().to) / 2);
  std::vector<double> counts(static_cast<std::size_t>(last - first + 1));
  for (const Bar& bar : bars)
    counts[static_cast<std::size_t>(place((bar.from + bar.to) / 2) - first)] += bar.count;
  const double most = *std::max_element(counts.begin(), counts.end());
  const double low = std::floor(static_cast<double>(first) / kBarsAnOctave);
  const double high = std::max(low + 1, std::ceil(static_cast<double>(last + 1) / kBarsAnOctave));
  const Scale across{low, high, kLeft, kPlotRight};
  const double step = nice_step(most);
  const Scale up{0, std::ceil(most / step) * step, kPlotBottom, kTop + 16};
  std::string svg = opened("how " + unit + " are spread");
  for (double tick = 0; tick <= up.high * 1.0001; tick += step) {
    svg += line_at("grid", kLeft, up.at(tick), kPlotRight, up.at(tick));
    svg += text_at(kLeft - 8, up.at(tick) + 4, "end", figures(tick));
  }
  for (double power = low; power <= high; ++power)
    svg += text_at(across.at(power), kPlotBottom + 18, "middle", figures(std::exp2(power)));
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    const double x1 = across.at(static_cast<double>(first + static_cast<int>(i)) / kBarsAnOctave);
    const double wide = across.at(low + 1.0 / kBarsAnOctave) - kLeft;
    const double top = std::min(up.at(counts[i]), kPlotBottom - 1.5);  // one may be too low to see
    svg += "<rect class=\"c1\" x=\"" + pixels(x1) + "\" y=\"" + pixels(top) + "\" width=\"" +
           pixels(std::max(1.0, wide - 1)) + "\" height=\"" + pixels(kPlotBottom - top) +
           "\"><title>" + figures(counts[i]) + "</title></rect>\n";
  }
  for (const Bound& mark : marks) {
    const double at = across.at(std::log2(std::max(mark.value, kLeastBar)));
    svg += line_at("bound", at, kTop + 4, at, kPlotBottom) +
           text_at(at + 3, kTop + 8, "start", mark.name);
  }
  svg += text_at(kLeft, kTop - 3, "start", "count") +
         text_at(kPlotRight, kPlotBottom + 31, "end", unit);
  return svg + "</svg>\n";
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string figures(double value) {
  std::array<char, 32> text{};
  if (std::abs(value) < 999.5) {
    std::snprintf(text.data(), text.size(), "%.3g", value);
    return text.data();
  }
  std::snprintf(text.data(), text.size(), "%.0f", value);
  std::string digits = text.data();
  const std::size_t first = digits[0] == '-' ? 1 : 0;
  for (std::size_t i = digits.size(); i > first + 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

}  // namespace repath::load
