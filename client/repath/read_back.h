// The content of worlds, read back: terrain, obstacles, graphs, and whole worlds as files.
//
// The limits of every field stand under the same name in proto/repath/v1/read_back.proto.
//
// Thread rule: plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "repath/query.h"
#include "repath/values.h"
#include "repath/world.h"

namespace repath::client {

// A page of squares of 64 x 64 cells of a grid.
struct TerrainQuery {
  std::string world{};
  std::optional<CellRect> area{};            // Squares with a cell in it; empty: all.
  std::uint64_t changed_since_revision = 0;  // 0: squares that never changed too.
  std::string epoch{};                       // Epoch of that revision; may be empty.
  std::optional<std::uint32_t> team{};       // Team whose influence and fog are wanted too.
  std::int32_t page_size = 0;                // 0: the server's default.
  std::string page_token{};                  // next_page_token of the page before.
  std::optional<std::uint64_t> expected_revision{};
  std::uint64_t at_revision = 0;  // The content as it was then; 0: as it is.
};

struct TerrainTile {
  struct Plane {
    std::uint32_t team = 0;
    std::uint32_t layer = 0;              // 16: hidden cells.
    std::vector<std::uint16_t> levels{};  // Row by row.
  };
  std::int32_t x = 0;  // The first cell.
  std::int32_t y = 0;
  std::int32_t width = 0;
  std::int32_t height = 0;
  std::vector<std::uint8_t> terrain{};  // Row by row: the class by its number in the world.
  std::uint64_t changed_revision = 0;
  std::vector<Plane> planes{};
};

struct TerrainPage {
  std::vector<TerrainTile> tiles{};
  std::string next_page_token{};  // Empty on the last page.
  std::uint64_t revision = 0;
  std::string epoch{};
};

// A rectangle in the x-z plane, world units.
struct PlaneArea {
  double min_x = 0;
  double min_z = 0;
  double max_x = 0;
  double max_z = 0;
};

struct ObstacleQuery {
  std::string world{};
  std::optional<PlaneArea> area{};  // Obstacles whose bounds meet it; empty: all.
  std::int32_t page_size = 0;       // 0: the server's default.
  std::string page_token{};         // next_page_token of the page before.
  std::optional<std::uint64_t> expected_revision{};
  std::uint64_t at_revision = 0;  // The content as it was then; 0: as it is.
};

struct ObstaclePage {
  std::vector<Obstacle> obstacles{};  // Ascending by id.
  std::vector<Body> bodies{};         // After the last obstacle; ascending by agent_id.
  std::string next_page_token{};      // Empty on the last page.
  std::uint64_t revision = 0;
};

struct GraphQuery {
  std::string world{};
  std::int32_t page_size = 0;  // Nodes and edges; 0: the server's default.
  std::string page_token{};    // next_page_token of the page before.
  std::optional<std::uint64_t> expected_revision{};
  std::uint64_t at_revision = 0;  // The content as it was then; 0: as it is.
};

struct GraphNode {
  std::uint64_t id = 0;
  Vec3 position{};
  std::uint32_t area = 0;
  std::uint32_t flags = 1;
  bool enabled = true;
};

// Leads from one node to another, and not back.
struct GraphEdge {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  double cost = 0;
  std::uint32_t area = 0;
  std::uint32_t flags = 1;
  bool enabled = true;
  std::uint32_t key = 0;  // Tells edges with the same ends and direction apart.
  double width = 0;       // World units; 0: every walker fits.
};

struct GraphPage {
  std::vector<GraphNode> nodes{};  // Ascending by id; the edges of a node follow it.
  std::vector<GraphEdge> edges{};
  std::string next_page_token{};  // Empty on the last page.
  std::uint64_t revision = 0;
};

// Numbers are the protocol's MapFormat.
enum class ExportFormat { kMovingAi = 1, kText = 2, kObj = 3, kGraph = 7, kRepath = 8 };

struct ExportQuery {
  std::string world{};
  ExportFormat format = ExportFormat::kRepath;
  std::optional<Walker> walker{};  // kObj only: whose ground; empty: the default profile's.
};

struct Exported {
  std::string name{};
  std::string kind{};
  std::uint64_t revision = 0;
  std::uint64_t state_hash = 0;     // 0 with kObj.
  std::vector<std::string> lost{};  // Content that the format leaves out; empty with kRepath.
  std::string file{};               // With kRepath: what Client::import_world takes.
};

}  // namespace repath::client
