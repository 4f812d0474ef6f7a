#include "bench/plots.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string_view>

namespace repath::bench {
namespace {

constexpr double kWidth = 880;
constexpr double kLeft = 150;
constexpr double kRight = 30;
constexpr double kTop = 34;
constexpr double kRow = 26;
constexpr double kLineHeight = 320;
constexpr double kBottom = 48;
constexpr double kLegend = 28;
constexpr double kLetter = 7.5;
constexpr std::size_t kColours = 12;

std::string number(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f", value);
  return text.data();
}

std::string three_figures(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), value >= 999.5 ? "%.0f" : "%.3g", value);
  return text.data();
}

std::string text_at(double x, double y, const char* anchor, const std::string& text) {
  return "<text class=\"label\" x=\"" + number(x) + "\" y=\"" + number(y) + "\" text-anchor=\"" +
         anchor + "\">" + escaped(text) + "</text>\n";
}

std::string line_at(double x1, double y1, double x2, double y2) {
  return "<line class=\"grid\" x1=\"" + number(x1) + "\" y1=\"" + number(y1) + "\" x2=\"" +
         number(x2) + "\" y2=\"" + number(y2) + "\"/>\n";
}

std::string dot_at(double x, double y, std::size_t series, const std::string& title) {
  return "<circle class=\"s" + std::to_string(series % kColours) + "\" cx=\"" + number(x) +
         "\" cy=\"" + number(y) + "\" r=\"5\"><title>" + escaped(title) + "</title></circle>\n";
}

std::string open_svg(double height, const std::string& title) {
  return "<svg viewBox=\"0 0 " + number(kWidth) + " " + number(height) +
         "\" role=\"img\" aria-label=\"" + escaped(title) + "\">\n";
}

// Maps values to a stretch of the page by their logarithm, with whole powers of the base at its
// ends.
class LogScale {
 public:
  LogScale(double least, double most, double from, double to, double base = 10)
      : base_(std::log(base)), from_(from), to_(to) {
    low_ = std::floor(std::log(least) / base_ + 1e-9);
    high_ = std::max(low_ + 1, std::ceil(std::log(most) / base_ - 1e-9));
  }
  double at(double value) const {
    return from_ + (to_ - from_) * (std::log(value) / base_ - low_) / (high_ - low_);
  }
  std::vector<double> ticks() const {
    const double step = std::max(1.0, std::ceil((high_ - low_) / 10));
    std::vector<double> ticks;
    for (double power = low_; power <= high_; power += step)
      ticks.push_back(std::exp(power * base_));
    return ticks;
  }

 private:
  double base_;
  double low_ = 0;
  double high_ = 0;
  double from_;
  double to_;
};

struct Range {
  double least = std::numeric_limits<double>::max();
  double most = 0;
  bool is_empty() const { return most == 0; }
};

Range range_of(const std::vector<std::vector<std::optional<double>>>& values) {
  Range range;
  for (const auto& row : values)
    for (const std::optional<double>& value : row) {
      if (!value || *value <= 0) continue;
      range.least = std::min(range.least, *value);
      range.most = std::max(range.most, *value);
    }
  return range;
}

}  // namespace

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '&') {
      out += "&amp;";
    } else if (c == '"') {
      out += "&quot;";
    } else {
      out += c;
    }
  }
  return out;
}

std::string with_unit(double value, const std::string& unit) {
  if (unit == "us") {
    if (value >= 1e6) return three_figures(value / 1e6) + " s";
    if (value >= 1e3) return three_figures(value / 1e3) + " ms";
    if (value < 1) return three_figures(value * 1e3) + " ns";
    return three_figures(value) + " µs";
  }
  if (unit == "bytes") {
    if (value >= 1e9) return three_figures(value / 1e9) + " GB";
    if (value >= 1e6) return three_figures(value / 1e6) + " MB";
    if (value >= 1e3) return three_figures(value / 1e3) + " KB";
    return three_figures(value) + " B";
  }
  if (value >= 1e6) return three_figures(value / 1e6) + " M";
  if (value >= 1e4) return three_figures(value / 1e3) + " k";
  return three_figures(value);
}

std::string legend(const std::vector<std::string>& series) {
  std::string html = "<p class=\"legend\">";
  for (std::size_t i = 0; i < series.size(); ++i)
    html += "<span><i class=\"s" + std::to_string(i % kColours) + "\"></i>" + escaped(series[i]) +
            "</span> ";
  return html + "</p>\n";
}

