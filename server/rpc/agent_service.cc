#include "rpc/agent_service.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <memory>
#include <utility>

#include "rpc/agent_messages.h"
#include "rpc/agent_streams.h"
#include "rpc/buffers.h"
#include "rpc/calls.h"
#include "rpc/world_messages.h"

namespace repath {
namespace {

constexpr std::int32_t kPageMax = 1000;
constexpr std::int32_t kPageDefault = 100;
constexpr std::uint64_t kWorkUnitsMax = 1'000'000'000'000;

absl::StatusOr<AgentListCommand> to_list(const v1::ListAgentsRequest& request) {
  const Field field;
  REPATH_RETURN_IF_ERROR(
      check_range(std::int64_t{request.page_size()}, 0, kPageMax, field / "page_size"));
  AgentListCommand command;
  if (!request.page_token().empty()) {
    const std::string& token = request.page_token();
    std::uint64_t from = 0;
    const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), from);
    if (error != std::errc() || end != token.data() + token.size()) {
      return refuse(field / "page_token", "PAGE_TOKEN",
                    "must be next_page_token of the page before, or empty");
    }
    command.from = AgentId{from};
  }
  auto ids = to_ids(request.agent_ids(), 0, kPageMax, field / "agent_ids");
  if (!ids.ok()) return ids.status();
  std::sort(ids->begin(), ids->end());
  ids->erase(std::unique(ids->begin(), ids->end()), ids->end());
  command.agents = *std::move(ids);
  command.limit =
      static_cast<std::size_t>(request.page_size() == 0 ? kPageDefault : request.page_size());
  command.with_paths = request.with_paths();
  return command;
}

absl::StatusOr<TickCommand> to_tick(const v1::TickRequest& request) {
  const Field field;
  REPATH_RETURN_IF_ERROR(
      check_range(request.budget_work_units(), 0, kWorkUnitsMax, field / "budget_work_units"));
  REPATH_RETURN_IF_ERROR(check_range(request.budget_us(), 0, 10'000'000, field / "budget_us"));
  return TickCommand{request.session_id(), request.budget_work_units(), request.budget_us(),
                     request.after_sequence()};
}

void fill_tick(const TickAnswer& answer, v1::TickResponse* out) {
  out->set_revision(value(answer.step.revision));
  out->set_settled_revision(value(answer.settled));
  out->set_applied_sequence(answer.applied_sequence);
  out->set_last_batch_number(answer.last_batch);
  out->set_backlog(answer.step.backlog);
  out->set_oldest_wait_frames(answer.step.oldest_wait_frames);
  out->set_late(answer.step.late);
  out->set_used_work_units(answer.step.used);
  out->set_frame(answer.step.frame);
  out->set_state_hash(answer.state_hash);
}

}  // namespace

grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>* AgentService::Session(
    grpc::CallbackServerContext*) {
  auto stream = std::make_shared<SessionStream>(registry_);
  stream->keep_alive();
  stream->begin();
  return stream.get();
}

grpc::ServerUnaryReactor* AgentService::UpsertAgents(grpc::CallbackServerContext* context,
                                                     const v1::UpsertAgentsRequest* request,
                                                     v1::UpsertAgentsResponse* response) {
  auto* call = context->DefaultReactor();
  const auto host = registry_.find(request->world());
  if (!host.ok()) return finish(call, host.status());
  auto agents = to_agents(request->agents(), map_size((*host)->facts()), Field() / "agents");
  if (!agents.ok()) return finish(call, agents.status());
  (*host)->upsert_agents(
      {request->session_id(), request->sequence()}, {*std::move(agents), request->take_over()},
      answer_by<Revision>(registry_.threads().writers(), call, [response](Revision revision) {
        response->set_revision(value(revision));
        return absl::OkStatus();
      }));
  return call;
}

