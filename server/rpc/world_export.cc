#include "rpc/world_export.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/error.h"
#include "grid/cells/map_import.h"
#include "rpc/number_text.h"
#include "rpc/plan_text.h"
#include "rpc/query_call.h"
#include "rpc/world_messages.h"
#include "world/read_back.h"

namespace repath {
namespace {

// ---- text of grids ----

// The rows of a map, one row of tiles at a time.
class MapText final : public ByteSource {
 public:
  MapText(std::shared_ptr<const WorldContent> content, bool has_header)
      : content_(std::move(content)), has_header_(has_header) {}

  bool next(std::string* out) override {
    const WorldContent& world = *content_;
    if (tile_ == 0 && has_header_)
      *out += "type octile\nheight " + std::to_string(world.height) + "\nwidth " +
              std::to_string(world.width) + "\nmap\n";
    if (tile_ >= world.tiles.size()) return false;
    const std::size_t first = tile_;
    const std::int32_t height = world.tiles[first].height;
    while (tile_ < world.tiles.size() && world.tiles[tile_].y == world.tiles[first].y) ++tile_;
    for (std::int32_t y = 0; y < height; ++y) {
      for (std::size_t t = first; t < tile_; ++t) append_row(world.tiles[t], y, out);
      out->push_back('\n');
    }
    return true;
  }

 private:
  void append_row(const TerrainTile& tile, std::int32_t y, std::string* out) const {
    const auto symbol = [this](TerrainId id) {
      return content_->terrain_classes[index(id)].symbol;
    };
    const auto width = static_cast<std::size_t>(tile.width);
    if (tile.terrain.size() == 1) {
      out->append(width, symbol(tile.terrain.front()));
      return;
    }
    const std::size_t row = static_cast<std::size_t>(y) * width;
    for (std::size_t x = 0; x < width; ++x) out->push_back(symbol(tile.terrain[row + x]));
  }

  const std::shared_ptr<const WorldContent> content_;
  const bool has_header_;
  std::size_t tile_ = 0;
};

// ---- text of graphs and meshes ----

class GraphText final : public ByteSource {
 public:
  explicit GraphText(std::shared_ptr<const WorldContent> content) : content_(std::move(content)) {}

  bool next(std::string* out) override {
    const GraphSource& graph = content_->graph;
    const std::size_t entries = graph.nodes.size() + graph.edges.size();
    if (is_done_) return false;
    if (at_ == 0) *out += "{\"nodes\": [";
    const std::size_t end = std::min(at_ + kEntries, entries);
    for (; at_ < end; ++at_) {
      if (at_ == graph.nodes.size()) *out += "],\n\"edges\": [";
      const bool is_first = at_ == 0 || at_ == graph.nodes.size();
      *out += is_first ? "\n" : ",\n";
      at_ < graph.nodes.size() ? append(graph.nodes[at_], out)
                               : append(graph.edges[at_ - graph.nodes.size()], out);
    }
    if (at_ < entries) return true;
    *out += graph.edges.empty() ? "],\n\"edges\": []}\n" : "]}\n";
    return is_done_ = true;
  }

 private:
  static constexpr std::size_t kEntries = 4000;

  template <class Entry>
  static void append_kind(const Entry& entry, std::string* out) {
    *out += ", \"area\": " + std::to_string(entry.area) +
            ", \"flags\": " + std::to_string(entry.flags) +
            ", \"enabled\": " + (entry.enabled ? "true}" : "false}");
  }
  static void append(const GraphNode& node, std::string* out) {
    *out += "{\"id\": " + std::to_string(node.id) + ", \"position\": [";
    append_numbers({node.x, node.y, node.z}, ", ", out);
    *out += "]";
    append_kind(node, out);
  }
  static void append(const GraphEdge& edge, std::string* out) {
    *out += "{\"from\": " + std::to_string(edge.from) + ", \"to\": " + std::to_string(edge.to) +
            ", \"cost\": ";
    append_number(edge.cost.value_or(0), out);
    *out += edge.both ? ", \"both\": true" : ", \"both\": false";
    if (edge.key != 0) *out += ", \"key\": " + std::to_string(edge.key);
    if (edge.width != 0) {
      *out += ", \"width\": ";
      append_number(edge.width, out);
    }
    append_kind(edge, out);
  }

