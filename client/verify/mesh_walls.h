// The walls of a mesh, grown for agents that are wider than the mesh was made for. Which edges are
// walls, where each of them counts, and how large it must be are worked out here. The corners of a
// grown wall come from the server, as those of obstacles do: it rounds them to millimetres.
//
// A wall counts in its own cell, and in cells that hang together with it inside the grown wall.
// Thread rule: one thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "repath/v1/changes.pb.h"
#include "verify/mesh_geometry.h"
#include "verify/route_model.h"

namespace repath::verify {

// Asks the server for the rings of an obstacle, grown by the radius.
using Grow =
    std::function<bool(const v1::Obstacle&, double radius, std::vector<Ring>*, std::string*)>;

class MeshWalls {
 public:
  // A corner of a grown wall where a path may turn.
  struct Turn {
    Spot at;
    int cell = -1;
    Spot before;  // its neighbours along the ring
    Spot after;
    bool is_tight = false;  // something else is so near that the server may close the gap
  };

  // Grows the walls of the cells by `by` world units. Returns false, with the reason in `failure`,
  // if the server refuses a ring or gives one of another size. `tight`: the width of a gap that may
  // be closed. O(walls times cells within `by`).
  bool find(const std::vector<MeshCell>& cells, double by, double tight, const Grow& grow,
            std::string* failure);

  // Returns whether a grown wall covers the place at least `depth` deep; below 0: whether one is
  // that near.
  bool covers(int cell, const Spot& at, double depth) const;
  // Calls visit(ring) for each grown wall that counts in the cell.
  template <class Visit>
  void for_rings(int cell, Visit&& visit) const {
    for (const int ring : of_cell_[static_cast<std::size_t>(cell)])
      visit(rings_[static_cast<std::size_t>(ring)]);
  }
  const std::vector<Turn>& turns() const { return turns_; }

 private:
  void spread(const std::vector<MeshCell>& cells, int first, int ring);
  void find_turns(const std::vector<MeshCell>& cells, double tight);
  bool is_free(const std::vector<MeshCell>& cells, int from, const Spot& corner,
               const Spot& at) const;

  std::vector<Ring> rings_;
  std::vector<std::vector<int>> of_cell_;
  std::vector<Turn> turns_;
};

}  // namespace repath::verify
