// world fork|history: a world as it was.
#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "cli/commands.h"
#include "cli/print.h"
#include "cli/visible_text.h"
#include "repath/v1/world.grpc.pb.h"

namespace repath::cli {
namespace {

// ---- fork ----

void fork_world(CommandContext& context, const v1::ForkWorldRequest& request) {
  grpc::ClientContext call;
  v1::World world;
  if (!context.accepted(context.stub<v1::WorldService>()->ForkWorld(&call, request, &world)))
    return;
  print_world(context, world);
}

void add_fork(CLI::App& world, CommandContext& context) {
  auto fork = std::make_shared<v1::ForkWorldRequest>();
  CLI::App* command = add_command(
      world, context, "fork",
      "Make a world that equals another one at a revision, with the same state hash. Agents stay "
      "behind",
      "repath world fork harbour what-if\n"
      "  repath world fork harbour before-the-bridge --revision 41");
  command
      ->add_option_function<std::string>(
          "SOURCE", [fork](const std::string& name) { fork->set_source(name); },
          "Name of the world to copy")
      ->required();
  command
      ->add_option_function<std::string>(
          "NEW", [fork](const std::string& name) { fork->set_name(name); }, "Name of the new world")
      ->required();
  command->add_option_function<std::uint64_t>(
      "--revision,--at", [fork](const std::uint64_t& revision) { fork->set_revision(revision); },
      "Revision of SOURCE to copy (default 0: its current one)");
  command
      ->add_option_function<std::string>(
          "--request-id", [fork](const std::string& id) { fork->set_request_id(id); },
          "Id of this request, at most 128 bytes: the same request again gets the same answer")
      ->type_name("ID");
  command->callback([&context, fork] { fork_world(context, *fork); });
}

// ---- history ----

struct HistoryOptions {
  std::string world;
  std::uint64_t from = 0;
  std::size_t limit = 1000;
};

// A batch with its time and its request, if they are known.
std::string history_line(const v1::Change& change) {
  std::string line =
      change.applied_at_us() == 0 ? std::string() : time_text(change.applied_at_us()) + "  ";
  line += line_of(change);
  if (change.game_tick() != 0) line += "  game tick " + std::to_string(change.game_tick());
  if (!change.request_id().empty()) line += "  request " + visible(change.request_id());
  return line;
}

// Returns the oldest revision that can be read; empty if the server refused.
std::optional<std::uint64_t> oldest_of(CommandContext& context, v1::WorldService::Stub& stub,
                                       const std::string& name) {
  v1::GetWorldRequest request;
  request.set_world(name);
  grpc::ClientContext call;
  v1::World world;
  if (!context.accepted(stub.GetWorld(&call, request, &world))) return std::nullopt;
  return world.oldest_revision();
}

void history(CommandContext& context, const HistoryOptions& options) {
  const auto stub = context.stub<v1::WorldService>();
  v1::ReadChangesRequest request;
  request.set_world(options.world);
  std::uint64_t next = options.from;
  if (next == 0) {
    const auto oldest = oldest_of(context, *stub, options.world);
    if (!oldest) return;
    next = *oldest;
  }
  Json changes = Json::array();
  std::size_t count = 0;
  v1::ReadChangesResponse answer;
  do {
    request.set_start_revision(next);
    request.set_page_size(
        static_cast<std::int32_t>(std::min<std::size_t>(options.limit - count, 1000)));
    grpc::ClientContext call;
    if (!context.accepted(stub->ReadChanges(&call, request, &answer))) return;
    for (const v1::Change& change : answer.changes()) {
      ++count;
      next = change.revision() + 1;
      if (context.json) {
        changes.push_back(json_of(change));
      } else {
        std::cout << history_line(change) << '\n';
      }
    }
  } while (answer.changes_size() > 0 && next <= answer.revision() && count < options.limit);
  const bool is_cut = next <= answer.revision();
  if (context.json) {
    context.print_json({{"changes", changes},
                        {"truncated", is_cut},
                        {"revision", answer.revision()},
                        {"durable_revision", answer.durable_revision()},
                        {"epoch", answer.epoch()}});
    return;
  }
  std::cout << (count == 1 ? "1 batch" : std::to_string(count) + " batches")
            << "; the world is at revision " << answer.revision()
            << (is_cut ? ", see --from and --limit for more" : "") << std::endl;
}

void add_history(CLI::App& world, CommandContext& context) {
  auto shown = std::make_shared<HistoryOptions>();
  CLI::App* command =
      add_command(world, context, "history",
                  "Show the changes of a world that are kept, oldest first: time, revision, what "
                  "changed, request id",
                  "repath world history harbour --from 40 --limit 10");
  command->add_option("NAME", shown->world, "Name of the world")->required();
  command->add_option("--from", shown->from,
                      "First revision to show (default 0: the oldest that is kept)");
  command->add_option("--limit", shown->limit, "Maximum number to show, from 1 (default 1000)")
      ->check(CLI::PositiveNumber);
  command->callback([&context, shown] { history(context, *shown); });
}

}  // namespace

void add_world_history_commands(CLI::App& world, CommandContext& context) {
  add_fork(world, context);
  add_history(world, context);
}

}  // namespace repath::cli
