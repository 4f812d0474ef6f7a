// Computes how one (profile, team) sees cells: from terrain and the obstacles that cover them to
// free bits and factors. Invariant 1 of world/world.h is computed only here.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "base/ids.h"
#include "grid/cells/costs.h"
#include "grid/cells/layer.h"
#include "grid/cells/terrain.h"
#include "world/batch.h"
#include "world/plane.h"
#include "world/profile.h"

namespace repath {

// The part of an enabled obstacle's cells that lies in one row of 64 cells.
struct CoverBits {
  std::uint64_t bits = 0;
  Effect effect;
  TeamMask teams = kAllTeams;
  std::optional<AgentId> body = {};  // the agent whose body it is
};

// One row of 64 cells as a view sees it.
struct RowState {
  std::uint64_t free = 0;
  bool weighted = false;  // some free cell's factor is not kFactorOne
  std::array<Factor, kTileSide>
      factors{};  // of all cells if weighted, kFactorOne for blocked ones; else of no meaning
};

class Sight {
 public:
  // Makes the sight of one (profile, team). The body of `without` does not count. REQUIRES:
  // check_profile(profile, classes) is OK.
  Sight(const TerrainTable& classes, const Profile& profile, TeamId team,
        std::optional<AgentId> without);

  TeamId team() const { return team_; }
  std::optional<AgentId> without() const { return without_; }
  bool sees(TeamMask teams, std::optional<AgentId> body) const {
    return concerns(teams, team_) && (!body || body != without_);
  }

  // Returns the row as seen. `terrain`: the row's cells on the map, 1 to 64; cells beyond are
  // blocked. `covers`: ascending by obstacle id; `levels`: by key. O(64 + covers + levels).
  RowState look(std::span<const TerrainId> terrain, std::span<const CoverBits> covers,
                std::span<const LevelRow> levels) const;

 private:
  bool is_influence(const LevelRow& level) const {
    return level.key.team == team_ && level.key.number != PlaneKey::kUnseen;
  }
  std::uint64_t unseen_bits(std::span<const LevelRow> levels) const;
  void weigh(std::span<const TerrainId> terrain, std::span<const CoverBits> covers,
             std::span<const LevelRow> levels, RowState* row) const;

  TeamId team_;
  std::optional<AgentId> without_;
  std::array<bool, kTerrainClassesMax> forbidden_{};
  std::array<double, kTerrainClassesMax> factor_{};
  std::array<bool, kTerrainClassesMax> weighs_{};  // walkable, with a factor other than 1
};

}  // namespace repath
