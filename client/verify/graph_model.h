// A waypoint graph as the checker sees it: the file it was imported from, and its own edits.
// Cheapest paths by Dijkstra's search; each revision is a graph of its own. Thread rule: one
// thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "verify/route_model.h"

namespace repath::verify {

class GraphModel final : public RouteModel {
 public:
  // Reads the text of a graph file (JSON). Throws nlohmann::json::exception for other text.
  explicit GraphModel(std::string_view file);

  bool is_continuous() const override { return false; }
  int views() const override { return 1; }
  std::string profile(int) const override { return "default"; }
  v1::ChangeBatch next_change(const std::vector<Spot>& spots, Dice& dice) override;
  bool take(const v1::ChangeBatch& batch, std::uint64_t revision, std::string* failure) override;
  Spot some_place(int view, Dice& dice) override;
  bool stands(int view, std::uint64_t revision, const Spot& at) override;
  Spot settled_at(int view, std::uint64_t revision, const Spot& at) override;
  Walked walk(int view, std::uint64_t revision, const Walk& walk) override;
  Verdict cheapest(int view, std::uint64_t revision, const Spot& from, const Spot& to,
                   double bound) override;
  void forget_before(std::uint64_t revision) override;

 private:
  using Id = std::uint64_t;
  struct Node {
    Spot at;
    bool enabled = true;
  };
  struct Edge {
    double cost = 0;
    bool enabled = true;
  };
  struct Graph {
    std::map<Id, Node> nodes;
    std::map<std::pair<Id, Id>, Edge> edges;

    bool is_open(Id from, Id to, const Edge& edge) const;
    // Returns the nearest enabled node, the least id of equals; 0 if there is none.
    Id nearest(const Spot& at) const;
  };

  const Graph& at(std::uint64_t revision) const;
  void set_edge(Graph& graph, const v1::GraphEdge& edge);
  void edit(Graph& graph, const v1::GraphEdit& edit);
  std::pair<Id, Id> edge_near(const std::vector<Spot>& spots, Dice& dice) const;
  static Spot some_place_of(const Graph& graph, Dice& dice);
  v1::GraphEdit next_edit(const std::vector<Spot>& spots, Dice& dice) const;

  std::map<std::uint64_t, Graph> graphs_;  // by revision
};

}  // namespace repath::verify
