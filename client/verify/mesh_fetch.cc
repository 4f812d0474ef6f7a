#include "verify/mesh_fetch.h"

#include <algorithm>
#include <string>
#include <utility>

#include "verify/mesh_parts.h"

namespace repath::verify {
namespace {

void copy_shape(const v1::Obstacle& from, v1::Obstacle* to) {
  if (from.has_box()) *to->mutable_box() = from.box();
  if (from.has_cylinder()) *to->mutable_cylinder() = from.cylinder();
  if (from.has_polygon()) *to->mutable_polygon() = from.polygon();
  if (from.has_capsule()) *to->mutable_capsule() = from.capsule();
}

bool grow_by_server(WorldLink& link, const v1::Obstacle& obstacle, double radius,
                    std::vector<Ring>* rings, std::string* failure) {
  v1::GrowObstacleRequest request;
  copy_shape(obstacle, request.mutable_obstacle());
  request.set_radius(radius);
  v1::GrowObstacleResponse answer;
  if (const grpc::Status status = link.grow(request, answer); !status.ok()) {
    *failure = status.error_message();
    return false;
  }
  for (const auto& ring : answer.rings()) {
    Ring& made = rings->emplace_back();
    for (int i = 0; i + 1 < ring.xz_size(); i += 2)
      made.corners.push_back({ring.xz(i), 0, ring.xz(i + 1)});
  }
  return true;
}

// A mesh as the server tells it.
struct Fetched {
  std::vector<MeshCell> cells;
  std::vector<std::uint32_t> flags;  // by cell
  std::vector<MeshLink> links;
};

grpc::Status fetch(WorldLink& link, Fetched* mesh) {
  v1::GetGroundRequest request;
  for (;;) {
    v1::GetGroundResponse answer;
    if (grpc::Status status = link.ground(request, answer); !status.ok()) return status;
    int corner = 0;
    for (const std::uint32_t count : answer.corner_counts()) {
      MeshCell cell;
      for (std::uint32_t i = 0; i < count; ++i, corner += 3)
        cell.corners.push_back(
            {answer.corners(corner), answer.corners(corner + 1), answer.corners(corner + 2)});
      mesh->cells.push_back(std::move(cell));
    }
    mesh->flags.insert(mesh->flags.end(), answer.flags().begin(), answer.flags().end());
    for (const auto& one : answer.links())
      mesh->links.push_back({one.id(),
                             {one.from().x(), one.from().y(), one.from().z()},
                             {one.to().x(), one.to().y(), one.to().z()},
                             one.factor(),
                             one.both_ways()});
    if (!answer.has_next_cell()) return grpc::Status::OK;
    request.set_first_cell(answer.next_cell());
  }
}

// Returns the ground without these flags, for the views that exclude them. Null after an error.
std::unique_ptr<MeshModel> part_without(std::uint32_t flags, WorldLink& link, const Fetched& mesh,
                                        const MeshWish& wish, grpc::Status* status) {
  std::vector<MeshCell> cells;
  for (std::size_t c = 0; c < mesh.cells.size(); ++c)
    if ((mesh.flags[c] & flags) == 0) cells.push_back(mesh.cells[c]);
  if (flags != 0 && (cells.empty() || cells.size() == mesh.cells.size())) {
    *status = {grpc::StatusCode::FAILED_PRECONDITION,
               std::string("the map has ") + (cells.empty() ? "only" : "no") +
                   " ground with one of the flags " + std::to_string(flags)};
    return nullptr;
  }
  std::vector<MeshView> views;
  for (const MeshView& view : wish.views)
    if (view.exclude_flags == flags) views.push_back(view);
  auto model =
      std::make_unique<MeshModel>(std::move(cells), std::move(views),
                                  [&link](const v1::Obstacle& obstacle, double radius,
                                          std::vector<Ring>* rings, std::string* failure) {
                                    return grow_by_server(link, obstacle, radius, rings, failure);
                                  });
  for (const MeshLink& one : mesh.links) model->add_link(one);
  if (wish.has_soft_changes) model->use_soft_obstacles();
  std::string failure;
  if (model->grow_walls(wish.base_radius, &failure)) return model;
  *status = grpc::Status(grpc::StatusCode::INTERNAL, failure);
  return nullptr;
}

}  // namespace

std::unique_ptr<RouteModel> fetch_mesh(WorldLink& link, const MeshWish& wish,
                                       grpc::Status* status) {
  Fetched mesh;
  *status = fetch(link, &mesh);
  if (!status->ok()) return nullptr;
  std::vector<std::uint32_t> excluded;  // each once
  for (const MeshView& view : wish.views)
    if (std::ranges::find(excluded, view.exclude_flags) == excluded.end())
      excluded.push_back(view.exclude_flags);
  std::vector<std::unique_ptr<MeshModel>> parts;
  for (const std::uint32_t flags : excluded) {
    parts.push_back(part_without(flags, link, mesh, wish, status));
    if (parts.back() == nullptr) return nullptr;
  }
  if (parts.size() == 1) return std::move(parts.front());
  return std::make_unique<MeshParts>(std::move(parts));
}

}  // namespace repath::verify
