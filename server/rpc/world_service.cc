#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "rpc/calls.h"
#include "rpc/services.h"
#include "rpc/world_messages.h"
#include "rpc/world_streams.h"
#include "world/profile.h"

namespace repath {
namespace {

// Returns the size of the page that the request asks for; by default 100.
template <class Request>
absl::StatusOr<std::size_t> page_size_of(const Request& request) {
  std::size_t size = 100;
  REPATH_RETURN_IF_ERROR(
      read_unless_zero(request.page_size(), 0, 1000, Field() / "page_size", &size));
  return size;
}

// Returns the first `limit` worlds after the name `after` that the caller may see.
std::vector<std::shared_ptr<WorldHost>> list_visible(Registry& registry, std::string after,
                                                     std::size_t limit) {
  std::vector<std::shared_ptr<WorldHost>> seen;
  for (;;) {
    const std::size_t most = limit - seen.size();
    auto hosts = registry.list(after, most);
    if (!hosts.empty()) after = hosts.back()->facts().name;
    const bool is_last = hosts.size() < most;
    for (auto& host : hosts)
      if (CallAccess::current().sees(host->facts().name)) seen.push_back(std::move(host));
    if (is_last || seen.size() == limit) return seen;
  }
}

// A page of worlds. The worlds answer in any order; the last answer ends the call.
class WorldPage : public std::enable_shared_from_this<WorldPage> {
 public:
  WorldPage(std::vector<std::shared_ptr<WorldHost>> hosts, UnaryCall* call,
            v1::ListWorldsResponse* response)
      : hosts_(std::move(hosts)),
        call_(call),
        response_(response),
        infos_(hosts_.size()),
        left_(hosts_.size()) {}

  void ask() {
    if (hosts_.empty()) finish(call_, absl::OkStatus());
    for (std::size_t i = 0; i < hosts_.size(); ++i) {
      hosts_[i]->info_as_is([self = shared_from_this(), i](absl::StatusOr<WorldInfo> info) {
        self->put(i, std::move(info));
      });
    }
  }

 private:
  void put(std::size_t i, absl::StatusOr<WorldInfo> info) {
    {
      const std::lock_guard lock(mutex_);
      infos_[i] = std::move(info);
      if (--left_ > 0) return;
    }
    fill();
    finish(call_, absl::OkStatus());
  }

  // Ends the page before a world that would make the message too large; one world always fits.
  void fill() {
    constexpr std::size_t kPageBytes = 2u << 20;
    std::size_t bytes = 0;
    for (const auto& known : infos_) {
      if (!known.ok()) continue;  // deleted in between
      v1::World* world = response_->add_worlds();
      fill_world(*known, world);
      bytes += world->ByteSizeLong();
      const int worlds = response_->worlds_size();
      if (bytes <= kPageBytes || worlds == 1) continue;
      response_->mutable_worlds()->RemoveLast();
      response_->set_next_page_token(response_->worlds(worlds - 2).name());
      return;
    }
  }

