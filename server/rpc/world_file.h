// World files: the format MAP_FORMAT_REPATH of proto/repath/v1/world_file.proto. They are written
// part by part from a copy of a world, and read under the limits of imports.
//
// Thread rule: a writer belongs to one task at a time; the other functions are pure.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "base/byte_source.h"
#include "base/sha256.h"
#include "base/work_meter.h"
#include "repath/v1/world_file.pb.h"
#include "routes/graph_world.h"
#include "routes/nav_world.h"
#include "runtime/world_host.h"
#include "world/world.h"
#include "world/world_content.h"

namespace repath {

inline constexpr std::string_view kWorldFileMagic = "RPWORLD1";
// Maximum size of one part.
inline constexpr std::size_t kWorldPartBytesMax = std::size_t{4} << 20;
// Greatest revision that a file may have, so that a world can go on from it.
inline constexpr std::uint64_t kWorldFileRevisionMax = std::uint64_t{1} << 62;

class WorldFileWriter final : public ByteSource {
 public:
  WorldFileWriter(std::shared_ptr<const WorldContent> content, std::string name,
                  const WorldSettings& settings);
  bool next(std::string* out) override;

 private:
  void put(const v1::WorldFilePart& part, std::string* out);
  void fill_head(v1::WorldFileHead* out) const;
  // Fill in the next entries of one list, and say whether there were any left.
  bool fill_terrain(v1::WorldFilePart* out);
  bool fill_vertices(v1::WorldFilePart* out);
  bool fill_cells(v1::WorldFilePart* out);
  bool fill_links(v1::WorldFilePart* out);
  bool fill_nodes(v1::WorldFilePart* out);
  bool fill_edges(v1::WorldFilePart* out);
  bool fill_obstacles(v1::WorldFilePart* out);
  bool fill_bodies(v1::WorldFilePart* out);
  bool fill_switches(v1::WorldFilePart* out);

  const std::shared_ptr<const WorldContent> content_;
  const std::string name_;
  const WorldSettings settings_;
  Sha256 digest_;
  std::size_t step_ = 0;   // which list is written
  std::size_t place_ = 0;  // its next entry
};

// Returns whether the bytes begin like a world file.
inline bool is_world_file(std::string_view bytes) { return bytes.starts_with(kWorldFileMagic); }

// Returns the head. Reads no further. INVALID_ARGUMENT with reason WORLD_FILE_SYNTAX.
absl::StatusOr<v1::WorldFileHead> read_world_head(std::string_view file);

// Read the whole file after its head: the ground into `ground`, which has all that the head says,
// the rest into `content`, which has revision and hash. Errors: INVALID_ARGUMENT with reason
// WORLD_FILE_SYNTAX or WORLD_FILE_DIGEST, and those of the fields of its messages;
// RESOURCE_EXHAUSTED with reason IMPORT_TOO_LARGE. Fields name the part. O(bytes); memory in
// proportion to the bytes and to the size of the map.
absl::Status read_world_file(std::string_view file, WorldSpec* ground, RestoredContent* content,
                             WorkMeter* work);
absl::Status read_world_file(std::string_view file, MeshSource* ground, RestoredContent* content,
                             WorkMeter* work);
absl::Status read_world_file(std::string_view file, GraphSource* ground, RestoredContent* content,
                             WorkMeter* work);

}  // namespace repath
