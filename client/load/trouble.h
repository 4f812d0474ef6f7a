// Changes in a world that concern agents: obstacles that come onto their ways and go again. Their
// number is limited. When the limit is reached, or at random once half of it is, the oldest
// obstacle goes. Thread rule: one thread.
//
// Invariants:
//  1. An obstacle goes only after the server has confirmed it, because changes may overtake each
//     other.
//  2. The place of a removed obstacle opens to agents only after the server has confirmed the
//     removal. No agent may report a place that is still shut for the server.
//  3. Obstacles never cover an agent or a goal of a stream.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "load/grid_squad.h"
#include "repath/v1/world.pb.h"
#include "verify/world_model.h"

namespace repath::load {

class GridTrouble {
 public:
  struct Settings {
    int live_most = 200;
    int size = 2;                          // size of an obstacle, cells
    std::vector<verify::Rect> doors = {};  // if there are any, only they are shut
    std::vector<Spot> keep_clear = {};
  };

  // Borrows `ground`.
  GridTrouble(GridGround& ground, Settings settings, std::uint64_t seed);

  // Returns the next change, which is in force on `ground` from now on; empty if no place was
  // found.
  std::optional<verify::Batch> next(const std::vector<std::unique_ptr<GridSquad>>& squads);
  // Returns an obstacle that stands at the beginning; empty if no place was found.
  std::optional<verify::Obstacle> first();
  // Notes that the server has applied the batch.
  void confirm(const verify::Batch& batch);

  std::size_t live() const { return live_.size(); }

 private:
  struct Live {
    std::uint64_t id = 0;
    verify::Rect cells;
    bool is_confirmed = false;
  };

  std::optional<verify::Rect> place_near(const GridSquad& squad);
  std::optional<verify::Rect> door_ahead(const std::vector<Spot>& way) const;
  bool may_build(const verify::Rect& cells) const;
  verify::Obstacle build(const verify::Rect& cells);
  std::optional<verify::Batch> take_down();

  GridGround& ground_;
  Settings settings_;
  verify::Dice dice_;
  std::deque<Live> live_;                                  // the oldest first
  std::unordered_map<std::uint64_t, verify::Rect> going_;  // by id: removal sent, not confirmed
  std::unordered_map<int, std::size_t> door_at_;           // by cell: y * width + x
  std::uint64_t next_id_ = 1;
};

}  // namespace repath::load
