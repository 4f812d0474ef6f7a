// Small worlds of two floors joined by a ramp, and obstacles for them.
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "navmesh/carve/carved_mesh.h"
#include "support/carve_scenes.h"
#include "support/random_meshes.h"

namespace repath::test {

// Returns squares at heights 0 and `rise`, one floor above the other in the last `overlap` columns
// of the lower one, some of them left out. A ramp from the lower floor to the upper one leads along
// z = 0.
inline MeshSource two_floors(Random* random, int width, int height, double rise = 4,
                             int overlap = 2) {
  MeshSource source;
  std::map<std::tuple<int, int, int>, std::uint32_t> known;
  const auto vertex = [&](int x, int z, int floor) {
    const auto [place, is_new] =
        known.try_emplace({x, z, floor}, static_cast<std::uint32_t>(source.vertices.size()));
    if (is_new) source.vertices.push_back({at(x, z), floor * rise});
    return place->second;
  };
  const auto square = [&](int x, int z, int floor) {
    source.add_cell({vertex(x, z, floor), vertex(x + 1, z, floor), vertex(x + 1, z + 1, floor),
                     vertex(x, z + 1, floor)});
  };
  for (int z = 0; z < height; ++z)
    for (int x = 0; x < width; ++x)
      if (z == 0 || random->below(5) != 0) square(x, z, 0);
  source.add_cell(
      {vertex(width, 0, 0), vertex(width + 2, 0, 1), vertex(width + 2, 1, 1), vertex(width, 1, 0)});
  square(width + 2, 0, 1);
  for (int z = 1; z < height; ++z)
    for (int x = width - overlap; x < width + 3; ++x)
      if (x == width + 2 || random->below(5) != 0) square(x, z, 1);
  return source;
}

// Returns a shape on one floor, on both, or on the middle of the ramp only. `has_soft`: half of
// them do not block.
inline CarveShape random_carve_shape(Random* random, double side, bool has_soft = false) {
  CarveShape shape;
  for (std::uint32_t k = 1 + random->below(2); k > 0; --k)
    shape.pieces.push_back(random_obstacle(random, side, 0.3 * random->below(2)));
  shape.y0 = random->below(3) * 1.5;
  shape.y1 = shape.y0 + random->below(3);
  shape.enabled = random->below(5) != 0;
  if (has_soft && random->below(2) == 0) shape.effect = random_soft_effect(random);
  return shape;
}

// Returns some edits of obstacles 1 to `ids`; `known` holds the present obstacles and is updated.
inline std::vector<CarveEdit> random_edits(Random* random, std::uint32_t ids, double side,
                                           std::map<ObstacleId, CarveShape>* known,
                                           bool has_soft = false) {
  std::vector<CarveEdit> edits;
  std::map<ObstacleId, bool> taken;
  for (std::uint32_t k = 1 + random->below(3); k > 0; --k) {
    const ObstacleId id{1 + random->below(ids)};
    if (std::exchange(taken[id], true)) continue;
    const bool is_known = known->contains(id);
    const std::uint32_t kind = is_known ? random->below(4) : 0;
    if (kind <= 1) {
      edits.push_back({CarveEdit::Kind::kUpsert, id, random_carve_shape(random, side, has_soft)});
      (*known)[id] = edits.back().shape;
    } else if (kind == 2) {
      edits.push_back({CarveEdit::Kind::kRemove, id, {}});
      known->erase(id);
    } else {
      CarveShape enabled;
      enabled.enabled = (*known)[id].enabled = random->below(2) == 0;
      edits.push_back({CarveEdit::Kind::kSwitch, id, enabled});
    }
  }
  return edits;
}

}  // namespace repath::test
