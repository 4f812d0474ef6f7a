// The checker's own world: terrain, obstacles by id, and for each kind of agent (profile and team)
// the ground as it was at every revision since the world was made.
//
// A batch takes effect in the order of changes.proto: terrain, decays, influence, fog, removals,
// switches, upserts. A cell is
// blocked for a kind if its terrain is forbidden to the profile or an enabled blocking obstacle
// that concerns the team covers it, or if such a cell is nearer than the profile's radius; its
// factor is the terrain's times those of the enabled obstacles that cover it and concern the team,
// times 1 + level / 64 for each of the team's layers of influence, at most 1000. What the team has
// not seen is free, with no factor but influence. Thread rule: one thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "verify/clearance.h"
#include "verify/ground.h"
#include "verify/map_file.h"
#include "verify/shapes.h"

namespace repath::verify {

struct TerrainClass {
  std::string name;
  char symbol = '.';
  double factor = 1;
  bool forbidden = false;
};

struct TerrainRule {
  std::string terrain_class;
  double factor = 1;
  bool forbidden = false;
};

struct Profile {
  std::string name = "default";
  Topology topology = Topology::k8;
  CornerRule corner = CornerRule::kNone;
  std::vector<TerrainRule> rules;
  double radius = 0;  // cells
};

struct Obstacle {
  std::uint64_t id = 0;
  Shape shape;
  bool blocked = true;
  double factor = 1;            // if not blocked
  std::uint32_t team_mask = 0;  // 0: all
  bool enabled = true;
};

struct TerrainEdit {
  Rect cells;
  int terrain_class = 0;
};

// Of the layer of one team: a new level, or one more (or less).
struct InfluenceEdit {
  std::uint32_t team = 0;
  std::uint32_t layer = 0;
  Shape shape;
  int level = 0;
  bool adds = false;
};

struct Decay {
  std::uint32_t team = 0;
  std::uint32_t layer = 0;
  int keep_permille = 0;
  std::optional<Rect> cells = {};  // nothing: everywhere
};

// What a team sees from now on, or sees no longer.
struct FogEdit {
  std::uint32_t team = 0;
  Shape shape;
  bool hidden = false;
};

// Where an agent stands in the way of all others.
struct Body {
  std::uint64_t agent = 0;
  Shape shape;
};

struct Batch {
  std::vector<TerrainEdit> terrain = {};
  std::vector<std::uint64_t> removals = {};
  std::vector<std::pair<std::uint64_t, bool>> switches = {};  // id, enabled
  std::vector<Obstacle> upserts = {};
  std::vector<Decay> decays = {};
  std::vector<InfluenceEdit> influence = {};
  std::vector<FogEdit> fog = {};
  std::vector<Body> stand = {};
  std::vector<std::uint64_t> walk_on = {};

  bool empty() const {
    return terrain.empty() && removals.empty() && switches.empty() && upserts.empty() &&
           decays.empty() && influence.empty() && fog.empty() && stand.empty() && walk_on.empty();
  }
};

// One kind of agent's ground, which can be taken back to any revision and forth again.
class View {
 public:
  // `ground`: without regard to the profile's radius.
  View(Ground ground, std::uint64_t revision, Profile profile, std::uint32_t team,
       std::uint64_t without);

  // The ground as it was at `revision`, in [first, last recorded]. O(cells changed in between).
  const Ground& at(std::uint64_t revision);
  // The ground as it is.
  const Ground& now() { return at(last_revision()); }
  std::uint64_t last_revision() const { return first_ + steps_.size(); }
  // The earliest revision since which nothing has changed here up to `revision`.
  std::uint64_t same_since(std::uint64_t revision) const;

  // The next revision, at which `cell`s get new factors, without regard to the profile's radius.
  // Unchanged ones may be among them.
  void record(const std::vector<std::pair<Cell, double>>& factors);

  const Profile& profile() const { return profile_; }
  std::uint32_t team() const { return team_; }
  // The agent whose body does not count, the only one that has this view; 0: none.
  std::uint64_t without() const { return without_; }

