// agent list|why|watch: the verdicts of a world's agents.
#include <cmath>
#include <iostream>
#include <memory>

#include "cli/commands.h"
#include "cli/follow.h"
#include "cli/print.h"
#include "repath/v1/agent.grpc.pb.h"
#include "repath/v1/world.grpc.pb.h"

namespace repath::cli {
namespace {

struct ListOptions {
  std::string world;
  std::vector<std::uint64_t> ids;
  bool paths = false;
};

// The server names goals by position. On grids the centre of a cell is shown as that cell, so that
// AT and GOALS are alike.
std::string text_of_goal(const v1::Location& goal, const v1::World& world) {
  if (world.kind() != "grid" || !goal.has_position()) return text_of(goal);
  const double x = goal.position().x() / world.cell_size() - 0.5;
  const double y = goal.position().z() / world.cell_size() - 0.5;
  constexpr double kRounding = 1e-6;
  const bool is_centre =
      std::abs(x - std::round(x)) < kRounding && std::abs(y - std::round(y)) < kRounding;
  if (!is_centre) return text_of(goal);
  v1::Cell cell;
  cell.set_x(static_cast<std::int32_t>(std::round(x)));
  cell.set_y(static_cast<std::int32_t>(std::round(y)));
  return text_of(cell);
}

std::string text_of_goals(const v1::Agent& agent, const v1::World& world) {
  std::string text;
  for (const auto& goal : agent.goals())
    text += (text.empty() ? "" : " ") + text_of_goal(goal, world);
  return text;
}

std::vector<std::string> row_of(const v1::AgentState& state, const v1::World& world) {
  return {std::to_string(state.agent().id()),
          place_of(state),
          text_of_goals(state.agent(), world),
          name_of(state.verdict().type()),
          name_of(state.verdict().path().status()),
          holds_path(state) ? fixed2(state.cost()) : "-",
          std::to_string(state.verdict().path_version()),
          std::to_string(state.verdict().revision()),
          state.waiting() ? "waiting since " + std::to_string(state.waiting_since())
                          : "settled at " + std::to_string(state.settled_revision())};
}

bool get_world(CommandContext& context, const std::string& name, v1::World* world) {
  v1::GetWorldRequest request;
  request.set_world(name);
  grpc::ClientContext call;
  return context.accepted(context.stub<v1::WorldService>()->GetWorld(&call, request, world));
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
      {"AGENT", "AT", "GOALS", "VERDICT", "STATUS", "LENGTH", "VERSION", "REVISION", "STATE"}};
  std::vector<std::string> paths;
  std::uint64_t revision = 0;
  v1::World world;
  if (!get_world(context, options.world, &world)) return;
  do {
    grpc::ClientContext call;
    v1::ListAgentsResponse answer;
    if (!context.accepted(stub->ListAgents(&call, request, &answer))) return;
    revision = answer.revision();
    for (const auto& state : answer.agents()) {
      results.push_back(json_of(state, options.paths));
      rows.push_back(row_of(state, world));
      if (options.paths)
        paths.push_back("agent " + rows.back().front() + ": " + text_of(state.verdict().path()));
    }
    request.set_page_token(answer.next_page_token());
  } while (!request.page_token().empty());
  if (context.json) {
    context.print_json({{"revision", revision}, {"agents", results.size()}, {"results", results}});
  } else if (rows.size() == 1) {
    std::cout << "no agents" << std::endl;
  } else {
    print_table(rows);
    for (const std::string& path : paths) std::cout << path << '\n';
    std::cout.flush();
  }
}

struct WatchOptions {
  std::string world;
  std::vector<std::uint64_t> ids;
  std::uint64_t start_revision = 0;
  Follow follow;
};

// An event with what its batch says of all agents of the watch.
Json json_of_watched(const v1::PathEvent& event, const v1::EventBatch& batch) {
  Json row = json_of(event);
  row["settled_revision"] = batch.settled_revision();
  row["durable_revision"] = batch.durable_revision();
  row["incarnation"] = batch.incarnation();
  row["waiting_agents"] = batch.waiting();
  return row;
}

void watch(CommandContext& context, const WatchOptions& options) {
  grpc::ClientContext call;
  begin_follow(options.follow, call);
  v1::WatchPathsRequest request;
  request.set_world(options.world);
  request.set_start_revision(options.start_revision);
  for (const std::uint64_t id : options.ids) request.add_agent_ids(id);
  const auto stub = context.stub<v1::AgentService>();
  const auto reader = stub->WatchPaths(&call, request);
  std::uint64_t seen = 0;
  v1::EventBatch last;
  bool has_all = false;
  v1::EventBatch batch;
  while (!has_all && reader->Read(&batch)) {
    for (const auto& event : batch.events()) {
      if (has_all) break;
      if (context.json) {
        context.print_json_line(json_of_watched(event, batch));
      } else {
        std::cout << line_of(event) << std::endl;
      }
      has_all = is_enough(options.follow, ++seen);
    }
    last.Swap(&batch);
  }
  if (has_all) call.TryCancel();
  if (!ended_well(context, options.follow, reader->Finish(), has_all)) return;
  if (!context.json && last.batch_number() > 0) {
    std::cout << counted(seen, "verdict") << "; silence since then means CONFIRMED at revision "
              << last.settled_revision() << std::endl;
  }
}

struct WhyOptions {
  std::string world;
  std::uint64_t agent = 0;
  std::uint32_t last = 0;
};

void why(CommandContext& context, const WhyOptions& options) {
  v1::ListVerdictsRequest request;
  request.set_world(options.world);
  request.set_agent_id(options.agent);
  request.set_limit(options.last);
  grpc::ClientContext call;
  v1::ListVerdictsResponse answer;
  if (!context.accepted(context.stub<v1::AgentService>()->ListVerdicts(&call, request, &answer)))
    return;
  Json results = Json::array();
  for (int i = 0; i < answer.verdicts_size(); ++i) {
    const auto& event = answer.verdicts(i);
    const double age_s = static_cast<double>(answer.ages_ms(i)) / 1e3;
    if (context.json) {
      Json result = json_of(event);
      result["age_s"] = age_s;
      results.push_back(std::move(result));
    } else {
      std::cout << fixed2(age_s) << " s ago  " << line_of(event) << std::endl;
    }
  }
  if (context.json) {
    context.print_json({{"verdicts", results.size()}, {"results", results}});
  } else if (answer.verdicts().empty()) {
    std::cout << "no verdict of agent " << options.agent << " is kept" << std::endl;
  }
}

}  // namespace

