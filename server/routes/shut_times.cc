#include "routes/shut_times.h"

#include "routes/boxes.h"

namespace repath {

void ShutTimes::note(const CarvedMesh& mesh, Revision now, std::span<TouchedObstacle> touched) {
  for (TouchedObstacle& one : touched) {
    const auto known = since_.find(one.id);
    if (known == since_.end()) continue;
    one.shut_at = known->second;
    since_.erase(known);
  }
  for (const TouchedObstacle& one : touched)
    if (one.after && one.after->blocked) since_[one.id] = now;
  for (const TouchedObstacle& one : touched) {
    if (one.before) lower_beside(mesh, one.base_cells_before, one.box_before, one.shut_at);
    if (one.after && one.after->area)
      lower_beside(mesh, mesh.base_cells_of(one.id), box_of(*mesh.shape_of(one.id)), Revision{});
  }
}

void ShutTimes::lower_beside(const CarvedMesh& mesh, std::span<const std::uint32_t> base_cells,
                             const RouteBox& box, Revision to) {
  for (const std::uint32_t cell : base_cells)
    for (const ObstacleId id : mesh.obstacles_of(cell)) {
      const auto known = since_.find(id);
      if (known == since_.end() || known->second <= to) continue;
      if (meet(box, box_of(*mesh.shape_of(id)), 0)) known->second = to;
    }
}

}  // namespace repath
