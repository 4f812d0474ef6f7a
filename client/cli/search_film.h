// A search to be looked at step by step: what ExplainPath returned, put together node by node.
//
// A step is one expansion. After `n` steps a node is closed if it was expanded by then. It is open
// if it is not closed and the search began there or came from a node that was expanded by then. The
// parent is that of the end of the search, so a node that was reached again shows up a little
// later than it was queued.
//
// Thread rule: plain values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "repath/v1/debug.pb.h"

namespace repath::cli {

struct FilmNode {
  double x = 0;                       // grids: cell; meshes and graphs: position, world units
  double y = 0;                       // grids: cell; else z of the position
  double height = 0;                  // meshes and graphs: y of the position
  std::optional<std::uint64_t> id;    // graphs
  std::optional<std::size_t> parent;  // index of a node
  double g = 0;
  double h = 0;
  double f = 0;
};

enum class FilmState : std::uint8_t { kUnseen, kOpen, kClosed };

class SearchFilm {
 public:
  explicit SearchFilm(const v1::ExplainPathResponse& answer);

  const std::vector<FilmNode>& nodes() const { return nodes_; }
  // Indices of nodes, in the order of their expansion.
  const std::vector<std::size_t>& expansions() const { return expansions_; }
  std::size_t steps() const { return expansions_.size(); }
  bool is_grid() const { return is_grid_; }

  // Returns the state of each node after so many steps, at most steps(). O(nodes + steps).
  std::vector<FilmState> states_after(std::size_t step) const;
  // "cell 3,4" or "1.50,0.00,2.50 node 7".
  std::string name_of(std::size_t node) const;

 private:
  std::vector<FilmNode> nodes_;
  std::vector<std::size_t> expansions_;
  bool is_grid_;
};

}  // namespace repath::cli