grpc::ServerUnaryReactor* AgentService::ReportPositions(grpc::CallbackServerContext* context,
                                                        const v1::ReportPositionsRequest* request,
                                                        v1::ReportPositionsResponse* response) {
  auto* call = context->DefaultReactor();
  const auto host = registry_.find(request->world());
  if (!host.ok()) return finish(call, host.status());
  auto reports =
      to_reports(request->positions(), map_size((*host)->facts()), Field() / "positions");
  if (!reports.ok()) return finish(call, reports.status());
  const auto fill = [response](const ReportAnswer& answer) {
    response->set_revision(value(answer.revision));
    for (const AgentId agent : answer.unknown) response->add_unknown_agents(value(agent));
    return absl::OkStatus();
  };
  (*host)->report_positions({request->session_id(), request->sequence()}, {*std::move(reports)},
                            answer_by<ReportAnswer>(registry_.threads().writers(), call, fill));
  return call;
}

grpc::ServerUnaryReactor* AgentService::RemoveAgents(grpc::CallbackServerContext* context,
                                                     const v1::RemoveAgentsRequest* request,
                                                     v1::RemoveAgentsResponse* response) {
  auto* call = context->DefaultReactor();
  const auto host = registry_.find(request->world());
  if (!host.ok()) return finish(call, host.status());
  auto ids = to_ids(request->agent_ids(), 1, kReportsMax, Field() / "agent_ids");
  if (!ids.ok()) return finish(call, ids.status());
  const auto fill = [response](std::uint64_t removed) {
    response->set_removed(removed);
    return absl::OkStatus();
  };
  (*host)->remove_agents({request->session_id(), request->sequence()}, {*std::move(ids)},
                         answer_by<std::uint64_t>(registry_.threads().writers(), call, fill));
  return call;
}

grpc::ServerUnaryReactor* AgentService::ListAgents(grpc::CallbackServerContext* context,
                                                   const v1::ListAgentsRequest* request,
                                                   v1::ListAgentsResponse* response) {
  auto* call = context->DefaultReactor();
  const auto host = registry_.find(request->world());
  if (!host.ok()) return finish(call, host.status());
  auto command = to_list(*request);
  if (!command.ok()) return finish(call, command.status());
  const MapSize map = map_size((*host)->facts());
  const auto fill = [response, map](const AgentList& list) {
    for (const AgentView& agent : list.agents) fill_agent_state(agent, map, response->add_agents());
    if (list.next) response->set_next_page_token(std::to_string(value(*list.next)));
    response->set_revision(value(list.revision));
    return absl::OkStatus();
  };
  (*host)->list_agents(*std::move(command),
                       answer_by<AgentList>(registry_.threads().writers(), context, call, fill));
  return call;
}

grpc::ServerWriteReactor<grpc::ByteBuffer>* AgentService::WatchPaths(
    grpc::CallbackServerContext*, const grpc::ByteBuffer* bytes) {
  v1::WatchPathsRequest request;
  // gRPC answers bytes that are not a message as it does for every other method.
  if (!read_message(*bytes, &request)) return nullptr;
  auto watch = std::make_shared<PathWatch>(registry_.threads().writers());
  watch->keep_alive();
  const auto host = registry_.find(request.world());
  if (!host.ok()) {
    watch->on_end(host.status());
    return watch.get();
  }
  auto ids = to_ids(request.agent_ids(), 0, kWatchedAgentsMax, Field() / "agent_ids");
  absl::Status status = ids.ok() ? check_epoch(request.epoch(), (*host)->facts()) : ids.status();
  if (status.ok()) {
    watch->begin(*host, {*std::move(ids), Revision{request.start_revision()}});
  } else {
    watch->on_end(std::move(status));
  }
  return watch.get();
}

grpc::ServerUnaryReactor* AgentService::Tick(grpc::CallbackServerContext* context,
                                             const v1::TickRequest* request,
                                             v1::TickResponse* response) {
  auto* call = context->DefaultReactor();
  const auto host = registry_.find(request->world());
  if (!host.ok()) return finish(call, host.status());
  auto command = to_tick(*request);
  if (!command.ok()) return finish(call, command.status());
  const bool has_deadline = context->deadline() != std::chrono::system_clock::time_point::max();
  if (has_deadline) command->barrier_us = 0;
  (*host)->tick(*std::move(command),
                answer_by<TickAnswer>(registry_.threads().writers(), context, call,
                                      [response](const TickAnswer& answer) {
                                        fill_tick(answer, response);
                                        return absl::OkStatus();
                                      }));
  return call;
}

}  // namespace repath
