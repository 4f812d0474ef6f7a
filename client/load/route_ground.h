// A mesh or a graph as its game server knows it: free places, obstacles, and shut edges. It ignores
// heights: on a mesh an obstacle is in the way on all floors. Thread rule: one thread.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "repath/v1/common.pb.h"
#include "repath/v1/world.pb.h"
#include "verify/dice.h"

namespace repath::load {

// World units, y up.
struct Place {
  double x = 0;
  double y = 0;
  double z = 0;
  bool operator==(const Place&) const = default;
};

double distance(const Place& a, const Place& b);  // on the plane
void fill(const Place& place, v1::Location* out);

using Edge = std::pair<std::uint64_t, std::uint64_t>;  // from node, to node

class RouteGround {
 public:
  // `places` are free without obstacles; there is at least one.
  RouteGround(bool is_graph, std::vector<Place> places);

  bool is_graph() const { return is_graph_; }
  // Returns the longer side of the bounds of all places.
  double extent() const { return extent_; }

  // A box or a cylinder comes or goes. O(1).
  void shut(const v1::Obstacle& obstacle);
  void reopen(std::uint64_t obstacle);
  void shut(Edge edge) { shut_edges_.insert(edge); }
  void reopen(Edge edge) { shut_edges_.erase(edge); }

  // Whether the place is inside of an obstacle or nearer to one than `margin`. O(obstacles near).
  bool is_shut(const Place& place, double margin = 0) const;
  bool is_shut(Edge edge) const { return shut_edges_.contains(edge); }

  // Returns a place that is open now, if a few tries find one.
  Place some_place(verify::Dice& dice) const;
  // Returns the nearest of some random places, other than `from`: the goal of a short query.
  Place place_near(const Place& from, verify::Dice& dice) const;
  const std::vector<Place>& places() const { return places_; }

 private:
  // A circle, or a box in its own axes.
  struct Solid {
    Place center;
    double half_x = 0;  // a circle has its radius here and half_z below 0
    double half_z = -1;
    double cos = 1;
    double sin = 0;
    bool holds(const Place& place, double margin) const;
  };
  using Square = std::pair<int, int>;
  static Square square_of(const Place& place);

  bool is_graph_;
  std::vector<Place> places_;
  double extent_ = 0;
  std::map<Square, std::vector<std::pair<std::uint64_t, Solid>>> solids_;  // by their centre
  std::map<std::uint64_t, Square> square_of_;
  std::set<Edge> shut_edges_;
};

}  // namespace repath::load
