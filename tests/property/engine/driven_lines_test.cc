// Lines of agents on a grid that keep a turning radius and have a size, against plain squares: at
// every moment without news a line keeps the agent's radius from all blocked squares.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/executor.h"
#include "engine/engine.h"
#include "support/seed.h"
#include "world/world.h"

namespace repath {
namespace {

constexpr int kSide = 24;

class LineGame {
 public:
  LineGame(Random* random, double radius, double turning_radius)
      : random_(*random), radius_(radius) {
    WorldSpec spec{.name = "lines"};
    spec.map.width = spec.map.height = kSide;
    spec.map.cells.assign(static_cast<std::size_t>(kSide) * kSide, TerrainId{0});
    spec.profiles = {{.radius = radius, .turning_radius = turning_radius}};
    engine_ = Engine::create(*World::create(std::move(spec), WorldLimits{}), {}, executor_);
    for (std::uint64_t id = 1; id <= 6; ++id) put(id);
  }

  void play() {
    for (int turn = 0; turn < 60 && !testing::Test::HasFailure(); ++turn) {
      SCOPED_TRACE("turn " + std::to_string(turn));
      change();
      take();
      check_lines();
      for (int frame = 0; frame < 5000; ++frame)
        if (engine_->step(2000, now_ += 16'000).idle) break;
      take();
      check_lines();
      if (turn % 3 == 0) put(1 + random_.below(6));
    }
  }

  std::uint64_t lines = 0;
  std::uint64_t closed = 0;

 private:
  void put(std::uint64_t id) {
    const auto place = [&] {
      return MapPoint{random_.below(kSide) + 0.5, random_.below(kSide) + 0.5};
    };
    AgentSpec spec;
    spec.id = AgentId{id};
    spec.position = place();
    spec.goals = {place()};
    spec.curves = true;
    ASSERT_TRUE(engine_->upsert_agents(std::span(&spec, 1), OwnerId{1}, now_).ok());
    lines_.erase(spec.id);
  }
  // Blocks a square or two, often beside a line, or frees some.
  void change() {
    ChangeBatch batch;
    int x = static_cast<int>(random_.below(kSide));
    int y = static_cast<int>(random_.below(kSide));
    if (!lines_.empty() && random_.below(3) != 0) {
      auto it = lines_.begin();
      std::advance(it, random_.below(static_cast<std::uint32_t>(lines_.size())));
      const MapPoint at = it->second[random_.below(static_cast<std::uint32_t>(it->second.size()))];
      x = std::clamp(static_cast<int>(at.x) + static_cast<int>(random_.below(5)) - 2, 0, kSide - 1);
      y = std::clamp(static_cast<int>(at.y) + static_cast<int>(random_.below(5)) - 2, 0, kSide - 1);
    }
    const ObstacleId id{random_.below(25)};
    ObstacleSpec obstacle{id, CellRect{x, y, x + 1, y + 1}};
    blocked_[id] = {x, y};
    batch.upsert_obstacles.push_back(obstacle);
    const auto answer = engine_->apply({batch, "", std::nullopt}, now_);
    ASSERT_TRUE(answer.ok()) << answer.status();
  }
  void take() {
    for (const AgentEvent& event : engine_->take_events()) {
      if (event.type == EventType::kInvalidated) {
        closed += lines_.erase(event.agent);
        continue;
      }
      if (is_note(event.type)) continue;
      lines_.erase(event.agent);
      if (!event.path || event.path->points.empty()) continue;
      std::vector<MapPoint>& line = lines_[event.agent];
      for (const RoutePoint& point : event.path->points) line.push_back({point.at.x, point.at.z});
      ++lines;
    }
  }
  double distance_from(MapPoint p, std::pair<int, int> square) const {
    const double dx = std::max({square.first - p.x, p.x - square.first - 1, 0.0});
    const double dy = std::max({square.second - p.y, p.y - square.second - 1, 0.0});
    return std::hypot(dx, dy);
  }
  void check_lines() {
    for (const auto& [id, line] : lines_)
      for (std::size_t i = 1; i < line.size(); ++i)
        for (int k = 0; k <= 20; ++k) {
          const double share = k / 20.0;
          const MapPoint p{line[i - 1].x + (line[i].x - line[i - 1].x) * share,
                           line[i - 1].y + (line[i].y - line[i - 1].y) * share};
          for (const auto& [obstacle, square] : blocked_)
            ASSERT_GE(distance_from(p, square), radius_ - 1e-6)
                << "agent " << value(id) << " at " << p.x << ", " << p.y;
        }
  }

  Random& random_;
  double radius_;
  InlineExecutor executor_;
  std::unique_ptr<Engine> engine_;
  std::map<ObstacleId, std::pair<int, int>> blocked_;
  std::map<AgentId, std::vector<MapPoint>> lines_;  // that count
  Micros now_ = 0;
};

TEST(DrivenLines, KeepTheirRadiusFromAllBlockedSquares) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  std::uint64_t lines = 0;
  std::uint64_t closed = 0;
  for (int game = 0; game < 40 && !HasFailure(); ++game) {
    SCOPED_TRACE("game " + std::to_string(game));
    const double radius = std::vector<double>{0, 0.6, 1.3}[random.below(3)];
    LineGame one(&random, radius, std::vector<double>{0.4, 1.5, 4}[random.below(3)]);
    one.play();
    lines += one.lines;
    closed += one.closed;
  }
  EXPECT_GT(lines, 300u);
  EXPECT_GT(closed, 50u);
}

}  // namespace
}  // namespace repath
