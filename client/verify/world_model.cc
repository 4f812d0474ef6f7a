#include "verify/world_model.h"

#include <algorithm>
#include <utility>

namespace repath::verify {
namespace {

constexpr double kFactorMax = 1000;
constexpr int kLevelMost = 63936;

}  // namespace

View::View(Ground ground, std::uint64_t revision, Profile profile, std::uint32_t team,
           std::uint64_t without)
    : ground_(std::move(ground)),
      profile_(std::move(profile)),
      team_(team),
      without_(without),
      first_(revision),
      shown_(revision) {
  if (profile_.radius == 0) return;
  clearance_.emplace(ground_, profile_.radius);
  for (std::size_t i = 0; i < ground_.factor.size(); ++i)
    ground_.factor[i] = clearance_->factor_at(static_cast<Cell>(i));
}

const Ground& View::at(std::uint64_t revision) {
  for (; shown_ < revision; ++shown_) {
    for (const Diff& diff : steps_[shown_ - first_]) {
      ground_.factor[static_cast<std::size_t>(diff.cell)] = diff.after;
    }
  }
  for (; shown_ > revision; --shown_) {
    for (const Diff& diff : steps_[shown_ - 1 - first_]) {
      ground_.factor[static_cast<std::size_t>(diff.cell)] = diff.before;
    }
  }
  return ground_;
}

std::uint64_t View::same_since(std::uint64_t revision) const {
  while (revision > first_ && steps_[revision - 1 - first_].empty()) --revision;
  return revision;
}

void View::record(const std::vector<std::pair<Cell, double>>& factors) {
  const Ground& ground = now();
  std::vector<Diff> step;
  const auto change = [&](Cell cell, double after) {
    const double before = ground.factor[static_cast<std::size_t>(cell)];
    if (before != after) step.push_back({cell, before, after});
  };
  if (!clearance_) {
    for (const auto& [cell, after] : factors) change(cell, after);
  } else {
    std::vector<Cell> touched;
    for (const auto& [cell, after] : factors) clearance_->set(cell, after, touched);
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    for (const Cell cell : touched) change(cell, clearance_->factor_at(cell));
  }
  steps_.push_back(std::move(step));
}

int class_by_symbol(const std::vector<TerrainClass>& classes, char symbol) {
  if (symbol == 'G' || symbol == ' ') symbol = '.';
  if (symbol == 'O') symbol = '@';
  const auto found = std::find_if(classes.begin(), classes.end(),
                                  [&](const TerrainClass& c) { return c.symbol == symbol; });
  return found == classes.end() ? -1 : static_cast<int>(found - classes.begin());
}

WorldModel::WorldModel(int width, int height, std::vector<TerrainClass> classes)
    : width_(width),
      height_(height),
      classes_(std::move(classes)),
      terrain_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), 0) {}

WorldModel::WorldModel(const MapFile& map, std::vector<TerrainClass> classes, int& unknown)
    : WorldModel(map.width, map.height, std::move(classes)) {
  unknown = 0;
  for (int y = 0; y < height_; ++y) {
    for (int x = 0; x < width_; ++x) {
      const char symbol = map.rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)];
      const int terrain_class = class_by_symbol(classes_, symbol);
      if (terrain_class < 0) {
        ++unknown;
      } else {
        terrain_[index(x, y)] = terrain_class;
      }
    }
  }
}

int WorldModel::add_view(const Profile& profile, std::uint32_t team, std::uint64_t without) {
  Ground ground(width_, height_, profile.topology, profile.corner);
  for (int y = 0; y < height_; ++y) {
    for (int x = 0; x < width_; ++x) {
      ground.factor[static_cast<std::size_t>(ground.cell(x, y))] =
          factor_for(profile, team, without, x, y);
    }
  }
  views_.emplace_back(std::move(ground), revision_, profile, team, without);
  return views() - 1;
}

void WorldModel::apply(const Batch& batch) {
  std::vector<CellXY> touched;
  for (const TerrainEdit& edit : batch.terrain) {
    for (const CellXY c : covered_cells(edit.cells, width_, height_).cells) {
      terrain_[index(c.x, c.y)] = edit.terrain_class;
      touched.push_back(c);
    }
  }
  for (const Decay& step : batch.decays) decay(step, touched);
  for (const InfluenceEdit& change : batch.influence) edit(change, touched);
  for (const FogEdit& change : batch.fog) edit(change, touched);
  for (const std::uint64_t id : batch.walk_on) walk_on(id, touched);
  for (const Body& body : batch.stand) stand(body, touched);
  for (const std::uint64_t id : batch.removals) uncover(id, touched);
  for (const auto& [id, enabled] : batch.switches) {
    obstacles_.at(id).enabled = enabled;
    touch(id, touched);
  }
  for (const Obstacle& obstacle : batch.upserts) {
    if (obstacles_.contains(obstacle.id)) uncover(obstacle.id, touched);
    cover(obstacle, touched);
  }
  ++revision_;
  std::vector<std::pair<Cell, double>> factors;
  for (View& view : views_) {
    factors.clear();
    const Ground& ground = view.now();
    for (const CellXY c : touched) {
      factors.emplace_back(ground.cell(c.x, c.y),
                           factor_for(view.profile(), view.team(), view.without(), c.x, c.y));
    }
    view.record(factors);
  }
}

void WorldModel::touch(std::uint64_t id, std::vector<CellXY>& touched) const {
  const std::vector<CellXY>& cells = covered_.at(id);
  touched.insert(touched.end(), cells.begin(), cells.end());
}

