#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>
#include <memory>

#include "cli/canvas.h"
#include "cli/commands.h"
#include "cli/demo.h"

namespace repath::cli {
namespace {

constexpr std::int32_t kFieldWidth = 60;
constexpr std::int32_t kFieldHeight = 20;
constexpr std::int32_t kTowerSize = 2;
constexpr std::int32_t kSlots = kFieldHeight / kTowerSize;  // Places of a column, edge to edge.
constexpr std::array<client::Cell, 2> kEntries = {client::Cell{0, 5}, client::Cell{0, 14}};
constexpr std::array<client::Cell, 2> kExits = {client::Cell{kFieldWidth - 1, 5},
                                                client::Cell{kFieldWidth - 1, 14}};
constexpr std::array<std::int32_t, 8> kColumns = {5, 11, 17, 23, 29, 35, 41, 47};

struct Tower {
  std::uint64_t id = 0;
  client::CellRect cells;
  int reload = 0;  // Frames until it can shoot again.
};

// A line of towers across the field. It is built place by place from one edge, until the next tower
// would close it.
struct Column {
  std::int32_t x = 0;
  bool from_top = true;
  std::int32_t built = 0;
  bool refused = false;

  [[nodiscard]] client::CellRect next() const {
    const std::int32_t y = kTowerSize * (from_top ? built : kSlots - 1 - built);
    return {x, y, x + kTowerSize, y + kTowerSize};
  }
};

bool inside(const client::CellRect& cells, client::Cell at) {
  return at.x >= cells.x0 && at.x < cells.x1 && at.y >= cells.y0 && at.y < cells.y1;
}

class TowerDemo {
 public:
  TowerDemo(CommandContext& context, const DemoOptions& options)
      : context_(context), options_(options), demo_(context, options) {
    for (std::size_t i = 0; i < kColumns.size(); ++i)
      columns_.push_back({.x = kColumns[i], .from_top = i % 2 == 0});
  }

  void run() {
    if (!demo_.begin("tower-defence", kFieldWidth, kFieldHeight)) return;
    bool fine = true;
    while (fine && !over() && !Demo::interrupted()) fine = one_frame();
    if (fine && demo_.verdicts_of(client::EventType::kUnreachable) > 0) {
      fine = false;
      context_.check_failed("a creep was cut off though every tower was tested first");
    }
    if (context_.exit_code != kRefused) report(fine);
  }

 private:
  static constexpr std::uint64_t kSpawnFrames = 4;
  static constexpr std::uint64_t kBuildFrames = 5;
  static constexpr int kReloadFrames = 6;
  static constexpr int kRange = 4;
  static constexpr int kHealth = 24;
  static constexpr std::size_t kChecksEach = 16;

  [[nodiscard]] bool over() const {
    return attempts_ >= options_.changes && spawned_ >= options_.agents &&
           demo_.walkers().all().empty();
  }

  bool one_frame() {
    ++frame_;
    if (spawned_ < options_.agents && frame_ % kSpawnFrames == 0) spawn();
    for (const std::uint64_t id : demo_.frame()) {
      ++reached_;
      health_.erase(id);
      demo_.remove_agent(id);
    }
    shoot();
    draw();
    if (attempts_ < options_.changes && frame_ % kBuildFrames == 0) return build();
    // After the last tower all paths are settled.
    return attempts_ < options_.changes || demo_.settle();
  }

  void spawn() {
    const std::uint64_t id = ++spawned_;
    health_[id] = kHealth;
    demo_.send_agent(id, kEntries[id % kEntries.size()], {kExits.begin(), kExits.end()});
  }

  // Each tower hits the first creep in range.
  void shoot() {
    for (Tower& tower : towers_) {
      if (tower.reload > 0 && --tower.reload > 0) continue;
      for (const auto& [id, creep] : demo_.walkers().all()) {
        if (std::abs(creep.at.x - tower.cells.x0) > kRange ||
            std::abs(creep.at.y - tower.cells.y0) > kRange)
          continue;
        tower.reload = kReloadFrames;
        if (--health_[id] == 0) {
          ++killed_;
          health_.erase(id);
          demo_.remove_agent(id);
        }
        break;
      }
    }
  }

  // Tries the next tower of a column. It is refused if it would cut an entry or a creep off from
  // the exits.
  bool build() {
    std::vector<std::size_t> free_columns;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const auto& creeps = demo_.walkers().all();
      const client::CellRect cells = columns_[i].next();
      const bool taken = std::any_of(creeps.begin(), creeps.end(), [&](const auto& creep) {
        return inside(cells, creep.second.at);
      });
      if (!columns_[i].refused && !taken) free_columns.push_back(i);
    }
    if (free_columns.empty()) {
      if (!all_refused()) return true;  // Creeps stand in the way: next time.
      ++attempts_;
      return sell();
    }
    ++attempts_;
    Column& column =
        columns_[free_columns[demo_.random(static_cast<std::uint32_t>(free_columns.size()))]];
    client::ChangeBatch batch;
    batch.upsert.push_back({.id = next_tower_id_, .shape = column.next()});
    std::vector<client::Pair> pairs;
    pairs.reserve(std::size(kEntries));
    for (const client::Cell& entry : kEntries) pairs.push_back({.from = entry, .to = kExits[0]});
    const auto tested = demo_.test(batch, pairs);
    if (!tested.has_value()) return false;
    const bool cut =
        !tested->cut_off_agents.empty() ||
        std::any_of(tested->pairs.begin(), tested->pairs.end(),
                    [](const client::PairResult& pair) { return !pair.connected_after; });
    say(column.next(), cut, tested->affected_agents.size());
    if (cut) {
      ++refused_;
      column.refused = true;
      return true;
    }
    if (!demo_.apply(batch, {.expected_revision = tested->revision}).has_value()) return false;
    towers_.push_back({next_tower_id_++, column.next()});
    ++column.built;
    return demo_.settle() && demo_.check(kChecksEach);
  }

