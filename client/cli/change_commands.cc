#include <iostream>
#include <memory>

#include "cli/change_options.h"
#include "cli/commands.h"
#include "cli/follow.h"
#include "cli/parse.h"
#include "cli/print.h"
#include "repath/v1/world.grpc.pb.h"

namespace repath::cli {
namespace {

struct ApplyArguments {
  std::string world;
  ChangeOptions changes;
  std::optional<std::uint64_t> expected_revision;
  std::string request_id;
};

void apply(CommandContext& context, const ApplyArguments& arguments) {
  v1::ApplyChangesRequest request;
  request.set_world(arguments.world);
  *request.mutable_batch() = to_batch(arguments.changes);
  request.set_request_id(arguments.request_id);
  if (arguments.expected_revision.has_value())
    request.set_expected_revision(*arguments.expected_revision);
  grpc::ClientContext call;
  v1::ApplyChangesResponse answer;
  if (!context.accepted(context.stub<v1::WorldService>()->ApplyChanges(&call, request, &answer)))
    return;
  if (context.json) {
    context.print_json({{"revision", answer.revision()},
                        {"state_hash", hex(answer.state_hash())},
                        {"changed_edges", answer.changed_edges()},
                        {"invalidated_agents", answer.invalidated_agents()},
                        {"waiting_agents", answer.waiting_agents()},
                        {"repeated_request", answer.repeated_request()},
                        {"durable_revision", answer.durable_revision()},
                        {"incarnation", answer.incarnation()}});
    return;
  }
  std::cout << "revision " << answer.revision() << ": " << counted(answer.changed_edges(), "change")
            << " of edges or cells, " << counted(answer.invalidated_agents(), "agent")
            << " invalidated, " << answer.waiting_agents() << " waiting, hash "
            << hex(answer.state_hash()) << (answer.repeated_request() ? " (asked before)" : "")
            << std::endl;
}

struct TestArguments {
  std::string world;
  ChangeOptions changes;
  std::vector<std::string> pairs;
  std::string profile;
  std::uint32_t team = 0;
  std::uint32_t max_paths = 0;
};

Json json_of_new_paths(const v1::TestChangesResponse& answer) {
  Json paths = Json::array();
  for (const auto& led : answer.new_paths())
    paths.push_back({{"agent", led.agent_id()}, {"path", json_of(led.path())}});
  return paths;
}

void print_new_paths(const v1::TestChangesResponse& answer) {
  for (const auto& led : answer.new_paths()) {
    std::cout << "agent " << led.agent_id() << " would have ";
    if (led.path().positions_size() == 0) {
      std::cout << name_of(led.path().status()) << '\n';
    } else {
      std::cout << "a path of length " << fixed2(led.path().cost()) << '\n';
    }
  }
}

Json ids_of(const google::protobuf::RepeatedField<std::uint64_t>& ids) {
  return std::vector<std::uint64_t>(ids.begin(), ids.end());
}

void test(CommandContext& context, const TestArguments& arguments) {
  v1::TestChangesRequest request;
  request.set_world(arguments.world);
  *request.mutable_batch() = to_batch(arguments.changes);
  for (const std::string& text : arguments.pairs) {
    auto pair = parse_pair("--pair", text);
    pair.set_profile(arguments.profile);
    pair.set_team(arguments.team);
    *request.add_pairs() = std::move(pair);
  }
  request.set_max_paths(arguments.max_paths);
  grpc::ClientContext call;
  v1::TestChangesResponse answer;
  if (!context.accepted(context.stub<v1::WorldService>()->TestChanges(&call, request, &answer)))
    return;

  bool allowed = answer.cut_off_agents_size() == 0;
  Json pairs = Json::array();
  for (int i = 0; i < answer.pairs_size(); ++i) {
    const auto& pair = answer.pairs(i);
    if (pair.connected_before() && !pair.connected_after()) allowed = false;
    pairs.push_back({{"pair", arguments.pairs[static_cast<std::size_t>(i)]},
                     {"connected_before", pair.connected_before()},
                     {"connected_after", pair.connected_after()}});
  }
  if (context.json) {
    context.print_json({{"allowed", allowed},
                        {"revision", answer.revision()},
                        {"pairs", pairs},
                        {"affected_agents", ids_of(answer.affected_agents())},
                        {"cut_off_agents", ids_of(answer.cut_off_agents())},
                        {"changed_edges", answer.changed_edges()},
                        {"truncated", answer.truncated()},
                        {"new_paths", json_of_new_paths(answer)}});
  } else {
    print_new_paths(answer);
    for (const auto& pair : pairs) {
      std::cout << pair["pair"].get<std::string>() << ": "
                << (pair["connected_after"]    ? "stays connected"
                    : pair["connected_before"] ? "would be cut"
                                               : "is not connected")
                << '\n';
    }
    std::cout << "on revision " << answer.revision() << ": "
              << counted(answer.changed_edges(), "change") << " of edges or cells, "
              << counted(static_cast<std::uint64_t>(answer.affected_agents_size()), "agent")
              << " would be affected, " << answer.cut_off_agents_size() << " cut off"
              << (answer.truncated() ? " (at least)" : "") << std::endl;
  }
  if (!allowed) context.check_failed("the change would cut off an agent or a pair");
}

struct WatchArguments {
  std::string world;
  std::uint64_t from_revision = 0;
  Follow follow;
};

void watch(CommandContext& context, const WatchArguments& arguments) {
  grpc::ClientContext call;
  begin_follow(arguments.follow, call);
  v1::WatchWorldRequest request;
  request.set_world(arguments.world);
  request.set_start_revision(arguments.from_revision);
  const auto stub = context.stub<v1::WorldService>();
  const auto reader = stub->WatchWorld(&call, request);
  std::uint64_t seen = 0;
  bool counted = false;
  v1::WatchWorldResponse message;
  while (!counted && reader->Read(&message)) {
    for (const auto& change : message.changes()) {
      if (counted) break;
      if (context.json) {
        context.print_json_line(json_of(change));
      } else {
        std::cout << line_of(change) << std::endl;
      }
      counted = is_enough(arguments.follow, ++seen);
    }
  }
  if (counted) call.TryCancel();
  ended_well(context, arguments.follow, reader->Finish(), counted);
}

void add_watch(CLI::App& world, CommandContext& context) {
  auto watched = std::make_shared<WatchArguments>();
  CLI::App* command =
      add_command(world, context, "watch",
                  "Print every change as it is committed. Ends with exit status 3 when the "
                  "server ends. Of a durable world --from-revision with the revision after "
                  "the last one printed then goes on without a gap",
                  "repath world watch square --from-revision 2 --for 10");
  command->add_option("NAME", watched->world, "Name of the world")->required();
  command->add_option("--from-revision", watched->from_revision,
                      "Revision of the first change to print (default 0: the next change)");
  add_follow_options(*command, watched->follow, "changes");
  command->callback([&context, watched] { watch(context, *watched); });
}

}  // namespace

void add_change_commands(CLI::App& world, CommandContext& context) {
  auto applied = std::make_shared<ApplyArguments>();
  CLI::App* command = add_command(
      world, context, "apply",
      "Change a world. All options together are one batch, which makes one revision or fails as "
      "a whole",
      "repath world apply square --id 1 --block 4,2,5,3\n"
      "  repath world apply square --door 1=open\n"
      "  repath world apply square --file changes.json");
  command->add_option("NAME", applied->world, "Name of the world")->required();
  add_change_options(*command, applied->changes);
  command->add_option("--expected-revision", applied->expected_revision,
                      "Refuse with REVISION_MISMATCH if the world is at another revision "
                      "(default: any)");
  command
      ->add_option(
          "--request-id", applied->request_id,
          "Request id of this change, at most 128 bytes. The same change again with this id gets "
          "the first answer and is not made twice (default: none)")
      ->type_name("ID");
  command->callback([&context, applied] { apply(context, *applied); });

  auto tested = std::make_shared<TestArguments>();
  command = add_command(world, context, "test",
                        "Try a batch and report its effects; the world stays as it is. Exit status "
                        "1 if it would cut off an agent or one of the pairs",
                        "repath world test square --id 1 --block 4,2,5,3 --pair 0,0:9,4");
  command->add_option("NAME", tested->world, "Name of the world")->required();
  add_change_options(*command, tested->changes);
  CLI::Option* pairs = command
                           ->add_option("--pair", tested->pairs,
                                        "Two places that should stay connected: X,Y:X,Y (grids) or "
                                        "X,Y,Z:X,Y,Z; repeatable (default: none)")
                           ->type_name("PAIR")
                           ->allow_extra_args(false);
  command
      ->add_option("--pair-profile", tested->profile,
                   "Agent profile for which the pairs are connected (default \"default\")")
      ->type_name("NAME")
      ->needs(pairs);
  command
      ->add_option("--pair-team", tested->team,
                   "Team for which the pairs are connected, 0 to 31 (default 0)")
      ->needs(pairs);
  command->add_option("--paths", tested->max_paths,
                      "Also find the new paths of so many of the agents affected, up to 256 "
                      "(default 0)");
  command->callback([&context, tested] { test(context, *tested); });
  add_placements_command(world, context);
  add_watch(world, context);
}

}  // namespace repath::cli
