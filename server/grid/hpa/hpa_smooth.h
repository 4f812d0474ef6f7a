// Makes a path over cells shorter, piece by piece. It slides a window along the path and searches a
// cheapest path between the window's ends in a box around it. A cheaper path replaces the piece in
// the window. Each window begins in the middle of the one before, as shortened so far.
//
// Departure from Botea, Müller and Schaeffer, who shoot straight lines from each cell: a search
// also shortens paths around corners, on weighted ground too. It is left out where a piece costs no
// more than its lower bound, which is most of open ground. The path never becomes dearer. Not
// thread-safe. Borrows the graph's layer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/cost.h"
#include "base/ids.h"
#include "grid/cells/graph.h"
#include "grid/hpa/box_search.h"

namespace repath {

class HpaSmoother {
 public:
  // REQUIRES: a path of the graph with at least one cell.
  HpaSmoother(const GridGraph& graph, std::vector<NodeId> path)
      : graph_(graph), search_(graph), rough_(std::move(path)) {
    path_.push_back(rough_.front());
    costs_.push_back(0);
  }

  // Works on about `*expansions` cells, at most a window more, and subtracts the number used.
  // Returns true when it is done.
  [[nodiscard]] bool advance(std::uint32_t* expansions);

  // REQUIRES for both: advance() has returned true.
  const std::vector<NodeId>& path() const { return path_; }
  Cost cost() const { return costs_.back(); }
  std::uint64_t expanded() const { return search_.expanded(); }
  std::size_t bytes() const {
    return search_.bytes() + (rough_.capacity() + path_.capacity()) * sizeof(NodeId) +
           costs_.capacity() * sizeof(Cost);
  }

 private:
  // Steps of a window, and the number of cells that its box extends beyond its cells.
  static constexpr std::size_t kWindow = 40;
  static constexpr std::int32_t kMargin = 6;

  // Appends the cell to the path.
  void push(NodeId cell) {
    costs_.push_back(costs_.back() + graph_.cost_between(path_.back(), cell));
    path_.push_back(cell);
  }
  // Shortens the last window's length of the path so far.
  void improve_end();
  CellRect box_from(std::size_t first) const;

  GridGraph graph_;
  BoxSearch search_;
  std::vector<NodeId> rough_;
  std::size_t next_ = 1;      // next cell of rough_ to look at
  std::vector<NodeId> path_;  // the shortened path over the cells before next_
  std::vector<Cost> costs_;   // by cell of path_, from the start
  std::vector<NodeId> way_;
};

}  // namespace repath
