#include "rpc/world_service.h"

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "rpc/calls.h"
#include "rpc/world_messages.h"
#include "rpc/world_streams.h"
#include "world/profile.h"

namespace repath {
namespace {

constexpr std::int32_t kWorldsPageMax = 1000;
constexpr std::int32_t kWorldsPageDefault = 100;

// A page of worlds. The worlds answer in any order; the last answer ends the call.
class WorldPage : public std::enable_shared_from_this<WorldPage> {
 public:
  WorldPage(std::vector<std::shared_ptr<WorldHost>> hosts, grpc::ServerUnaryReactor* call,
            v1::ListWorldsResponse* response)
      : hosts_(std::move(hosts)),
        call_(call),
        response_(response),
        infos_(hosts_.size()),
        left_(hosts_.size()) {}

  void ask() {
    if (hosts_.empty()) finish(call_, absl::OkStatus());
    for (std::size_t i = 0; i < hosts_.size(); ++i) {
      hosts_[i]->info([self = shared_from_this(), i](absl::StatusOr<WorldInfo> info) {
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
  grpc::ServerUnaryReactor* call_;
  v1::ListWorldsResponse* response_;
  std::mutex mutex_;
  std::vector<absl::StatusOr<WorldInfo>> infos_;
  std::size_t left_;
};

absl::Status fill_page(const ChangePage& page, const WorldFacts& facts,
                       v1::ReadChangesResponse* out) {
  for (const LogRecord& record : page.records) {
    REPATH_RETURN_IF_ERROR(fill_change(record, out->add_changes()));
  }
  out->set_revision(value(page.revision));
  out->set_epoch(facts.epoch);
  return absl::OkStatus();
}

}  // namespace

grpc::ServerUnaryReactor* WorldService::CreateWorld(grpc::CallbackServerContext* context,
                                                    const v1::CreateWorldRequest* request,
                                                    v1::World* response) {
  auto* call = context->DefaultReactor();
  auto world = to_new_world(*request, registry_);
  if (!world.ok()) return finish(call, world.status());
  world->caller = std::make_shared<CallStop>(context);
  registry_.create(*std::move(world), answer_by<WorldInfo>(registry_.threads().writers(), call,
                                                           [response](const WorldInfo& info) {
                                                             fill_world(info, response);
                                                             return absl::OkStatus();
                                                           }));
  return call;
}

grpc::ServerReadReactor<v1::ImportWorldRequest>* WorldService::ImportWorld(
    grpc::CallbackServerContext* context, v1::World* response) {
  auto import = std::make_shared<WorldImport>(registry_, context, response);
  import->begin();
  return import.get();
}

grpc::ServerUnaryReactor* WorldService::GetWorld(grpc::CallbackServerContext* context,
                                                 const v1::GetWorldRequest* request,
                                                 v1::World* response) {
  auto* call = context->DefaultReactor();
  const auto host = registry_.find(request->world());
  if (!host.ok()) return finish(call, host.status());
  (*host)->info(answer_by<WorldInfo>(registry_.threads().writers(), context, call,
                                     [response](const WorldInfo& info) {
                                       fill_world(info, response);
                                       return absl::OkStatus();
                                     }));
  return call;
}

grpc::ServerUnaryReactor* WorldService::ListWorlds(grpc::CallbackServerContext* context,
                                                   const v1::ListWorldsRequest* request,
                                                   v1::ListWorldsResponse* response) {
  auto* call = context->DefaultReactor();
  const Field field;
  absl::Status status =
      check_range(std::int64_t{request->page_size()}, 0, kWorldsPageMax, field / "page_size");
  if (status.ok() && !request->page_token().empty())
    status = check_name(request->page_token(), field / "page_token");
  if (!status.ok()) return finish(call, status);
  const auto size = static_cast<std::size_t>(request->page_size() == 0 ? kWorldsPageDefault
                                                                       : request->page_size());
  auto hosts = registry_.list(request->page_token(), size + 1);
  if (hosts.size() > size) {
    hosts.pop_back();
    response->set_next_page_token(hosts.back()->facts().name);
  }
  std::make_shared<WorldPage>(std::move(hosts), call, response)->ask();
  return call;
}

grpc::ServerUnaryReactor* WorldService::DeleteWorld(grpc::CallbackServerContext* context,
                                                    const v1::DeleteWorldRequest* request,
                                                    v1::DeleteWorldResponse*) {
  return finish(context->DefaultReactor(), registry_.remove(request->world()));
}

grpc::ServerUnaryReactor* WorldService::ApplyChanges(grpc::CallbackServerContext* context,
                                                     const v1::ApplyChangesRequest* request,
                                                     v1::ApplyChangesResponse* response) {
  auto* call = context->DefaultReactor();
  const auto host = registry_.find(request->world());
  if (!host.ok()) return finish(call, host.status());
  auto command = to_apply(*request, (*host)->facts());
  if (!command.ok()) return finish(call, command.status());
  const auto answer = answer_by<ChangeAnswer>(registry_.threads().writers(), call,
                                              [response](const ChangeAnswer& a) {
                                                fill_applied(a, response);
                                                return absl::OkStatus();
                                              });
  (*host)->apply(*std::move(command), Answer<ChangeAnswer>(answer, over_with(context)));
  return call;
}

grpc::ServerUnaryReactor* WorldService::TestChanges(grpc::CallbackServerContext* context,
                                                    const v1::TestChangesRequest* request,
                                                    v1::TestChangesResponse* response) {
  auto* call = context->DefaultReactor();
  const auto host = registry_.find(request->world());
  if (!host.ok()) return finish(call, host.status());
  auto command = to_test(*request, (*host)->facts());
  if (!command.ok()) return finish(call, command.status());
  const auto answer =
      answer_by<TestAnswer>(registry_.threads().writers(), call, [response](const TestAnswer& a) {
        fill_tested(a, response);
        return absl::OkStatus();
      });
  (*host)->test(*std::move(command), Answer<TestAnswer>(answer, over_with(context)));
  return call;
}

grpc::ServerUnaryReactor* WorldService::ReadChanges(grpc::CallbackServerContext* context,
                                                    const v1::ReadChangesRequest* request,
                                                    v1::ReadChangesResponse* response) {
  auto* call = context->DefaultReactor();
  const auto host = registry_.find(request->world());
  if (!host.ok()) return finish(call, host.status());
  const absl::Status status =
      check_range(std::int64_t{request->page_size()}, 0, kWorldsPageMax, Field() / "page_size");
  if (!status.ok()) return finish(call, status);
  const auto size = static_cast<std::size_t>(request->page_size() == 0 ? kWorldsPageDefault
                                                                       : request->page_size());
  (*host)->read_changes(Revision{request->start_revision()}, size,
                        answer_by<ChangePage>(registry_.threads().writers(), context, call,
                                              [response, host = *host](const ChangePage& page) {
                                                return fill_page(page, host->facts(), response);
                                              }));
  return call;
}

grpc::ServerWriteReactor<v1::WatchWorldResponse>* WorldService::WatchWorld(
    grpc::CallbackServerContext*, const v1::WatchWorldRequest* request) {
  auto watch = std::make_shared<WorldWatch>(registry_.threads().writers());
  watch->keep_alive();
  const auto host = registry_.find(request->world());
  absl::Status status = host.ok() ? check_epoch(request->epoch(), (*host)->facts()) : host.status();
  if (status.ok()) {
    watch->begin(*host, Revision{request->start_revision()});
  } else {
    watch->on_end(std::move(status));
  }
  return watch.get();
}

}  // namespace repath
