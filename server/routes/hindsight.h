// What a search to one goal leaves to later ones from the same place, or from farther along the
// way, when ground has gone meanwhile: they expand little but the way itself. What it is made of is
// for the ground to say that made it (RouteGround::search_with).
//
// It stays true while ground is only taken away, and while what had been shut since it was found
// opens again. What opens besides is for whoever holds it to weigh: see
// route_ground/hindsight_book.h.
#pragma once

#include <cstddef>
#include <memory>

#include "base/cost.h"

namespace repath {

class Hindsight {
 public:
  virtual ~Hindsight() = default;
  // It tells of all ways to the goal that cost no more than this.
  virtual Cost certain() const = 0;
  // It tells of all ways there are: of use to everybody with that goal. certain() is kUnreachable.
  virtual bool is_of_all_places() const = 0;
  virtual std::size_t bytes() const = 0;
};

// What its holder has for the next search, and wants of it.
struct HeldHindsight {
  std::shared_ptr<const Hindsight> of;  // null: nothing
  Cost certain = 0;                     // of that, from where the search begins
  // A search that cannot use that leaves some, which takes a little longer,
  bool wants_more = false;
  // or tells of all places, which takes RouteGround::survey_units() more.
  bool wants_all = false;
};

}  // namespace repath
