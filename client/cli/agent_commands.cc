#include <chrono>
#include <iostream>
#include <memory>
#include <thread>

#include "cli/commands.h"
#include "cli/parse.h"
#include "cli/path_options.h"
#include "cli/print.h"
#include "repath/v1/agent.grpc.pb.h"

namespace repath::cli {
namespace {

struct SessionOptions {
  std::string id;
  std::string secret;
};

struct AddOptions {
  std::string world;
  std::uint64_t id = 0;
  SessionOptions session;
  bool take_over = false;
  std::string from;
  std::vector<std::string> goals;
  double goal_radius = 0;
  WalkerOptions walker;
  std::uint32_t priority = 0;
  std::uint32_t max_staleness_ms = 0;
  double min_improvement = 0;
  bool allow_partial = false;
  bool snap_start = false;
  bool curves = false;
  double crowd_penalty = 0;  // 0: the agent does not keep clear of others
  double crowd_radius = 8;
  double crowd_detour = 0.25;
};

void refuse_unknown(CommandContext& context, std::uint64_t id) {
  context.refused(
      grpc::Status(grpc::StatusCode::NOT_FOUND, "the world has no agent " + std::to_string(id)));
}

// Returns false after a refusal: the call failed, or there is no such agent.
bool get_agent(CommandContext& context, const std::string& world, std::uint64_t id,
               v1::AgentState* agent) {
  v1::ListAgentsRequest request;
  request.set_world(world);
  request.add_agent_ids(id);
  request.set_with_paths(true);
  grpc::ClientContext call;
  v1::ListAgentsResponse answer;
  if (!context.accepted(context.stub<v1::AgentService>()->ListAgents(&call, request, &answer)))
    return false;
  if (answer.agents_size() == 0) {
    refuse_unknown(context, id);
    return false;
  }
  *agent = answer.agents(0);
  return true;
}

void print_agent(const CommandContext& context, const v1::AgentState& agent) {
  if (context.json) {
    context.print_json(json_of(agent, true));
    return;
  }
  std::cout << "agent " << agent.agent().id() << " at " << place_of(agent) << ": ";
  if (agent.waiting()) {
    std::cout << "waiting since revision " << agent.waiting_since() << std::endl;
  } else {
    std::cout << name_of(agent.verdict().type()) << ", " << text_of(agent.verdict().path())
              << std::endl;
  }
}

template <class Request>
void set_session(const SessionOptions& session, Request* request) {
  request->set_session_id(session.id);
  request->set_session_secret(session.secret);
}

// Prints the agent once it waits no more. In a world on the server's clock that takes a frame or
// two. After a second it is printed as it is: a world on its owner's clock may not step for long.
void print_settled(CommandContext& context, const std::string& world, std::uint64_t id) {
  constexpr int kLooks = 40;
  constexpr auto kPause = std::chrono::milliseconds(25);
  v1::AgentState state;
  for (int look = 0; look < kLooks; ++look) {
    if (!get_agent(context, world, id, &state)) return;
    if (!state.waiting()) break;
    std::this_thread::sleep_for(kPause);
  }
  print_agent(context, state);
}

void add(CommandContext& context, const AddOptions& options) {
  v1::UpsertAgentsRequest request;
  request.set_world(options.world);
  set_session(options.session, &request);
  request.set_take_over(options.take_over);
  v1::Agent* agent = request.add_agents();
  agent->set_id(options.id);
  agent->set_profile(options.walker.profile);
  agent->set_team(options.walker.team);
  *agent->mutable_position() = parse_location("--from", options.from);
  for (const std::string& goal : options.goals) *agent->add_goals() = parse_location("--to", goal);
  agent->set_goal_radius(options.goal_radius);
  agent->set_priority(options.priority);
  agent->set_max_staleness_ms(options.max_staleness_ms);
  agent->set_min_improvement_ratio(options.min_improvement);
  agent->set_allow_partial(options.allow_partial);
  agent->set_snap_start(options.snap_start);
  agent->set_curves(options.curves);
  if (options.crowd_penalty != 0) {
    agent->mutable_crowd()->set_penalty(options.crowd_penalty);
    agent->mutable_crowd()->set_radius(options.crowd_radius);
    agent->mutable_crowd()->set_max_detour(options.crowd_detour);
  }
  grpc::ClientContext call;
  v1::UpsertAgentsResponse answer;
  if (!context.accepted(context.stub<v1::AgentService>()->UpsertAgents(&call, request, &answer)))
    return;

  print_settled(context, options.world, options.id);
}

struct MoveOptions {
  std::string world;
  std::uint64_t id = 0;
  std::string to;
  SessionOptions session;
};

void move(CommandContext& context, const MoveOptions& options) {
  v1::ReportPositionsRequest request;
  request.set_world(options.world);
  set_session(options.session, &request);
  v1::AgentPosition* position = request.add_positions();
  position->set_id(options.id);
  *position->mutable_position() = parse_location("--to", options.to);
  v1::AgentState state;
  if (!get_agent(context, options.world, options.id, &state)) return;
  position->set_path_version(state.verdict().path_version());
  grpc::ClientContext call;
  v1::ReportPositionsResponse answer;
  if (!context.accepted(context.stub<v1::AgentService>()->ReportPositions(&call, request, &answer)))
    return;
  if (answer.unknown_agents_size() > 0) return refuse_unknown(context, options.id);
  print_settled(context, options.world, options.id);
}

struct RemoveOptions {
  std::string world;
  std::vector<std::uint64_t> ids;
  SessionOptions session;
};

void remove(CommandContext& context, const RemoveOptions& options) {
  v1::RemoveAgentsRequest request;
  request.set_world(options.world);
  set_session(options.session, &request);
  for (const std::uint64_t id : options.ids) request.add_agent_ids(id);
  grpc::ClientContext call;
  v1::RemoveAgentsResponse answer;
  if (!context.accepted(context.stub<v1::AgentService>()->RemoveAgents(&call, request, &answer)))
    return;
  if (context.json) {
    context.print_json({{"removed", answer.removed()}});
  } else {
    std::cout << "removed " << answer.removed() << std::endl;
  }
}

void add_session_options(CLI::App& command, SessionOptions& session) {
  command
      .add_option("--session", session.id,
                  "Id of the session that owns the agent; it must exist (default: no session)")
      ->type_name("ID");
  command
      .add_option("--session-secret", session.secret,
                  "Secret of that session, if it has one; better in the environment, which other "
                  "users cannot see")
      ->type_name("SECRET")
      ->envname("REPATH_SESSION_SECRET");
}

void add_crowd_options(CLI::App& command, AddOptions& options) {
  command.add_option(
      "--crowd-penalty", options.crowd_penalty,
      "Grids: keep clear of other agents. Extra cost of a cell for each agent that is about "
      "to use it, in straight steps, up to 16 (default 0: others do not count)");
  CLI::Option* penalty = command.get_option("--crowd-penalty");
  command
      .add_option("--crowd-radius", options.crowd_radius,
                  "Radius around the agent in which others count, in world units, up to 64 "
                  "cells (default 8)")
      ->needs(penalty);
  command
      .add_option("--crowd-detour", options.crowd_detour,
                  "Share by which the path may cost more than the cheapest, above 0 up to 1 "
                  "(default 0.25)")
      ->needs(penalty);
}

void add_add_command(CLI::App& agent, CommandContext& context) {
  auto options = std::make_shared<AddOptions>();
  CLI::App* command =
      add_command(agent, context, "add", "Add an agent or replace it, and print its verdict",
                  "repath agent add square 7 --from 4,0 --to 4,4\n"
                  "  repath agent add house 7 --from 2,0,2 --to 22,0,2");
  command->add_option("WORLD", options->world, "Name of the world")->required();
  command->add_option("ID", options->id, "Id of the agent, a number of your choice")->required();
  add_from_option(*command, options->from, "Position of the agent");
  add_to_option(*command, options->goals);
  add_radius_option(*command, options->goal_radius);
  add_walker_options(*command, options->walker);
  command->add_option("--priority", options->priority,
                      "Priority, 0 to 7; agents of a higher priority are served first (default 0)");
  command->add_option(
      "--max-staleness-ms", options->max_staleness_ms,
      "Time that the agent may wait for a verdict, in milliseconds, up to 3600000 (default 1000)");
  command->add_option(
      "--min-improvement", options->min_improvement,
      "Hysteresis: a better path is sent only if it saves more than this share of the "
      "held path's cost, 0 to 1 (default 0)");
  add_fallback_flags(*command, options->allow_partial, options->snap_start);
  command->add_flag(
      "--curves", options->curves,
      "Squares and meshes: give paths of straight lines and arcs of the profile's turning "
      "radius. The profile must have one");
  add_crowd_options(*command, *options);
  add_session_options(*command, options->session);
  command->add_flag("--take-over", options->take_over,
                    "Take the agent if another session owns it; that session gets REMOVED");
  command->callback([&context, options] { add(context, *options); });
}

void add_move_command(CLI::App& agent, CommandContext& context) {
  auto moved = std::make_shared<MoveOptions>();
  CLI::App* command = add_command(agent, context, "move",
                                  "Report an agent's position on its latest path, and print its "
                                  "verdict",
                                  "repath agent move square 7 --to 4,1");
  command->add_option("WORLD", moved->world, "Name of the world")->required();
  command->add_option("ID", moved->id, "Id of the agent")->required();
  command
      ->add_option("--to", moved->to,
                   "Position of the agent: a cell X,Y (grids) or a point X,Y,Z in world units")
      ->type_name("PLACE")
      ->required();
  add_session_options(*command, moved->session);
  command->callback([&context, moved] { move(context, *moved); });
}

}  // namespace

void add_agent_commands(CLI::App& agent, CommandContext& context) {
  add_add_command(agent, context);
  add_move_command(agent, context);

  auto removed = std::make_shared<RemoveOptions>();
  CLI::App* command =
      add_command(agent, context, "remove", "Remove agents; unknown ids are ignored",
                  "repath agent remove square 7 8");
  command->add_option("WORLD", removed->world, "Name of the world")->required();
  command->add_option("ID", removed->ids, "Ids of the agents")->required();
  add_session_options(*command, removed->session);
  command->callback([&context, removed] { remove(context, *removed); });
}

}  // namespace repath::cli
