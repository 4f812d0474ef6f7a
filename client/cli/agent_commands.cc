#include <chrono>
#include <iostream>
#include <memory>
#include <thread>

#include "cli/commands.h"
#include "cli/follow.h"
#include "cli/parse.h"
#include "cli/path_options.h"
#include "cli/print.h"
#include "repath/v1/agent.grpc.pb.h"

namespace repath::cli {
namespace {

struct AddOptions {
  std::string world;
  std::uint64_t id = 0;
  std::string from;
  std::vector<std::string> goals;
  double goal_radius = 0;
  WalkerOptions walker;
  std::uint32_t priority = 0;
  std::uint32_t max_staleness_ms = 0;
  double min_improvement = 0;
  bool allow_partial = false;
  bool snap_start = false;
  double crowd_penalty = 0;  // 0: nobody is kept clear of
  double crowd_radius = 8;
  double crowd_detour = 0.25;
};

// False, and told, if the call failed or the agent is not there.
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
    context.refused(
        grpc::Status(grpc::StatusCode::NOT_FOUND, "the world has no agent " + std::to_string(id)));
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
  std::cout << "agent " << agent.agent().id() << " at " << text_of(agent.cell()) << ": ";
  if (agent.waiting()) {
    std::cout << "waiting since revision " << agent.waiting_since() << std::endl;
  } else {
    std::cout << name_of(agent.verdict().type()) << ", " << text_of(agent.verdict().path())
              << std::endl;
  }
}

// Waits a moment for the first verdict: in a world on the server's clock it comes within a frame or
// two.
void add(CommandContext& context, const AddOptions& options) {
  v1::UpsertAgentsRequest request;
  request.set_world(options.world);
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
  if (options.crowd_penalty != 0) {
    agent->mutable_crowd()->set_penalty(options.crowd_penalty);
    agent->mutable_crowd()->set_radius(options.crowd_radius);
    agent->mutable_crowd()->set_max_detour(options.crowd_detour);
  }
  grpc::ClientContext call;
  v1::UpsertAgentsResponse answer;
  if (!context.accepted(context.stub<v1::AgentService>()->UpsertAgents(&call, request, &answer)))
    return;

  constexpr int kLooks = 20;
  constexpr auto kPause = std::chrono::milliseconds(25);
  v1::AgentState state;
  for (int look = 0; look < kLooks; ++look) {
    if (!get_agent(context, options.world, options.id, &state)) return;
    if (!state.waiting()) break;
    std::this_thread::sleep_for(kPause);
  }
  print_agent(context, state);
}

struct MoveOptions {
  std::string world;
  std::uint64_t id = 0;
  std::string to;
};

void move(CommandContext& context, const MoveOptions& options) {
  v1::ReportPositionsRequest request;
  request.set_world(options.world);
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
  if (get_agent(context, options.world, options.id, &state)) print_agent(context, state);
}

struct ListOptions {
  std::string world;
  std::vector<std::uint64_t> ids;
  bool paths = false;
};

std::string text_of_goals(const v1::Agent& agent) {
  std::string text;
  for (const auto& goal : agent.goals()) text += (text.empty() ? "" : " ") + text_of(goal);
  return text;
}

void list(CommandContext& context, const ListOptions& options) {
  constexpr int kPage = 1000;
  v1::ListAgentsRequest request;
  request.set_world(options.world);
  request.set_page_size(kPage);
  request.set_with_paths(options.paths);
  for (const std::uint64_t id : options.ids) request.add_agent_ids(id);
  const auto stub = context.stub<v1::AgentService>();
  Json results = Json::array();
  std::vector<std::vector<std::string>> rows = {
      {"AGENT", "AT", "GOALS", "VERDICT", "STATUS", "LENGTH", "PATH", "REVISION", "STATE"}};
  std::uint64_t revision = 0;
  do {
    grpc::ClientContext call;
    v1::ListAgentsResponse answer;
    if (!context.accepted(stub->ListAgents(&call, request, &answer))) return;
    revision = answer.revision();
    for (const auto& state : answer.agents()) {
      results.push_back(json_of(state, options.paths));
      rows.push_back({std::to_string(state.agent().id()), text_of(state.cell()),
                      text_of_goals(state.agent()), name_of(state.verdict().type()),
                      name_of(state.verdict().path().status()), fixed2(state.cost()),
                      std::to_string(state.verdict().path_version()),
                      std::to_string(state.verdict().revision()),
                      state.waiting() ? "waiting since " + std::to_string(state.waiting_since())
                                      : "settled at " + std::to_string(state.settled_revision())});
    }
    request.set_page_token(answer.next_page_token());
  } while (!request.page_token().empty());
  if (context.json) {
    context.print_json({{"revision", revision}, {"agents", results.size()}, {"results", results}});
  } else if (rows.size() == 1) {
    std::cout << "no agents" << std::endl;
  } else {
    print_table(rows);
  }
}

struct WatchOptions {
  std::string world;
  std::vector<std::uint64_t> ids;
  std::uint64_t start_revision = 0;
  Follow follow;
};

void watch(CommandContext& context, const WatchOptions& options) {
  grpc::ClientContext call;
  if (!begin_follow(context, options.follow, call)) return;
  v1::WatchPathsRequest request;
  request.set_world(options.world);
  request.set_start_revision(options.start_revision);
  for (const std::uint64_t id : options.ids) request.add_agent_ids(id);
  const auto stub = context.stub<v1::AgentService>();
  const auto reader = stub->WatchPaths(&call, request);
  Json results = Json::array();
  std::uint64_t seen = 0;
  v1::EventBatch last;
  bool counted = false;
  v1::EventBatch batch;
  while (!counted && reader->Read(&batch)) {
    for (const auto& event : batch.events()) {
      if (counted) break;
      if (context.json) {
        results.push_back(json_of(event));
      } else {
        std::cout << line_of(event) << std::endl;
      }
      counted = ++seen == options.follow.count;
    }
    last.Swap(&batch);
  }
  if (counted) call.TryCancel();
  if (!ended_well(context, options.follow, reader->Finish(), counted)) return;
  if (context.json) {
    context.print_json({{"events", seen},
                        {"revision", last.revision()},
                        {"settled_revision", last.settled_revision()},
                        {"waiting", last.waiting()},
                        {"results", results}});
  } else if (last.batch_number() > 0) {
    std::cout << seen << " verdicts; silence means CONFIRMED up to revision "
              << last.settled_revision() << std::endl;
  }
}

struct RemoveOptions {
  std::string world;
  std::vector<std::uint64_t> ids;
};

void remove(CommandContext& context, const RemoveOptions& options) {
  v1::RemoveAgentsRequest request;
  request.set_world(options.world);
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

void add_crowd_options(CLI::App& command, AddOptions& options) {
  command.add_option(
      "--crowd-penalty", options.crowd_penalty,
      "Keep clear of others: what each that is about to use a cell adds to its cost, "
      "in straight steps, up to 16 (0: they do not count)");
  CLI::Option* penalty = command.get_option("--crowd-penalty");
  command.add_option("--crowd-radius", options.crowd_radius, "Of others so near, world units")
      ->needs(penalty)
      ->capture_default_str();
  command
      .add_option("--crowd-detour", options.crowd_detour,
                  "For at most this share of the cheapest path's cost, up to 1")
      ->needs(penalty)
      ->capture_default_str();
}

void add_add_command(CLI::App& agent, CommandContext& context) {
  auto options = std::make_shared<AddOptions>();
  CLI::App* command =
      add_command(agent, context, "add", "Put an agent in, or replace it, and print its verdict",
                  "repath agent add square 7 --from 4,0 --to 4,4");
  command->add_option("WORLD", options->world, "The world")->required();
  command->add_option("ID", options->id, "Of your choice")->required();
  command->add_option("--from", options->from, "Where it is: a cell X,Y or a point X,Y,Z")
      ->type_name("PLACE")
      ->required();
  command->add_option("--to", options->goals, "Goal, likewise; repeatable: the cheapest counts")
      ->type_name("PLACE")
      ->allow_extra_args(false)
      ->required();
  command->add_option("--radius", options->goal_radius,
                      "Any free cell so near a goal will do, world units");
  add_walker_options(*command, options->walker);
  command->add_option("--priority", options->priority, "0 to 7; higher is served first");
  command->add_option("--max-staleness-ms", options->max_staleness_ms,
                      "How long it may wait for its verdict (1000)");
  command->add_option("--min-improvement", options->min_improvement,
                      "A better path is told only if it saves more than this share, 0 to 1");
  command->add_flag("--partial", options->allow_partial,
                    "If no goal can be reached: to the nearest reachable cell");
  command->add_flag("--snap", options->snap_start,
                    "If it stands in an obstacle: from the nearest free cell");
  add_crowd_options(*command, *options);
  command->callback([&context, options] { add(context, *options); });
}

}  // namespace

void add_agent_commands(CLI::App& agent, CommandContext& context) {
  add_add_command(agent, context);

  auto moved = std::make_shared<MoveOptions>();
  CLI::App* command =
      add_command(agent, context, "move", "Report where an agent is now, following its latest path",
                  "repath agent move square 7 --to 4,1");
  command->add_option("WORLD", moved->world, "The world")->required();
  command->add_option("ID", moved->id, "The agent")->required();
  command->add_option("--to", moved->to, "A cell X,Y or a point X,Y,Z")
      ->type_name("PLACE")
      ->required();
  command->callback([&context, moved] { move(context, *moved); });

  auto listed = std::make_shared<ListOptions>();
  command = add_command(agent, context, "list", "Agents and their latest verdicts",
                        "repath agent list square");
  command->add_option("WORLD", listed->world, "The world")->required();
  command->add_option("ID", listed->ids, "Only these");
  command->add_flag("--paths", listed->paths, "With waypoints (--json)");
  command->callback([&context, listed] { list(context, *listed); });

  auto watched = std::make_shared<WatchOptions>();
  command = add_command(agent, context, "watch",
                        "Print verdicts as they come, starting with each agent's latest",
                        "repath agent watch square --for 10");
  command->add_option("WORLD", watched->world, "The world")->required();
  command->add_option("ID", watched->ids, "Only these");
  command->add_option("--from-revision", watched->start_revision,
                      "Leave out verdicts up to this revision on starting");
  add_follow_options(*command, watched->follow, "verdicts");
  command->callback([&context, watched] { watch(context, *watched); });

  auto removed = std::make_shared<RemoveOptions>();
  command =
      add_command(agent, context, "remove", "Take agents out", "repath agent remove square 7 8");
  command->add_option("WORLD", removed->world, "The world")->required();
  command->add_option("ID", removed->ids, "The agents")->required();
  command->callback([&context, removed] { remove(context, *removed); });
}

}  // namespace repath::cli
