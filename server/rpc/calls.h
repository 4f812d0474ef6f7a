// Parts that the services share: answering a unary call from the thread that has the answer,
// and stopping the work of a call that is over.
#pragma once

#include <boost/asio/post.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "access/access.h"
#include "base/error.h"
#include "base/stop_token.h"
#include "rpc/call_meter.h"
#include "rpc/find_world.h"
#include "rpc/services.h"
#include "rpc/status.h"
#include "runtime/failure.h"
#include "runtime/registry.h"

namespace repath {

// Requests a stop after the call's deadline, or when the client has gone. Borrows the call's
// context: valid until the call is finished.
class CallStop final : public StopToken {
 public:
  explicit CallStop(const CallContext* context) : context_(context) {}

  bool stop_requested() const override { return context_->IsCancelled() || is_late(); }
  // Returns why the call can no longer be answered; OK if it can.
  absl::Status status() const {
    if (is_late())
      return make_error(absl::StatusCode::kDeadlineExceeded, "DEADLINE", "",
                        "the call's deadline has passed");
    if (!context_->IsCancelled()) return absl::OkStatus();
    return make_error(absl::StatusCode::kCancelled, "CANCELLED", "", "the call was cancelled");
  }

 private:
  bool is_late() const { return std::chrono::system_clock::now() >= context_->deadline(); }
  const CallContext* context_;
};

// Takes note of who asks for a new world. The call may go away, and the world is then not made. Its
// token or certificate has request ids of its own, so that no other one meets them.
inline void set_asker(const CallContext* context, const CallAccess& access, NewWorld* world) {
  world->caller = std::make_shared<CallStop>(context);
  const std::string name = access.caller_name();
  if (!name.empty() && !world->request_id.empty())
    world->request_id = name + '\n' + world->request_id;
}

// Ends the call; the reactor no longer exists afterwards.
inline UnaryCall* finish(UnaryCall* call, const absl::Status& status) {
  call->Finish(to_grpc(status));
  return call;
}
inline UnaryCall* finish(const MeteredCall& call, const absl::Status& status) {
  call.finish(to_grpc(status));
  return call.reactor();
}

// Makes an Answer that fills the response and ends the call on a writer thread, so that the world's
// strand, which gives the answer, goes on at once. `fill(const T&)` may return an absl::Status; if
// it throws, the call ends with INTERNAL. `over` and `note`: see Answer.
template <class T, class Fill>
Answer<T> answer_by(Registry& registry, UnaryCall* call, Fill fill,
                    typename Answer<T>::Over over = nullptr,
                    typename Answer<T>::Note note = nullptr) {
  const auto finish_with = [call, fill = std::move(fill)](const absl::StatusOr<T>& result) {
    absl::Status status = result.status();
    const auto write = [&] {
      if constexpr (std::is_void_v<std::invoke_result_t<const Fill&, const T&>>) {
        fill(*result);
      } else {
        status = fill(*result);
      }
    };
    if (result.ok() && run_guarded(write) != nullptr)
      status = make_error(absl::StatusCode::kInternal, "ANSWER_FAILED", "",
                          "the answer could not be written");
    finish(call, status);
  };
  return {[&writers = registry.threads().writers(), finish_with](absl::StatusOr<T> result) {
            boost::asio::post(writers,
                              [finish_with, result = std::move(result)] { finish_with(result); });
          },
          std::move(over), std::move(note)};
}

// Logs a change of the world, or of the session in it, with the world's revision now.
inline void audit_now(const CallAccess& access, const WorldHost& host,
                      std::string_view session = {}) {
  access.audit(
      {.world = host.facts().name, .session = session, .revision = value(host.revision())});
}

// Logs the answer to a request for a world.
inline void audit_made(const CallAccess& access, const WorldInfo& info) {
  access.audit(
      {.world = info.facts->name, .revision = value(info.revision), .repeated = !info.is_new});
}

// A unary call about one world.
struct WorldCall {
  Registry& registry;
  std::shared_ptr<WorldHost> host;
  CallContext* context;
  UnaryCall* reactor;

  // Makes an Answer as answer_by() does, for a command that has no effect after the call's
  // deadline, or once its client has gone.
  template <class T, class Fill>
  Answer<T> answer(Fill fill) const {
    return answer_by<T>(registry, reactor, std::move(fill),
                        [stop = CallStop(context)] { return stop.status(); });
  }
  // The same for a change. `audit(const T&)` is called when it has taken effect, also if the call
  // ends before it is on the disk.
  template <class T, class Fill, class Audit>
  Answer<T> answer(Fill fill, Audit audit) const {
    const auto fill_and_audit = [fill = std::move(fill), audit](const T& result) {
      fill(result);
      audit(result);
    };
    return answer_by<T>(
        registry, reactor, fill_and_audit, [stop = CallStop(context)] { return stop.status(); },
        audit);
  }
};

// Answers a call about the world of that name. `ask(const WorldCall&)` reads the request and passes
// it on, or returns why it is rejected. `prefix` is put before the field "world" of an error.
template <class Ask>
UnaryCall* ask_world(Registry& registry, CallContext* context, const std::string& world, Ask ask,
                     std::string_view prefix = "") {
  UnaryCall* reactor = context->DefaultReactor();
  auto host = find_world(registry, world);
  if (!host.ok()) return finish(reactor, with_field_prefix(host.status(), prefix));
  const absl::Status status = ask(WorldCall{registry, *std::move(host), context, reactor});
  return status.ok() ? reactor : finish(reactor, status);
}

}  // namespace repath