  // Returns whether every column is as long as it may be.
  [[nodiscard]] bool all_refused() const {
    return std::all_of(columns_.begin(), columns_.end(),
                       [](const Column& column) { return column.refused; });
  }

  // Sells the whole first column, and building begins there again. All creeps behind it get better
  // paths.
  bool sell() {
    Column& column = columns_[sold_++ % columns_.size()];
    client::ChangeBatch batch;
    std::erase_if(towers_, [&](const Tower& tower) {
      if (tower.cells.x0 != column.x) return false;
      batch.remove.push_back(tower.id);
      return true;
    });
    column = {.x = column.x, .from_top = !column.from_top};
    last_ = "column " + std::to_string(column.x) + " sold";
    if (!context_.json && !demo_.drawing()) std::cout << last_ << std::endl;
    if (!demo_.apply(std::move(batch)).has_value()) return false;
    return demo_.settle() && demo_.check(kChecksEach);
  }

  void say(const client::CellRect& cells, bool cut, std::size_t affected) {
    last_ = "tower at " + std::to_string(cells.x0) + "," + std::to_string(cells.y0) +
            (cut ? " REFUSED: it would cut the last way"
                 : " built: " + std::to_string(affected) + " creeps affected");
    if (!context_.json && !demo_.drawing()) std::cout << last_ << std::endl;
  }

  void draw() {
    if (!demo_.drawing()) return;
    TerminalSize size = terminal_size();
    size.rows -= 12;
    Canvas canvas(0, 0, kFieldWidth, kFieldHeight, size);
    for (std::int32_t y = 0; y < kFieldHeight; ++y) {
      for (std::int32_t x = 0; x < kFieldWidth; ++x) canvas.put(x, y, Mark::kFree);
    }
    for (const Tower& tower : towers_) {
      for (std::int32_t y = tower.cells.y0; y < tower.cells.y1; ++y) {
        for (std::int32_t x = tower.cells.x0; x < tower.cells.x1; ++x)
          canvas.put(x, y, Mark::kTower);
      }
    }
    for (const auto& [id, creep] : demo_.walkers().all())
      canvas.put(creep.at.x, creep.at.y, Mark::kAgent);
    for (const client::Cell& entry : kEntries) canvas.put(entry.x, entry.y, Mark::kStart);
    for (const client::Cell& exit : kExits) canvas.put(exit.x, exit.y, Mark::kGoal);
    demo_.show("creeps " + std::to_string(spawned_) + " of " + std::to_string(options_.agents) +
                   ", through " + std::to_string(reached_) + ", killed " + std::to_string(killed_) +
                   "; towers " + std::to_string(towers_.size()) + ", refused " +
                   std::to_string(refused_) + "; " + last_,
               canvas.text(true));
  }

  void report(bool fine) {
    if (context_.json) {
      Json row = demo_.json(reached_);
      row["killed"] = killed_;
      row["towers"] = towers_.size();
      row["refused"] = refused_;
      context_.print_json(row);
      return;
    }
    if (!fine) return;
    std::cout << "\n"
              << spawned_ << " creeps came: " << killed_ << " killed, " << reached_
              << " lives lost. " << towers_.size() << " towers stand, " << refused_
              << " were refused because they would have cut the last way.\n"
              << demo_.verdicts_of(client::EventType::kInvalidated) << " INVALIDATED, "
              << demo_.verdicts_of(client::EventType::kReplanned) << " REPLANNED, "
              << demo_.verdicts_of(client::EventType::kImproved)
              << " IMPROVED, none UNREACHABLE; from the tower sent to the "
              << "verdict here: " << demo_.latency_text() << ".\n"
              << "Paths compared with FindPath: " << demo_.checked() << ", all shortest."
              << std::endl;
  }

  CommandContext& context_;
  const DemoOptions options_;
  Demo demo_;
  std::vector<Column> columns_;
  std::vector<Tower> towers_;
  std::map<std::uint64_t, int> health_;
  std::uint64_t next_tower_id_ = 1;
  std::uint64_t frame_ = 0;
  std::uint64_t spawned_ = 0;
  std::uint64_t reached_ = 0;
  std::uint64_t killed_ = 0;
  std::uint64_t refused_ = 0;
  std::uint32_t attempts_ = 0;
  std::size_t sold_ = 0;
  std::string last_;
};

}  // namespace

void add_tower_demo(CLI::App& demo, CommandContext& context) {
  auto options = std::make_shared<DemoOptions>();
  options->agents = 80;
  options->changes = 80;
  CLI::App* command = add_command(
      demo, context, "tower-defence",
      "Creeps walk from portal to portal while towers are built; a tower that would cut the "
      "last way is refused. Makes a grid of its own and deletes it. Exit status 1 if a path "
      "is not a shortest one",
      "repath demo tower-defence --agents 100 --changes 60 --json");
  add_demo_options(*command, *options);
  command->callback([&context, options] { TowerDemo(context, *options).run(); });
}

}  // namespace repath::cli
