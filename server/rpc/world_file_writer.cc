// The part of world_file.h that writes.
#include <algorithm>
#include <array>
#include <utility>

#include "base/check.h"
#include "rpc/batch_messages.h"
#include "rpc/content_messages.h"
#include "rpc/world_file.h"
#include "rpc/world_messages.h"
#include "world/read_back.h"

namespace repath {
namespace {

// A part ends when its entries reach this size on the wire.
constexpr std::size_t kPartBytes = std::size_t{1} << 18;
// Rough sizes of entries on the wire.
constexpr std::size_t kVertexBytes = 18;
constexpr std::size_t kCornerBytes = 5;
constexpr std::size_t kLinkBytes = 64;
constexpr std::size_t kGraphEntryBytes = 48;
constexpr std::size_t kSwitchBytes = 16;

// Calls put(entry) for entries of the list from `*place` on until they fill a part. Returns false
// if none were left.
template <class List, class Size, class Put>
bool fill_part(const List& list, std::size_t* place, Size size, Put put) {
  if (*place >= list.size()) return false;
  for (std::size_t bytes = 0; *place < list.size() && bytes < kPartBytes; ++*place) {
    bytes += size(list[*place]);
    put(list[*place]);
  }
  return true;
}

// Limits the entries of one batch, so that most are applied whole.
constexpr std::size_t kBatchEntries = 1000;
constexpr std::size_t kBatchEntryBytes = kPartBytes / kBatchEntries;

}  // namespace

WorldFileWriter::WorldFileWriter(std::shared_ptr<const WorldContent> content, std::string name,
                                 const WorldSettings& settings)
    : content_(std::move(content)), name_(std::move(name)), settings_(settings) {}

bool WorldFileWriter::next(std::string* out) {
  using Fill = bool (WorldFileWriter::*)(v1::WorldFilePart*);
  constexpr std::array<Fill, 9> kLists = {
      &WorldFileWriter::fill_terrain,  &WorldFileWriter::fill_vertices,
      &WorldFileWriter::fill_cells,    &WorldFileWriter::fill_links,
      &WorldFileWriter::fill_nodes,    &WorldFileWriter::fill_edges,
      &WorldFileWriter::fill_switches, &WorldFileWriter::fill_obstacles,
      &WorldFileWriter::fill_bodies};
  v1::WorldFilePart part;
  if (step_ == 0) {
    step_ = 1;
    out->append(kWorldFileMagic);
    digest_.add(kWorldFileMagic);
    fill_head(part.mutable_head());
    put(part, out);
    return true;
  }
  for (; step_ <= kLists.size(); ++step_, place_ = 0) {
    if (!(this->*kLists[step_ - 1])(&part)) continue;
    put(part, out);
    return true;
  }
  if (step_++ > kLists.size() + 1) return false;
  const Sha256::Digest digest = digest_.finish();
  part.mutable_end()->set_sha256(std::string(digest.begin(), digest.end()));
  put(part, out);
  return true;
}

void WorldFileWriter::put(const v1::WorldFilePart& part, std::string* out) {
  const std::size_t first = out->size();
  for (std::size_t size = part.ByteSizeLong();; size >>= 7) {
    out->push_back(static_cast<char>((size & 0x7f) | (size > 0x7f ? 0x80 : 0)));
    if (size <= 0x7f) break;
  }
  REPATH_CHECK(part.AppendToString(out));
  if (!part.has_end()) digest_.add(std::string_view(*out).substr(first));
}

void WorldFileWriter::fill_head(v1::WorldFileHead* out) const {
  const WorldContent& world = *content_;
  out->set_kind(std::string(name_of(world.kind)));
  out->set_revision(value(world.revision));
  out->set_state_hash(world.state_hash);
  out->set_mesh_cell_size(world.mesh_cell_side);
  out->set_mesh_base_radius(world.mesh_base_radius);
  v1::CreateWorldRequest* request = out->mutable_world();
  request->set_name(name_);
  fill_options(settings_, request->mutable_options());
  for (const Profile& profile : world.profiles)
    fill_profile(profile, {world.kind, world.terrain_classes}, request->add_profiles());
  if (world.kind != WorldKind::kGrid) {
    request->mutable_options()->clear_first_leg_cells();
    return;
  }
  request->set_width(world.width);
  request->set_height(world.height);
  request->set_cell_size(world.cell_size);
  for (const TerrainClass& terrain : world.terrain_classes)
    fill_terrain_class(terrain, request->add_terrain_classes());
}

bool WorldFileWriter::fill_terrain(v1::WorldFilePart* out) {
  return fill_part(
      content_->tiles, &place_, [](const TerrainTile& tile) { return tile.bytes(); },
      [out](const TerrainTile& tile) { fill_tile(tile, out->mutable_terrain()->add_tiles()); });
}

bool WorldFileWriter::fill_vertices(v1::WorldFilePart* out) {
  if (content_->mesh == nullptr) return false;
  return fill_part(
      content_->mesh->vertices, &place_, [](const auto&) { return kVertexBytes; },
      [out](const MeshSource::Vertex& vertex) {
        out->mutable_mesh()->add_x(vertex.at.x);
        out->mutable_mesh()->add_z(vertex.at.z);
        out->mutable_mesh()->add_y(vertex.y);
      });
}

bool WorldFileWriter::fill_cells(v1::WorldFilePart* out) {
  if (content_->mesh == nullptr) return false;
  return fill_part(
      content_->mesh->cells, &place_,
      [](const MeshSource::Cell& cell) { return kCornerBytes * (cell.count + 2); },
      [&](const MeshSource::Cell& cell) {
        v1::WorldFileMesh* mesh = out->mutable_mesh();
        mesh->add_corner_counts(cell.count);
        for (const std::uint32_t corner : content_->mesh->corners_of(cell))
          mesh->add_corners(corner);
        mesh->add_areas(index(cell.area));
        mesh->add_flags(cell.flags);
      });
}

bool WorldFileWriter::fill_links(v1::WorldFilePart* out) {
  if (content_->mesh == nullptr) return false;
  return fill_part(
      content_->mesh->links, &place_, [](const NavLink&) { return kLinkBytes; },
      [out](const NavLink& link) {
        v1::WorldFileMesh::Link* message = out->mutable_mesh()->add_links();
        message->set_id(link.id);
        message->set_from_cell(link.from_cell);
        message->set_to_cell(link.to_cell);
        message->set_from_x(link.from.x);
        message->set_from_z(link.from.z);
        message->set_from_y(link.from_y);
        message->set_to_x(link.to.x);
        message->set_to_z(link.to.z);
        message->set_to_y(link.to_y);
        message->set_factor(link.factor);
        message->set_area(index(link.area));
        message->set_flags(link.flags);
        message->set_both_ways(link.both_ways);
        message->set_enabled(link.enabled);
      });
}

bool WorldFileWriter::fill_nodes(v1::WorldFilePart* out) {
  return fill_part(
      content_->graph.nodes, &place_, [](const GraphNode&) { return kGraphEntryBytes; },
      [out](const GraphNode& node) { fill_node(node, out->mutable_graph()->add_nodes()); });
}

bool WorldFileWriter::fill_edges(v1::WorldFilePart* out) {
  return fill_part(
      content_->graph.edges, &place_, [](const GraphEdge&) { return kGraphEntryBytes; },
      [out](const GraphEdge& edge) { fill_edge(edge, out->mutable_graph()->add_edges()); });
}

bool WorldFileWriter::fill_switches(v1::WorldFilePart* out) {
  return fill_part(
      content_->switched_links, &place_, [](const LinkSwitch&) { return kSwitchBytes; },
      [out](const LinkSwitch& link) {
        v1::LinkSwitch* message = out->mutable_content()->add_switch_links();
        message->set_id(link.id);
        message->set_enabled(link.enabled);
      });
}

bool WorldFileWriter::fill_obstacles(v1::WorldFilePart* out) {
  return fill_part(
      content_->obstacles, &place_,
      [](const ObstacleSpec& spec) { return std::max(bytes_of(spec), kBatchEntryBytes); },
      [out](const ObstacleSpec& spec) {
        fill_obstacle(spec, out->mutable_content()->add_upsert_obstacles());
      });
}

bool WorldFileWriter::fill_bodies(v1::WorldFilePart* out) {
  return fill_part(
      content_->bodies, &place_, [](const Body&) { return kBatchEntryBytes; },
      [out](const Body& body) { fill_body(body, out->mutable_content()->add_stand()); });
}

}  // namespace repath