  const std::vector<std::shared_ptr<WorldHost>> hosts_;
  UnaryCall* call_;
  v1::ListWorldsResponse* response_;
  std::mutex mutex_;
  std::vector<absl::StatusOr<WorldInfo>> infos_;
  std::size_t left_;
};

}  // namespace

UnaryCall* WorldService::CreateWorld(CallContext* context, const v1::CreateWorldRequest* request,
                                     v1::World* response) {
  auto* call = context->DefaultReactor();
  const CallAccess access = CallAccess::current();
  if (absl::Status may = access.check_world(request->name(), "name"); !may.ok())
    return finish(call, may);
  auto world = to_new_world(*request, registry_);
  if (!world.ok()) return finish(call, world.status());
  set_asker(context, access, &*world);
  const auto fill = [=](const WorldInfo& info) {
    fill_world(info, response);
    audit_made(access, info);
  };
  registry_.create(*std::move(world), answer_by<WorldInfo>(registry_, call, fill));
  return call;
}

grpc::ServerReadReactor<grpc::ByteBuffer>* WorldService::ImportWorld(CallContext* context,
                                                                     grpc::ByteBuffer* response) {
  auto import = std::make_shared<WorldImport>(registry_, context, response);
  import->begin();
  return import.get();
}

UnaryCall* WorldService::GetWorld(CallContext* context, const v1::GetWorldRequest* request,
                                  v1::World* response) {
  return ask_world(registry_, context, request->world(), [=](const WorldCall& call) {
    const auto fill = [=](const WorldInfo& info) { fill_world(info, response); };
    call.host->info(call.answer<WorldInfo>(fill));
    return absl::OkStatus();
  });
}

UnaryCall* WorldService::ListWorlds(CallContext* context, const v1::ListWorldsRequest* request,
                                    v1::ListWorldsResponse* response) {
  auto* call = context->DefaultReactor();
  const auto size = page_size_of(*request);
  absl::Status status = size.status();
  if (status.ok() && !request->page_token().empty())
    status = check_name(request->page_token(), Field() / "page_token");
  if (!status.ok()) return finish(call, status);
  auto hosts = list_visible(registry_, request->page_token(), *size + 1);
  if (hosts.size() > *size) {
    hosts.pop_back();
    response->set_next_page_token(hosts.back()->facts().name);
  }
  std::make_shared<WorldPage>(std::move(hosts), call, response)->ask();
  return call;
}

UnaryCall* WorldService::DeleteWorld(CallContext* context, const v1::DeleteWorldRequest* request,
                                     v1::DeleteWorldResponse*) {
  UnaryCall* call = context->DefaultReactor();
  const CallAccess access = CallAccess::current();
  if (auto refused = access.check_world(request->world()); !refused.ok())
    return finish(call, refused);
  const auto remove = [this, call, access, name = request->world()] {
    registry_.remove(name, [=](const absl::StatusOr<Revision>& last) {
      if (last.ok()) access.audit({.world = name, .revision = value(*last)});
      finish(call, last.status());
    });
  };
  if (registry_.is_durable()) {
    boost::asio::post(registry_.threads().disk(), remove);  // it waits for the disk
  } else {
    remove();
  }
  return call;
}

UnaryCall* WorldService::ApplyChanges(CallContext* context, const v1::ApplyChangesRequest* request,
                                      v1::ApplyChangesResponse* response) {
  return ask_world(
      registry_, context, request->world(), [=](const WorldCall& call) -> absl::Status {
        REPATH_ASSIGN_OR_RETURN(ApplyCommand command, to_apply(*request, call.host->facts()));
        const auto fill = [=, host = call.host](const ChangeAnswer& answer) {
          fill_applied(answer, response);
          fill_durable(host->durable(), response);
        };
        const auto audit = [host = call.host,
                            access = CallAccess::current()](const ChangeAnswer& answer) {
          access.audit({.world = host->facts().name,
                        .revision = value(answer.revision),
                        .repeated = answer.repeated_request});
        };
        call.host->apply(std::move(command), call.answer<ChangeAnswer>(fill, audit));
        return absl::OkStatus();
      });
}

UnaryCall* WorldService::ReadChanges(CallContext* context, const v1::ReadChangesRequest* request,
                                     v1::ReadChangesResponse* response) {
  return ask_world(registry_, context, request->world(),
                   [=](const WorldCall& call) -> absl::Status {
                     REPATH_ASSIGN_OR_RETURN(const std::size_t size, page_size_of(*request));
                     const auto fill = [=, host = call.host](const ChangePage& page) {
                       for (const LogRecord& record : page.records)
                         REPATH_RETURN_IF_ERROR(fill_change(record, response->add_changes()));
                       response->set_revision(value(page.revision));
                       response->set_epoch(host->facts().epoch);
                       // More may have become durable since the page was read.
                       DurableState durable = host->durable();
                       durable.revision = std::min(durable.revision, page.revision);
                       fill_durable(durable, response);
                       return absl::OkStatus();
                     };
                     call.host->read_changes(Revision{request->start_revision()}, size,
                                             call.answer<ChangePage>(fill));
                     return absl::OkStatus();
                   });
}

grpc::ServerWriteReactor<v1::WatchWorldResponse>* WorldService::WatchWorld(
    CallContext* context, const v1::WatchWorldRequest* request) {
  const auto read = [=](const WorldFacts& facts) -> absl::StatusOr<Revision> {
    REPATH_RETURN_IF_ERROR(check_epoch(request->epoch(), facts));
    return Revision{request->start_revision()};
  };
  return begin_watch<WorldWatch>(registry_, *context, request->world(), read);
}

}  // namespace repath
