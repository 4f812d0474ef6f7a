// Worlds of squares of several areas, holes, and boxes that make ground dearer or of another area,
// and a plain integrator of costs that knows only squares and boxes. Along a border the cheaper
// side counts.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/random.h"
#include "geometry/shapes.h"
#include "routes/nav_world.h"
#include "support/small_meshes.h"

namespace repath::test {

inline constexpr int kPatchworkSide = 12;
// Distance beside a border: carving moves it by at most half a millimetre, and by half a step of
// the lattice where another edge crosses it.
inline constexpr double kBorderAside = 7e-4;
// A point nearer than this to a border counts as on it.
inline constexpr double kOnBorder = 1e-6;

inline const Profile& patchwork_walker() {
  static const Profile walker{.name = "walker", .areas = {{1, 3}, {2, 1.5}, {3, 10}}};
  return walker;
}

struct Patchwork {
  struct Patch {
    Box box;
    Effect effect;
  };
  static constexpr double kNoGround = 1e9;  // a factor
  std::vector<std::uint8_t> areas;          // by square
  std::vector<bool> holes;                  // by square
  std::vector<Patch> patches;               // ascending by id
  // The world lies turned by the angle of the 3-4-5 triangle, so that corners stay on the lattice
  // and no border lies along an axis.
  bool is_turned = false;

  Spot placed(double x, double z) const {
    return is_turned ? Spot{0.8 * x - 0.6 * z, 0, 0.6 * x + 0.8 * z} : Spot{x, 0, z};
  }
  Point unplaced(const Spot& at) const {
    return is_turned ? Point{0.8 * at.x + 0.6 * at.z, 0.8 * at.z - 0.6 * at.x} : Point{at.x, at.z};
  }
  Box placed(Box box) const {
    const Spot center = placed(box.center.x, box.center.z);
    box.center = {center.x, center.z};
    if (is_turned) box.yaw = std::atan2(0.6, 0.8);
    return box;
  }

  double factor_at(Point p) const {
    const int x = static_cast<int>(std::floor(p.x));
    const int z = static_cast<int>(std::floor(p.z));
    if (std::min(x, z) < 0 || std::max(x, z) >= kPatchworkSide) return kNoGround;
    const auto square = static_cast<std::size_t>(z * kPatchworkSide + x);
    if (holes[square]) return kNoGround;
    std::uint8_t area = areas[square];
    double own = 1;
    for (const Patch& patch : patches) {
      if (std::abs(p.x - patch.box.center.x) >= patch.box.half_x ||
          std::abs(p.z - patch.box.center.z) >= patch.box.half_z)
        continue;
      own *= patch.effect.factor;
      if (patch.effect.area) area = *patch.effect.area;
    }
    for (const AreaFactor& rule : patchwork_walker().areas)
      if (rule.area == area) own *= rule.factor;
    return std::min(own, 1000.0);
  }

  // Returns the cost of the leg, with each bit of it on the cheapest ground at most `aside` beside
  // it.
  double cheapest_leg(const Spot& from, const Spot& to, double aside) const {
    const Point a = unplaced(from);
    const Point b = unplaced(to);
    const double length = std::hypot(b.x - a.x, b.z - a.z);
    if (length == 0) return 0;
    const double nx = -(b.z - a.z) / length;
    const double nz = (b.x - a.x) / length;
    std::vector<double> cuts{0, 1};
    for (const double by : {-aside, aside})
      append_cuts({a.x + by * nx, a.z + by * nz}, {b.x + by * nx, b.z + by * nz}, &cuts);
    std::ranges::sort(cuts);
    double sum = 0;
    for (std::size_t i = 1; i < cuts.size(); ++i) {
      const double part = (cuts[i] - cuts[i - 1]) * length;
      if (part < 1e-12) continue;
      const double t = (cuts[i] + cuts[i - 1]) / 2;
      double least = kNoGround;
      for (const double by : {-aside, aside})
        least = std::min(
            least, factor_at({a.x + t * (b.x - a.x) + by * nx, a.z + t * (b.z - a.z) + by * nz}));
      sum += part * (least < kNoGround ? least : 1);  // between two holes, for a hair
    }
    return sum;
  }