void add_agent_list_commands(CLI::App& agent, CommandContext& context) {
  auto listed = std::make_shared<ListOptions>();
  CLI::App* command = add_command(agent, context, "list", "List agents and their latest verdicts",
                                  "repath agent list square\n  repath agent list square 7 --paths");
  command->add_option("WORLD", listed->world, "Name of the world")->required();
  command->add_option("ID", listed->ids, "Ids of agents (default: all agents)");
  command->add_flag("--paths", listed->paths, "Also print the waypoints of each path");
  command->callback([&context, listed] { list(context, *listed); });

  auto asked = std::make_shared<WhyOptions>();
  command =
      add_command(agent, context, "why",
                  "Print the last verdicts of one agent, the oldest first, to show why it turned",
                  "repath agent why square 7");
  command->add_option("WORLD", asked->world, "Name of the world")->required();
  command->add_option("ID", asked->agent, "Id of the agent")->required();
  command
      ->add_option("--last", asked->last,
                   "Print the newest verdicts only, this many, up to 64 (default 64)")
      ->check(CLI::Range(1u, 64u));
  command->callback([&context, asked] { why(context, *asked); });

  auto watched = std::make_shared<WatchOptions>();
  command = add_command(
      agent, context, "watch",
      "Print verdicts as they come, beginning with the latest verdict of each agent. If "
      "verdicts come faster than they are read, a newer verdict of an agent replaces its "
      "unsent ones, and its line gives their number. Ends with exit status 3 when the server "
      "ends; another watch begins with the latest verdicts again",
      "repath agent watch square --for 10");
  command->add_option("WORLD", watched->world, "Name of the world")->required();
  command->add_option("ID", watched->ids, "Ids of agents (default: all, and those added later)");
  command->add_option("--from-revision", watched->start_revision,
                      "At the beginning, leave out verdicts up to this revision (default 0: none)");
  add_follow_options(*command, watched->follow, "verdicts");
  command->callback([&context, watched] { watch(context, *watched); });
}

}  // namespace repath::cli
