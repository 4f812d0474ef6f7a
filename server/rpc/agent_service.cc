#include <algorithm>
#include <charconv>
#include <chrono>
#include <memory>
#include <utility>

#include "rpc/agent_messages.h"
#include "rpc/agent_streams.h"
#include "rpc/calls.h"
#include "rpc/raw_message.h"
#include "rpc/services.h"
#include "rpc/world_messages.h"

namespace repath {
namespace {

constexpr std::int32_t kPageMax = 1000;
constexpr std::uint64_t kWorkUnitsMax = 1'000'000'000'000;

absl::StatusOr<AgentListCommand> to_list(const v1::ListAgentsRequest& request) {
  const Field field;
  AgentListCommand command;
  REPATH_RETURN_IF_ERROR(
      read_unless_zero(request.page_size(), 0, kPageMax, field / "page_size", &command.limit));
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
  REPATH_ASSIGN_OR_RETURN(command.agents,
                          to_ids(request.agent_ids(), 0, kPageMax, field / "agent_ids"));
  std::ranges::sort(command.agents);
  command.agents.erase(std::unique(command.agents.begin(), command.agents.end()),
                       command.agents.end());
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

// Reads who calls. REQUIRES: the call's handler runs on this thread.
template <class Request>
absl::StatusOr<Caller> to_caller(const Request& request) {
  Caller caller{request.session_id(), request.sequence()};
  if (request.session_id().empty() && !request.session_secret().empty())
    return refuse(Field() / "session_secret", "SESSION_MISSING",
                  "must be empty in a call without a session_id");
  REPATH_ASSIGN_OR_RETURN(caller.proof,
                          to_proof(request.session_secret(), CallAccess::current().caller_name(),
                                   Field() / "session_secret"));
  return caller;
}

}  // namespace

grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>* AgentService::Session(
    CallContext* context) {
  auto stream = std::make_shared<SessionStream>(registry_, *context);
  stream->keep_alive();
  stream->begin();
  return stream.get();
}

UnaryCall* AgentService::UpsertAgents(CallContext* context, const v1::UpsertAgentsRequest* request,
                                      v1::UpsertAgentsResponse* response) {
  return ask_world(
      registry_, context, request->world(), [=](const WorldCall& call) -> absl::Status {
        REPATH_ASSIGN_OR_RETURN(Caller caller, to_caller(*request));
        REPATH_ASSIGN_OR_RETURN(
            std::vector<AgentSpec> agents,
            to_agents(request->agents(), map_units(call.host->facts()), Field() / "agents"));
        const auto fill = [=](Revision revision) { response->set_revision(value(revision)); };
        const auto audit = [host = call.host, access = CallAccess::current()](Revision revision) {
          access.audit({.world = host->facts().name, .revision = value(revision)});
        };
        SessionMessage::Upsert upsert{std::move(agents), request->take_over(), {}};
        if (call.host->keeps_bytes()) upsert.bytes = agent_bytes(request->agents());
        call.host->upsert_agents(std::move(caller), std::move(upsert),
                                 call.answer<Revision>(fill, audit));
        return absl::OkStatus();
      });
}

UnaryCall* AgentService::ReportPositions(CallContext* context,
                                         const v1::ReportPositionsRequest* request,
                                         v1::ReportPositionsResponse* response) {
  return ask_world(
      registry_, context, request->world(), [=](const WorldCall& call) -> absl::Status {
        REPATH_ASSIGN_OR_RETURN(Caller caller, to_caller(*request));
        REPATH_ASSIGN_OR_RETURN(
            std::vector<PositionReport> reports,
            to_reports(request->positions(), map_units(call.host->facts()), Field() / "positions"));
        const auto fill = [=](const ReportAnswer& answer) {
          response->set_revision(value(answer.revision));
          for (const AgentId agent : answer.unknown) response->add_unknown_agents(value(agent));
        };
        call.host->report_positions(std::move(caller), {std::move(reports)},
                                    call.answer<ReportAnswer>(fill));
        return absl::OkStatus();
      });
}

UnaryCall* AgentService::RemoveAgents(CallContext* context, const v1::RemoveAgentsRequest* request,
                                      v1::RemoveAgentsResponse* response) {
  return ask_world(
      registry_, context, request->world(), [=](const WorldCall& call) -> absl::Status {
        REPATH_ASSIGN_OR_RETURN(Caller caller, to_caller(*request));
        REPATH_ASSIGN_OR_RETURN(
            std::vector<AgentId> ids,
            to_ids(request->agent_ids(), 1, kReportsMax, Field() / "agent_ids"));
        const auto fill = [=](std::uint64_t removed) { response->set_removed(removed); };
        const auto audit = [host = call.host,
                            access = CallAccess::current()](std::uint64_t removed) {
          if (removed > 0) audit_now(access, *host);
        };
        call.host->remove_agents(std::move(caller), {std::move(ids)},
                                 call.answer<std::uint64_t>(fill, audit));
        return absl::OkStatus();
      });
}

UnaryCall* AgentService::ListAgents(CallContext* context, const v1::ListAgentsRequest* request,
                                    v1::ListAgentsResponse* response) {
  return ask_world(
      registry_, context, request->world(), [=](const WorldCall& call) -> absl::Status {
        REPATH_ASSIGN_OR_RETURN(AgentListCommand command, to_list(*request));
        const auto fill = [response, map = map_units(call.host->facts())](const AgentList& list) {
          for (const AgentView& agent : list.agents)
            fill_agent_state(agent, map, response->add_agents());
          if (list.next) response->set_next_page_token(std::to_string(value(*list.next)));
          response->set_revision(value(list.revision));
        };
        call.host->list_agents(std::move(command), call.answer<AgentList>(fill));
        return absl::OkStatus();
      });
}

UnaryCall* AgentService::ListVerdicts(CallContext* context, const v1::ListVerdictsRequest* request,
                                      v1::ListVerdictsResponse* response) {
  return ask_world(
      registry_, context, request->world(), [=](const WorldCall& call) -> absl::Status {
        constexpr auto kMost = static_cast<std::uint32_t>(VerdictDiary::kOfAgent);
        std::uint32_t limit = kMost;
        REPATH_RETURN_IF_ERROR(
            read_unless_zero(request->limit(), 0u, kMost, Field() / "limit", &limit));
        const auto fill = [response, limit,
                           map = map_units(call.host->facts())](const PastVerdicts& past) {
          fill_past_verdicts(past, limit, map, response);
        };
        call.host->list_verdicts(AgentId{request->agent_id()}, call.answer<PastVerdicts>(fill));
        return absl::OkStatus();
      });
}

grpc::ServerWriteReactor<grpc::ByteBuffer>* AgentService::WatchPaths(
    CallContext* context, const grpc::ByteBuffer* bytes) {
  v1::WatchPathsRequest request;
  // gRPC answers bytes that are not a message as it does for every other method.
  if (!read_message(*bytes, &request).ok()) return nullptr;
  const auto read = [&](const WorldFacts& facts) -> absl::StatusOr<WatchOpen> {
    REPATH_ASSIGN_OR_RETURN(
        std::vector<AgentId> ids,
        to_ids(request.agent_ids(), 0, kWatchedAgentsMax, Field() / "agent_ids"));
    REPATH_RETURN_IF_ERROR(check_epoch(request.epoch(), facts));
    return WatchOpen{std::move(ids), Revision{request.start_revision()}};
  };
  return begin_watch<PathWatch>(registry_, *context, request.world(), read);
}

UnaryCall* AgentService::Tick(CallContext* context, const v1::TickRequest* request,
                              v1::TickResponse* response) {
  return ask_world(
      registry_, context, request->world(), [=](const WorldCall& call) -> absl::Status {
        REPATH_ASSIGN_OR_RETURN(TickCommand command, to_tick(*request));
        const bool has_deadline =
            context->deadline() != std::chrono::system_clock::time_point::max();
        if (has_deadline) command.barrier_us = 0;
        const auto fill = [=, game_tick = request->game_tick()](const TickAnswer& answer) {
          fill_tick(answer, response);
          response->set_game_tick(game_tick);
        };
        call.host->tick(std::move(command), call.answer<TickAnswer>(fill));
        return absl::OkStatus();
      });
}

}  // namespace repath
