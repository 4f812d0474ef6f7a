// Facts that a search to one goal leaves to later searches from the same place, or from farther
// along the way, after ground was removed. Such searches expand little more than the way itself.
// The ground that made the hindsight defines its content (RouteGround::search_with).
//
// Hindsight stays true while ground is only removed, and while ground that closed after the search
// opens again. If other ground opens, its holder decides what still holds: see
// route_ground/hindsight_book.h.
#pragma once

#include <cstddef>
#include <memory>

#include "base/cost.h"

namespace repath {

class Hindsight {
 public:
  virtual ~Hindsight() = default;
  // Returns the greatest cost up to which it knows all ways to the goal.
  virtual Cost certain() const = 0;
  // Returns whether it knows all ways to the goal from everywhere, so that every agent with that
  // goal can use it. certain() is then kUnreachable.
  virtual bool is_of_all_places() const = 0;
  virtual std::size_t bytes() const = 0;
};

// The hindsight that an agent holds for its next search, and the hindsight it wants from that
// search.
struct HeldHindsight {
  std::shared_ptr<const Hindsight> of;  // null: nothing
  Cost certain = 0;                     // certain cost of `of`, from where the search begins
  // Requests hindsight from a search that cannot use `of`; this takes a little longer.
  bool wants_more = false;
  // Requests hindsight of all places instead, which takes RouteGround::survey_units() more.
  bool wants_all = false;
};

}  // namespace repath
