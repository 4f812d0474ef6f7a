// Agents on meshes and graphs. On meshes they walk straight from waypoint to waypoint and report
// their position each frame; on graphs they report each node that they reach. A path that comes a
// moment late begins a few centimetres behind its agent. The agent then moves to the nearest point
// of it, as games do. Thread rule: one thread.
#pragma once

#include <optional>
#include <vector>

#include "load/route_ground.h"
#include "load/squad.h"

namespace repath::load {

class RouteSquad final : public Squad {
 public:
  struct Stream {
    std::vector<Place> entrances;
    std::vector<Place> goals;
  };

  // Borrows `ground`; as GridSquad.
  RouteSquad(RouteGround& ground, int agents, const Errand& errand, const Stream& stream,
             std::uint64_t ids, std::uint64_t first, std::uint64_t seed);

  void advance(double seconds) override;

  // Returns the point of an agent's way `ahead` metres ahead of it; empty if the way is shorter.
  std::optional<Place> point_ahead(std::size_t slot, double ahead) const;
  // Graphs: returns an edge of its way after `skip` edges; empty if the way is shorter.
  std::optional<Edge> edge_ahead(std::size_t slot, std::size_t skip) const;
  const Place& place(std::size_t slot) const { return at_[slot]; }
  // Returns its goal. The goal before it may still get verdicts.
  const Place& goal(std::size_t slot) const { return goals_[goal_index(slot)]; }
  const Place& last_goal(std::size_t slot) const { return last_goals_[goal_index(slot)]; }

 private:
  struct Way {
    std::vector<Place> points;
    std::vector<std::uint64_t> nodes;   // of graphs
    std::vector<std::uint8_t> is_link;  // to the next point; or empty
    std::size_t next = 0;               // the point that it walks to
    double left = 0;                    // graphs: metres to that point
  };

  bool walks(std::size_t slot) const override { return walks_[slot] != 0; }
  void follow(std::size_t slot, const v1::Path& path) override;
  void stop(std::size_t slot) override { walks_[slot] = 0; }
  void locate(std::size_t slot, v1::Location* out) const override { fill(at_[slot], out); }
  void add_goals(std::size_t slot, v1::Agent* out) const override;
  void begin_anew(std::size_t slot) override { at_[slot] = dice().pick(stream_.entrances); }
  void change_goal(std::size_t group) override;
  std::size_t goal_index(std::size_t slot) const {
    return errand().streams ? slot % goals_.size() : group_of(slot);
  }
  bool enter_way(std::size_t slot);
  bool find_node(std::size_t slot);
  void walk(std::size_t slot, double length);
  void hop(std::size_t slot, double length);
  void reach(std::size_t slot);

  RouteGround& ground_;
  Stream stream_;
  std::vector<Place> goals_;  // by group, or the stream's
  std::vector<Place> last_goals_;
  std::vector<Place> at_;
  std::vector<std::uint8_t> walks_;
  std::vector<Way> ways_;
};

}  // namespace repath::load
