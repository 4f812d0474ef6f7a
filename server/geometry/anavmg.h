// The portals of ANavMG: a part of geometry/partition.h. Not thread-safe; keeps its memory.
//
// Source: R. Oliva, N. Pelechano, "Automatic generation of suboptimal navmeshes", MIG 2011. A notch
// is a corner whose inner angle exceeds pi + tau. Its area of interest holds the points to which a
// portal leaves neither part of the angle above pi + tau. Departures from the paper:
// - The border points of an edge lie on the prolongations of the notch's edges, even if tau widens
//   the area of interest.
// - A point on an edge is rounded to a lattice point that is not inside the region.
// - An element that cannot be joined to the notch exactly is replaced by the shortest visible
//   diagonal. (The paper does not claim that joining always works.)
#pragma once

#include <cstdint>
#include <vector>

#include "geometry/subdivision.h"

namespace repath {

class PortalMaker {
 public:
  // Borrows both.
  PortalMaker(Subdivision* net, DiagonalFinder* finder) : net_(net), finder_(finder) {}

  // Draws portals until no notch is left, and drops portals that later ones make needless. Returns
  // false if a notch cannot be resolved. `goes_on`: other diagonals will follow. Then a point that
  // it makes on an edge leaves the ends of that edge convex if they were, and visibility may be
  // asked afterwards. O(notches x elements).
  [[nodiscard]] bool run(double tau, bool goes_on);

 private:
  enum class Kind : std::uint8_t { kNone, kVertex, kEdge, kPortal };
  struct Element {
    Kind kind = Kind::kNone;
    double distance = 0;     // squared
    std::uint32_t half = 0;  // the corner, the edge, or the side of the portal that faces the notch
    double x = 0;            // nearest point of an edge
    double z = 0;
  };

  bool exceeds(LatticePoint a, LatticePoint v, LatticePoint c) const;
  bool is_notch(std::uint32_t h) const {
    return exceeds(net_->before(h), net_->at(h), net_->after(h));
  }
  bool is_of_interest(std::uint32_t h, LatticePoint w) const;
  Element nearest(std::uint32_t h) const;
  void offer_line(std::uint32_t h, std::uint32_t line, Element* best) const;
  void offer_point(std::uint32_t h, std::uint32_t line, double part, Element* best) const;
  bool join(std::uint32_t h, const Element& element);
  bool join_edge(std::uint32_t h, const Element& element);
  bool join_portal(std::uint32_t h, std::uint32_t portal);
  bool bends_end(std::uint32_t edge, LatticePoint p) const;
  bool find_edge_point(std::uint32_t h, const Element& element, LatticePoint* found) const;
  void cut(std::uint32_t h, std::uint32_t g);
  bool drop_if_needless(std::uint32_t portal, bool forget);

  Subdivision* net_;
  DiagonalFinder* finder_;
  double sin_tau_ = 0;
  double cos_tau_ = 1;
  bool goes_on_ = false;
  std::vector<std::uint32_t> work_;
};

}  // namespace repath
