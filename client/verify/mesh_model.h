// A mesh as the checker sees it: convex cells from the server (DebugService.GetGround before any
// obstacle), and obstacles as convex rings (DebugService.GrowObstacle), each in force from one
// revision to another. Walls bar ground to agents that are wider than the mesh was made for
// (verify/mesh_walls.h). The checker computes by itself where agents may pass.
//
// Lines are walked cell by cell through shared edges, so floors above each other do not mix. A
// stretch of the line inside of a ring blocks it. Cheapest paths come from A* over corners that see
// each other. Lengths are compared with a slack of kSlack. Thread rule: one thread.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "verify/mesh_geometry.h"
#include "verify/mesh_walls.h"
#include "verify/route_model.h"

namespace repath::verify {

// A link as the server has it; its cost is the horizontal length times the factor.
struct MeshLink {
  std::uint64_t id = 0;
  Spot from;
  Spot to;
  double factor = 1;
  bool both_ways = true;
};

// One kind of agent.
struct MeshView {
  std::string profile = "default";
  double radius = 0;
  std::uint32_t team = 0;
  double turning_radius = 0;
  std::uint32_t exclude_flags = 0;  // it does not use ground that has one of these
};

class MeshModel final : public RouteModel {
 public:
  MeshModel(std::vector<MeshCell> cells, std::vector<MeshView> views, Grow grow);
  // Grows the walls for the views that are wider than the mesh was made for. Returns false, with
  // the reason in `failure`, as MeshWalls::find does.
  bool grow_walls(double base_radius, std::string* failure);

  // Lets changes also add obstacles that make ground dearer.
  void use_soft_obstacles() { has_soft_ = true; }
  // With links a path is checked, but it is unknown whether a cheaper one exists.
  void add_link(const MeshLink& link) { links_.push_back(link); }

  bool is_continuous() const override { return true; }
  int views() const override { return static_cast<int>(views_.size()); }
  std::string profile(int view) const override { return view_of(view).profile; }
  double turning_radius(int view) const override { return view_of(view).turning_radius; }
  std::uint32_t team(int view) const override { return view_of(view).team; }
  v1::ChangeBatch next_change(const std::vector<Spot>& spots, Dice& dice) override;
  bool take(const v1::ChangeBatch& batch, std::uint64_t revision, std::string* failure) override;
  Spot some_place(int view, Dice& dice) override;
  bool stands(int view, std::uint64_t revision, const Spot& at) override;
  // Returns the place on the nearest ground above or below it.
  Spot settled_at(int view, std::uint64_t revision, const Spot& at) override;
  Walked walk(int view, std::uint64_t revision, const Walk& walk) override;
  bool squeezes(int view, std::uint64_t revision, const Walk& walk) override;
  Verdict cheapest(int view, std::uint64_t revision, const Spot& from, const Spot& to,
                   double bound) override;
  void forget_before(std::uint64_t revision) override;

 private:
  // A gap narrower than this may be open or closed for the server, because carving pulls the edge
  // of an obstacle to a corner of the ground that is this near.
  static constexpr double kTight = 1e-3;

  // An obstacle in force.
  struct Solid {
    std::uint64_t id = 0;
    double factor = 0;  // cost factor; 0: it blocks
    std::uint64_t since = 0;
    std::uint64_t until = ~std::uint64_t{0};  // first revision at which it is not in force
    double bottom = 0;
    double top = 0;
    std::vector<std::vector<Ring>> rings;  // by view
    Spot low;                              // bounds of the widest view's rings
    Spot high;
    bool holds(std::uint64_t revision) const { return since <= revision && revision < until; }
    bool blocks() const { return factor == 0; }
  };
  struct Known {
    v1::Obstacle message;
    bool enabled = true;
    std::vector<std::vector<Ring>> rings;
  };
  // A place where a path may turn: a corner of the ground (no ring) or of a ring.
  struct Corner {
    Spot at;
    int cell = -1;
    int solid = -1;
    bool is_of_ring = false;
    Spot before;  // its neighbours along the ring
    Spot after;
  };
  struct Frontier;

