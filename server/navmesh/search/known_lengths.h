// What a search from one place to another leaves to later ones the other way: how far it is from
// the first place to the vertices that matter. As long as ground is only taken away they are lower
// bounds, all but perfect ones, of what is left of the way back; see AnyAngleSearch::begin.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "navmesh/search/landmarks.h"

namespace repath {

struct KnownLengths {
  struct Of {
    std::uint32_t vertex;
    float steps;  // a way this long leads there, or one that is longer by 2^-22 of itself
  };
  // Each vertex once, in no order. Any that lies on a way between the two places that is no longer
  // than `certain`, steps: then its length is the shortest. And more, of ways that are longer.
  std::vector<Of> of;
  // Instead of that, of a search from the place to all others: of every vertex; infinite where no
  // way leads. All ways are certain.
  std::vector<float> by_vertex;
  double certain = 0;       // as of where the second place was then
  std::uint32_t edits = 0;  // NavMesh::edits() then; vertices that came later are not known

  std::size_t bytes() const {
    return sizeof(*this) + of.capacity() * sizeof(Of) + by_vertex.capacity() * sizeof(float);
  }
};

// What a search has of them, and what it leaves.
struct LengthsUse {
  // Of ways to its goal; null: nothing. Borrowed until the search is done.
  const KnownLengths* known = nullptr;
  // Of that, from where the search starts: less by what leads from the second place to there.
  double certain = 0;
  // Steps, above 0: the search leaves lengths that are certain for ways longer by so much than the
  // shortest one. REQUIRES then: no `known`.
  double beyond = 0;
  // With `beyond`: into those without start and goal as well. What is left of one once obstacles
  // are carved out may be a way round.
  bool enters_dead_ends = true;
};

}  // namespace repath