  const std::shared_ptr<const WorldContent> content_;
  std::size_t at_ = 0;
  bool is_done_ = false;
};

// The cells of a mesh as faces that look up.
class ObjText final : public ByteSource {
 public:
  explicit ObjText(std::shared_ptr<const QueryGround> ground) : ground_(std::move(ground)) {}

  bool next(std::string* out) override {
    if (!next_) return false;
    cells_.clear();
    next_ = ground_->view()->append_cells(*next_, kCells, &cells_);
    for (const GroundCell& cell : cells_) {
      for (const Spot& corner : cell.corners) {
        *out += "v ";
        append_numbers({corner.x, corner.y, corner.z}, " ", out);
        *out += '\n';
      }
      vertices_ += cell.corners.size();
      *out += 'f';
      for (std::size_t k = 0; k < cell.corners.size(); ++k)
        *out += ' ' + std::to_string(vertices_ - k);
      *out += '\n';
    }
    return true;
  }

 private:
  static constexpr std::size_t kCells = 2000;

  const std::shared_ptr<const QueryGround> ground_;
  std::optional<std::uint32_t> next_ = 0;
  std::uint64_t vertices_ = 0;
  std::vector<GroundCell> cells_;
};

std::uint64_t bytes_of_copy(const WorldContent& world) {
  std::uint64_t sum = 0;
  for (const TerrainTile& tile : world.tiles) sum += tile.bytes();
  for (const ObstacleSpec& spec : world.obstacles) sum += bytes_of(spec) + sizeof spec;
  return sum + world.bodies.size() * sizeof(Body) + world.graph.nodes.size() * sizeof(GraphNode) +
         world.graph.edges.size() * sizeof(GraphEdge);
}

}  // namespace

absl::StatusOr<v1::MapFormat> to_export_format(v1::MapFormat format, WorldKind kind) {
  const Field field = Field() / "format";
  if (!v1::MapFormat_IsValid(format)) return unknown_enum(format, field);
  if (format == v1::MAP_FORMAT_UNSPECIFIED) return v1::MAP_FORMAT_REPATH;
  const bool is_suited = format == v1::MAP_FORMAT_REPATH ||
                         (kind == WorldKind::kGrid &&
                          (format == v1::MAP_FORMAT_MOVING_AI || format == v1::MAP_FORMAT_TEXT)) ||
                         (kind == WorldKind::kNavmesh &&
                          (format == v1::MAP_FORMAT_OBJ || format == v1::MAP_FORMAT_FLOOR_PLAN)) ||
                         (kind == WorldKind::kGraph && format == v1::MAP_FORMAT_GRAPH);
  return is_suited ? absl::StatusOr<v1::MapFormat>(format) : unsuited(field.text(), kind);
}

std::vector<std::string> lost_in(v1::MapFormat format, const WorldContent& world) {
  if (format == v1::MAP_FORMAT_REPATH) return {};
  std::vector<std::string> lost = {"profiles", "settings", "revision"};
  if (!world.obstacles.empty())
    lost.push_back("obstacles (" + std::to_string(world.obstacles.size()) + ")");
  if (!world.bodies.empty()) lost.push_back("bodies (" + std::to_string(world.bodies.size()) + ")");
  if (format == v1::MAP_FORMAT_FLOOR_PLAN) {
    lost.emplace_back("method and tau of the plan: give them with the import");
    if (world.mesh_base_radius != 0) lost.emplace_back("base radius: give it with the import");
  }
  if (world.kind != WorldKind::kGrid) return lost;
  if (world.cell_size != 1) lost.emplace_back("cell size: give it with the import");
  if (world.terrain_classes != default_terrain())
    lost.emplace_back("terrain classes: give them with the import");
  if (std::ranges::any_of(world.tiles, [](const auto& tile) { return !tile.planes.empty(); }))
    lost.emplace_back("influence and fog");
  return lost;
}

absl::StatusOr<std::unique_ptr<ByteSource>> export_bytes(
    v1::MapFormat format, std::shared_ptr<const WorldContent> content, const WorldFacts& facts) {
  if (format == v1::MAP_FORMAT_REPATH)
    return std::make_unique<WorldFileWriter>(std::move(content), facts.name, facts.settings);
  if (format == v1::MAP_FORMAT_FLOOR_PLAN) return plan_text(std::move(content));
  if (format == v1::MAP_FORMAT_GRAPH) return std::make_unique<GraphText>(std::move(content));
  return std::make_unique<MapText>(std::move(content), format == v1::MAP_FORMAT_MOVING_AI);
}

std::unique_ptr<ByteSource> export_obj(const AnySnapshot& snapshot) {
  return std::make_unique<ObjText>(snapshot.routes);
}

// ---- the stream ----

void WorldExport::begin(const v1::ExportWorldRequest& request) {
  if (absl::Status status = start(request); !status.ok()) end(std::move(status));
}

absl::Status WorldExport::start(const v1::ExportWorldRequest& request) {
  REPATH_ASSIGN_OR_RETURN(world_, find_world(registry_, request.world()));
  REPATH_ASSIGN_OR_RETURN(const v1::MapFormat format,
                          to_export_format(request.format(), world_->facts().kind));
  if (format == v1::MAP_FORMAT_OBJ) {
    REPATH_ASSIGN_OR_RETURN(QueryFor who, to_query_for(request.walker(), Field() / "walker"));
    ask_ground(std::move(who));
    return absl::OkStatus();
  }
  if (request.has_walker())
    return refuse(Field() / "walker", "KIND_UNSUITED", "is for exports of meshes as OBJ");
  copy_world(format);
  return absl::OkStatus();
}

void WorldExport::copy_world(v1::MapFormat format) {
  using Content = std::shared_ptr<const WorldContent>;
  auto self = std::static_pointer_cast<WorldExport>(shared_from_this());
  const auto is_over = [self] {
    if (!self->is_cancelled()) return absl::OkStatus();
    return make_error(absl::StatusCode::kCancelled, "CANCELLED", "", "the call was cancelled");
  };
  const auto take = [self, format](absl::StatusOr<Content> content) {
    self->on_strand([self, format, content = std::move(content)] {
      if (!content.ok()) return self->end(content.status());
      const std::uint64_t bytes = bytes_of_copy(**content);
      if (absl::Status s = self->registry_.imports().hold(bytes); !s.ok())
        return self->end(std::move(s));
      self->held_ = bytes;
      v1::ExportWorldResponse::Header header = self->header_of(format, (*content)->revision);
      header.set_state_hash((*content)->state_hash);
      for (const std::string& lost : lost_in(format, **content)) header.add_lost(lost);
      auto file = export_bytes(format, *content, self->world_->facts());
      if (!file.ok()) return self->end(file.status());
      self->send(std::move(header), *std::move(file));
    });
  };
  world_->copy(Answer<Content>(take, is_over));
}

void WorldExport::ask_ground(QueryFor who) {
  auto self = std::static_pointer_cast<WorldExport>(shared_from_this());
  world_->query(std::move(who), [self](absl::StatusOr<AnySnapshot> snapshot) {
    self->on_strand([self, snapshot = std::move(snapshot)] {
      if (!snapshot.ok()) return self->end(in_query(snapshot.status(), {"walker.", ""}));
      v1::ExportWorldResponse::Header header =
          self->header_of(v1::MAP_FORMAT_OBJ, snapshot->revision);
      for (const char* lost :
           {"profiles", "settings", "revision", "obstacles", "links", "areas and flags",
            "exact borders: an import builds a new mesh from the faces"})
        header.add_lost(lost);
      self->send(std::move(header), export_obj(*snapshot));
    });
  });
}

v1::ExportWorldResponse::Header WorldExport::header_of(v1::MapFormat format,
                                                       Revision revision) const {
  v1::ExportWorldResponse::Header header;
  header.set_name(world_->facts().name);
  header.set_kind(std::string(name_of(world_->facts().kind)));
  header.set_format(format);
  header.set_revision(value(revision));
  header.set_epoch(world_->facts().epoch);
  return header;
}

void WorldExport::send(v1::ExportWorldResponse::Header header, std::unique_ptr<ByteSource> bytes) {
  bytes_ = std::move(bytes);
  enqueue([header = std::move(header)](v1::ExportWorldResponse* message) {
    *message->mutable_header() = header;
  });
}

void WorldExport::on_drained() {
  if (bytes_ == nullptr) return;  // the copy is not made yet
  auto chunk = std::make_shared<std::string>();
  bool is_left = false;
  if (run_guarded([&] { is_left = bytes_->next(chunk.get()); }) != nullptr)
    return end(make_error(absl::StatusCode::kInternal, "ANSWER_FAILED", "",
                          "a message could not be written"));
  if (!is_left) return end(absl::OkStatus());
  enqueue([chunk](v1::ExportWorldResponse* message) { message->set_chunk(std::move(*chunk)); });
}

}  // namespace repath