  const MeshView& view_of(int view) const { return views_[static_cast<std::size_t>(view)]; }
  // Null: the view feels no walls but the borders of cells.
  const MeshWalls* walls_of(int view) const {
    return walls_.empty() ? nullptr : walls_[static_cast<std::size_t>(view)].get();
  }
  void index_cells();
  void find_corners();
  bool hang_together(int from, int to, const Spot& at) const;
  // Return the cells that hold the place, or lie up to `beside` world units beside it.
  std::vector<int> cells_at(const Spot& at, double reach, double beside = kSlack) const;
  int cell_under(const Spot& at, double beside = kSlack) const;
  // Whether a ring covers the place at least `depth` deep; below 0: whether a ring is that near.
  bool is_covered(int view, std::uint64_t revision, const Spot& at, int cell,
                  double depth = kSlack) const;
  // The same for obstacles alone.
  bool is_under_solid(int view, std::uint64_t revision, const Spot& at, int cell,
                      double depth) const;
  template <class Visit>
  void for_solids_near(const Spot& low, const Spot& high, std::uint64_t revision,
                       Visit&& visit) const;
  // Stretches of a line, [first, last] of [0, 1], and the cells that they lie in.
  using Stretches = std::vector<std::array<double, 3>>;
  // Returns the cell in which the line ends; -1 if it leaves the ground, or lies at least `depth`
  // deep in a ring. Fills `ground`, if given, with the stretches that it lies on. Up to `beside`
  // world units beside the ground counts as on it.
  int cast(int view, std::uint64_t revision, int cell, const Spot& from, const Spot& to,
           double depth = kSlack, Stretches* ground = nullptr, double beside = kSlack) const;
  // The same for a leg of a path, which came to `from` in `cell`.
  int cast_leg(int view, std::uint64_t revision, int cell, const Spot& from, const Spot& to,
               double depth, Stretches* ground, double beside) const;
  // Returns the least and the greatest cost of the line: beside the border of dearer ground either
  // may count.
  std::pair<double, double> cost_of_line(std::uint64_t revision, const Spot& from, const Spot& to,
                                         const Stretches& ground) const;
  std::vector<std::pair<double, double>> stretches_inside(
      int view, std::uint64_t revision, const Spot& from, const Spot& to, double aside,
      double depth, const std::vector<std::array<double, 3>>& ground) const;
  // `ground` has the stretches of the line and the cells that they lie in.
  bool is_blocked(int view, std::uint64_t revision, const Spot& from, const Spot& to, double depth,
                  const std::vector<std::array<double, 3>>& ground) const;
  // Whether a path around a ring's corner squeezes between the ring and something else.
  bool is_tight(int view, std::uint64_t revision, const Corner& corner) const;
  void gather_turns(int view, std::uint64_t revision, std::vector<Corner>* corners,
                    std::vector<Spot>* tight) const;
  // `tight` gets the corners where a path would squeeze between two things.
  void gather_corners(int view, std::uint64_t revision, std::vector<Corner>* corners,
                      std::vector<Spot>* tight) const;
  bool expand(int view, std::uint64_t revision, const std::vector<Corner>& corners, double bound,
              Frontier* frontier, int* casts) const;
  // Returns the cost over the link from `from` to `to`; below 0 if it does not lead there.
  double over_link(std::uint64_t id, const Spot& from, const Spot& to) const;
  static Verdict verdict_of(const Frontier& frontier, const std::vector<Corner>& corners,
                            double bound);
  int bucket_at(double v) const;
  void index_solid(std::size_t solid);
  void put_in_force(const Known& known, std::uint64_t revision);
  void end_force(std::uint64_t id, std::uint64_t revision);
  v1::Obstacle obstacle_at(const Spot& at, Dice& dice);

  std::vector<MeshCell> cells_;
  std::vector<MeshView> views_;
  std::vector<std::shared_ptr<const MeshWalls>> walls_;  // by view; equal radii share them
  std::vector<MeshLink> links_;
  Grow grow_;
  bool has_soft_ = false;
  double bucket_ = 4;
  std::map<std::pair<int, int>, std::vector<int>> buckets_;  // cells by place
  std::vector<Corner> ground_corners_;
  std::map<std::uint64_t, Known> obstacles_;
  std::vector<Solid> solids_;
  std::map<std::pair<int, int>, std::vector<std::size_t>> solid_buckets_;  // places in solids_
  std::map<std::uint64_t, std::size_t> in_force_;  // by obstacle: its place in solids_
  std::uint64_t revision_ = 1;
  std::uint64_t next_id_ = 1;
};

}  // namespace repath::verify
