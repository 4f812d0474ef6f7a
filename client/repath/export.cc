#include "repath/internal/export.h"

#include <utility>

namespace repath::client {
namespace {

// Deleted by OnDone.
class Export final : public grpc::ClientReadReactor<v1::ExportWorldResponse>, public Cancellable {
 public:
  Export(std::shared_ptr<Stubs> stubs, v1::ExportWorldRequest request,
         std::function<void(const grpc::Status&, Exported)> finish)
      : registration_(stubs->calls),
        stubs_(std::move(stubs)),
        request_(std::move(request)),
        finish_(std::move(finish)) {}
  ~Export() override { registration_.retire(); }

  // Returns false if the client has ended; the caller then deletes this object.
  bool start(std::chrono::milliseconds deadline) {
    if (!registration_.enter(this)) return false;
    context_.set_deadline(std::chrono::system_clock::now() + deadline);
    stubs_->worlds->async()->ExportWorld(&context_, &request_, this);
    StartRead(&message_);
    StartCall();
    return true;
  }

  void cancel() override { context_.TryCancel(); }

  void OnReadDone(bool ok) override {
    if (!ok) return;
    if (message_.has_header()) {
      exported_.name = message_.header().name();
      exported_.kind = message_.header().kind();
      exported_.revision = message_.header().revision();
      exported_.state_hash = message_.header().state_hash();
      exported_.lost.assign(message_.header().lost().begin(), message_.header().lost().end());
    } else {
      exported_.file += message_.chunk();
    }
    StartRead(&message_);
  }

  void OnDone(const grpc::Status& status) override {
    finish_(status, std::move(exported_));
    delete this;
  }

 private:
  Registration registration_;  // First: see calls.h.
  std::shared_ptr<Stubs> stubs_;
  v1::ExportWorldRequest request_;
  std::function<void(const grpc::Status&, Exported)> finish_;
  grpc::ClientContext context_;
  v1::ExportWorldResponse message_;
  Exported exported_;
};

}  // namespace

void run_export(std::shared_ptr<Stubs> stubs, v1::ExportWorldRequest request,
                std::chrono::milliseconds deadline,
                std::function<void(const grpc::Status&, Exported)> finish) {
  auto call = std::make_unique<Export>(std::move(stubs), std::move(request), finish);
  if (call->start(deadline)) {
    call.release();  // Deleted by its OnDone.
  } else {
    finish(grpc::Status::CANCELLED, {});
  }
}

}  // namespace repath::client
