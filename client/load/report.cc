#include "load/report.h"

#include <fstream>
#include <functional>
#include <optional>
#include <vector>

#include "load/objective.h"
#include "load/page_style.h"
#include "load/plots.h"

namespace repath::load {
namespace {

using cli::Json;

std::string figure_of(const Json& record, const std::string& key, const std::string& unit) {
  const auto value = number_at(record, key);
  return value ? figures(*value) + unit : "\u2013";
}

std::string count_of(const Json& record, const char* key) { return figure_of(record, key, ""); }

std::string card(const std::string& what, const std::string& figure, const std::string& more) {
  return "<div class=\"card\"><span>" + escaped(what) + "</span><b>" + escaped(figure) +
         "</b><em>" + escaped(more) + "</em></div>\n";
}

bool has_values(const Json& record, const std::string& spread) {
  return number_at(record, spread + ".p50").has_value();
}

std::string latency_card(const Json& record, const char* what, const std::string& key) {
  if (!has_values(record, key)) return "";
  return card(what, figure_of(record, key + ".p99", " ms"),
              "p50 " + figure_of(record, key + ".p50", "") + ", max " +
                  figure_of(record, key + ".max", " ms"));
}

std::string cards(const Json& record) {
  std::string html = "<div class=\"cards\">\n";
  html += latency_card(record, "New path after a change, p99", "replanned_ms");
  html += latency_card(record, "Broken path told, p99", "invalidated_ms");
  html += latency_card(record, "A change settled for all, p99", "staleness_ms");
  html += latency_card(record, "Settled for slow readers and worlds, p99", "slow_staleness_ms");
  html += latency_card(record, "Short queries, p99", "short_query_ms");
  html += latency_card(record, "Long queries, p99", "long_query_ms");
  if (number_at(record, "calm_after_s"))
    html += card("All settled after the storm", figure_of(record, "calm_after_s", " s"),
                 "from its last change");
  const double frames = number_at(record, "frames").value_or(0);
  if (frames > 0 && number_at(record, "agents").value_or(0) > 0) {
    const double over = number_at(record, "frames_over_budget").value_or(0);
    html += card("Frames over budget", figures(100 * over / frames) + " %",
                 figures(over) + " of " + figures(frames) + ", budget " +
                     figure_of(record, "frame_budget_ms", " ms"));
  }
  html += card("Server CPU", figure_of(record, "server_cpu_cores", " cores"),
               "of " + count_of(record, "cores") + "; generator " +
                   figure_of(record, "generator_cpu_cores", "") + ", rest " +
                   figure_of(record, "foreign_cpu_cores", ""));
  html += card("Server memory", figure_of(record, "server_rss_mb", " MB"), "resident, at most");
  html += card("Errors", count_of(record, "errors"), "calls refused, streams broken");
  if (number_at(record, "verified").value_or(0) > 0)
    html += card("Verdicts checked", count_of(record, "verified"),
                 count_of(record, "wrong") + " wrong, by a model of its own");
  return html + "</div>\n";
}

std::string lead(const Json& record) {
  const auto text = [&](const char* key) { return record.value(key, std::string()); };
  std::string html = "<p>" + escaped(text("what")) + ".</p>\n<p class=\"lead\">";
  const bool has_agents = number_at(record, "agents").value_or(0) > 0;
  if (has_agents) html += count_of(record, "agents") + " agents in ";
  html +=
      (number_at(record, "worlds") == 1.0 ? "one world"
                                          : "each of " + count_of(record, "worlds") + " worlds");
  if (number_at(record, "width").value_or(0) > 0)
    html += " of " + std::to_string(record["width"].get<int>()) + " \u00d7 " +
            std::to_string(record["height"].get<int>()) + " cells";
  html += " (" + escaped(text("kind")) + ", " + escaped(text("map")) + ")";
  if (has_agents) html += ", " + count_of(record, "events") + " changes";
  if (record.contains("queries")) html += ", " + count_of(record, "queries") + " queries";
  return html + " in " + figure_of(record, "duration_s", " s") +
         ". Latencies count from when each was meant to be sent.</p>\n";
}

std::string objectives(const Json& record) {
  const Json rows = record.value("objectives", Json::array());
  if (rows.empty()) return "<p class=\"verdict none\">No objectives were set</p>\n";
  const bool met = record.value("objectives_met", false);
  std::string html = std::string("<p class=\"verdict ") +
                     (met ? "good\">All objectives met" : "bad\">Objectives missed") +
                     "</p>\n<table><tr><th>Objective</th><th>Measured</th><th></th></tr>\n";
  for (const Json& row : rows) {
    const bool is_row_met = row.value("met", false);
    html += "<tr><td>" + escaped(row.value("objective", std::string())) + "</td><td>" +
            figure_of(row, "value", "") + "</td><td class=\"" +
            (is_row_met ? "met\">met" : "missed\">missed") + "</td></tr>\n";
  }
  return html + "</table>\n";
}

std::string warnings(const Json& record) {
  std::string html;
  for (const Json& warning : record.value("warnings", Json::array()))
    html += "<p class=\"warning\">" + escaped(warning.get<std::string>()) + "</p>\n";
  return html;
}

std::vector<std::optional<double>> column(const Json& record, const std::string& name) {
  std::vector<std::optional<double>> values;
  for (const Json& value : record["series"].value(name, Json::array()))
    values.push_back(value.is_number() ? std::optional(value.get<double>()) : std::nullopt);
  return values;
}

std::string figure(const std::string& title, const std::string& words, const std::string& plot) {
  if (plot.empty()) return "";
  return "<h2>" + escaped(title) + "</h2>\n<p>" + escaped(words) + "</p>\n<figure>" + plot +
         "</figure>\n";
}

using Names = std::vector<std::pair<std::string, std::string>>;
using Draw = decltype(&time_plot);

// Plots series by their names in the record, without those that have no value.
std::string over_time(const Json& record, const std::string& unit, const Names& names,
                      const std::optional<Bound>& bound = std::nullopt, Draw draw = &time_plot) {
  std::vector<double> at;
  for (const auto& value : column(record, "at_s")) at.push_back(value.value_or(0));
  std::vector<Series> series;
  for (const auto& [key, name] : names) {
    Series one{name, column(record, key)};
    bool is_empty = true;
    for (const auto& value : one.values) is_empty = is_empty && !value;
    if (!is_empty) series.push_back(std::move(one));
  }
  return series.empty() ? "" : draw(unit, at, series, bound);
}

const Names& latencies() {
  static const Names names{{"replanned_p50_ms", "new path, p50"},
                           {"replanned_p99_ms", "new path, p99"},
                           {"invalidated_p99_ms", "broken path told, p99"},
                           {"staleness_p99_ms", "settled, p99"},
                           {"query_p50_ms", "query, p50"},
                           {"query_p99_ms", "query, p99"}};
  return names;
}

std::string histogram(const Json& record, const std::string& key) {
  std::vector<Bar> bars;
  const Json rows = record["histograms"].value(key, Json::array());
  for (const Json& row : rows)
    bars.push_back({row[0].get<double>(), row[1].get<double>(), row[2].get<double>()});
  if (bars.empty()) return "";
  return bar_plot("ms", bars,
                  {{"p50", number_at(record, key + ".p50").value_or(0)},
                   {"p99", number_at(record, key + ".p99").value_or(0)}});
}

std::string plots(const Json& record) {
  std::string html =
      figure("Latency over time",
             "For each second, of the changes that were heard of in it. Shaded: warming up.",
             over_time(record, "ms", latencies()));
  html += figure("How long a new path takes",
                 "From a change to each agent's new or better path. The axis is logarithmic.",
                 histogram(record, "replanned_ms"));
  html += figure("How long a query takes",
                 "From when it was meant to be sent. The axis is logarithmic.",
                 histogram(record, "query_ms"));
  const std::string cpu = figure("CPU", "Cores in use.",
                                 over_time(record, "cores",
                                           {{"server_cpu_cores", "server"},
                                            {"generator_cpu_cores", "generator"},
                                            {"foreign_cpu_cores", "others"}}));
  if (number_at(record, "agents").value_or(0) == 0) return html + cpu;
  html += figure("Frame time against budget",
                 "Planning time per frame over the last 1024 frames, in the slowest world.",
                 over_time(record, "ms", {{"frame_p50_ms", "p50"}, {"frame_p99_ms", "p99"}},
                           Bound{"budget", number_at(record, "frame_budget_ms").value_or(0)}));
  html += figure("Queue length", "The most agents that waited for a verdict in each second.",
                 over_time(record, "agents", {{"waiting", "waiting"}}));
  html += figure("Age of what is settled",
                 "At the end of each second: how long ago the oldest change was meant to be sent "
                 "that is not yet settled for all agents of a session.",
                 over_time(record, "ms", {{"oldest_unsettled_ms", "oldest change not settled"}}));
  return html + cpu;
}

// Returns all figures and options.
std::string table(const Json& record) {
  std::string rows;
  std::string spreads;
  for (const auto& [key, value] : record.items()) {
    if (key == "series" || key == "histograms" || value.is_array()) continue;
    if (!value.is_object()) {
      const std::string shown = value.is_string() ? value.get<std::string>() : value.dump();
      rows += "<tr><td>" + escaped(key) + "</td><td>" + escaped(shown) + "</td></tr>\n";
      continue;
    }
    if (!value.contains("p999")) {
      for (const auto& [name, part] : value.items())
        rows += "<tr><td>" + escaped(key + "." + name) + "</td><td>" + escaped(part.dump()) +
                "</td></tr>\n";
      continue;
    }
    spreads += "<tr><td>" + escaped(key) + "</td>";
    for (const char* share : {"p50", "p90", "p99", "p999", "max", "count"})
      spreads += "<td>" + figure_of(value, share, "") + "</td>";
    spreads += "</tr>\n";
  }
  return "<h2>All latencies</h2>\n<table><tr><th></th><th>p50</th><th>p90</th><th>p99</th>"
         "<th>p99.9</th><th>max</th><th>count</th></tr>\n" +
         spreads + "</table>\n<h2>What was run, and all figures</h2>\n<table>" + rows +
         "</table>\n";
}

}  // namespace

std::string html_of(const Json& record) {
  const std::string title = "Repath under load: " + record.value("scenario", std::string());
  return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width\">\n<title>" +
         escaped(title) + "</title>\n<style>" + kPageStyle + "</style></head><body>\n<h1>" +
         escaped(title) + "</h1>\n" + lead(record) + objectives(record) + warnings(record) +
         cards(record) + plots(record) + table(record) + "</body></html>\n";
}

std::string plot_of(const Json& record) {
  return over_time(record, "ms", latencies(), std::nullopt, &time_plot_file);
}

std::string csv_of(const Json& record) {
  std::string names;
  std::vector<Json> columns;
  std::size_t rows = 0;
  for (const auto& [name, values] : record["series"].items()) {
    names += (names.empty() ? "" : ",") + name;
    columns.push_back(values);
    rows = values.size();
  }
  std::string csv = names + "\n";
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const Json& value = columns[i][row];
      csv += (i == 0 ? "" : ",") + (value.is_null() ? std::string() : value.dump());
    }
    csv += "\n";
  }
  return csv;
}

