// AgentService's streams: sessions and watches. Each is the sink of one of the world's streams and
// reads and writes bytes (see event_bytes.h).
#pragma once

#include <grpcpp/impl/codegen/proto_utils.h>
#include <grpcpp/support/byte_buffer.h>

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "repath/v1/agent.grpc.pb.h"
#include "rpc/place_messages.h"
#include "rpc/queued_writer.h"

namespace repath {

// A session's stream. It reads one message at a time: the next one when the world has taken the
// last one, and only while few messages wait to be written. So a client that sends without reading
// holds up only itself.
class SessionStream final
    : public QueuedWriter<grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>,
                          grpc::ByteBuffer>,
      public EventSink,
      public UnboundStream {
 public:
  // Borrows the registry; `context` lives as long as the call.
  SessionStream(Registry& registry, grpc::CallbackServerContext& context)
      : QueuedWriter(registry.threads().writers(), context), registry_(registry) {}

  void begin() {
    registry_.imports().add(self());
    StartRead(&received_);
  }
  void OnReadDone(bool ok) override;

  void on_opened(const SessionOpened& opened) override;
  void on_batch(EventBatch batch) override;
  void on_rejected(std::uint64_t sequence, absl::Status status) override;
  void on_unknown(std::uint64_t sequence, std::vector<AgentId> agents) override;
  void on_end(absl::Status status) override { end(std::move(status)); }
  void on_drain(absl::Status status) override {
    if (!is_bound_) end(std::move(status), /*at_once=*/true);
  }

 private:
  static constexpr std::size_t kQueuedMax = 64;
  // Handles the message received; an error ends the stream.
  absl::Status take();
  // Handles the first message, which sets the world.
  absl::Status open(const v1::SessionRequest& request);
  void read_on();
  void on_drained() override;
  std::shared_ptr<SessionStream> self() {
    return std::static_pointer_cast<SessionStream>(shared_from_this());
  }

  Registry& registry_;
  std::atomic<bool> is_bound_{false};  // to a world
  grpc::ByteBuffer received_;
  bool read_when_drained_ = false;  // used on the writers' strand
  MapUnits map_;
};

class PathWatch final
    : public QueuedWriter<grpc::ServerWriteReactor<grpc::ByteBuffer>, grpc::ByteBuffer>,
      public EventSink {
 public:
  using QueuedWriter::QueuedWriter;

  void begin(std::shared_ptr<WorldHost> host, WatchOpen open);

  void on_batch(EventBatch batch) override;
  void on_end(absl::Status status) override { end(std::move(status)); }

 private:
  MapUnits map_;
};

}  // namespace repath
