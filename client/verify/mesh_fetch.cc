#include "verify/mesh_fetch.h"

#include <string>
#include <utility>

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

}  // namespace

std::unique_ptr<MeshModel> fetch_mesh(WorldLink& link, const std::vector<MeshView>& views,
                                      double base_radius, grpc::Status* status) {
  std::vector<MeshCell> cells;
  std::vector<v1::GetGroundResponse::Link> links;
  v1::GetGroundRequest request;
  for (;;) {
    v1::GetGroundResponse answer;
    *status = link.ground(request, answer);
    if (!status->ok()) return nullptr;
    int corner = 0;
    for (const std::uint32_t count : answer.corner_counts()) {
      MeshCell cell;
      for (std::uint32_t i = 0; i < count; ++i, corner += 3)
        cell.corners.push_back(
            {answer.corners(corner), answer.corners(corner + 1), answer.corners(corner + 2)});
      cells.push_back(std::move(cell));
    }
    for (const auto& one : answer.links()) links.push_back(one);
    if (!answer.has_next_cell()) break;
    request.set_first_cell(answer.next_cell());
  }
  auto model =
      std::make_unique<MeshModel>(std::move(cells), views,
                                  [&link](const v1::Obstacle& obstacle, double radius,
                                          std::vector<Ring>* rings, std::string* failure) {
                                    return grow_by_server(link, obstacle, radius, rings, failure);
                                  });
  for (const auto& one : links)
    model->add_link({one.id(),
                     {one.from().x(), one.from().y(), one.from().z()},
                     {one.to().x(), one.to().y(), one.to().z()},
                     one.factor(),
                     one.both_ways()});
  std::string failure;
  if (model->grow_walls(base_radius, &failure)) return model;
  *status = grpc::Status(grpc::StatusCode::INTERNAL, failure);
  return nullptr;
}

}  // namespace repath::verify
