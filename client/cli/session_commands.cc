// session list|close: the sessions of a world.
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/print.h"
#include "repath/v1/admin.grpc.pb.h"

namespace repath::cli {
namespace {

Json session_json(const v1::SessionState& session) {
  return {{"session_id", session.session_id()},
          {"connected", session.connected()},
          {"client", session.client()},
          {"has_secret", session.has_secret()},
          {"agents", session.agents()},
          {"opened_at_us", session.opened_at_us()},
          {"idle_ms", session.idle_ms()},
          {"session_ttl_ms", session.session_ttl_ms()},
          {"expires_in_ms", session.expires_in_ms()},
          {"applied_sequence", session.applied_sequence()},
          {"unsent_bytes", session.unsent_bytes()}};
}

std::string seconds_text(std::uint64_t ms) { return fixed2(static_cast<double>(ms) / 1000) + " s"; }

std::vector<std::string> row_of(const v1::SessionState& session) {
  return {
      session.session_id(),
      session.connected() ? "connected" : "away, ends in " + seconds_text(session.expires_in_ms()),
      std::to_string(session.agents()),
      session.client().empty() ? "-" : session.client(),
      session.has_secret() ? "yes" : "no",
      session.opened_at_us() == 0 ? "-" : time_text(session.opened_at_us()),
      seconds_text(session.idle_ms()),
      std::to_string(session.applied_sequence()),
      bytes(session.unsent_bytes())};
}

void list_sessions(CommandContext& context, const std::string& world) {
  constexpr int kPage = 1000;
  v1::ListSessionsRequest request;
  request.set_world(world);
  request.set_page_size(kPage);
  const auto stub = context.stub<v1::AdminService>();
  Json results = Json::array();
  std::vector<std::vector<std::string>> rows = {{"SESSION", "STATE", "AGENTS", "CLIENT", "SECRET",
                                                 "OPENED (UTC)", "IDLE", "SEQUENCE", "UNSENT"}};
  do {
    grpc::ClientContext call;
    v1::ListSessionsResponse answer;
    if (!context.accepted(stub->ListSessions(&call, request, &answer))) return;
    for (const auto& session : answer.sessions()) {
      results.push_back(session_json(session));
      rows.push_back(row_of(session));
    }
    request.set_page_token(answer.next_page_token());
  } while (!request.page_token().empty());
  if (context.json) {
    context.print_json({{"sessions", results.size()}, {"results", results}});
  } else if (rows.size() == 1) {
    std::cout << "no sessions" << std::endl;
  } else {
    print_table(rows);
    std::cout.flush();
  }
}

void close_session(CommandContext& context, const v1::CloseSessionRequest& request) {
  grpc::ClientContext call;
  v1::CloseSessionResponse answer;
  if (!context.accepted(context.stub<v1::AdminService>()->CloseSession(&call, request, &answer)))
    return;
  if (context.json) {
    context.print_json(
        {{"session_id", request.session_id()}, {"removed_agents", answer.removed_agents()}});
    return;
  }
  std::cout << "closed " << request.session_id() << ", removed "
            << counted(answer.removed_agents(), "agent") << std::endl;
}

}  // namespace

void add_session_commands(CLI::App& session, CommandContext& context) {
  auto world = std::make_shared<std::string>();
  CLI::App* command = add_command(session, context, "list",
                                  "List the sessions of a world, including those without a stream",
                                  "repath session list square");
  command->add_option("WORLD", *world, "Name of the world")->required();
  command->callback([&context, world] { list_sessions(context, *world); });

  struct Close {
    std::string world;
    std::string id;
  };
  auto closed = std::make_shared<Close>();
  command = add_command(session, context, "close", "End a session at once and remove its agents",
                        "repath session close square match-1");
  command->add_option("WORLD", closed->world, "Name of the world")->required();
  command->add_option("ID", closed->id, "Id of the session")->required();
  command->callback([&context, closed] {
    v1::CloseSessionRequest request;
    request.set_world(closed->world);
    request.set_session_id(closed->id);
    close_session(context, request);
  });
}

}  // namespace repath::cli
