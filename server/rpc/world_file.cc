// The part of world_file.h that reads.
#include "rpc/world_file.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.h"
#include "rpc/batch_messages.h"
#include "rpc/raw_message.h"

namespace repath {
namespace {

absl::Status bad_file(std::string_view place, std::string_view message) {
  return invalid_field("WORLD_FILE_SYNTAX", place, message);
}

// Walks over the parts of a file.
class PartWalk {
 public:
  explicit PartWalk(std::string_view file) : file_(file), at_(kWorldFileMagic.size()) {}

  // Goes to the next part. Returns false after the last one. WORLD_FILE_SYNTAX if the file does not
  // begin as it must, is cut off, or has a part above kWorldPartBytesMax.
  absl::StatusOr<bool> next() {
    if (!is_world_file(file_)) return bad_file("file", "does not begin with RPWORLD1");
    if (at_ == file_.size()) return false;
    begin_ = at_;
    ++number_;
    std::uint64_t size = 0;
    int shift = 0;
    for (bool more = true; more; shift += 7) {
      if (at_ == file_.size() || shift > 21) return bad_file(place(), "has no proper size");
      const auto byte = static_cast<unsigned char>(file_[at_++]);
      size |= std::uint64_t{byte & 0x7fu} << shift;
      more = (byte & 0x80u) != 0;
    }
    if (size > kWorldPartBytesMax) return bad_file(place(), "is larger than 4 MiB");
    if (size > file_.size() - at_) return bad_file(place(), "is cut off");
    bytes_ = file_.substr(at_, size);
    at_ += size;
    return true;
  }
  absl::Status parse(v1::WorldFilePart* out) const {
    REPATH_RETURN_IF_ERROR(check_decoded(decoded_bytes()));
    if (out->ParseFromArray(bytes_.data(), static_cast<int>(bytes_.size())))
      return absl::OkStatus();
    return bad_file(place(), "cannot be read");
  }
  std::string place() const { return "part " + std::to_string(number_); }
  std::string_view before() const { return file_.substr(0, begin_); }
  bool is_last() const { return at_ == file_.size(); }
  std::size_t part_bytes() const { return bytes_.size(); }
  // Returns what the part takes in memory.
  std::uint64_t decoded_bytes() const {
    return repath::decoded_bytes(*v1::WorldFilePart::descriptor(), bytes_);
  }

