// A world that is edited at random, several profiles that see it, and a plain flood.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/executor.h"
#include "base/random.h"
#include "engine/engine.h"
#include "support/ascii_grid.h"

namespace repath::test {

inline constexpr std::array kWalkers{"default", "four", "cutter", "hex", "wide"};

inline std::vector<Profile> kinds_of_walkers() {
  Profile four{.name = "four", .topology = Topology::k4};
  Profile cutter{.name = "cutter", .corner_rule = CornerRule::kOne};
  Profile hex{.name = "hex", .topology = Topology::kHex};
  Profile wide{.name = "wide", .radius = 1.2};
  return {four, cutter, hex, wide};
}

class EditedWorld {
 public:
  explicit EditedWorld(Random* random) : random_(*random) {
    // Sometimes large enough for several blocks.
    const std::uint32_t width = random_.below(3) == 0 ? 500 + random_.below(100) : 3 + below(40);
    const std::uint32_t height = 3 + below(25);
    std::vector<std::string> rows(height, std::string(width, '.'));
    const std::uint32_t noise = random_.below(35);
    for (std::string& row : rows)
      for (char& c : row)
        if (random_.below(100) < noise) c = '#';
    const std::vector<std::string_view> views(rows.begin(), rows.end());
    width_ = static_cast<std::int32_t>(width);
    height_ = static_cast<std::int32_t>(height);
    engine_ = Engine::create(
        *World::create({"edited", test::draw_map(views), 1.0, kinds_of_walkers()}, {}), {},
        executor_);
  }

  // Adds or removes a wall or a stone. It blocks or is dear, for all teams or for team 1.
  ChangeBatch random_changes() {
    ChangeBatch batch;
    for (std::uint32_t changes = 1 + random_.below(3); changes > 0; --changes) {
      const ObstacleId id{1 + random_.below(6)};
      if (changed(batch, id)) continue;
      if (there_[value(id)] && random_.below(2) == 0) {
        batch.remove_obstacles.push_back(id);
        continue;
      }
      ObstacleSpec spec;
      spec.id = id;
      const std::int32_t x = at(width_);
      const std::int32_t y = at(height_);
      const std::uint32_t kind = random_.below(3);
      spec.shape = kind == 0   ? CellRect{x, 0, x + 1, height_}
                   : kind == 1 ? CellRect{0, y, width_, y + 1}
                               : CellRect{x, y, std::min(x + 3, width_), std::min(y + 2, height_)};
      if (random_.below(4) == 0) spec.effect = {false, 3};
      if (random_.below(3) == 0) spec.teams = TeamMask{2};
      batch.upsert_obstacles.push_back(spec);
    }
    return batch;
  }
  void apply(const ChangeBatch& batch) {
    ASSERT_TRUE(engine_->apply({batch, "", std::nullopt}, 0).ok());
    for (const ObstacleId id : batch.remove_obstacles) there_[value(id)] = false;
    for (const ObstacleSpec& spec : batch.upsert_obstacles) there_[value(spec.id)] = true;
  }
  Engine& engine() { return *engine_; }
  Snapshot snapshot(const std::string& profile, TeamId team) {
    return *engine_->capture(profile, team)->grid;
  }
  const char* random_walker() { return kWalkers[random_.below(kWalkers.size())]; }
  TeamId random_team() { return TeamId{static_cast<std::uint8_t>(random_.below(2))}; }

 private:
  std::uint32_t below(std::uint32_t n) { return random_.below(n); }
  std::int32_t at(std::int32_t side) {
    return static_cast<std::int32_t>(random_.below(static_cast<std::uint32_t>(side)));
  }
  static bool changed(const ChangeBatch& batch, ObstacleId id) {
    for (const ObstacleSpec& spec : batch.upsert_obstacles)
      if (spec.id == id) return true;
    return std::ranges::find(batch.remove_obstacles, id) != batch.remove_obstacles.end();
  }

  Random& random_;
  InlineExecutor executor_;
  std::int32_t width_ = 0;
  std::int32_t height_ = 0;
  std::array<bool, 8> there_{};
  std::unique_ptr<Engine> engine_;
};

// Returns for each node whether steps lead there; all false from a blocked cell.
inline std::vector<bool> plain_flood(const GridGraph& graph, NodeId start) {
  std::vector<bool> is_seen(graph.node_count(), false);
  if (!graph.layer().is_free(start)) return is_seen;
  std::vector<NodeId> open{start};
  is_seen[index(start)] = true;
  while (!open.empty()) {
    const NodeId at = open.back();
    open.pop_back();
    graph.for_each_successor(at, [&](NodeId to, Cost) {
      if (is_seen[index(to)]) return;
      is_seen[index(to)] = true;
      open.push_back(to);
    });
  }
  return is_seen;
}

}  // namespace repath::test
