// A call whose messages are bytes, which need not be messages.
#pragma once

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/sync_stream.h>

#include <chrono>
#include <memory>
#include <string>

namespace repath::test {

class RawStream {
 public:
  // `method` is "/package.Service/Method".
  RawStream(const std::shared_ptr<grpc::Channel>& channel, const char* method)
      : method_(method, grpc::internal::RpcMethod::BIDI_STREAMING) {
    context_.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(60));
    stream_.reset(
        grpc::internal::ClientReaderWriterFactory<grpc::ByteBuffer, grpc::ByteBuffer>::Create(
            channel.get(), method_, &context_));
  }
  // Returns false if the call is over.
  bool write(const std::string& bytes) {
    const grpc::Slice slice(bytes);
    return stream_->Write(grpc::ByteBuffer(&slice, 1));
  }
  // Returns false if no more messages come.
  bool read() {
    grpc::ByteBuffer answer;
    return stream_->Read(&answer);
  }
  void cancel() { context_.TryCancel(); }
  // Says that no more messages come, reads all answers, and returns the status.
  grpc::Status finish() {
    stream_->WritesDone();
    for (grpc::ByteBuffer answer; stream_->Read(&answer);) answer.Clear();
    return stream_->Finish();
  }

 private:
  const grpc::internal::RpcMethod method_;
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReaderWriter<grpc::ByteBuffer, grpc::ByteBuffer>> stream_;
};

}  // namespace repath::test
