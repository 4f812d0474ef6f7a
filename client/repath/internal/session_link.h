// One stream of a session, from StartCall to OnDone. Not installed.
//
// Owns itself until OnDone.
//
// Thread rule: write() and cancel() only under the core's mutex and only
// between start() and SessionCore::on_broken.
#pragma once

#include <memory>
#include <utility>

#include "repath/internal/session_core.h"

namespace repath::client {

class SessionLink final : public grpc::ClientBidiReactor<v1::SessionRequest, v1::SessionResponse>,
                          public Cancellable {
 public:
  SessionLink(std::shared_ptr<SessionCore> core, std::shared_ptr<Calls> calls)
      : registration_(std::move(calls)), core_(std::move(core)) {}
  ~SessionLink() override { registration_.retire(); }

  // Writes `open` as the first message. False if the client has ended; the caller then deletes
  // this. `waits`: for the server, if it is away. gRPC then looks at the connection all the time,
  // else only every five seconds.
  bool start(Stubs& stubs, v1::SessionRequest open, bool waits) {
    if (!registration_.enter(this)) return false;
    context_.set_wait_for_ready(waits);
    stubs.agents->async()->Session(&context_, this);
    AddHold();  // Until nothing is written any more: writes start outside this object's own
                // reactions.
    write(std::move(open));
    StartRead(&incoming_);
    StartCall();
    return true;
  }

  // Requires that no write is on its way.
  void write(v1::SessionRequest message) {
    outgoing_ = std::move(message);
    StartWrite(&outgoing_);
  }

  void cancel() override { context_.TryCancel(); }

  void OnReadDone(bool ok) override {
    if (!ok) {
      core_->on_broken();
      RemoveHold();
      return;
    }
    core_->on_message(incoming_);
    StartRead(&incoming_);
  }

  void OnWriteDone(bool ok) override {
    if (ok) core_->on_written();
  }

  void OnDone(const grpc::Status& status) override {
    core_->on_ended(status);
    delete this;
  }

 private:
  Registration registration_;  // First: see calls.h.
  std::shared_ptr<SessionCore> core_;
  grpc::ClientContext context_;
  v1::SessionRequest outgoing_;
  v1::SessionResponse incoming_;
};

}  // namespace repath::client
