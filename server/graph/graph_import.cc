#include "graph/graph_import.h"

#include <algorithm>
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

absl::Status read_edge(const JsonObject& value, GraphEdge* edge) {
  if (auto s =
          value.only({"from", "to", "cost", "both", "area", "flags", "enabled", "key", "width"});
      !s.ok())
    return s;
  if (auto s = value.whole("from", kAnyId, std::nullopt, &edge->from); !s.ok()) return s;
  if (auto s = value.whole("to", kAnyId, std::nullopt, &edge->to); !s.ok()) return s;
  if (value.has("cost")) {
    double cost = 0;
    if (auto s = value.number("cost", 0, kGraphCostMax, std::nullopt, &cost); !s.ok()) return s;
    edge->cost = cost;
  }
  if (auto s = value.flag("both", true, &edge->both); !s.ok()) return s;
  std::uint64_t key = 0;
  if (auto s = value.whole("key", 255, 0, &key); !s.ok()) return s;
  edge->key = static_cast<std::uint8_t>(key);
  if (auto s = value.number("width", 0, kGraphWidthMax, 0, &edge->width); !s.ok()) return s;
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
    if (list == "nodes") nodes.take("nodes", place, value, kGraphNodesMax, read_graph_node);
    if (list == "edges") edges.take("edges", place, value, kGraphEdgesMax, read_edge);
  }
  ItemList<GraphNode> nodes;
  ItemList<GraphEdge> edges;
};

}  // namespace

absl::Status read_graph_node(const JsonObject& value, GraphNode* node) {
  double at[3];
  if (auto s = value.only({"id", "position", "area", "flags", "enabled"}); !s.ok()) return s;
  if (auto s = value.whole("id", kAnyId, std::nullopt, &node->id); !s.ok()) return s;
  if (auto s = value.numbers("position", 3, kLatticeExtent, at); !s.ok()) return s;
  node->x = at[0];
  node->y = at[1];
  node->z = at[2];
  return read_common(value, node);
}

absl::Status read_kind_of_ground(const JsonObject& value, GraphNode* node) {
  return read_common(value, node);
}

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

}  // namespace repath
