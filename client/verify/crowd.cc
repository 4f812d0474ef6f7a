#include "verify/crowd.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace repath::verify {
namespace {

constexpr int kPool = 40;
constexpr int kAgainAtOnce = 1000;    // agents in a message after a restart
constexpr double kMoves = 0.15;       // share of the agents that move at a time
constexpr double kStrays = 0.006;     // share of those that leave their path
constexpr double kFollowsOld = 0.02;  // share of those that go on along an older path

}  // namespace

Crowd::Crowd(WorldModel& world, Oracle& oracle, Dice& dice, double cell_size, bool keeps_clear)
    : world_(world),
      oracle_(oracle),
      dice_(dice),
      cell_size_(cell_size),
      keeps_clear_(keeps_clear) {
  for (int view = 0; view < world.views(); ++view) {
    const std::uint64_t alone = world.view(view).without();
    if (alone == 0)
      ++shared_views_;
    else
      own_view_[alone] = view;
  }
  for (int i = 0; i < kPool; ++i) {
    Errand errand{{free_cell(i % shared_views_)}, 0};
    if (i % 8 == 6) errand.radius = dice_.pick(std::vector<double>{1.2, 2.3, 4.7});
    if (i % 8 == 7) errand.goals = {free_cell(0), free_cell(0), free_cell(0)};
    pool_.push_back(std::move(errand));
  }
}

// Returns a free cell if a thousand tries find one, else any cell.
Cell Crowd::free_cell(int view) {
  const Ground& ground = world_.view(view).now();
  Cell cell = 0;
  for (int i = 0; i < 1000; ++i) {
    cell = ground.cell(dice_.below(world_.width()), dice_.below(world_.height()));
    if (ground.free(cell)) break;
  }
  return cell;
}

Crowd::Errand Crowd::errand() {
  if (dice_.chance(0.95)) return dice_.pick(pool_);
  const Ground& ground = world_.view(0).now();
  if (dice_.chance(0.1))
    return {{ground.cell(dice_.below(world_.width()), dice_.below(world_.height()))}, 0};
  return {{free_cell(0)}, dice_.chance(0.2) ? 1.2 : 0};
}

AgentSpec Crowd::nature(std::uint64_t id) {
  AgentSpec spec;
  Errand chosen = errand();
  spec.view = dice_.below(shared_views_);
  if (const auto own = own_view_.find(id); own != own_view_.end()) spec.view = own->second;
  spec.goals = std::move(chosen.goals);
  spec.radius = chosen.radius;
  spec.goal_set = goal_set(world_.view(spec.view).now(), spec.goals, spec.radius);
  spec.priority = static_cast<unsigned>(dice_.below(8));
  spec.staleness_ms = static_cast<unsigned>(dice_.between(1, 4000));
  const double kind = dice_.unit();
  if (kind < 0.15) spec.ratio = dice_.pick(std::vector<double>{0.02, 0.1, 0.5});
  if (kind > 0.85) spec.partial = true;
  spec.snap = dice_.chance(0.3);
  spec.confirm = dice_.chance(0.02);
  spec.curves = world_.view(spec.view).profile().turning_radius > 0 && dice_.chance(0.8);
  if (keeps_clear_ && !spec.curves && dice_.chance(0.8))
    spec.clearing = {dice_.pick(std::vector<double>{0.5, 3, 16}),
                     dice_.pick(std::vector<double>{1.5, 8, 20}),
                     dice_.pick(std::vector<double>{0.05, 0.2, 1})};
  return spec;
}

// Returns a start, mostly one from which a goal can be reached.
Cell Crowd::start_for(const AgentSpec& spec) {
  Cell cell = free_cell(spec.view);
  if (dice_.chance(0.03)) return cell;
  for (int i = 0; i < 30; ++i) {
    if (oracle_.distance(spec.view, world_.revision(), spec.goal_set, cell) < kInfinity) break;
    cell = free_cell(spec.view);
  }
  return cell;
}

void Crowd::place(Cell cell, bool as_point, double off, v1::Location& location) {
  const CellXY at = world_.view(0).now().at(cell);
  if (!as_point) {
    location.mutable_cell()->set_x(at.x);
    location.mutable_cell()->set_y(at.y);
    return;
  }
  const double dx = off * (2 * dice_.unit() - 1);
  const double dy = off * (2 * dice_.unit() - 1);
  location.mutable_position()->set_x((at.x + 0.5 + dx) * cell_size_);
  location.mutable_position()->set_z((at.y + 0.5 + dy) * cell_size_);
}

