// One call with one answer, repeated while the server is unavailable. Not installed.
//
// Owns itself through its callbacks until the answer was delivered.
#pragma once

#include <grpcpp/client_context.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

#include "repath/client.h"
#include "repath/internal/error_from.h"
#include "repath/internal/stubs.h"
#include "repath/internal/timer.h"

namespace repath::client {

// When to give up, and how long to wait between attempts.
struct RetryRule {
  bool repeat = true;  // whether the call is safe to repeat
  std::chrono::milliseconds deadline{10'000};
  std::chrono::milliseconds first{50};
  std::chrono::milliseconds max{5'000};
};

template <typename Request, typename Response>
class Unary : public std::enable_shared_from_this<Unary<Request, Response>>, public Cancellable {
 public:
  using Start = std::function<void(Stubs&, grpc::ClientContext*, const Request*, Response*,
                                   std::function<void(grpc::Status)>)>;
  using Finish = std::function<void(const grpc::Status&, Response&)>;

  // `start` makes one attempt; `finish` is called once, on a gRPC thread (or at once if the client
  // has ended).
  static void run(std::shared_ptr<Stubs> stubs, Request request, RetryRule rule, Start start,
                  Finish finish) {
    std::shared_ptr<Unary> call(
        new Unary(std::move(stubs), std::move(request), rule, std::move(start), std::move(finish)));
    if (call->registration_.enter(call.get())) {
      call->attempt();
    } else {
      call->finish_(grpc::Status::CANCELLED, call->response_);
    }
  }

  ~Unary() override { registration_.retire(); }

  void cancel() override {
    std::lock_guard lock(mutex_);
    cancelled_ = true;
    if (context_ != nullptr) context_->TryCancel();
    alarm_.Cancel();
  }

 private:
  Unary(std::shared_ptr<Stubs> stubs, Request request, RetryRule rule, Start start, Finish finish)
      : registration_(stubs->calls),
        stubs_(std::move(stubs)),
        request_(std::move(request)),
        rule_(rule),
        start_(std::move(start)),
        finish_(std::move(finish)),
        deadline_(std::chrono::system_clock::now() + rule.deadline),
        wait_(rule.first) {}

  void attempt() {
    {
      std::lock_guard lock(mutex_);
      context_ = std::make_unique<grpc::ClientContext>();
      context_->set_deadline(deadline_);
      if (cancelled_) context_->TryCancel();
    }
    response_.Clear();
    start_(
        *stubs_, context_.get(), &request_, &response_,
        [self = this->shared_from_this()](const grpc::Status& status) { self->answered(status); });
  }

  void answered(const grpc::Status& status) {
    const bool unavailable = status.error_code() == grpc::StatusCode::UNAVAILABLE;
    if (unavailable && rule_.repeat && std::chrono::system_clock::now() + wait_ < deadline_) {
      std::lock_guard lock(mutex_);
      if (!cancelled_) {
        unavailable_ = status;
        const auto delay = wait_;
        wait_ = std::min(wait_ * 2, rule_.max);
        run_after(alarm_, delay, [self = this->shared_from_this()](bool) { self->attempt(); });
        return;
      }
    }
    // Out of time between attempts: the last error explains more than "out of time".
    const bool late = status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED;
    finish_(late && !unavailable_.ok() ? unavailable_ : status, response_);
  }

  Registration registration_;  // First: see calls.h.
  std::shared_ptr<Stubs> stubs_;
  Request request_;
  Response response_;
  RetryRule rule_;
  Start start_;
  Finish finish_;
  std::chrono::system_clock::time_point deadline_;
  std::chrono::milliseconds wait_;
  grpc::Status unavailable_;

  std::mutex mutex_;  // Guards the rest.
  std::unique_ptr<grpc::ClientContext> context_;
  grpc::Alarm alarm_;
  bool cancelled_ = false;
};

}  // namespace repath::client
