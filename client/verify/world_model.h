// The checker's own world: terrain, obstacles by id, and for each pair of profile and team the
// ground at every revision since the world was made.
//
// A batch takes effect in the order of changes.proto: terrain, decays, influence, fog, removals,
// switches, upserts. A cell is blocked if its terrain is forbidden to the profile, or if an enabled
// blocking obstacle of the team covers it. It is also blocked if such a cell is nearer than the
// profile's radius. Its factor is that of the terrain, times those of the enabled obstacles of the
// team that cover it, times 1 + level / 64 for each of the team's layers of influence, at most
// 1000. A hidden cell is free, and only influence counts on it. Thread rule: one thread.
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
  double radius = 0;          // cells
  double turning_radius = 0;  // cells
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

// Changes the level of one team's layer: a new level, or an addition.
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
  std::optional<Rect> cells = {};  // empty: everywhere
};

// Reveals cells to a team, or hides them.
struct FogEdit {
  std::uint32_t team = 0;
  Shape shape;
  bool hidden = false;
};

// Cells on which an agent blocks all others.
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

// The ground of one profile and team, which can be moved to any revision.
class View {
 public:
  // `ground` ignores the profile's radius.
  View(Ground ground, std::uint64_t revision, Profile profile, std::uint32_t team,
       std::uint64_t without);

  // Returns the ground at `revision`, in [first, last recorded]. O(cells changed in between).
  const Ground& at(std::uint64_t revision);
  // Returns the ground at the last revision.
  const Ground& now() { return at(last_revision()); }
  std::uint64_t last_revision() const { return first_ + steps_.size(); }
  // Returns the earliest revision since which this ground is unchanged up to `revision`.
  std::uint64_t same_since(std::uint64_t revision) const;

  // Records the next revision with new factors of cells, ignoring the profile's radius. Unchanged
  // cells may be among them.
  void record(const std::vector<std::pair<Cell, double>>& factors);

  const Profile& profile() const { return profile_; }
  std::uint32_t team() const { return team_; }
  // Returns the agent whose body does not count, the only one with this view; 0: none.
  std::uint64_t without() const { return without_; }

 private:
  struct Diff {
    Cell cell;
    double before;
    double after;
  };

  Ground ground_;
  std::optional<Clearance> clearance_;  // only for profiles with a radius
  Profile profile_;
  std::uint32_t team_;
  std::uint64_t without_;
  std::uint64_t first_;
  std::uint64_t shown_;                   // the revision that ground_ shows
  std::vector<std::vector<Diff>> steps_;  // steps_[i] leads from first_ + i to first_ + i + 1
};

// Returns the class of a character of a map (`G` and blank are `.`, `O` is `@`); -1 if there is
// none.
int class_by_symbol(const std::vector<TerrainClass>& classes, char symbol);

class WorldModel {
 public:
  // Free ground of the first class.
  WorldModel(int width, int height, std::vector<TerrainClass> classes);
  // Makes the map's cells by the classes' symbols; `unknown` counts the characters without a class.
  WorldModel(const MapFile& map, std::vector<TerrainClass> classes, int& unknown);

  // Adds a view of a profile and team from the present revision on. Returns its number. O(cells).
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
  // Returns the cells of each standing agent.
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