void WorldModel::uncover(std::uint64_t id, std::vector<CellXY>& touched) {
  touch(id, touched);
  for (const CellXY c : covered_.at(id)) std::erase(covering_[index(c.x, c.y)], id);
  covered_.erase(id);
  obstacles_.erase(id);
}

void WorldModel::cover(const Obstacle& obstacle, std::vector<CellXY>& touched) {
  std::vector<CellXY> cells = covered_cells(obstacle.shape, width_, height_).cells;
  for (const CellXY c : cells) {
    std::vector<std::uint64_t>& ids = covering_[index(c.x, c.y)];
    ids.insert(std::lower_bound(ids.begin(), ids.end(), obstacle.id), obstacle.id);
  }
  touched.insert(touched.end(), cells.begin(), cells.end());
  covered_[obstacle.id] = std::move(cells);
  obstacles_[obstacle.id] = obstacle;
}

void WorldModel::decay(const Decay& step, std::vector<CellXY>& touched) {
  Levels& levels = influence_[{step.team, step.layer}];
  for (auto& [cell, level] : levels) {
    const CellXY at{static_cast<int>(cell) % width_, static_cast<int>(cell) / width_};
    const bool inside = !step.cells || (at.x >= step.cells->x0 && at.x < step.cells->x1 &&
                                        at.y >= step.cells->y0 && at.y < step.cells->y1);
    if (!inside) continue;
    level = level * step.keep_permille / 1000;
    touched.push_back(at);
  }
  std::erase_if(levels, [](const auto& entry) { return entry.second == 0; });
}

void WorldModel::edit(const InfluenceEdit& edit, std::vector<CellXY>& touched) {
  Levels& levels = influence_[{edit.team, edit.layer}];
  for (const CellXY c : covered_cells(edit.shape, width_, height_).cells) {
    int& level = levels[index(c.x, c.y)];
    level = std::clamp(edit.adds ? level + edit.level : edit.level, 0, kLevelMost);
    touched.push_back(c);
  }
}

void WorldModel::edit(const FogEdit& edit, std::vector<CellXY>& touched) {
  std::vector<bool>& unseen = unseen_[edit.team];
  unseen.resize(terrain_.size(), false);
  for (const CellXY c : covered_cells(edit.shape, width_, height_).cells) {
    unseen[index(c.x, c.y)] = edit.hidden;
    touched.push_back(c);
  }
}

void WorldModel::walk_on(std::uint64_t agent, std::vector<CellXY>& touched) {
  for (const CellXY c : bodies_[agent]) {
    std::erase(standing_[index(c.x, c.y)], agent);
    touched.push_back(c);
  }
  bodies_.erase(agent);
}

void WorldModel::stand(const Body& body, std::vector<CellXY>& touched) {
  if (bodies_.contains(body.agent)) walk_on(body.agent, touched);
  std::vector<CellXY>& cells = bodies_[body.agent];
  cells = covered_cells(body.shape, width_, height_).cells;
  for (const CellXY c : cells) {
    standing_[index(c.x, c.y)].push_back(body.agent);
    touched.push_back(c);
  }
}

// Returns whether another agent's body covers the cell.
bool WorldModel::occupied(std::uint64_t without, int x, int y) const {
  const auto agents = standing_.find(index(x, y));
  if (agents == standing_.end()) return false;
  return std::any_of(agents->second.begin(), agents->second.end(),
                     [&](std::uint64_t id) { return without == 0 || id != without; });
}

bool WorldModel::unseen(std::uint32_t team, int x, int y) const {
  const auto of_team = unseen_.find(team);
  return of_team != unseen_.end() && of_team->second[index(x, y)];
}

double WorldModel::terrain_factor(const Profile& profile, int terrain_class) const {
  const TerrainClass& c = classes_[static_cast<std::size_t>(terrain_class)];
  for (const TerrainRule& rule : profile.rules) {
    if (rule.terrain_class == c.name) return rule.forbidden ? 0 : rule.factor;
  }
  return c.forbidden ? 0 : c.factor;
}

// Returns the factor from terrain and obstacles.
double WorldModel::known_factor_for(const Profile& profile, std::uint32_t team, int x,
                                    int y) const {
  double factor = terrain_factor(profile, terrain_at(x, y));
  if (const auto ids = covering_.find(index(x, y)); ids != covering_.end()) {
    for (const std::uint64_t id : ids->second) {
      const Obstacle& obstacle = obstacles_.at(id);
      const bool concerned = obstacle.team_mask == 0 || (obstacle.team_mask >> team & 1u) != 0;
      if (!obstacle.enabled || !concerned) continue;
      factor *= obstacle.blocked ? 0 : obstacle.factor;
    }
  }
  return factor;
}

double WorldModel::factor_for(const Profile& profile, std::uint32_t team, std::uint64_t without,
                              int x, int y) const {
  double factor = 1;
  if (!unseen(team, x, y))
    factor = occupied(without, x, y) ? 0 : known_factor_for(profile, team, x, y);
  for (auto layer = influence_.lower_bound({team, 0});
       layer != influence_.end() && layer->first.first == team; ++layer) {
    const auto level = layer->second.find(index(x, y));
    if (level != layer->second.end()) factor *= 1 + level->second / 64.0;
  }
  return std::min(factor, kFactorMax);
}

}  // namespace repath::verify