v1::SessionRequest Crowd::join(int count) {
  v1::SessionRequest request;
  for (int i = 0; i < count; ++i) {
    Agent agent;
    agent.id = next_id_++;
    agent.spec = nature(agent.id);
    const Cell start = start_for(agent.spec);
    agent.positions.push_back({0, start, 0});
    describe(agent, start, *request.mutable_upsert()->add_agents());
    agents_.emplace(agent.id, std::move(agent));
  }
  return request;
}

void Crowd::describe(const Agent& agent, Cell cell, v1::Agent& message) const {
  const AgentSpec& spec = agent.spec;
  const View& view = world_.view(spec.view);
  const Ground& ground = world_.view(0).now();
  const auto put = [&](Cell c, v1::Location& location) {
    location.mutable_cell()->set_x(ground.at(c).x);
    location.mutable_cell()->set_y(ground.at(c).y);
  };
  message.set_id(agent.id);
  message.set_profile(view.profile().name);
  message.set_team(view.team());
  put(cell, *message.mutable_position());
  for (const Cell goal : spec.goals) put(goal, *message.add_goals());
  message.set_goal_radius(spec.radius * cell_size_);
  message.set_priority(spec.priority);
  message.set_max_staleness_ms(spec.staleness_ms);
  message.set_min_improvement_ratio(spec.ratio);
  message.set_allow_partial(spec.partial);
  message.set_snap_start(spec.snap);
  message.set_confirm(spec.confirm);
  message.set_stands(view.without() != 0);
  message.set_curves(spec.curves);
  if (spec.clearing.penalty > 0) {
    message.mutable_crowd()->set_penalty(spec.clearing.penalty);
    message.mutable_crowd()->set_radius(spec.clearing.radius * cell_size_);
    message.mutable_crowd()->set_max_detour(spec.clearing.max_detour);
  }
}

Cell Crowd::stray(const Agent& agent) {
  if (dice_.chance(0.1)) return free_cell(agent.spec.view);
  const Ground& ground = world_.view(agent.spec.view).now();
  const CellXY at = ground.at(agent.cell());
  std::vector<Cell> near;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      const Cell c = agent.cell() + dy * ground.stride + dx;
      if (ground.on_map(at.x + dx, at.y + dy) && ground.free(c)) near.push_back(c);
    }
  }
  return near.empty() ? free_cell(agent.spec.view) : dice_.pick(near);
}

// Returns the cell up to `steps` open cells further along the route from there.
Cell Crowd::along(const Agent& agent, const Route& route, std::optional<int> from, int steps) {
  if (!from) return agent.cell();
  const Ground& ground = world_.view(agent.spec.view).now();
  auto at = static_cast<std::size_t>(*from);
  const std::vector<Cell>& cells = route.cells;
  while (steps-- > 0 && at + 1 < cells.size() && ground.step(cells[at], cells[at + 1]) < kInfinity)
    ++at;
  return cells[at];
}

Cell Crowd::next_cell(Agent& agent, std::uint64_t& follows) {
  const Held& held = agent.held;
  follows = held.version;
  if (dice_.chance(kStrays / kMoves)) return stray(agent);
  if (agent.old_steps == 0 && agent.old && dice_.chance(kFollowsOld))
    agent.old_steps = dice_.between(1, 3);
  if (agent.old_steps > 0 && agent.old && agent.old->route.index_of(agent.cell())) {
    --agent.old_steps;
    follows = agent.old->version;
    return along(agent, agent.old->route, agent.old->route.index_of(agent.cell()), 1);
  }
  agent.old_steps = 0;
  if (held.standing == Standing::kStartBlocked) {
    if (held.has_route() && !held.route.index_of(agent.cell())) {
      return dice_.chance(0.3) ? held.route.cells.front() : agent.cell();
    }
    if (!held.has_route()) return dice_.chance(0.1) ? stray(agent) : agent.cell();
  }
  // An agent that has stepped back goes on from there.
  const auto ahead = agent.place();
  const auto from = ahead ? ahead : held.route.index_of(agent.cell());
  return along(agent, held.route, from, dice_.between(1, 3));
}

std::optional<v1::SessionRequest> Crowd::walk() {
  v1::SessionRequest request;
  for (auto& [id, agent] : agents_) {
    if (agent.removing || agent.asked_at == 0) continue;
    const Held& held = agent.held;
    const bool lost = held.has_route() && held.standing != Standing::kStartBlocked &&
                      agent.old_steps == 0 && !agent.place();
    std::uint64_t follows = held.version;
    Cell cell = agent.cell();
    if (dice_.chance(kMoves)) cell = next_cell(agent, follows);
    const bool retell = lost && agent.positions.back().follows != held.version;
    if (cell == agent.cell() && !retell) continue;
    v1::AgentPosition& position = *request.mutable_report()->add_positions();
    position.set_id(id);
    position.set_path_version(follows);
    const bool on_path = follows == held.version && held.route.index_of(cell).has_value();
    place(cell, dice_.chance(0.5), on_path ? 0.14 : 0, *position.mutable_position());
    moved_[id] = cell;
  }
  if (moved_.empty()) return std::nullopt;
  return request;
}

