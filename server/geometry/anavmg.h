// The portals of ANavMG: a part of geometry/partition.h. Not thread-safe; keeps its memory.
//
// Source: R. Oliva, N. Pelechano, "Automatic generation of suboptimal navmeshes", MIG 2011. A notch
// is a corner whose inner angle exceeds pi + tau; its area of interest is where a portal leaves
// neither part of the angle above that. Where we depart: an edge's border points are those on the
// prolongations of the notch's edges, also if tau widens the area; a point on an edge is rounded to
// a lattice point that is not inside the region; and what cannot be joined to the notch exactly
// (the paper does not say that it always can) gives way to the shortest visible diagonal.
#pragma once

#include <cstdint>
#include <vector>

#include "geometry/subdivision.h"

namespace repath {

class PortalMaker {
 public:
  // Borrows both.
  PortalMaker(Subdivision* net, DiagonalFinder* finder) : net_(net), finder_(finder) {}

  // Draws portals, and drops those that later ones make needless, until there is no notch. False
  // if one cannot be resolved. O(notches x elements).
  [[nodiscard]] bool run(double tau);

 private:
  enum class Kind : std::uint8_t { kNone, kVertex, kEdge, kPortal };
  struct Element {
    Kind kind = Kind::kNone;
    double distance = 0;     // squared
    std::uint32_t half = 0;  // the corner, the edge, or the portal's side that faces the notch
    double x = 0;            // of the nearest point of an edge
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
  std::vector<std::uint32_t> work_;
};

}  // namespace repath