 private:
  std::string_view file_;
  std::size_t at_;         // end of the part
  std::size_t begin_ = 0;  // its beginning, with its size
  std::string_view bytes_;
  std::uint64_t number_ = 0;
};

// Checks that the parts follow one another to the end, and that the bytes are those written.
absl::Status check_bytes(std::string_view file) {
  PartWalk walk(file);
  REPATH_ASSIGN_OR_RETURN(bool more, walk.next());
  while (more && !walk.is_last()) {
    REPATH_ASSIGN_OR_RETURN(more, walk.next());
  }
  v1::WorldFilePart last;
  if (more) REPATH_RETURN_IF_ERROR(walk.parse(&last));
  if (!last.has_end()) return bad_file("file", "does not end with an end: it is cut off");
  const Sha256::Digest digest = sha256(walk.before());
  if (std::ranges::equal(last.end().sha256(), digest, {},
                         [](char c) { return static_cast<std::uint8_t>(c); }))
    return absl::OkStatus();
  return invalid_field("WORLD_FILE_DIGEST", "file",
                       "the bytes are not those that were exported; export the world again");
}

// ---- content ----

// Appends a batch of obstacles, bodies and links.
absl::Status take_content(const v1::ChangeBatch& message, WorldKind kind, const std::string& place,
                          RestoredContent* out) {
  static const TerrainTable no_terrain;
  REPATH_ASSIGN_OR_RETURN(ChangeBatch batch, to_batch(message, {kind, no_terrain}, Field()));
  if (batch.entries() !=
      batch.upsert_obstacles.size() + batch.stand.size() + batch.switch_links.size())
    return bad_file(place, "may have upsert_obstacles, stand and switch_links alone");
  out->batches.push_back(std::move(batch));
  return absl::OkStatus();
}

// Reads all parts between head and end. `take(part, place)` takes one part of ground. REQUIRES:
// check_bytes is OK.
template <class Take>
absl::Status read_parts(std::string_view file, WorldKind kind, RestoredContent* content,
                        WorkMeter* work, Take take) {
  PartWalk walk(file);
  REPATH_RETURN_IF_ERROR(walk.next().status());  // the head
  v1::WorldFilePart part;
  while (!walk.is_last()) {
    REPATH_RETURN_IF_ERROR(walk.next().status());
    if (walk.is_last()) break;  // the end
    if (!work->spend(walk.part_bytes())) return work->error(walk.place());
    REPATH_RETURN_IF_ERROR(work->check_memory(walk.decoded_bytes(), walk.place()));
    REPATH_RETURN_IF_ERROR(walk.parse(&part));
    absl::Status status;
    if (part.has_content()) {
      status = take_content(part.content(), kind, walk.place(), content);
    } else if (!content->batches.empty()) {
      status = bad_file(walk.place(), "must not follow the content");
    } else {
      status = take(part, walk.place());
    }
    if (!status.ok() && error_field(status).starts_with("part ")) return status;
    if (!status.ok()) return with_field_prefix(status, walk.place() + ": ");
  }
  return absl::OkStatus();
}

// ---- grids ----

constexpr std::string_view kLayerPlace = "planes";

// Reads the tiles of a grid.
class TileReader {
 public:
  TileReader(WorldSpec* spec, RestoredContent* content, WorkMeter* work)
      : spec_(*spec),
        content_(*content),
        work_(*work),
        tiles_x_((spec->map.width + kTileMask) >> kTileBits),
        is_read_(static_cast<std::size_t>(tiles_x_) *
                 static_cast<std::size_t>((spec->map.height + kTileMask) >> kTileBits)) {
    content_.tiles_changed.assign(is_read_.size(), content_.revision);
  }

  absl::Status take(const v1::TerrainTile& tile) {
    if (tile.x() < 0 || tile.y() < 0 || tile.x() >= spec_.map.width ||
        tile.y() >= spec_.map.height || (tile.x() & kTileMask) != 0 || (tile.y() & kTileMask) != 0)
      return bad_file("tiles", "must begin at multiples of 64 on the map");
    if (tile.width() != std::min(kTileSide, spec_.map.width - tile.x()) ||
        tile.height() != std::min(kTileSide, spec_.map.height - tile.y()))
      return bad_file("tiles", "must have the size that they have on the map");
    const auto at =
        static_cast<std::size_t>((tile.y() >> kTileBits) * tiles_x_ + (tile.x() >> kTileBits));
    if (is_read_[at]) return bad_file("tiles", "must come once each");
    is_read_[at] = true;
    ++read_;
    // A file from elsewhere may lack the revision, or have one that is not reached yet.
    const Revision changed{tile.changed_revision()};
    if (changed >= Revision{1}) content_.tiles_changed[at] = std::min(changed, content_.revision);
    REPATH_RETURN_IF_ERROR(take_terrain(tile));
    return take_planes(tile);
  }
  absl::Status check_all_read() const {
    if (read_ == is_read_.size()) return absl::OkStatus();
    return bad_file("file", "lacks tiles of the map");
  }

 private:
  static std::size_t cells_of(const v1::TerrainTile& tile) {
    return static_cast<std::size_t>(tile.width()) * static_cast<std::size_t>(tile.height());
  }