std::string standalone(const std::string& plot, const std::vector<std::string>& series,
                       const std::string& style) {
  const std::size_t opening = plot.find("<svg");
  const std::size_t inside = plot.find('>', opening) + 1;
  const std::string_view box = "viewBox=\"0 0 ";
  const std::size_t size = plot.find(box, opening) + box.size();
  const double height = std::stod(plot.substr(plot.find(' ', size))) + kLegend;
  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + number(kWidth) +
                    " " + number(height) + "\">\n<style>" + style +
                    "</style>\n<rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n";
  double x = kLeft;
  for (std::size_t s = 0; s < series.size(); ++s) {
    svg += dot_at(x, kLegend - 10, s, series[s]);
    svg += text_at(x + 12, kLegend - 6, "start", series[s]);
    x += 40 + kLetter * static_cast<double>(series[s].size());
  }
  return svg + "<g transform=\"translate(0," + number(kLegend) + ")\">" +
         plot.substr(inside, plot.rfind("</svg>") - inside) + "</g></svg>\n";
}

std::string dot_plot(const Axis& axis, const std::vector<std::string>& categories,
                     const std::vector<std::string>& series,
                     const std::vector<std::vector<std::optional<double>>>& values) {
  const Range range = range_of(values);
  if (range.is_empty()) return "";
  const double bottom = kTop + kRow * static_cast<double>(categories.size());
  const LogScale scale(range.least, range.most, kLeft, kWidth - kRight);
  std::string svg = open_svg(bottom + kBottom, axis.title);
  for (const double tick : scale.ticks()) {
    svg += line_at(scale.at(tick), kTop - 6, scale.at(tick), bottom);
    svg += text_at(scale.at(tick), kTop - 12, "middle", with_unit(tick, axis.unit));
  }
  for (std::size_t c = 0; c < categories.size(); ++c) {
    const double y = kTop + kRow * (static_cast<double>(c) + 0.5);
    svg += line_at(kLeft, y, kWidth - kRight, y);
    svg += text_at(kLeft - 10, y + 4, "end", categories[c]);
    for (std::size_t s = 0; s < series.size(); ++s)
      if (const std::optional<double>& value = values[c][s]; value && *value > 0)
        svg += dot_at(scale.at(*value), y, s,
                      categories[c] + ", " + series[s] + ": " + with_unit(*value, axis.unit));
  }
  svg += text_at((kLeft + kWidth - kRight) / 2, bottom + 28, "middle", axis.title);
  return legend(series) + svg + "</svg>\n";
}

std::string line_plot(const Axis& x_axis, const Axis& y_axis, const std::vector<double>& x,
                      const std::vector<std::string>& series,
                      const std::vector<std::vector<std::optional<double>>>& values) {
  const Range range = range_of(values);
  if (range.is_empty() || x.empty()) return "";
  const double bottom = kTop + kLineHeight;
  const LogScale x_scale(x.front(), x.back(), kLeft, kWidth - kRight, 2);
  const LogScale y_scale(range.least, range.most, bottom, kTop);
  std::string svg = open_svg(bottom + kBottom, y_axis.title);
  for (const double tick : y_scale.ticks()) {
    svg += line_at(kLeft, y_scale.at(tick), kWidth - kRight, y_scale.at(tick));
    svg += text_at(kLeft - 10, y_scale.at(tick) + 4, "end", with_unit(tick, y_axis.unit));
  }
  for (const double tick : x) {
    svg += line_at(x_scale.at(tick), kTop, x_scale.at(tick), bottom);
    svg += text_at(x_scale.at(tick), bottom + 20, "middle", three_figures(tick));
  }
  for (std::size_t s = 0; s < series.size(); ++s) {
    std::string points, dots;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const std::optional<double>& value = values[s][i];
      if (!value || *value <= 0) continue;
      points += number(x_scale.at(x[i])) + "," + number(y_scale.at(*value)) + " ";
      dots +=
          dot_at(x_scale.at(x[i]), y_scale.at(*value), s,
                 series[s] + ", " + three_figures(x[i]) + ": " + with_unit(*value, y_axis.unit));
    }
    svg += "<polyline class=\"s" + std::to_string(s % kColours) + "\" points=\"" + points +
           "\"/>\n" + dots;
  }
  svg += text_at((kLeft + kWidth - kRight) / 2, bottom + 40, "middle", x_axis.title);
  svg += text_at(kLeft, kTop - 14, "start", y_axis.title);
  return legend(series) + svg + "</svg>\n";
}

}  // namespace repath::bench
