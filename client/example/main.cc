// A game server in miniature: guards patrol a courtyard with a wall and two gates, the gates open
// and shut while they walk, and every guard always follows its latest path.
//
//   repath-example [ADDRESS [FRAMES]]     the server's address and how many frames to play
#include <repath/client.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <thread>
#include <vector>

using namespace repath::client;  // NOLINT: an example reads better without prefixes

namespace {

constexpr std::int32_t kSide = 20;
constexpr std::uint64_t kNorthGate = 1;
constexpr std::uint64_t kSouthGate = 2;

// One guard, as the game sees it.
struct Guard {
  Cell at;
  std::vector<Cell> way;  // Cells still to walk; empty: stand and wait.
  std::uint64_t path_version = 0;
};

class Game {
 public:
  explicit Game(const std::string& address) : client_(address) {}

  // Makes the courtyard: a wall from west to east with a gate at each end. False if the server
  // refuses.
  bool build() {
    (void)client_.delete_world("courtyard").get();  // left by an earlier run
    if (const auto world =
            client_.create_world({.name = "courtyard", .width = kSide, .height = kSide}).get();
        !world.ok()) {
      std::fprintf(stderr, "no courtyard: %s\n", world.error().message.c_str());
      return false;
    }
    ChangeBatch walls;
    walls.upsert.push_back({.id = 100, .shape = CellRect{3, 10, kSide - 3, 11}});
    walls.upsert.push_back({.id = kNorthGate, .shape = CellRect{0, 10, 3, 11}, .enabled = false});
    walls.upsert.push_back(
        {.id = kSouthGate, .shape = CellRect{kSide - 3, 10, kSide, 11}, .enabled = false});
    return client_.apply("courtyard", walls).get().ok();
  }

  void play(int frames) {
    session_ = client_.open_session(
        {.world = "courtyard"},
        {.on_event = [this](const PathEvent& event) { on_verdict(event); },
         .on_batch = [this](const BatchInfo& batch) { settled_ = batch.settled_revision; },
         .on_rejected =
             [](std::uint64_t, const Error& error) {
               std::printf("refused: %s\n", error.message.c_str());
             }});
    for (std::uint64_t id = 1; id <= 3; ++id) patrol(id, {static_cast<std::int32_t>(5 * id), 2});

    for (int frame = 1; frame <= frames; ++frame) {
      client_.poll();  // Verdicts arrive here only, on this thread.
      if (frame % 40 == 0) turn_gate(frame / 40 % 2 == 1 ? kNorthGate : kSouthGate);
      walk();
      std::this_thread::sleep_for(std::chrono::milliseconds(16));
    }
    std::printf("%d patrols done, everybody confirmed up to revision %llu\n", patrols_,
                static_cast<unsigned long long>(settled_));
    session_.reset();
    (void)client_.delete_world("courtyard").get();
  }

 private:
  // Sends a guard to the other side of the wall.
  void patrol(std::uint64_t id, Cell at) {
    guards_[id] = {.at = at, .way = {}};
    const Cell goal = {at.x, at.y < kSide / 2 ? kSide - 3 : 2};
    session_->upsert({Agent{.id = id, .position = at, .goals = {goal}}});
  }

  void on_verdict(const PathEvent& event) {
    std::printf("guard %llu: %s at revision %llu\n",
                static_cast<unsigned long long>(event.agent_id), name_of(event.type),
                static_cast<unsigned long long>(event.revision));
    Guard& guard = guards_[event.agent_id];
    guard.way.clear();  // INVALIDATED, UNREACHABLE: stop. The server goes on looking.
    if (event.path.waypoints.empty()) return;
    guard.path_version = event.path_version;
    const std::vector<Cell> cells = cells_of(event.path);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      // A path counts from where it was computed; the guard may have gone on along it since.
      if (cells[i] == guard.at)
        guard.way.assign(cells.rbegin(), cells.rend() - static_cast<std::ptrdiff_t>(i) - 1);
    }
  }

  // Moves each guard one cell and reports all of them.
  void walk() {
    std::vector<AgentPosition> positions;
    std::vector<std::uint64_t> arrived;
    for (auto& [id, guard] : guards_) {
      if (!guard.way.empty()) {
        guard.at = guard.way.back();
        guard.way.pop_back();
        if (guard.way.empty()) arrived.push_back(id);
      }
      positions.push_back({id, guard.at, guard.path_version});
    }
    session_->report(positions);
    for (const std::uint64_t id : arrived) {
      ++patrols_;
      patrol(id, guards_[id].at);
    }
  }

  // Shuts one gate and opens the other, as one change, without waiting for the answer.
  void turn_gate(std::uint64_t shut) {
    const std::uint64_t open = shut == kNorthGate ? kSouthGate : kNorthGate;
    client_.apply("courtyard", {.switches = {{shut, true}, {open, false}}})
        .then([shut](const Result<Applied>& done) {
          if (!done.ok()) {
            std::printf("gate %d stays: %s\n", static_cast<int>(shut),
                        done.error().message.c_str());
          } else {
            std::printf("gate %d shut: %d guards affected\n", static_cast<int>(shut),
                        static_cast<int>(done->invalidated_agents));
          }
        });
  }

  Client client_;
  std::unique_ptr<Session> session_;
  std::map<std::uint64_t, Guard> guards_;
  std::uint64_t settled_ = 0;
  int patrols_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  Game game(argc > 1 ? argv[1] : "127.0.0.1:7700");
  if (!game.build()) return 1;
  game.play(argc > 2 ? std::atoi(argv[2]) : 600);
  return 0;
}
