#include <algorithm>
#include <array>
#include <iostream>
#include <memory>

#include "cli/canvas.h"
#include "cli/commands.h"
#include "cli/demo.h"

namespace repath::cli {
namespace {

constexpr std::int32_t kHallWidth = 64;
constexpr std::int32_t kHallHeight = 24;
constexpr std::int32_t kDoorHeight = 2;
constexpr int kWalls = 3;
constexpr int kDoors = 3;
constexpr std::array<std::int32_t, kWalls> kWallX = {16, 32, 48};
constexpr std::array<std::int32_t, kDoors> kDoorY = {3, 11, 19};

std::uint64_t door_id(int wall, int door) {
  return static_cast<std::uint64_t>(10 * (wall + 1) + door + 1);
}

client::CellRect cells_of_door(int wall, int door) {
  const std::int32_t x = kWallX[static_cast<std::size_t>(wall)];
  const std::int32_t y = kDoorY[static_cast<std::size_t>(door)];
  return {x, y, x + 1, y + kDoorHeight};
}

// The doors that stand open. Each wall always has one.
struct Doors {
  std::array<std::array<bool, kDoors>, kWalls> open{};

  [[nodiscard]] int open_in(int wall) const {
    const auto& doors = open[static_cast<std::size_t>(wall)];
    return static_cast<int>(std::count(doors.begin(), doors.end(), true));
  }
  bool& at(int wall, int door) {
    return open[static_cast<std::size_t>(wall)][static_cast<std::size_t>(door)];
  }
};

// Walls with gaps, and a door in each gap; one of each wall stands open.
client::ChangeBatch build(Demo& demo, Doors& doors) {
  client::ChangeBatch batch;
  for (int wall = 0; wall < kWalls; ++wall) {
    const std::int32_t x = kWallX[static_cast<std::size_t>(wall)];
    std::int32_t y = 0;
    doors.at(wall, static_cast<int>(demo.random(kDoors))) = true;
    for (int door = 0; door < kDoors; ++door) {
      const std::int32_t top = kDoorY[static_cast<std::size_t>(door)];
      batch.upsert.push_back(
          {.id = 1000 + door_id(wall, door), .shape = client::CellRect{x, y, x + 1, top}});
      batch.upsert.push_back({.id = door_id(wall, door),
                              .shape = cells_of_door(wall, door),
                              .enabled = !doors.at(wall, door)});
      y = top + kDoorHeight;
    }
    batch.upsert.push_back(
        {.id = 1000 + door_id(wall, kDoors), .shape = client::CellRect{x, y, x + 1, kHallHeight}});
  }
  return batch;
}

// A change in one wall: a door shuts, or one opens, or both.
struct Move {
  int wall = 0;
  int shut = -1;  // -1: none.
  int open = -1;
};

// Returns all moves that leave each wall an open door.
std::vector<Move> moves(Doors& doors) {
  std::vector<Move> possible;
  for (int wall = 0; wall < kWalls; ++wall) {
    for (int first = 0; first < kDoors; ++first) {
      if (!doors.at(wall, first)) {
        possible.push_back({wall, -1, first});
        continue;
      }
      if (doors.open_in(wall) > 1) possible.push_back({wall, first, -1});
      for (int second = 0; second < kDoors; ++second) {
        if (!doors.at(wall, second)) possible.push_back({wall, first, second});
      }
    }
  }
  return possible;
}

client::ChangeBatch carry_out(const Move& move, Doors& doors, std::string& what) {
  client::ChangeBatch batch;
  if (move.shut >= 0) {
    doors.at(move.wall, move.shut) = false;
    batch.switches.push_back({door_id(move.wall, move.shut), true});
    what = "door " + std::to_string(door_id(move.wall, move.shut)) + " shuts";
  }
  if (move.open >= 0) {
    doors.at(move.wall, move.open) = true;
    batch.switches.push_back({door_id(move.wall, move.open), false});
    what += (what.empty() ? "door " : ", door ") + std::to_string(door_id(move.wall, move.open)) +
            " opens";
  }
  return batch;
}

std::string picture(const Demo& demo, Doors& doors) {
  TerminalSize size = terminal_size();
  size.rows -= 12;
  Canvas canvas(0, 0, kHallWidth, kHallHeight, size);
  for (std::int32_t y = 0; y < kHallHeight; ++y) {
    for (std::int32_t x = 0; x < kHallWidth; ++x) canvas.put(x, y, Mark::kFree);
  }
  for (int wall = 0; wall < kWalls; ++wall) {
    const std::int32_t x = kWallX[static_cast<std::size_t>(wall)];
    for (std::int32_t y = 0; y < kHallHeight; ++y) {
      Mark mark = Mark::kObstacle;
      for (int door = 0; door < kDoors; ++door) {
        const std::int32_t top = kDoorY[static_cast<std::size_t>(door)];
        if (y >= top && y < top + kDoorHeight)
          mark = doors.at(wall, door) ? Mark::kDoorOpen : Mark::kDoorShut;
      }
      canvas.put(x, y, mark);
    }
  }
  for (const auto& [id, walker] : demo.walkers().all())
    canvas.put(walker.at.x, walker.at.y, Mark::kAgent);
  return canvas.text(true);
}

// Returns a goal on the other side of all walls.
client::Cell opposite(Demo& demo, client::Cell at) {
  const auto margin = static_cast<std::int32_t>(demo.random(8));
  return {at.x < kHallWidth / 2 ? kHallWidth - 1 - margin : margin,
          static_cast<std::int32_t>(demo.random(kHallHeight))};
}

class DoorsDemo {
 public:
  DoorsDemo(CommandContext& context, const DemoOptions& options)
      : context_(context), options_(options), demo_(context, options) {}

