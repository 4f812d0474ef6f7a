// A waypoint graph as the checker sees it: the file it was imported from, and its own edits.
// Cheapest paths by Dijkstra's search; each revision is a graph of its own. Thread rule: one
// thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "verify/route_model.h"

namespace repath::verify {

// A profile of the checked world.
struct GraphWalker {
  std::string name = "default";
  double radius = 0;
  std::uint32_t exclude = 0;                     // flags of edges it may not use
  std::map<std::uint32_t, double> factors = {};  // by area
};

// What random edits make besides changes of costs and switches.
struct GraphEdits {
  bool kinds = false;   // parallel edges of several areas and flags
  bool widths = false;  // edges of several widths
  bool cuts = false;    // nodes that no edge leads to for a while, and more nodes that shut
};

// Returns the profiles that tell such edges apart, "default" first.
std::vector<GraphWalker> walkers_for(const GraphEdits& edits);

class GraphModel final : public RouteModel {
 public:
  // Reads the text of a graph file (JSON). Throws nlohmann::json::exception for other text. Each
  // view is that of one of walkers_for(edits).
  explicit GraphModel(std::string_view file, const GraphEdits& edits = {});

  // Whether there is a place for agents.
  bool has_nodes() const { return !graphs_.rbegin()->second.nodes.empty(); }

  bool is_continuous() const override { return false; }
  int views() const override { return static_cast<int>(walkers_.size()); }
  std::string profile(int view) const override { return walker(view).name; }
  v1::ChangeBatch next_change(const std::vector<Spot>& spots, Dice& dice) override;
  bool take(const v1::ChangeBatch& batch, std::uint64_t revision, std::string* failure) override;
  Spot some_place(int view, Dice& dice) override;
  Spot place_beside(int view, const Spot& at) override;
  bool stands(int view, std::uint64_t revision, const Spot& at) override;
  Spot settled_at(int view, std::uint64_t revision, const Spot& at) override;
  Walked walk(int view, std::uint64_t revision, const Walk& walk) override;
  Verdict cheapest(int view, std::uint64_t revision, const Spot& from, const Spot& to,
                   double bound) override;
  Nearness nearness(int view, std::uint64_t revision, const Spot& from, const Spot& end,
                    const std::vector<Spot>& goals) override;
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
    std::uint32_t area = 0;
    std::uint32_t flags = 1;
    double width = 0;
  };
  using Name = std::tuple<Id, Id, std::uint32_t>;  // from, to, key
  struct Graph {
    std::map<Id, Node> nodes;
    std::map<Name, Edge> edges;

    // Returns the cost of the edge for the walker; kNoWay if it may not use the edge.
    double cost_for(const GraphWalker& walker, const Name& name, const Edge& edge) const;
    // Returns the nearest enabled node, the least id of equals; 0 if there is none.
    Id nearest(const Spot& at) const;
  };

  const Graph& at(std::uint64_t revision) const;
  const GraphWalker& walker(int view) const { return walkers_[static_cast<std::size_t>(view)]; }
  void set_edge(Graph& graph, const v1::GraphEdge& edge);
  void edit(Graph& graph, const v1::GraphEdit& edit);
  Name edge_near(const std::vector<Spot>& spots, Dice& dice) const;
  v1::GraphEdit laid_edge(const Name& beside, Dice& dice) const;
  static Spot some_place_of(const Graph& graph, Dice& dice);
  static v1::GraphEdit first_edge(const Graph& now, Dice& dice);
  void cut_off_node(const std::vector<Spot>& spots, Dice& dice, v1::ChangeBatch* batch) const;
  v1::GraphEdit next_edit(const std::vector<Spot>& spots, Dice& dice) const;

  GraphEdits edits_;
  std::vector<GraphWalker> walkers_;
  std::map<std::uint64_t, Graph> graphs_;  // by revision
};

}  // namespace repath::verify