  absl::Status take_terrain(const v1::TerrainTile& tile) {
    const std::string& terrain = tile.terrain();
    if (terrain.size() != 1 && terrain.size() != cells_of(tile))
      return bad_file("terrain", "must have one byte for each cell, or one for all");
    for (const char c : terrain)
      if (static_cast<unsigned char>(c) >= spec_.map.classes.size())
        return bad_file("terrain", "names a class that the world does not have");
    const auto width = static_cast<std::size_t>(tile.width());
    for (std::int32_t y = 0; y < tile.height(); ++y) {
      const auto out =
          spec_.map.cells.begin() + std::ptrdiff_t{tile.y() + y} * spec_.map.width + tile.x();
      if (terrain.size() == 1) {
        std::fill_n(out, width, static_cast<TerrainId>(terrain.front()));
      } else {
        std::transform(terrain.begin() + std::ptrdiff_t{y} * tile.width(),
                       terrain.begin() + std::ptrdiff_t{y + 1} * tile.width(), out,
                       [](char c) { return static_cast<TerrainId>(c); });
      }
    }
    return absl::OkStatus();
  }

  absl::Status take_planes(const v1::TerrainTile& tile) {
    std::optional<PlaneKey> last;
    for (const v1::TerrainTile::Plane& plane : tile.planes()) {
      if (plane.team() >= kTeams || plane.layer() > PlaneKey::kUnseen)
        return bad_file(kLayerPlace, "have a team in [0, 32) and a layer in [0, 16]");
      const PlaneKey key{TeamId{static_cast<std::uint8_t>(plane.team())},
                         static_cast<std::uint8_t>(plane.layer())};
      if (last && key <= *last) return bad_file(kLayerPlace, "must ascend by team and layer");
      last = key;
      REPATH_RETURN_IF_ERROR(take_levels(plane.levels(), key, tile));
    }
    return absl::OkStatus();
  }

  absl::Status take_levels(const std::string& bytes, PlaneKey key, const v1::TerrainTile& tile) {
    if (bytes.size() != 2 && bytes.size() != 2 * cells_of(tile))
      return bad_file(kLayerPlace, "must have two bytes for each cell, or two for all");
    const Level most = key.number == PlaneKey::kUnseen ? 1 : kLevelMax;
    std::vector<Level> levels(bytes.size() / 2);
    for (std::size_t i = 0; i < levels.size(); ++i) {
      const auto low = static_cast<unsigned char>(bytes[2 * i]);
      const auto high = static_cast<unsigned char>(bytes[2 * i + 1]);
      levels[i] = static_cast<Level>(low | high << 8);
      if (levels[i] > most)
        return bad_file(kLayerPlace, "have levels of at most 63936, 1 if hidden");
    }
    const auto known = spec_.planes.find(key);
    if (known != spec_.planes.end()) {
      known->second.put_tile(tile.x(), tile.y(), levels);
      return absl::OkStatus();
    }
    Plane plane(spec_.map.width, spec_.map.height);
    plane_bytes_ += plane.bytes();
    REPATH_RETURN_IF_ERROR(work_.check_memory(plane_bytes_, kLayerPlace));
    plane.put_tile(tile.x(), tile.y(), levels);
    spec_.planes.emplace(key, std::move(plane));
    return absl::OkStatus();
  }