  std::string drawn() const {
    std::string text = is_turned ? ", turned, patches:" : ", patches:";
    for (const Patch& p : patches)
      text += " (" + std::to_string(p.box.center.x) + ", " + std::to_string(p.box.center.z) + "; " +
              std::to_string(p.box.half_x) + " x " + std::to_string(p.box.half_z) + ", factor " +
              std::to_string(p.effect.factor) + ")";
    text += ", areas:";
    for (std::size_t i = 0; i < areas.size(); ++i)
      text += (i % kPatchworkSide == 0 ? "\n" : "") + std::to_string(areas[i]);
    return text;
  }

 private:
  void append_cuts(Point a, Point b, std::vector<double>* cuts) const {
    const auto cut = [cuts](double here, double there) {
      if ((here < 0) != (there < 0)) cuts->push_back(std::clamp(here / (here - there), 0.0, 1.0));
    };
    for (int k = 1; k < kPatchworkSide; ++k) {
      cut(a.x - k, b.x - k);
      cut(a.z - k, b.z - k);
    }
    for (const Patch& patch : patches) {
      for (const double sign : {-1.0, 1.0}) {
        const double x = patch.box.center.x + sign * patch.box.half_x;
        const double z = patch.box.center.z + sign * patch.box.half_z;
        cut(a.x - x, b.x - x);
        cut(a.z - z, b.z - z);
      }
    }
  }
};

struct PatchworkWorld {
  Patchwork plain;
  std::unique_ptr<NavWorld> world;
  RouteViewId view{};
};

inline MeshSource patchwork_mesh(Random* random, std::uint32_t holes_in_100, Patchwork* plain) {
  const auto n = static_cast<std::size_t>(kPatchworkSide);
  std::vector<std::string> rows(n, std::string(n, '.'));
  for (std::string& row : rows)
    for (char& c : row)
      if (holes_in_100 > 0 && random->below(100) < holes_in_100) c = '#';
  rows[0][0] = '.';
  MeshSource mesh = squares(rows);
  const std::uint32_t cheap = random->below(8);  // out of ten squares
  std::size_t next = 0;
  for (const std::string& row : rows)
    for (const char c : row) {
      const std::uint8_t area =
          random->below(10) < cheap ? std::uint8_t{0} : static_cast<std::uint8_t>(random->below(4));
      plain->areas.push_back(area);
      plain->holes.push_back(c != '.');
      if (c == '.') mesh.cells[next++].area = AreaType(area);
    }
  if (plain->is_turned)
    for (auto& vertex : mesh.vertices) {
      const LatticePoint p = vertex.at;
      vertex.at = {(4 * p.x - 3 * p.z) / 5, (3 * p.x + 4 * p.z) / 5};
    }
  return mesh;
}

// Returns an obstacle that does not block, and notes it as a patch.
inline ObstacleSpec add_patch(Random* random, std::uint64_t id, Patchwork* plain) {
  ObstacleSpec obstacle{.id = ObstacleId{id}};
  const Box box{.center = {0.5 * random->below(25), 0.5 * random->below(25)},
                .half_x = 0.5 * (1 + random->below(6)),
                .half_z = 0.5 * (1 + random->below(6))};
  obstacle.shape = plain->placed(box);
  obstacle.effect = {.blocked = false, .factor = 1 + 0.5 * random->below(8)};
  if (random->below(3) == 0)
    obstacle.effect = {.blocked = false, .area = static_cast<std::uint8_t>(random->below(4))};
  plain->patches.push_back({box, obstacle.effect});
  return obstacle;
}

inline PatchworkWorld patchwork_world(Random* random, bool is_turned,
                                      std::uint32_t holes_in_100 = 0) {
  PatchworkWorld made;
  made.plain.is_turned = is_turned;
  const MeshSource mesh = patchwork_mesh(random, holes_in_100, &made.plain);
  made.world = *NavWorld::create({.name = "w",
                                  .mesh = mesh,
                                  .profiles = {patchwork_walker()},
                                  .cell_side = 1.0 + random->below(8)});
  made.view = *made.world->acquire_view("walker", TeamId{0});
  return made;
}

// Half of them lie on borders.
inline Spot patchwork_spot(Random* random, const Patchwork& plain) {
  if (random->below(2) == 0) return plain.placed(0.5 * random->below(25), 0.5 * random->below(25));
  return plain.placed(random->unit() * kPatchworkSide, random->unit() * kPatchworkSide);
}

}  // namespace repath::test
