// Random changes of the world where they matter: on paths, near starts and goals, over agents,
// around goals, anywhere. They open and close, one at a time and several together. Thread rule: one
// thread.
#pragma once

#include <vector>

#include "verify/agents.h"
#include "verify/dice.h"
#include "verify/world_model.h"

namespace repath::verify {

struct MischiefOptions {
  bool teams = true;    // obstacles that concern some teams only
  bool terrain = true;  // factors, and edits of the terrain
  bool influence = false;
  bool fog = false;
  bool standing = false;
  bool mass = false;  // changes of most of the map at once
};

// If agents may stand at all, agents 1 to this one set `stands` and have views of their own.
inline constexpr std::uint64_t kStanders = 10;

class Mischief {
 public:
  // Borrows all but the options.
  Mischief(WorldModel& world, const Agents& agents, Dice& dice, MischiefOptions options)
      : world_(world), agents_(agents), dice_(dice), options_(options) {}

  // Returns a batch that is not empty and names each obstacle once.
  Batch next();

 private:
  void add_one(Batch& batch);
  void close_somewhere(Batch& batch);
  void open_something(Batch& batch);
  void alter_something(Batch& batch);
  void ring_a_goal(Batch& batch);
  void edit_terrain(Batch& batch);
  void edit_influence(Batch& batch);
  void edit_fog(Batch& batch);
  void stand_or_walk(Batch& batch);
  void change_most(Batch& batch);
  std::uint32_t some_team();
  Shape patch_about(CellXY place, int most);

  CellXY hurting_place();
  Obstacle obstacle(Shape shape);
  // Returns an obstacle that the batch does not name yet; 0 if there is none.
  std::uint64_t some_obstacle(const Batch& batch);
  const Agent* some_agent();

  WorldModel& world_;
  const Agents& agents_;
  Dice& dice_;
  MischiefOptions options_;
  std::uint64_t next_id_ = 1;
  std::uint64_t most_id_ = 0;  // the obstacle over most of the map; 0: none yet
};

}  // namespace repath::verify
