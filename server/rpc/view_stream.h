// DebugService.WatchView: pictures of a world on their way to one viewer.
#pragma once

#include <cstdint>
#include <memory>

#include "repath/v1/debug.grpc.pb.h"
#include "rpc/queued_writer.h"
#include "runtime/view_feed.h"
#include "runtime/world_facts.h"

namespace repath {

// Writes a picture for a viewer that has the one with the number `before`; see ViewSink::on_view.
void fill_view(const ViewFrame& frame, std::uint64_t before, const WorldFacts& facts,
               v1::WatchViewResponse* out);

class ViewStream final
    : public QueuedWriter<grpc::ServerWriteReactor<v1::WatchViewResponse>, v1::WatchViewResponse>,
      public ViewSink {
 public:
  using QueuedWriter::QueuedWriter;

  void begin(std::shared_ptr<WorldHost> host);

  void on_view(std::shared_ptr<const ViewFrame> frame, std::uint64_t before) override;
  void on_end(absl::Status status) override { end(std::move(status)); }
};

}  // namespace repath
