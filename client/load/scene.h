// The game in one world: its ground, its squads, and its changes. A scene does no networking; the
// run carries its messages. Thread rule: one thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "load/check.h"
#include "load/map_maker.h"
#include "load/options.h"
#include "load/squad.h"
#include "load/trouble.h"
#include "repath/v1/path.pb.h"
#include "repath/v1/world.pb.h"

namespace repath::load {

class Scene {
 public:
  virtual ~Scene() = default;

  // Agents of one session each, from 0.
  virtual int squads() const = 0;
  virtual Squad& squad(int number) = 0;

  // Returns the obstacles that stand at the beginning, in batches that the server accepts.
  virtual std::vector<v1::ChangeBatch> first_changes() = 0;
  // Fills in the next change and returns its number, from 1; 0 if there is no change now.
  virtual std::uint64_t next_change(v1::ChangeBatch* batch) = 0;
  // Takes the server's answer to a change; revision 0: it was refused.
  virtual void answered(std::uint64_t change, std::uint64_t revision) = 0;

  // Fills in start and goal.
  virtual void fill_query(bool is_short, v1::FindPathRequest* request) = 0;

  // Keeps a verdict of one of the squad's agents, to be checked later. O(path).
  virtual void keep(int squad, const v1::PathEvent& event) = 0;
  // Checks what was kept, until the time is up.
  virtual Checked check(Nanos until) = 0;
};

// Returns one session's share of `agents`.
int share_of(int agents, int sessions, int session);
// Returns the errand of one session's agents.
Errand errand_of(const LoadOptions& options, int agents);

class GridScene final : public Scene {
 public:
  // Borrows `options` and `map`.
  GridScene(const LoadOptions& options, std::unique_ptr<GridGround> ground, const MadeMap& map,
            std::vector<verify::TerrainClass> classes, std::uint64_t seed);

  int squads() const override { return static_cast<int>(squads_.size()); }
  Squad& squad(int number) override { return *squads_[static_cast<std::size_t>(number)]; }
  std::vector<v1::ChangeBatch> first_changes() override;
  std::uint64_t next_change(v1::ChangeBatch* batch) override;
  void answered(std::uint64_t change, std::uint64_t revision) override;
  void fill_query(bool is_short, v1::FindPathRequest* request) override;

  void keep(int squad, const v1::PathEvent& event) override;
  Checked check(Nanos until) override;

 private:
  GridSquad::Stream choose_ends();
  Spot place_within(Spot from, int reach);

  const LoadOptions& options_;
  const MadeMap& map_;
  std::unique_ptr<GridGround> ground_;
  std::vector<verify::TerrainClass> classes_;
  verify::Dice dice_;
  GridSquad::Stream ends_;
  std::vector<std::unique_ptr<GridSquad>> squads_;
  std::unique_ptr<GridTrouble> trouble_;
  std::map<std::uint64_t, verify::Batch> asked_;    // by number, not yet answered
  std::map<std::uint64_t, verify::Batch> history_;  // by revision, from 2 on
  std::vector<GridSample> samples_;
  std::uint64_t changes_ = 0;
};

}  // namespace repath::load
