#include "graph/graph_import.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/json_input.h"

namespace repath {
namespace {

constexpr std::uint64_t kAnyId = ~std::uint64_t{0};

// Reads the members that nodes and edges have in common.
template <class Item>
absl::Status read_common(const JsonObject& value, Item* out) {
  std::uint64_t area = 0;
  std::uint64_t flags = 0;
  if (auto s = value.whole("area", kGraphAreas - 1, 0, &area); !s.ok()) return s;
  if (auto s = value.whole("flags", 0xffff, 1, &flags); !s.ok()) return s;
  out->area = static_cast<std::uint8_t>(area);
  out->flags = static_cast<std::uint16_t>(flags);
  return value.flag("enabled", true, &out->enabled);
}

absl::Status read_node(const JsonObject& value, GraphNode* node) {
  double at[3];
  if (auto s = value.only({"id", "position", "area", "flags", "enabled"}); !s.ok()) return s;
  if (auto s = value.whole("id", kAnyId, std::nullopt, &node->id); !s.ok()) return s;
  if (auto s = value.numbers("position", 3, kLatticeExtent, at); !s.ok()) return s;
  node->x = at[0];
  node->y = at[1];
  node->z = at[2];
  return read_common(value, node);
}

absl::Status read_edge(const JsonObject& value, GraphEdge* edge) {
  if (auto s = value.only({"from", "to", "cost", "both", "area", "flags", "enabled"}); !s.ok())
    return s;
  if (auto s = value.whole("from", kAnyId, std::nullopt, &edge->from); !s.ok()) return s;
  if (auto s = value.whole("to", kAnyId, std::nullopt, &edge->to); !s.ok()) return s;
  if (value.has("cost")) {
    double cost = 0;
    if (auto s = value.number("cost", 0, kGraphCostMax, std::nullopt, &cost); !s.ok()) return s;
    edge->cost = cost;
  }
  if (auto s = value.flag("both", true, &edge->both); !s.ok()) return s;
  return read_common(value, edge);
}

// Collects the items of one list of the document.
template <class Item>
struct ItemList {
  std::vector<Item> items;
  std::size_t count = 0;
  absl::Status status;  // of the first item at fault

  template <class Read>
  void take(const char* name, std::size_t place, const Json& value, std::size_t most, Read read) {
    count = place + 1;
    if (!status.ok() || place >= most) return;
    if (!value.is_object()) {
      status = json_field_error(item(name, place), "must be an object");
      return;
    }
    Item made;
    status = read(JsonObject(value, item(name, place)), &made);
    items.push_back(made);
  }
  absl::Status check(const char* name, std::size_t most) const {
    if (count > most)
      return json_field_error(
          name, "has " + std::to_string(count) + " items; the limit is " + std::to_string(most));
    return status;
  }
};

struct GraphLists final : JsonItems {
  void begin(std::string_view list) override {
    if (list == "nodes") nodes = {};
    if (list == "edges") edges = {};
  }
  void take(std::string_view list, std::size_t place, const Json& value) override {
    if (list == "nodes") nodes.take("nodes", place, value, kGraphNodesMax, read_node);
    if (list == "edges") edges.take("edges", place, value, kGraphEdgesMax, read_edge);
  }
  ItemList<GraphNode> nodes;
  ItemList<GraphEdge> edges;
};

// Reads one CSV file line by line.
class CsvReader {
 public:
  CsvReader(std::string_view text, const char* file) : rest_(text), file_(file) {}

  // Splits the next line that is not empty. Returns false at the end of the file.
  bool next() {
    while (!rest_.empty()) {
      ++line_;
      const std::size_t end = rest_.find('\n');
      std::string_view line = rest_.substr(0, end);
      rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
      if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
      if (trimmed(line).empty()) continue;
      split(line);
      return true;
    }
    return false;
  }
  bool is_heading(std::string_view first) const { return line_ == 1 && cells_[0] == first; }
  std::size_t cells() const { return cells_.size(); }
  bool has(std::size_t i) const { return i < cells_.size() && !cells_[i].empty(); }
  std::string_view cell(std::size_t i) const { return cells_[i]; }

  absl::Status error(const std::string& what) const {
    return invalid_field("CSV_SYNTAX", file_, "line " + std::to_string(line_) + ": " + what);
  }
  absl::Status count(std::size_t least, std::size_t most) const {
    if (cells_.size() >= least && cells_.size() <= most) return absl::OkStatus();
    return error("has " + std::to_string(cells_.size()) + " values instead of " +
                 std::to_string(least) + " to " + std::to_string(most));
  }
  template <class Number>
  absl::Status number(std::size_t i, const char* name, Number least, Number most,
                      Number* out) const {
    const std::string_view text = has(i) ? cells_[i] : std::string_view();
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), *out);
    if (fault == std::errc() && end == text.data() + text.size() && *out >= least && *out <= most)
      return absl::OkStatus();
    return error(std::string(name) + " must be a number from " + std::to_string(least) + " to " +
                 std::to_string(most));
  }