std::string text_of(const Json& record) {
  std::string text = record.value("scenario", std::string()) + ": " + count_of(record, "events") +
                     " changes, " + count_of(record, "verdicts") + " verdicts, " +
                     count_of(record, "positions") + " positions in " +
                     figure_of(record, "duration_s", " s") + "; errors " +
                     count_of(record, "errors") + "\n";
  for (const auto& [key, value] : record.items()) {
    if (!value.is_object() || !number_at(value, "p999")) continue;
    text += "  " + key + std::string(key.size() < 20 ? 20 - key.size() : 1, ' ');
    for (const char* share : {"p50", "p90", "p99", "p999", "max"})
      text += std::string(" ") + share + " " + figure_of(value, share, "");
    text += "\n";
  }
  text += "  server " + figure_of(record, "server_cpu_cores", " cores") + ", " +
          figure_of(record, "server_rss_mb", " MB") + "; frames over budget " +
          count_of(record, "frames_over_budget") + " of " + count_of(record, "frames") +
          "; generator " + figure_of(record, "generator_cpu_cores", " cores") + ", others " +
          figure_of(record, "foreign_cpu_cores", "") + "\n";
  if (number_at(record, "verified").value_or(0) > 0)
    text += "  checked " + count_of(record, "verified") + " verdicts, wrong " +
            count_of(record, "wrong") + "\n";
  for (const Json& row : record.value("objectives", Json::array()))
    text += "  objective " + row.value("objective", std::string()) + ": " +
            figure_of(row, "value", "") + (row.value("met", false) ? ", met\n" : ", MISSED\n");
  for (const Json& warning : record.value("warnings", Json::array()))
    text += "  note: " + warning.get<std::string>() + "\n";
  return text;
}

bool write_file(const std::string& path, const std::string& contents) {
  std::ofstream file(path, std::ios::binary);
  file << contents;
  return static_cast<bool>(file.flush());
}

}  // namespace repath::load
