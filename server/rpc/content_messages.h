// The content of worlds to messages, as it is read back and as world files keep it. The functions
// of batch_messages.h read these messages. Pure functions, any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "repath/v1/changes.pb.h"
#include "repath/v1/read_back.pb.h"
#include "repath/v1/routes.pb.h"
#include "rpc/field.h"
#include "world/batch.h"
#include "world/world_content.h"

namespace repath {

void fill_obstacle(const ObstacleSpec& spec, v1::Obstacle* out);
void fill_body(const Body& body, v1::Body* out);
void fill_node(const GraphNode& node, v1::GraphNode* out);
void fill_edge(const GraphEdge& edge, v1::GraphEdge* out);
void fill_tile(const TerrainTile& tile, v1::TerrainTile* out);

// Returns an obstacle page's last entry as a page token, and reads it; reason PAGE_TOKEN. Likewise
// for the pages of tiles and graphs.
std::string token_of(const ObstacleCursor& cursor);
std::string token_of(const GraphCursor& cursor);
std::string token_of(std::uint32_t tile);
absl::Status read_token(const std::string& token, const Field& field,
                        std::optional<ObstacleCursor>* out);
absl::Status read_token(const std::string& token, const Field& field,
                        std::optional<GraphCursor>* out);
absl::Status read_token(const std::string& token, const Field& field, std::uint32_t* tile);

}  // namespace repath
