#include "repath/internal/import.h"

#include <openssl/evp.h>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace repath::client {
namespace {

// Deleted by OnDone.
class Import final : public grpc::ClientWriteReactor<v1::ImportWorldRequest>, public Cancellable {
 public:
  Import(std::shared_ptr<Stubs> stubs, std::string map,
         std::function<void(const grpc::Status&, const v1::World&)> finish)
      : registration_(stubs->calls),
        stubs_(std::move(stubs)),
        map_(std::move(map)),
        finish_(std::move(finish)) {}
  ~Import() override { registration_.retire(); }

  // Returns false if the client has ended; the caller then deletes this object.
  bool start(v1::ImportWorldRequest::Header header, std::chrono::milliseconds deadline) {
    if (!registration_.enter(this)) return false;
    context_.set_deadline(std::chrono::system_clock::now() + deadline);
    stubs_->worlds->async()->ImportWorld(&context_, &answer_, this);
    *message_.mutable_header() = std::move(header);
    message_.mutable_header()->set_size_bytes(map_.size());
    message_.mutable_header()->set_sha256(sha256_of(map_));
    StartWrite(&message_);
    StartCall();
    return true;
  }

  void cancel() override { context_.TryCancel(); }

  void OnWriteDone(bool ok) override {
    constexpr std::size_t kChunkBytes = 256 * 1024;
    if (!ok) return;
    if (sent_ == map_.size()) {
      StartWritesDone();
      return;
    }
    const std::size_t bytes = std::min(kChunkBytes, map_.size() - sent_);
    message_.set_chunk(map_.substr(sent_, bytes));
    sent_ += bytes;
    StartWrite(&message_);
  }

  void OnDone(const grpc::Status& status) override {
    finish_(status, answer_);
    delete this;
  }

 private:
  Registration registration_;  // First: see calls.h.
  std::shared_ptr<Stubs> stubs_;
  std::string map_;
  std::size_t sent_ = 0;
  std::function<void(const grpc::Status&, const v1::World&)> finish_;
  grpc::ClientContext context_;
  v1::ImportWorldRequest message_;
  v1::World answer_;
};

}  // namespace

std::string sha256_of(std::string_view map) {
  unsigned char hash[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  EVP_Digest(map.data(), map.size(), hash, &size, EVP_sha256(), nullptr);
  return {hash, hash + size};
}

void run_import(std::shared_ptr<Stubs> stubs, v1::ImportWorldRequest::Header header,
                std::string map, std::chrono::milliseconds deadline,
                std::function<void(const grpc::Status&, const v1::World&)> finish) {
  auto import = std::make_unique<Import>(std::move(stubs), std::move(map), finish);
  if (import->start(std::move(header), deadline)) {
    import.release();  // Deleted by its OnDone.
  } else {
    finish(grpc::Status::CANCELLED, {});
  }
}

}  // namespace repath::client
