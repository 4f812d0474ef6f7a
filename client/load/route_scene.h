// A scene on a mesh or a graph. On meshes boxes and cylinders come onto the ways of agents and go
// again. On graphs edges are shut and opened. Invariants as in trouble.h. Thread rule: one thread.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "load/route_squad.h"
#include "load/scene.h"

namespace repath::load {

class RouteScene final : public Scene {
 public:
  // `model` checks verdicts and is the world as it was made; null if no verdict is checked.
  RouteScene(const LoadOptions& options, std::unique_ptr<RouteGround> ground,
             std::unique_ptr<verify::RouteModel> model, std::uint64_t seed);

  int squads() const override { return static_cast<int>(squads_.size()); }
  Squad& squad(int number) override { return *squads_[static_cast<std::size_t>(number)]; }
  std::vector<v1::ChangeBatch> first_changes() override;
  std::uint64_t next_change(v1::ChangeBatch* batch) override;
  void answered(std::uint64_t change, std::uint64_t revision) override;
  void fill_query(bool is_short, v1::FindPathRequest* request) override;

  void keep(int squad, const v1::PathEvent& event) override;
  Checked check(Nanos until) override;

 private:
  // An obstacle, or a shut edge.
  struct Live {
    std::uint64_t id = 0;
    std::optional<Edge> edge;
    bool is_confirmed = false;
  };

  RouteSquad::Stream choose_ends();
  v1::Obstacle obstacle_at(const Place& place);
  bool may_build(const Place& place, double reach) const;
  bool build(v1::ChangeBatch* batch);
  bool shut_edge(const RouteSquad& squad, std::size_t slot, v1::ChangeBatch* batch);
  bool take_down(v1::ChangeBatch* batch);

  const LoadOptions& options_;
  std::unique_ptr<RouteGround> ground_;
  verify::Dice dice_;
  double scale_;  // size of obstacles: 1 on a map of 256 metres
  RouteSquad::Stream ends_;
  std::vector<std::unique_ptr<RouteSquad>> squads_;
  std::deque<Live> live_;  // the oldest first
  std::map<std::uint64_t, v1::ChangeBatch> asked_;
  std::map<std::uint64_t, v1::ChangeBatch> history_;  // by revision, from 2 on
  std::unique_ptr<verify::RouteModel> model_;
  std::vector<RouteSample> samples_;
  std::uint64_t next_id_ = 1;
  std::uint64_t changes_ = 0;
};

}  // namespace repath::load
