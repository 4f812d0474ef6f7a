// Exports of worlds: the stream, and the formats other than world files.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "repath/v1/world.grpc.pb.h"
#include "rpc/calls.h"
#include "rpc/queued_writer.h"
#include "rpc/world_file.h"
#include "runtime/registry.h"

namespace repath {

// Returns the format of an export of such a world; REPATH if none is asked for. KIND_UNSUITED for a
// format that worlds of the kind do not have.
absl::StatusOr<v1::MapFormat> to_export_format(v1::MapFormat format, WorldKind kind);
// Returns what an export in the format loses of such a world, each in a few words.
std::vector<std::string> lost_in(v1::MapFormat format, const WorldContent& world);
// Returns the bytes of an export. Errors: those of plan_text(). REQUIRES: the format is of the
// world's kind, and not OBJ.
absl::StatusOr<std::unique_ptr<ByteSource>> export_bytes(
    v1::MapFormat format, std::shared_ptr<const WorldContent> content, const WorldFacts& facts);
// Returns a mesh as OBJ: the ground in the snapshot.
std::unique_ptr<ByteSource> export_obj(const AnySnapshot& snapshot);

// ExportWorld: a header, then chunks. The next chunk is made when the last one is written.
class WorldExport final : public QueuedWriter<grpc::ServerWriteReactor<v1::ExportWorldResponse>,
                                              v1::ExportWorldResponse> {
 public:
  // Borrows the registry.
  WorldExport(Registry& registry, grpc::CallbackServerContext& context)
      : QueuedWriter(registry.threads().writers(), context), registry_(registry) {}
  ~WorldExport() override { registry_.imports().release(held_); }

  void begin(const v1::ExportWorldRequest& request);

 protected:
  void on_drained() override;

 private:
  absl::Status start(const v1::ExportWorldRequest& request);
  void copy_world(v1::MapFormat format);
  void ask_ground(QueryFor who);
  // Sends the header, then the bytes.
  void send(v1::ExportWorldResponse::Header header, std::unique_ptr<ByteSource> bytes);
  v1::ExportWorldResponse::Header header_of(v1::MapFormat format, Revision revision) const;

  Registry& registry_;
  std::shared_ptr<WorldHost> world_;
  std::unique_ptr<ByteSource> bytes_;
  std::uint64_t held_ = 0;
};

}  // namespace repath