std::optional<v1::SessionRequest> Crowd::change_minds() {
  v1::SessionRequest request;
  for (auto& [id, agent] : agents_) {
    if (agent.removing || agent.held.standing == Standing::kNone) continue;
    const bool arrived =
        agent.held.standing == Standing::kPath && agent.held.route.cells.back() == agent.cell();
    if (!dice_.chance(arrived ? 0.1 : 0.0005)) continue;
    AgentSpec spec = nature(id);
    if (dice_.chance(0.9)) {
      spec.view = agent.spec.view;
      spec.curves = agent.spec.curves;
      if (spec.curves) spec.clearing = {};
      spec.goal_set = goal_set(world_.view(spec.view).now(), spec.goals, spec.radius);
    }
    if (ask_the_same(agent.spec, spec)) continue;  // it would keep its verdict
    agent.spec = std::move(spec);
    describe(agent, agent.cell(), *request.mutable_upsert()->add_agents());
  }
  if (!request.has_upsert()) return std::nullopt;
  return request;
}

v1::SessionRequest Crowd::leave() {
  Agent& agent = std::next(agents_.begin(), dice_.below(static_cast<int>(agents_.size())))->second;
  v1::SessionRequest request;
  request.mutable_remove()->add_agent_ids(agent.id);
  agent.removing = true;
  return request;
}

std::vector<v1::SessionRequest> Crowd::again(std::uint64_t durable) {
  std::erase_if(agents_, [](const auto& entry) { return entry.second.removing; });
  v1::SessionRequest added;
  v1::SessionRequest reported;
  std::vector<v1::SessionRequest> requests;
  const auto flush = [&](v1::SessionRequest* request, int count) {
    if (count >= kAgainAtOnce) requests.push_back(std::exchange(*request, {}));
  };
  for (auto& [id, agent] : agents_) {
    const Position at = agent.positions.back();
    agent.held = {Standing::kNone, {}, agent.held.version};
    agent.old.reset();
    agent.old_steps = 0;
    agent.positions = {at};
    if (agent.asked_at > durable) {
      describe(agent, at.cell, *added.mutable_upsert()->add_agents());
    } else {
      v1::AgentPosition& position = *reported.mutable_report()->add_positions();
      const CellXY xy = world_.view(0).now().at(at.cell);
      position.set_id(id);
      position.mutable_position()->mutable_position()->set_x((xy.x + 0.5 + at.dx) * cell_size_);
      position.mutable_position()->mutable_position()->set_z((xy.y + 0.5 + at.dy) * cell_size_);
      moved_[id] = at.cell;
    }
    flush(&added, added.upsert().agents_size());
    flush(&reported, reported.report().positions_size());
  }
  if (added.has_upsert()) requests.push_back(std::move(added));
  if (reported.has_report()) requests.push_back(std::move(reported));
  return requests;
}

void Crowd::sent(const v1::SessionRequest& request, std::uint64_t sequence) {
  for (const v1::Agent& message : request.upsert().agents()) {
    Agent& agent = agents_.at(message.id());
    agent.asked_at = agent.disturbed_at = sequence;
    agent.held = {Standing::kNone, {}, agent.held.version, agent.held.revision};
    agent.old.reset();
    agent.positions.push_back({sequence, agent.cell(), 0});
  }
  for (const v1::AgentPosition& message : request.report().positions()) {
    Agent& agent = agents_.at(message.id());
    const Cell to = moved_.extract(message.id()).mapped();
    const bool was_on_path = agent.place().has_value();
    agent.positions.push_back({sequence, to, message.path_version()});
    const bool onward =
        was_on_path && agent.place() && message.path_version() == agent.held.version;
    if (!onward) {
      agent.disturbed_at = sequence;
      agent.held.left = true;
    }
    if (!message.position().has_position()) continue;
    const CellXY at = world_.view(0).now().at(to);
    agent.positions.back().dx = message.position().position().x() / cell_size_ - (at.x + 0.5);
    agent.positions.back().dy = message.position().position().z() / cell_size_ - (at.y + 0.5);
  }
}

}  // namespace repath::verify