 private:
  struct Diff {
    Cell cell;
    double before;
    double after;
  };

  Ground ground_;
  std::optional<Clearance> clearance_;  // of profiles with a radius
  Profile profile_;
  std::uint32_t team_;
  std::uint64_t without_;
  std::uint64_t first_;
  std::uint64_t shown_;                   // the revision that ground_ shows
  std::vector<std::vector<Diff>> steps_;  // steps_[i] leads from first_ + i to first_ + i + 1
};

// The class that a character of a map stands for (`G` and blank are `.`, `O` is `@`); -1 if none.
int class_by_symbol(const std::vector<TerrainClass>& classes, char symbol);

class WorldModel {
 public:
  // Free ground of the first class.
  WorldModel(int width, int height, std::vector<TerrainClass> classes);
  // The map's cells by the classes' symbols; `unknown` counts the characters that no class has.
  WorldModel(const MapFile& map, std::vector<TerrainClass> classes, int& unknown);

  // Starts to follow one kind of agent from the present revision on. Returns its number. O(cells).
  int add_view(const Profile& profile, std::uint32_t team, std::uint64_t without = 0);
  View& view(int number) { return views_[static_cast<std::size_t>(number)]; }
  int views() const { return static_cast<int>(views_.size()); }

  // Revision + 1. Ids to remove or switch must exist. O(covered cells x views).
  void apply(const Batch& batch);

  std::uint64_t revision() const { return revision_; }
  int width() const { return width_; }
  int height() const { return height_; }
  const std::vector<TerrainClass>& classes() const { return classes_; }
  int terrain_at(int x, int y) const { return terrain_[index(x, y)]; }
  const std::map<std::uint64_t, Obstacle>& obstacles() const { return obstacles_; }
  // The cells of each agent's that stands.
  const std::map<std::uint64_t, std::vector<CellXY>>& bodies() const { return bodies_; }

 private:
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
           static_cast<std::size_t>(x);
  }
  void uncover(std::uint64_t id, std::vector<CellXY>& touched);
  void cover(const Obstacle& obstacle, std::vector<CellXY>& touched);
  void touch(std::uint64_t id, std::vector<CellXY>& touched) const;
  // Levels that are not 0, by cell.
  using Levels = std::map<std::size_t, int>;
  void decay(const Decay& step, std::vector<CellXY>& touched);
  void edit(const InfluenceEdit& edit, std::vector<CellXY>& touched);
  void edit(const FogEdit& edit, std::vector<CellXY>& touched);
  void walk_on(std::uint64_t agent, std::vector<CellXY>& touched);
  void stand(const Body& body, std::vector<CellXY>& touched);
  bool unseen(std::uint32_t team, int x, int y) const;
  bool occupied(std::uint64_t without, int x, int y) const;
  double known_factor_for(const Profile& profile, std::uint32_t team, int x, int y) const;
  double factor_for(const Profile& profile, std::uint32_t team, std::uint64_t without, int x,
                    int y) const;
  double terrain_factor(const Profile& profile, int terrain_class) const;

  int width_;
  int height_;
  std::vector<TerrainClass> classes_;
  std::vector<int> terrain_;
  std::uint64_t revision_ = 1;
  std::map<std::uint64_t, Obstacle> obstacles_;
  std::map<std::uint64_t, std::vector<CellXY>> covered_;                  // by obstacle
  std::unordered_map<std::size_t, std::vector<std::uint64_t>> covering_;  // by cell, ascending
  std::map<std::pair<std::uint32_t, std::uint32_t>, Levels> influence_;   // by team and layer
  std::map<std::uint32_t, std::vector<bool>> unseen_;                     // by team and cell
  std::map<std::uint64_t, std::vector<CellXY>> bodies_;                   // by agent
  std::map<std::size_t, std::vector<std::uint64_t>> standing_;            // agents, by cell
  std::vector<View> views_;
};

}  // namespace repath::verify