  void run() {
    if (!demo_.begin("doors", kHallWidth, kHallHeight) ||
        !demo_.apply(build(demo_, doors_)).has_value())
      return;
    for (std::uint64_t id = 1; id <= options_.agents; ++id) {
      const bool left = id % 2 == 1;
      const auto margin = static_cast<std::int32_t>(demo_.random(8));
      const client::Cell at = {left ? margin : kHallWidth - 1 - margin,
                               static_cast<std::int32_t>(demo_.random(kHallHeight))};
      demo_.send_agent(id, at, {opposite(demo_, at)});
    }
    const bool fine = walk_through_changes();
    if (context_.exit_code != kRefused) report(fine);
  }

 private:
  bool walk_through_changes() {
    if (!demo_.settle()) return false;
    for (std::uint32_t i = 1; i <= options_.changes && !Demo::interrupted(); ++i) {
      if (!one_change(i)) return false;
    }
    return finish();
  }

  static constexpr int kFramesBetween = 10;
  static constexpr std::size_t kChecksEach = 16;

  bool one_change(std::uint32_t number) {
    const auto possible = moves(doors_);
    const Move move = possible[demo_.random(static_cast<std::uint32_t>(possible.size()))];
    if (move.shut >= 0 && !demo_.clear_out(cells_of_door(move.wall, move.shut))) return false;
    std::string what;
    const auto batch = carry_out(move, doors_, what);
    const bool lines = !context_.json && !demo_.drawing();
    if (lines) std::cout << "change " << number << ": " << what << std::endl;
    const auto applied = demo_.apply(batch);
    if (!applied.has_value()) return false;
    title_ = "change " + std::to_string(number) + " of " + std::to_string(options_.changes) + ": " +
             what + "; " + std::to_string(applied->invalidated_agents) +
             " agents invalidated; goals reached " + std::to_string(reached_);
    for (int i = 0; i < kFramesBetween; ++i) walk(true);
    if (!demo_.settle() || !demo_.check(kChecksEach)) return false;
    if (lines) {
      std::cout << "  revision " << applied->revision << ": " << applied->invalidated_agents
                << " of " << options_.agents << " agents invalidated, all settled" << std::endl;
    }
    return true;
  }

  void walk(bool turn_round) {
    for (const std::uint64_t id : demo_.frame()) {
      ++reached_;
      const client::Cell at = demo_.walkers().all().at(id).at;
      if (turn_round) demo_.send_agent(id, at, {opposite(demo_, at)});
    }
    if (demo_.drawing()) demo_.show(title_, picture(demo_, doors_));
  }

  // Lets all walkers arrive, without further changes.
  bool finish() {
    constexpr int kMostFrames = 4 * (kHallWidth + kHallHeight);
    for (int i = 0; i < kMostFrames && demo_.walkers().walking() > 0 && !Demo::interrupted(); ++i) {
      if (!demo_.settle()) return false;
      walk(false);
    }
    if (demo_.walkers().walking() == 0 || Demo::interrupted()) return true;
    context_.check_failed(std::to_string(demo_.walkers().walking()) +
                          " agents never reached their goals");
    return false;
  }

  void report(bool fine) {
    if (context_.json) {
      context_.print_json(demo_.json(reached_));
      return;
    }
    if (!fine) return;
    std::cout << "\n"
              << options_.agents << " agents reached " << reached_ << " goals through "
              << options_.changes << " changes of doors.\n"
              << demo_.verdicts_of(client::EventType::kInvalidated) << " INVALIDATED, "
              << demo_.verdicts_of(client::EventType::kReplanned) << " REPLANNED, "
              << demo_.verdicts_of(client::EventType::kImproved)
              << " IMPROVED; from the change sent to the verdict here: " << demo_.latency_text()
              << ".\n"
              << "Paths compared with FindPath: " << demo_.checked() << ", all shortest."
              << std::endl;
  }

  CommandContext& context_;
  const DemoOptions options_;
  Demo demo_;
  Doors doors_;
  std::string title_;
  std::uint64_t reached_ = 0;
};

}  // namespace

void add_doors_demo(CLI::App& demo, CommandContext& context) {
  auto options = std::make_shared<DemoOptions>();
  options->agents = 24;
  options->changes = 40;
  CLI::App* command = add_command(
      demo, context, "doors",
      "Agents cross three walls with three doors each while doors open and shut. Makes a grid "
      "of its own and deletes it. Exit status 1 if a path is not a shortest one",
      "repath demo doors --agents 100 --changes 200 --seed 7 --json");
  add_demo_options(*command, *options);
  command->callback([&context, options] { DoorsDemo(context, *options).run(); });
}

}  // namespace repath::cli