  WorldSpec& spec_;
  RestoredContent& content_;
  WorkMeter& work_;
  const std::int32_t tiles_x_;
  std::vector<bool> is_read_;
  std::size_t read_ = 0;
  std::uint64_t plane_bytes_ = 0;
};

// Refuses a map that the file cannot hold, before there is memory for it.
absl::Status check_tiles_fit(const WorldSpec& spec, std::size_t file_bytes) {
  constexpr std::size_t kTileBytesMin = 8;
  const auto along = [](std::int32_t cells) {
    return static_cast<std::size_t>((cells + kTileMask) >> kTileBits);
  };
  if (along(spec.map.width) * along(spec.map.height) <= file_bytes / kTileBytesMin)
    return absl::OkStatus();
  return bad_file("file", "lacks tiles of the map");
}

// ---- meshes ----

absl::Status check_lists_alike(const v1::WorldFileMesh& mesh) {
  std::uint64_t corners = 0;
  for (const std::uint32_t count : mesh.corner_counts()) corners += count;
  if (mesh.x_size() != mesh.z_size() || mesh.x_size() != mesh.y_size())
    return bad_file("mesh", "must have x, y and z of each vertex");
  if (corners != static_cast<std::uint64_t>(mesh.corners_size()) ||
      mesh.corner_counts_size() != mesh.areas_size() ||
      mesh.corner_counts_size() != mesh.flags_size())
    return bad_file("mesh", "must have the corners, the area and the flags of each cell");
  return absl::OkStatus();
}

absl::Status check_mesh_size(const MeshSource& ground, const v1::WorldFileMesh& more) {
  const auto is_above = [](std::size_t have, int come, std::size_t most) {
    return have + static_cast<std::size_t>(come) > most;
  };
  if (!is_above(ground.vertices.size(), more.x_size(), kNavVerticesMax) &&
      !is_above(ground.cells.size(), more.corner_counts_size(), kNavCellsMax) &&
      !is_above(ground.corners.size(), more.corners_size(), kNavEdgesMax) &&
      !is_above(ground.links.size(), more.links_size(), kNavLinksMax))
    return absl::OkStatus();
  return make_error(
      absl::StatusCode::kResourceExhausted, "MESH_TOO_LARGE", "mesh",
      "a mesh has at most 8388608 vertices, 4194304 cells, 33554432 corners and 65536 "
      "links");
}

absl::StatusOr<NavLink> to_link(const v1::WorldFileMesh::Link& message, const Field& field) {
  NavLink link;
  link.id = message.id();
  link.from_cell = message.from_cell();
  link.to_cell = message.to_cell();
  link.from = {message.from_x(), message.from_z()};
  link.to = {message.to_x(), message.to_z()};
  link.from_y = message.from_y();
  link.to_y = message.to_y();
  link.factor = message.factor();
  REPATH_ASSIGN_OR_RETURN(const std::uint8_t area, to_area(message.area(), field / "area"));
  link.area = AreaType{area};
  REPATH_ASSIGN_OR_RETURN(link.flags, to_flags(message.flags(), 0, field / "flags"));
  link.both_ways = message.both_ways();
  link.enabled = message.enabled();
  return link;
}

absl::Status take_mesh(const v1::WorldFileMesh& mesh, MeshSource* out) {
  REPATH_RETURN_IF_ERROR(check_lists_alike(mesh));
  REPATH_RETURN_IF_ERROR(check_mesh_size(*out, mesh));
  const Field field = Field() / "mesh";
  for (int i = 0; i < mesh.x_size(); ++i)
    out->vertices.push_back({{mesh.x(i), mesh.z(i)}, mesh.y(i)});
  auto corner = mesh.corners().begin();
  for (int i = 0; i < mesh.corner_counts_size(); ++i) {
    MeshSource::Cell cell{.first = static_cast<std::uint32_t>(out->corners.size()),
                          .count = mesh.corner_counts(i)};
    out->corners.insert(out->corners.end(), corner, corner + cell.count);
    corner += cell.count;
    REPATH_ASSIGN_OR_RETURN(const std::uint8_t area,
                            to_area(mesh.areas(i), (field / "areas")[place(i)]));
    cell.area = AreaType{area};
    REPATH_ASSIGN_OR_RETURN(cell.flags, to_flags(mesh.flags(i), 0, (field / "flags")[place(i)]));
    out->cells.push_back(cell);
  }
  for (int i = 0; i < mesh.links_size(); ++i) {
    REPATH_ASSIGN_OR_RETURN(const NavLink link,
                            to_link(mesh.links(i), (field / "links")[place(i)]));
    out->links.push_back(link);
  }
  return absl::OkStatus();
}

// ---- graphs ----

absl::Status take_graph(const v1::WorldFileGraph& graph, GraphSource* out) {
  if (out->nodes.size() + place(graph.nodes_size()) > kGraphNodesMax ||
      out->edges.size() + place(graph.edges_size()) > kGraphEdgesMax)
    return make_error(absl::StatusCode::kResourceExhausted, "GRAPH_TOO_LARGE", "graph",
                      "a graph has at most 262144 nodes and 4194304 directed edges");
  const Field field = Field() / "graph";
  for (int i = 0; i < graph.nodes_size(); ++i) {
    REPATH_ASSIGN_OR_RETURN(const GraphNode node,
                            to_graph_node(graph.nodes(i), (field / "nodes")[place(i)]));
    out->nodes.push_back(node);
  }
  for (int i = 0; i < graph.edges_size(); ++i) {
    REPATH_ASSIGN_OR_RETURN(const GraphEdge edge,
                            to_graph_edge(graph.edges(i), (field / "edges")[place(i)]));
    out->edges.push_back(edge);
  }
  return absl::OkStatus();
}

absl::Status wrong_ground(const std::string& place) {
  return bad_file(place, "is no ground of the world's kind");
}

}  // namespace

absl::StatusOr<v1::WorldFileHead> read_world_head(std::string_view file) {
  PartWalk walk(file);
  REPATH_ASSIGN_OR_RETURN(const bool more, walk.next());
  v1::WorldFilePart part;
  if (more) REPATH_RETURN_IF_ERROR(walk.parse(&part));
  if (!part.has_head()) return bad_file("part 1", "must be a head");
  const v1::WorldFileHead& head = part.head();
  const bool is_known = head.kind() == "grid" || head.kind() == "navmesh" || head.kind() == "graph";
  if (!is_known) return bad_file("part 1", "must name a kind: grid, navmesh or graph");
  if (head.revision() < 1 || head.revision() > kWorldFileRevisionMax)
    return bad_file("part 1", "must have a revision in [1, 2^62]");
  return head;
}

absl::Status read_world_file(std::string_view file, WorldSpec* ground, RestoredContent* content,
                             WorkMeter* work) {
  REPATH_RETURN_IF_ERROR(check_bytes(file));
  REPATH_RETURN_IF_ERROR(check_tiles_fit(*ground, file.size()));
  ground->map.cells.assign(
      static_cast<std::size_t>(ground->map.width) * static_cast<std::size_t>(ground->map.height),
      TerrainId{0});
  TileReader tiles(ground, content, work);
  const auto take = [&](const v1::WorldFilePart& part, const std::string& place) -> absl::Status {
    if (!part.has_terrain()) return wrong_ground(place);
    for (const v1::TerrainTile& tile : part.terrain().tiles())
      REPATH_RETURN_IF_ERROR(tiles.take(tile));
    return absl::OkStatus();
  };
  REPATH_RETURN_IF_ERROR(read_parts(file, WorldKind::kGrid, content, work, take));
  return tiles.check_all_read();
}

absl::Status read_world_file(std::string_view file, MeshSource* ground, RestoredContent* content,
                             WorkMeter* work) {
  REPATH_RETURN_IF_ERROR(check_bytes(file));
  const auto take = [&](const v1::WorldFilePart& part, const std::string& place) {
    return part.has_mesh() ? take_mesh(part.mesh(), ground) : wrong_ground(place);
  };
  return read_parts(file, WorldKind::kNavmesh, content, work, take);
}

absl::Status read_world_file(std::string_view file, GraphSource* ground, RestoredContent* content,
                             WorkMeter* work) {
  REPATH_RETURN_IF_ERROR(check_bytes(file));
  const auto take = [&](const v1::WorldFilePart& part, const std::string& place) {
    return part.has_graph() ? take_graph(part.graph(), ground) : wrong_ground(place);
  };
  return read_parts(file, WorldKind::kGraph, content, work, take);
}

}  // namespace repath
