// What is changed in a world, where it concerns somebody: obstacles that come onto the ways of
// those who walk, and go again. At most so many are live; when there is no room, or by chance once
// half of it is taken, the oldest goes. Thread rule: one thread.
//
// Invariants:
//  1. An obstacle goes only when the server is known to have it: changes may overtake each other.
//  2. What goes is open to those who walk only when the server has said that it is gone: nobody may
//     report a place that the server still takes for shut.
//  3. Nobody is built over, and no goal of a stream's.
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
    int size = 2;                          // of what is built, cells
    std::vector<verify::Rect> doors = {};  // if there are any, they are what is shut
    std::vector<Spot> keep_clear = {};
  };

  // Borrows `ground`.
  GridTrouble(GridGround& ground, Settings settings, std::uint64_t seed);

  // The next change, in force on `ground` from now on; nothing if no place was found.
  std::optional<verify::Batch> next(const std::vector<std::unique_ptr<GridSquad>>& squads);
  // One that stands before anybody walks; nothing as above.
  std::optional<verify::Obstacle> first();
  // The server has taken this in.
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
  std::unordered_map<std::uint64_t, verify::Rect> going_;  // by id: taken down, not yet confirmed
  std::unordered_map<int, std::size_t> door_at_;           // by cell: y * width + x
  std::uint64_t next_id_ = 1;
};

}  // namespace repath::load
