// WorldService::ForkWorld.
#include <memory>
#include <string>
#include <utility>

#include "base/sha256.h"
#include "rpc/calls.h"
#include "rpc/services.h"
#include "rpc/world_codec.h"
#include "rpc/world_messages.h"

namespace repath {
namespace {

absl::StatusOr<NewWorld> to_fork(v1::ForkWorldRequest request) {
  const Field field;
  REPATH_RETURN_IF_ERROR(check_name(request.source(), field / "source"));
  REPATH_RETURN_IF_ERROR(check_name(request.name(), field / "name"));
  REPATH_RETURN_IF_ERROR(check_length(request.request_id(), kRequestIdMax, field / "request_id"));
  NewWorld world;
  world.name = request.name();
  world.request_id = request.request_id();
  request.clear_request_id();  // it only distinguishes a repeat from a second request
  world.definition = Sha256().add("fork ").add(request.SerializeAsString()).finish();
  return world;
}

}  // namespace

UnaryCall* WorldService::ForkWorld(CallContext* context, const v1::ForkWorldRequest* request,
                                   v1::World* response) {
  auto* call = context->DefaultReactor();
  const CallAccess access = CallAccess::current();
  absl::Status may = access.check_world(request->name(), "name");
  if (may.ok()) may = access.check_world(request->source(), "source");
  if (!may.ok()) return finish(call, may);
  absl::StatusOr<NewWorld> world = to_fork(*request);
  if (!world.ok()) return finish(call, world.status());
  set_asker(context, access, &*world);
  const auto fill = [=](const WorldInfo& info) {
    fill_world(info, response);
    audit_made(access, info);
  };
  registry_.fork(*std::move(world), request->source(), Revision{request->revision()}, proto_codec(),
                 answer_by<WorldInfo>(registry_, call, fill,
                                      [stop = CallStop(context)] { return stop.status(); }));
  return call;
}

}  // namespace repath
