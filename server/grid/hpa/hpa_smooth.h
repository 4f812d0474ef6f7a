// Makes a path over cells shorter, piece by piece: slides a window along it and puts a cheapest way
// between the window's ends, found in a box around it, in the place of what is there if that is
// cheaper. Each window begins in the middle of the one before, as far as that was shortened.
//
// We depart from Botea, Müller and Schaeffer, who shoot straight lines from each cell: a search
// also shortens ways around corners, on weighted ground too, and where a piece already costs no
// more than its bound, which is most of open ground, there is none. The path never becomes dearer.
// Not thread-safe. Borrows the graph's layer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/cost.h"
#include "base/ids.h"
#include "grid/cells/graph.h"
#include "grid/hpa/box_search.h"

namespace repath {

class HpaSmoother {
 public:
  // REQUIRES: a path of the graph, of one cell at least.
  HpaSmoother(const GridGraph& graph, std::vector<NodeId> path);

  // Goes on for about `*expansions` cells, a window beyond at most, and takes off what it used.
  // True: it is done.
  [[nodiscard]] bool advance(std::uint32_t* expansions);

  // REQUIRES for both: it is done.
  const std::vector<NodeId>& path() const { return path_; }
  Cost cost() const { return costs_.back(); }
  std::uint64_t expanded() const { return search_.expanded(); }
  std::size_t bytes() const {
    return search_.bytes() + (rough_.capacity() + path_.capacity()) * sizeof(NodeId) +
           costs_.capacity() * sizeof(Cost);
  }

 private:
  // Steps of a window, and how many cells the box reaches beyond its cells.
  static constexpr std::size_t kWindow = 40;
  static constexpr std::int32_t kMargin = 6;

  // Puts the cell at the end.
  void push(NodeId cell);
  // Shortens the end of the path so far, of a window's length.
  void improve_end();
  CellRect box_from(std::size_t first) const;

  GridGraph graph_;
  BoxSearch search_;
  std::vector<NodeId> rough_;
  std::size_t next_ = 1;      // of rough_, to be looked at
  std::vector<NodeId> path_;  // what became of the cells before
  std::vector<Cost> costs_;   // by cell of path_, from the start
  std::vector<NodeId> way_;
};

}  // namespace repath
