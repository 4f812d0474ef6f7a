// Finds out what a map file holds, from its content, by the rule that import.proto gives.
//
// Thread rule: functions of their arguments.
#pragma once

#include <string>
#include <string_view>

namespace repath::verify {

enum class FileKind {
  kGrid,        // Moving AI, or rows of text
  kMesh,        // OBJ, Detour tile set, Polyanya mesh, floor plan
  kGraph,       // nodes and edges
  kSight,       // waypoints; the server links those that see one another
  kVisibility,  // outlines; the server makes nodes of their corners
  kWorld,       // an exported world
};

FileKind kind_of_file(std::string_view file);

// The files that `repath verify` and `repath load` take, for their help and their errors.
inline constexpr const char* kFilesTaken =
    "Moving AI or plain text, OBJ, Detour tile set, Polyanya mesh, floor plan, or graph with its "
    "edges";

// Returns why these commands do not take the file at `path`: their models read no edges that the
// server makes itself, and no exported worlds. Empty if they take it.
std::string not_taken(const std::string& path, std::string_view file);

}  // namespace repath::verify
