// WorldService's streams: a map file coming in, committed batches going out.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "repath/v1/world.grpc.pb.h"
#include "rpc/queued_writer.h"
#include "runtime/registry.h"

namespace repath {

// ImportWorld: a header, then chunks. Keeps itself alive until gRPC is done with it; gRPC calls it
// from one thread at a time.
class WorldImport final : public grpc::ServerReadReactor<v1::ImportWorldRequest>,
                          public std::enable_shared_from_this<WorldImport> {
 public:
  // Borrows the registry; `response` lives as long as the call.
  WorldImport(Registry& registry, v1::World* response) : registry_(registry), response_(response) {}

  void begin();
  void OnReadDone(bool ok) override;
  void OnDone() override { self_.reset(); }

 private:
  // Takes the part in; not OK ends the call.
  absl::Status take();
  void make_world();

  Registry& registry_;
  v1::World* response_;
  std::shared_ptr<WorldImport> self_;
  v1::ImportWorldRequest part_;
  v1::ImportWorldRequest::Header header_;
  bool has_header_ = false;
  std::string map_;
};

class WorldWatch final
    : public QueuedWriter<grpc::ServerWriteReactor<v1::WatchWorldResponse>, v1::WatchWorldResponse>,
      public ChangeSink {
 public:
  using QueuedWriter::QueuedWriter;

  void begin(std::shared_ptr<WorldHost> host, Revision start);

  void on_changes(std::vector<LogRecord> records, Revision revision) override;
  void on_end(absl::Status status) override { end(std::move(status)); }

 private:
  void on_drained() override;
  void on_gone() override;

  std::shared_ptr<WorldHost> host_;  // with stream_: set before anything is written
  StreamId stream_{};
};

}  // namespace repath