 private:
  static std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") + 1 - first);
  }
  void split(std::string_view line) {
    cells_.clear();
    for (;;) {
      const std::size_t comma = line.find(',');
      cells_.push_back(trimmed(line.substr(0, comma)));
      if (comma == std::string_view::npos) return;
      line.remove_prefix(comma + 1);
    }
  }

  std::string_view rest_;
  const char* file_;
  std::size_t line_ = 0;
  std::vector<std::string_view> cells_;
};

absl::Status read_csv_node(const CsvReader& csv, GraphNode* node) {
  if (auto s = csv.count(4, 5); !s.ok()) return s;
  if (auto s = csv.number<std::uint64_t>(0, "id", 0, kAnyId, &node->id); !s.ok()) return s;
  double* const at[] = {&node->x, &node->y, &node->z};
  const char* const names[] = {"x", "y", "z"};
  for (std::size_t i = 0; i < 3; ++i)
    if (auto s = csv.number(i + 1, names[i], -kLatticeExtent, kLatticeExtent, at[i]); !s.ok())
      return s;
  unsigned area = 0;
  if (csv.has(4))
    if (auto s = csv.number(4, "area", 0u, kGraphAreas - 1, &area); !s.ok()) return s;
  node->area = static_cast<std::uint8_t>(area);
  return absl::OkStatus();
}

absl::Status read_csv_edge(const CsvReader& csv, GraphEdge* edge) {
  if (auto s = csv.count(2, 4); !s.ok()) return s;
  if (auto s = csv.number<std::uint64_t>(0, "from", 0, kAnyId, &edge->from); !s.ok()) return s;
  if (auto s = csv.number<std::uint64_t>(1, "to", 0, kAnyId, &edge->to); !s.ok()) return s;
  if (csv.has(2)) {
    double cost = 0;
    if (auto s = csv.number(2, "cost", 0.0, kGraphCostMax, &cost); !s.ok()) return s;
    edge->cost = cost;
  }
  edge->both = true;
  if (!csv.has(3)) return absl::OkStatus();
  const std::string_view both = csv.cell(3);
  if (both != "0" && both != "1" && both != "false" && both != "true")
    return csv.error("both must be 0, 1, false or true");
  edge->both = both == "1" || both == "true";
  return absl::OkStatus();
}

template <class Item, class Read>
absl::Status read_csv(std::string_view text, const char* file, std::string_view heading,
                      std::size_t items_max, Read read, std::vector<Item>* out) {
  CsvReader csv(text, file);
  while (csv.next()) {
    if (csv.is_heading(heading)) continue;
    if (out->size() == items_max)
      return make_error(absl::StatusCode::kResourceExhausted, "GRAPH_TOO_LARGE", file,
                        "at most " + std::to_string(items_max) + " lines");
    Item made;
    if (auto s = read(csv, &made); !s.ok()) return s;
    out->push_back(made);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<GraphSource> import_graph_json(std::string_view text, WorkMeter* work) {
  WorkMeter own({}, text.size());
  GraphLists lists;
  const auto document =
      parse_json_items(text, kGraphBytesMax, work == nullptr ? &own : work, &lists);
  if (!document.ok()) return document.status();
  if (!document->is_object()) return json_field_error("", "a graph is an object");
  const JsonObject graph(*document, "");
  const Json* list = nullptr;
  if (auto s = graph.only({"nodes", "edges"}); !s.ok()) return s;
  if (auto s = graph.list("nodes", false, 0, &list); !s.ok()) return s;
  if (auto s = graph.list("edges", true, 0, &list); !s.ok()) return s;
  if (auto s = lists.nodes.check("nodes", kGraphNodesMax); !s.ok()) return s;
  if (auto s = lists.edges.check("edges", kGraphEdgesMax); !s.ok()) return s;
  return GraphSource{std::move(lists.nodes.items), std::move(lists.edges.items)};
}

absl::StatusOr<GraphSource> import_graph_csv(std::string_view nodes, std::string_view edges) {
  GraphSource source;
  if (auto s = read_csv(nodes, "nodes.csv", "id", kGraphNodesMax, read_csv_node, &source.nodes);
      !s.ok())
    return s;
  if (auto s = read_csv(edges, "edges.csv", "from", kGraphEdgesMax, read_csv_edge, &source.edges);
      !s.ok())
    return s;
  return source;
}

}  // namespace repath
