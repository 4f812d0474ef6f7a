// Obstacles of any shape, carved out of a mesh for two radii and removed again.
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "routes/nav_world.h"
#include "support/fuzz.h"
#include "support/hostile.h"

namespace repath {
namespace {

// One floor of 40 x 40.
MeshSource floor_of_40() {
  MeshSource mesh;
  const std::int32_t side = 40 * kLatticePerUnit;
  mesh.vertices = {{{0, 0}, 0}, {{side, 0}, 0}, {{side, side}, 0}, {{0, side}, 0}};
  mesh.add_cell({0, 1, 2, 3});
  return mesh;
}

// One obstacle on each line: a polygon, x and z in turns. Five numbers are a capsule: its ends and
// its radius.
std::vector<ObstacleSpec> read_shapes(const std::string& text) {
  constexpr std::size_t kObstaclesMax = 24;
  std::vector<ObstacleSpec> obstacles;
  const char* at = text.c_str();
  while (*at != '\0' && obstacles.size() < kObstaclesMax) {
    Polygon polygon;
    Shape shape;
    for (;;) {
      char* end = nullptr;
      const double x = std::strtod(at, &end);
      if (end == at) break;
      at = end;
      const double z = std::strtod(at, &end);
      if (end == at && polygon.points.size() == 2)
        shape = Capsule{polygon.points[0], polygon.points[1], x};
      if (end == at) break;
      at = end;
      polygon.points.push_back({x, z});
      while (*at == ' ') ++at;
      if (*at == '\n' || *at == '\0') break;
    }
    if (polygon.points.empty() && *at != '\0') ++at;
    if (polygon.points.empty()) continue;
    obstacles.push_back(
        {.id = ObstacleId{obstacles.size() + 1},
         .shape = std::holds_alternative<Capsule>(shape) ? shape : Shape{std::move(polygon)}});
  }
  return obstacles;
}

absl::Status carve(const std::string& text) {
  auto world = NavWorld::create(
      {.name = "w", .mesh = floor_of_40(), .profiles = {{.name = "wide", .radius = 0.7}}});
  if (!world.ok()) return world.status();
  for (const char* profile : {"default", "wide"})
    if (const auto view = (*world)->acquire_view(profile, TeamId{0}); !view.ok())
      return view.status();
  ChangeBatch put;
  put.upsert_obstacles = read_shapes(text);
  const std::uint64_t before = (*world)->state_hash();
  const auto done = (*world)->apply(put);
  if (!done.ok()) {
    EXPECT_EQ((*world)->state_hash(), before) << "a batch that was refused has changed the world";
    return done.status();
  }
  ChangeBatch away;
  for (const ObstacleSpec& obstacle : put.upsert_obstacles)
    away.remove_obstacles.push_back(obstacle.id);
  return (*world)->apply(away).status();
}

std::string shapes(Random* random) {
  test::Hostile dice(random);
  static constexpr double kSizes[] = {0.0001, 0.01, 0.5, 4, 30, 4000};
  std::string text;
  for (std::uint32_t i = 1 + dice.below(6); i > 0; --i) {
    const double size = kSizes[dice.below(std::size(kSizes))];
    const bool is_large = dice.below(3) == 0;
    if (dice.below(4) == 0) {
      for (int k = 0; k < 4; ++k) text += test::number_text(dice.in(-size, 40 + size)) + " ";
      text += (dice.below(20) == 0 ? dice.number() : test::number_text(dice.in(0, size))) + " x\n";
      continue;
    }
    for (const auto& [x, z] : dice.ring(dice.in(0, 40), dice.in(0, 40), size, is_large ? 256 : 24))
      text += (dice.below(2000) == 0 ? dice.number() : test::number_text(x)) + " " +
              test::number_text(z) + " ";
    text += "\n";
  }
  return text;
}

TEST(Fuzz, ObstacleShapes) {
  test::feed(
      {"1 1 5 1 5 5 1 5\n3 3 9 4 4 9\n", "10 10 30 10 30 30 20 12 10 30\n", "5 5 30 20 1 x\n"},
      carve, shapes);
}

}  // namespace
}  // namespace repath
