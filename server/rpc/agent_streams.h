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

// Reads the message of a raw method as gRPC does it for the other methods. Returns false if the
// bytes are not such a message.
template <class Message>
bool read_message(const grpc::ByteBuffer& bytes, Message* message) {
  grpc::ByteBuffer copy = bytes;  // copies the reference, because reading takes it
  return grpc::SerializationTraits<Message>::Deserialize(&copy, message).ok();
}

// A session's stream. It reads one message at a time: the next one when the world has taken the
// last one, and only while few messages wait to be written. So a client that sends without reading
// holds up only itself.
class SessionStream final
    : public QueuedWriter<grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>,
                          grpc::ByteBuffer>,
      public EventSink,
      public UnboundStream {
 public:
  // `client` opens the session.
  SessionStream(Registry& registry, std::string client)
      : QueuedWriter(registry.threads().writers()),
        registry_(registry),
        client_(std::move(client)) {}

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
  // Handles the first message, which sets the world; an error ends the stream.
  absl::Status open();
  void read_on();
  void on_drained() override;
  std::shared_ptr<SessionStream> self() {
    return std::static_pointer_cast<SessionStream>(shared_from_this());
  }

  Registry& registry_;
  const std::string client_;
  std::atomic<bool> is_bound_{false};  // to a world
  grpc::ByteBuffer received_;
  v1::SessionRequest request_;      // the message received
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
