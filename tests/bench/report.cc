#include "bench/report.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <optional>
#include <sstream>
#include <utility>

#include "bench/compare_bench.h"
#include "bench/dynamic_bench.h"
#include "bench/field_bench.h"
#include "bench/output.h"
#include "bench/plots.h"
#include "bench/scale_bench.h"
#include "bench/static_bench.h"

namespace repath::bench {
namespace {

constexpr const char* kStyle = R"(
:root{color-scheme:light dark;--bg:#fdfdfc;--fg:#1d2126;--dim:#667;--line:#dcdee3;--card:#fff}
@media(prefers-color-scheme:dark){:root{--bg:#14171a;--fg:#e7e9ec;--dim:#98a0ab;--line:#31363d;--card:#1b1f24}}
body{background:var(--bg);color:var(--fg);font:16px/1.5 system-ui,"DejaVu Sans",sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.7rem;margin-bottom:.2rem}h2{font-size:1.25rem;margin-top:2.5rem}h3{font-size:1rem;margin:1.5rem 0 .3rem}
p{color:var(--dim);margin:.3rem 0}section,figure{margin:0}
figure{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:1rem;margin:.6rem 0}
svg{width:100%;height:auto;display:block}
svg .grid{stroke:var(--line);stroke-width:1}svg .label{fill:var(--dim);font-size:12.5px}
circle{stroke:var(--card);stroke-width:1.5}polyline{fill:none;stroke-width:2.2}
.legend span{display:inline-block;margin-right:1rem;white-space:nowrap;color:var(--fg);font-size:.85rem}
.legend i{display:inline-block;width:.75rem;height:.75rem;border-radius:50%;margin-right:.35rem}
table{border-collapse:collapse;font-size:.8rem;font-variant-numeric:tabular-nums;display:block;overflow-x:auto}
th,td{padding:.2rem .6rem;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap}
th:first-child,td:first-child{text-align:left}summary{cursor:pointer;color:var(--dim)}
)";

// Colours that distinguish twelve series on light and dark ground.
constexpr std::array kColours{"#4c78dc", "#e0a100", "#f0604d", "#4fb3a1", "#3aa655", "#ef7fb0",
                              "#9a63ea", "#7fa8ee", "#a06f50", "#8d939c", "#c2b100", "#00a2c7"};

std::string colours() {
  std::string css;
  for (std::size_t i = 0; i < kColours.size(); ++i) {
    const std::string name = "s" + std::to_string(i);
    const std::string colour = kColours[i];
    css += "circle." + name + "{fill:" + colour + "}polyline." + name + "{stroke:" + colour +
           "}i." + name + "{background:" + colour + "}\n";
  }
  return css;
}

std::string style() { return kStyle + colours(); }

// Style for a plot without a page around it.
std::string style_of_svg() {
  return "svg{--fg:#1d2126;--dim:#667;--line:#dcdee3;--card:#fff;font-family:system-ui,'DejaVu "
         "Sans',sans-serif}\n"
         "@media(prefers-color-scheme:dark){svg{--fg:#e7e9ec;--dim:#98a0ab;--line:#31363d;--card:"
         "#1b1f24}}\n"
         ".ground{fill:var(--card)}.grid{stroke:var(--line);stroke-width:1}"
         ".label{fill:var(--dim);font-size:12.5px}circle{stroke:var(--card);stroke-width:1.5}"
         "polyline{fill:none;stroke-width:2.2}\n" +
         colours();
}

// The output of one command.
struct Printed {
  std::string name;  // name of the file, without .json
  std::string text;  // the line
  Json figures;
};

using Names = std::vector<std::string>;
using Values = std::vector<std::vector<std::optional<double>>>;

std::string text_of(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

// Returns the different values of a key, in order of appearance.
Names names_in(const Json& rows, const std::string& key) {
  Names names;
  for (const Json& row : rows)
    if (std::ranges::find(names, text_of(row.at(key))) == names.end())
      names.push_back(text_of(row.at(key)));
  return names;
}

Json rows_with(const Json& rows, const std::string& key, const std::string& value) {
  Json some = Json::array();
  for (const Json& row : rows)
    if (text_of(row.at(key)) == value) some.push_back(row);
  return some;
}

// Returns `key` of the row for each pair of names.
Values table_of(const Json& rows, const std::string& first, const std::string& second,
                const std::string& key) {
  const Names down = names_in(rows, first);
  const Names across = names_in(rows, second);
  Values values(down.size(), std::vector<std::optional<double>>(across.size()));
  for (const Json& row : rows) {
    if (!row.at(key).is_number()) continue;
    const auto i = std::ranges::find(down, text_of(row.at(first))) - down.begin();
    const auto j = std::ranges::find(across, text_of(row.at(second))) - across.begin();
    values[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = row.at(key).get<double>();
  }
  return values;
}

std::string figure(const std::string& plot) {
  return plot.empty() ? "" : "<figure>\n" + plot + "</figure>\n";
}

std::string dots(const Json& rows, const std::string& down, const std::string& series,
                 const std::string& key, const Axis& axis) {
  return figure(dot_plot(axis, names_in(rows, down), names_in(rows, series),
                         table_of(rows, down, series, key)));
}

std::string lines(const Json& rows, const std::string& along, const std::string& series,
                  const std::string& key, const std::string& title, const Axis& axis) {
  std::vector<double> x;
  for (const std::string& name : names_in(rows, along)) x.push_back(std::stod(name));
  return figure(
      line_plot({title, ""}, axis, x, names_in(rows, series), table_of(rows, series, along, key)));
}

std::string plots_of_static(const Json& rows) {
  return dots(rows, "map", "algorithm", "mean_us", {"mean time of a query", "us"}) +
         dots(rows, "map", "algorithm", "expanded_mean", {"mean expansions of a query", ""});
}

std::string plots_of_dynamic(const Json& rows) {
  const Json all = rows_with(rows, "event", "all");
  std::string html = dots(all, "map", "strategy", "mean_us", {"mean time of a change", "us"});
  for (const std::string& map : names_in(rows, "map"))
    html += "<h3>" + escaped(map) + "</h3>\n" +
            dots(rows_with(rows, "map", map), "event", "strategy", "mean_us",
                 {"mean time of a change", "us"});
  return html;
}

std::string plots_of_field(const Json& rows) {
  std::string html;
  for (const std::string& map : names_in(rows, "map"))
    html += "<h3>" + escaped(map) + "</h3>\n" +
            lines(rows_with(rows, "map", map), "agents", "strategy", "per_agent_us",
                  "agents with one goal", {"time of a change for each agent", "us"});
  return html;
}

// Returns the rows of `scale` about goals that cannot be reached, or the other rows.
Json rows_of_scale(const Json& rows, bool unreachable) {
  Json some = Json::array();
  for (const Json& row : rows) {
    const bool is_so = text_of(row.at("op")).find("unreachable") == 0 || row.at("op") == "tell";
    if (is_so == unreachable) some.push_back(row);
  }
  return some;
}

std::string plots_of_scale(const Json& rows) {
  std::string html;
  for (const bool unreachable : {false, true}) {
    const Json some = rows_of_scale(rows, unreachable);
    html += lines(some, "side", "op", "p50_us", "side of the map, cells", {"median time", "us"}) +
            lines(some, "side", "op", "bytes", "side of the map, cells", {"memory", "bytes"});
  }
  return html;
}

std::string plots_of_compare(const Json& rows) {
  std::string html;
  for (const std::string& density : names_in(rows, "density")) {
    const Json some = rows_with(rows, "density", density);
    html += "<h3>" + escaped(density) + " of the cells blocked</h3>\n" +
            dots(some, "map", "algorithm", "mean_us", {"mean time of a query", "us"}) +
            dots(some, "map", "algorithm", "expanded", {"mean expansions of a query", ""}) +
            dots(some, "map", "algorithm", "peak_bytes", {"memory of the largest search", "bytes"});
  }
  return html;
}

struct Kind {
  const char* name;
  const char* title;
  Names keys;  // keys that identify its rows
  std::string (*plots)(const Json& rows);
};
const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all{
      {"static", "Fresh searches", {"algorithm", "expanded_mean"}, plots_of_static},
      {"dynamic", "Keeping a path right", {"strategy", "event"}, plots_of_dynamic},
      {"field", "Many agents with one goal", {"agents", "per_agent_us"}, plots_of_field},
      {"scale", "Local events on larger and larger maps", {"side", "op"}, plots_of_scale},
      {"compare", "All algorithms on generated ground", {"density"}, plots_of_compare}};
  return all;
}

const Kind* kind_of(const Json& figures) {
  if (!figures.contains("results") || figures.at("results").empty()) return nullptr;
  const Json& row = figures.at("results").front();
  const auto fits = [&](const Kind& kind) {
    return std::ranges::all_of(kind.keys, [&](const auto& key) { return row.contains(key); });
  };
  const auto kind = std::ranges::find_if(kinds(), fits);
  return kind == kinds().end() ? nullptr : &*kind;
}

// Returns the numbers as they are in the JSON.
std::string table(const Json& rows) {
  std::string html =
      "<details><summary>" + std::to_string(rows.size()) + " rows</summary><table><tr>";
  for (const auto& [key, value] : rows.front().items()) html += "<th>" + escaped(key) + "</th>";
  html += "</tr>\n";
  for (const Json& row : rows) {
    html += "<tr>";
    for (const auto& [key, value] : row.items())
      html += "<td>" + (value.is_null() ? "–" : escaped(text_of(value))) + "</td>";
    html += "</tr>\n";
  }
  return html + "</table></details>\n";
}

// Returns the machine that measured it, and its single figures.
std::string source(const Printed& printed) {
  std::string html =
      "<p><a href=\"" + escaped(printed.name) + ".json\">" + escaped(printed.name) + ".json</a>";
  for (const auto& [key, value] : printed.figures.items()) {
    if (key == "results") continue;
    if (!value.is_object()) {
      html += " · " + escaped(key) + " " + escaped(text_of(value));
      continue;
    }
    if (key != "machine") html += " · " + escaped(key) + ":";
    for (const auto& [name, text] : value.items())
      html += (key == "machine" ? " · " : " ") + escaped(name) + " " + escaped(text_of(text));
  }
  return html + "</p>\n";
}

std::string section(const Kind& kind, const std::vector<Printed>& all) {
  Json rows = Json::array();
  std::string sources;
  for (const Printed& printed : all) {
    if (kind_of(printed.figures) != &kind) continue;
    for (const Json& row : printed.figures.at("results")) rows.push_back(row);
    sources += source(printed);
  }
  if (rows.empty()) return "";
  return "<section><h2>" + std::string(kind.title) + "</h2>\n" + kind.plots(rows) + table(rows) +
         sources + "</section>\n";
}

std::string page(const std::vector<Printed>& all) {
  std::string html =
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\"><title>Repath, measured</title>\n"
      "<style>" +
      style() +
      "</style></head><body>\n<h1>Repath, measured</h1>\n"
      "<p>Compare figures of one run only: times are those of one machine at one hour. Axes are "
      "logarithmic; a dot says its value when pointed at.</p>\n";
  for (const Kind& kind : kinds()) html += section(kind, all);
  return html + "</body></html>\n";
}

// Returns what a command writes to stdout while it runs.
std::string printed_by(const std::function<int()>& command, int* worst) {
  std::ostringstream text;
  std::streambuf* const before = std::cout.rdbuf(text.rdbuf());
  *worst = std::max(*worst, command());
  std::cout.rdbuf(before);
  return text.str();
}

std::vector<std::pair<std::string, std::string>> run_all(const ReportOptions& options, int* worst) {
  std::vector<std::pair<std::string, std::string>> texts;
  const auto run = [&](const std::string& name, const std::function<int()>& command) {
    std::cerr << "repath-bench: " << name << " ...\n";
    texts.emplace_back(name, printed_by(command, worst));
  };
  StaticOptions of_static;
  of_static.map = options.map, of_static.scen = options.scen, of_static.json = true;
  of_static.algorithms = {"jps", "astar", "dijkstra", "hpa", "fringe", "lpa", "dstar_lite"};
  DynamicOptions of_dynamic;
  of_dynamic.map = options.map, of_dynamic.scen = options.scen, of_dynamic.json = true;
  of_dynamic.strategies = {"auto", "fresh_jps", "filtered_jps", "dstar_lite"};
  FieldOptions of_field;
  of_field.map = options.map, of_field.json = true;
  of_field.agents = {1, 10, 100, 1000};
  of_field.strategies = {"field", "fresh", "filtered"};
  ScaleOptions of_scale;
  of_scale.max_side = options.max_side, of_scale.json = true;
  CompareOptions of_compare;
  of_compare.sides = options.sides, of_compare.json = true;
  if (!options.scen.empty()) {
    run("static", [&] { return run_static(of_static); });
    run("dynamic", [&] { return run_dynamic(of_dynamic); });
  }
  if (!options.map.empty()) run("field", [&] { return run_field(of_field); });
  run("scale", [&] { return run_scale(of_scale); });
  run("compare", [&] { return run_compare(of_compare); });
  return texts;
}

bool read_all(const std::vector<std::string>& files,
              std::vector<std::pair<std::string, std::string>>* texts) {
  for (const std::string& file : files) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    if (!in) {
      std::cerr << "repath-bench: " << file << ": cannot be read\n";
      return false;
    }
    texts->emplace_back(std::filesystem::path(file).stem().string(), text.str());
  }
  return true;
}

bool write(const std::filesystem::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  if (out.flush()) return true;
  std::cerr << "repath-bench: " << file.string() << ": cannot be written\n";
  return false;
}

// Writes the two summary plots, each as a file beside the page, if there are figures.
bool write_plots(const std::string& folder, const std::vector<Printed>& all) {
  Json changes = Json::array();
  Json sides = Json::array();
  for (const Printed& printed : all) {
    const Json& rows = printed.figures.at("results");
    const std::string kind = kind_of(printed.figures)->name;
    if (kind == "dynamic")
      for (const Json& row : rows_with(rows, "event", "all")) changes.push_back(row);
    if (kind == "scale")
      for (const Json& row : rows_of_scale(rows, false)) sides.push_back(row);
  }
  const auto save = [&](const char* name, const std::string& figure, const Names& series) {
    return figure.empty() ||
           write(std::filesystem::path(folder) / name, standalone(figure, series, style_of_svg()));
  };
  return save("dynamic.svg",
              dots(changes, "map", "strategy", "mean_us", {"mean time of a change", "us"}),
              names_in(changes, "strategy")) &&
         save("scale.svg",
              sides.empty() ? ""
                            : lines(sides, "side", "op", "p50_us", "side of the map, cells",
                                    {"median time", "us"}),
              names_in(sides, "op"));
}

}  // namespace

int run_report(const ReportOptions& options) {
  std::error_code failed;
  std::filesystem::create_directories(options.folder, failed);
  int worst = 0;
  std::vector<std::pair<std::string, std::string>> texts;
  if (!options.from.empty()) {
    if (!read_all(options.from, &texts)) return 2;
  } else {
    texts = run_all(options, &worst);
  }
  std::vector<Printed> all;
  for (auto& [name, text] : texts) {
    Printed printed{name, std::move(text), {}};
    printed.figures = Json::parse(printed.text, nullptr, false);
    if (!printed.figures.is_object() || kind_of(printed.figures) == nullptr) {
      std::cerr << "repath-bench: " << name << ": is not what a command with --json prints\n";
      return 2;
    }
    if (!write(std::filesystem::path(options.folder) / (name + ".json"), printed.text)) return 2;
    all.push_back(std::move(printed));
  }
  const std::filesystem::path index = std::filesystem::path(options.folder) / "index.html";
  if (!write(index, page(all)) || !write_plots(options.folder, all)) return 2;
  std::cout << index.string() << "\n";
  return worst;
}

}  // namespace repath::bench
