// Lengths that a search from one place to another leaves to later searches the other way: those of
// the shortest ways from the first place to the vertices that matter. As long as ground is only
// taken away they are lower bounds, all but exact, of the rest of a way back to that place; see
// navmesh/search/base_bounds.h.
//
// A search that leaves lengths notes every vertex that a root sees. It goes on until it has seen
// all ways that are longer than the shortest one by less than it was asked for. It goes through the
// goal's cell and into dead ends too, because those may be ways round a later obstacle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "navmesh/search/landmarks.h"

namespace repath {

struct KnownLengths {
  struct Of {
    std::uint32_t vertex;
    float steps;  // see rounded()
  };
  // Returns the length as it is kept: never longer, and shorter by at most 2^-22 of itself.
  static float rounded(double steps) { return static_cast<float>(steps * (1 - 0x1p-23)); }

  // Each vertex once, in no order. Every vertex is among them that lies on a way between the two
  // places which is no longer than `certain`, and its length is then that of the shortest way. Some
  // are among them that lie on longer ways.
  std::vector<Of> of;
  // In place of `of`, from a search to everywhere: the length of every vertex, infinite where no
  // way leads. All ways are certain.
  std::vector<float> by_vertex;
  double certain = 0;       // lattice steps, as of where the second place was then
  std::uint32_t edits = 0;  // NavMesh::edits() then; vertices that came later are not known

  std::size_t bytes() const {
    return sizeof(*this) + of.capacity() * sizeof(Of) + by_vertex.capacity() * sizeof(float);
  }
};

// Lengths that a search knows, and whether it shall leave some.
struct LengthsUse {
  // Lengths of ways to the search's goal; null: none. Borrowed until the search is done.
  const KnownLengths* known = nullptr;
  // The longest way from the search's start that is certain by them: `known->certain`, less the way
  // from the second place to the start.
  double certain = 0;
  // Above 0: the search leaves lengths that are certain for ways longer than the shortest by up to
  // so many lattice steps. REQUIRES then: no `known`.
  double beyond = 0;
};

}  // namespace repath
