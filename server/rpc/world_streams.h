// WorldService's streams: a map file coming in, committed batches going out.
#pragma once

#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "repath/v1/world.grpc.pb.h"
#include "rpc/queued_writer.h"
#include "runtime/imports.h"
#include "runtime/registry.h"

namespace repath {

// ImportWorld: a header, then chunks, then the client's half-close. Keeps itself alive until gRPC
// is done with it; all its work is on one strand of the writer threads.
//
// A world is made only after the initial metadata were sent (invariant 7 of the room's README):
// both directions of a broken stream are closed before its reader learns of it. A call that breaks
// later has sent its whole file. Its world is given up, unless another caller waits for it
// (Registry::create), or it was made by then and answers a repetition of the request.
class WorldImport final : public grpc::ServerReadReactor<grpc::ByteBuffer>,
                          public UnboundStream,
                          public std::enable_shared_from_this<WorldImport> {
 public:
  // Borrows the registry; `context` and `response` live as long as the call.
  WorldImport(Registry& registry, const grpc::CallbackServerContext* context,
              grpc::ByteBuffer* response)
      : registry_(registry),
        context_(context),
        response_(response),
        strand_(boost::asio::make_strand(registry.threads().writers())) {}

  void begin();
  void OnReadDone(bool ok) override;
  void OnSendInitialMetadataDone(bool ok) override;
  void OnDone() override {
    lease_.release();
    registry_.imports().release(held_);
    self_.reset();
  }
  void on_drain(absl::Status status) override;

 private:
  template <class Work>
  void on_strand(Work&& work) {
    boost::asio::post(strand_, [self = shared_from_this(), work = std::forward<Work>(work)] {
      if (!self->is_finished_) work();
    });
  }
  // Takes the part that was read; an error ends the call.
  absl::Status take();
  // Returns why the caller may not make the header's world; the error names `field`.
  absl::Status check_world(const std::string& field);
  absl::Status take_chunk(const std::string& chunk);
  // Counts memory that the import holds; it is released with the import.
  absl::Status hold(std::uint64_t bytes);
  // Checks that the file is the one that the header announced.
  absl::Status check_file();
  absl::Status make_world();
  void end(const absl::Status& status);

  Registry& registry_;
  const grpc::CallbackServerContext* context_;
  grpc::ByteBuffer* response_;
  boost::asio::strand<boost::asio::thread_pool::executor_type> strand_;
  std::shared_ptr<WorldImport> self_;
  const CallAccess access_ = CallAccess::current();
  StreamLease lease_;
  grpc::ByteBuffer part_;
  v1::ImportWorldRequest::Header header_;
  bool has_header_ = false;
  bool is_whole_ = false;
  bool is_finished_ = false;
  std::uint64_t held_ = 0;
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
};

}  // namespace repath
