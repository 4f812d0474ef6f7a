#include "engine/placements.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <span>

#include "engine/placement_tables.h"
#include "engine/ring_floods.h"
#include "engine/step_meter.h"
#include "grid/cells/nearest_cell.h"
#include "grid/components/block_labels.h"

namespace repath {
namespace {

constexpr std::uint64_t kCellsOfStep = 64;  // looked at

// Marks the anchors where each cell of the tower is free ground.
class GroundRows {
 public:
  GroundRows(const GridLayer& ground, const PlacementQuery& query) : ground_(ground), q_(query) {}

  // Sets all others to kGround. O(cells covered). Returns false if the query is over.
  bool mark(StepMeter* meter, std::vector<Placement>* placements) {
    const PlaceBox& box = q_.anchors;
    const auto columns = static_cast<std::size_t>(box.x1 - box.x0 + 1);
    std::vector<std::int32_t> rows_below(columns);  // rows in a row that have room at the column
    for (std::int32_t y = box.y1 + q_.size.height - 1; y >= box.y0; --y) {
      if (!meter->spend(1 + columns / kCellsOfStep)) return false;
      note_row(y, &rows_below);
      if (y > box.y1) continue;
      Placement* row = placements->data() + static_cast<std::size_t>(y - box.y0) * columns;
      for (std::size_t x = 0; x < columns; ++x)
        if (rows_below[x] < q_.size.height) row[x] = Placement::kGround;
    }
    return true;
  }

 private:
  void note_row(std::int32_t y, std::vector<std::int32_t>* rows_below) const {
    const PlaceBox& box = q_.anchors;
    std::int32_t free = 0;  // cells in a row from x on
    for (std::int32_t x = box.x1 + q_.size.width - 1; x >= box.x0; --x) {
      free = ground_.is_free(x, y) ? free + 1 : 0;
      if (x > box.x1) continue;
      std::int32_t& rows = (*rows_below)[static_cast<std::size_t>(x - box.x0)];
      rows = free >= q_.size.width ? rows + 1 : 0;
    }
  }

  const GridLayer& ground_;
  const PlacementQuery& q_;
};

// A tower at one anchor, as one view sees it.
class PlacedTower {
 public:
  PlacedTower(const PlacementTables& tables, const PlacementQuery& query, Place anchor)
      : layer_(tables.view().layer), anchor_(anchor), print_(&tables.print((anchor.y & 1) != 0)) {
    note_hidden(tables.view(), query.size);
    for (const Place cell : print_->barred) {
      const Place at = {anchor.x + cell.x, anchor.y + cell.y};
      if (layer_.is_free(at.x, at.y)) barred_.push_back(layer_.node_at(at.x, at.y));
    }
  }
  PlacedTower(const PlacedTower&) = delete;
  PlacedTower& operator=(const PlacedTower&) = delete;

  // Returns the free cells that it bars, ascending.
  std::span<const NodeId> barred() const { return barred_; }
  bool bars(NodeId cell) const { return std::ranges::binary_search(barred_, cell); }
  std::size_t cells() const { return print_->barred.size() + print_->ring.size(); }

  // Returns the pieces of the ring that lie beside barred cells: free cells that steps within the
  // ring join. Returns none if there is only one and all of the ring is free. O(cells of the ring).
  std::vector<std::vector<NodeId>> pieces() const {
    const std::vector<Place>& ring = print_->ring;
    if (print_->is_ring_joined && std::ranges::all_of(ring, [&](Place p) { return is_free(p); }))
      return {};
    UnitedSets sets(ring.size());
    for (const auto& [a, b] : print_->joints)
      if (is_free(ring[a]) && is_free(ring[b])) sets.unite(a, b);
    std::vector<bool> touches(ring.size());  // by set: a step leads to a free cell that is barred
    for (const auto& [outer, inner] : print_->contacts)
      if (is_free(ring[outer]) && is_free(print_->barred[inner])) touches[sets.find(outer)] = true;
    std::map<std::uint32_t, std::vector<NodeId>> pieces;  // by set
    for (std::uint32_t i = 0; i < ring.size(); ++i)
      if (is_free(ring[i]) && touches[sets.find(i)])
        pieces[sets.find(i)].push_back(node_of(ring[i]));
    std::vector<std::vector<NodeId>> all;
    all.reserve(pieces.size());
    for (auto& [number, cells] : pieces) all.push_back(std::move(cells));
    return all;
  }

 private:
  void note_hidden(const PlacementView& view, TowerSize size) {
    if (view.unseen == nullptr) return;
    std::vector<std::uint8_t> hidden;
    bool is_any_hidden = false;
    for (std::int32_t y = 0; y < size.height; ++y) {
      for (std::int32_t x = 0; x < size.width; ++x) {
        const bool is_hidden = view.unseen->contains({anchor_.x + x, anchor_.y + y});
        is_any_hidden = is_any_hidden || is_hidden;
        hidden.push_back(is_hidden ? 1 : 0);
      }
    }
    if (!is_any_hidden) return;
    own_ = make_tower_print(size, view.disc, view.topology, (anchor_.y & 1) != 0, hidden);
    print_ = &own_;
  }
  bool is_free(Place cell) const { return layer_.is_free(anchor_.x + cell.x, anchor_.y + cell.y); }
  NodeId node_of(Place cell) const {
    return layer_.node_at(anchor_.x + cell.x, anchor_.y + cell.y);
  }

  const GridLayer& layer_;
  const Place anchor_;
  TowerPrint own_;  // if a part of the tower is hidden from the view's team
  const TowerPrint* print_;
  std::vector<NodeId> barred_;
};

// Returns where the path of an agent begins whose place the tower bars; kNoNode: nowhere.
NodeId origin_beside(const PlacementAgent& agent, const GridLayer& layer,
                     const PlacedTower& tower) {
  if (!agent.snaps) return kNoNode;
  const auto is_open = [&](std::int32_t x, std::int32_t y) {
    return layer.is_free(x, y) && !tower.bars(layer.node_at(x, y));
  };
  return nearest_cell(layer, agent.point, kSnapCellsMax, is_open).value_or(kNoNode);
}

// Judges one tower after the other in one view.
class ViewJudge {
 public:
  ViewJudge(const PlacementTables& tables, RingFloods& floods)
      : t_(tables), floods_(floods), lost_(tables.groups().size()), away_(tables.groups().size()) {}

  // Returns kAgent if the tower would bar an agent from the cell that it is on and from all of its
  // goals; else kFree or kUnknown.
  Placement judge_standing(const PlacedTower& tower) {
    for (const NodeId cell : tower.barred()) {
      if (!t_.is_of_interest(cell)) continue;
      for (const PlacementTables::AgentAt& a : t_.agents_at(cell)) {
        if (!tower.bars(agent(a).node)) continue;
        const Placement found = judge_moved(a, tower);
        if (found != Placement::kFree)
          return found == Placement::kCutsOff ? Placement::kAgent : found;
      }
    }
    return Placement::kFree;
  }

  // Returns kFree, kCutsOff or kUnknown. REQUIRES: judge_standing(tower) returned kFree.
  Placement judge(const PlacedTower& tower) {
    touched_.clear();
    moved_.clear();
    for (const NodeId cell : tower.barred()) take_away(cell, &moved_);
    Placement found = judge_parts(tower);
    for (const std::uint32_t group : touched_) {
      const PlacementTables::Group& whole = t_.groups()[group];
      if (found == Placement::kFree && lost_[group] == whole.goals && away_[group] < whole.agents)
        found = Placement::kCutsOff;
      lost_[group] = away_[group] = 0;
    }
    if (found != Placement::kFree) return found;
    for (const PlacementTables::AgentAt& a : moved_) {
      if (tower.bars(agent(a).node)) continue;  // see judge_standing
      found = judge_moved(a, tower);
      if (found != Placement::kFree) break;
    }
    return found;
  }

 private:
  const GridLayer& layer() const { return t_.view().layer; }
  const PlacementAgent& agent(const PlacementTables::AgentAt& a) const {
    return t_.view().agents[a.agent];
  }

  // Takes the cell's agents and goals out of the largest part.
  void take_away(NodeId cell, std::vector<PlacementTables::AgentAt>* agents) {
    if (!t_.is_of_interest(cell)) return;
    for (const PlacementTables::AgentAt& a : t_.agents_at(cell)) {
      ++away_[a.group];
      touched_.insert(a.group);
      agents->push_back(a);
    }
    for (const PlacementTables::GoalAt& goal : t_.goals_at(cell)) {
      ++lost_[goal.group];
      touched_.insert(goal.group);
    }
  }

  // Judges the agents in the small parts, and takes these parts away.
  Placement judge_parts(const PlacedTower& tower) {
    const std::vector<std::vector<NodeId>> pieces = tower.pieces();
    if (pieces.size() < 2) return Placement::kFree;
    std::map<PlacementTables::Component, std::vector<std::vector<NodeId>>> by_part;
    for (const std::vector<NodeId>& piece : pieces)
      by_part[t_.component_of(piece.front())].push_back(piece);
    Placement found = Placement::kFree;
    for (const auto& [part, own] : by_part) {
      if (own.size() < 2 || !t_.has_agents_in(part)) continue;
      if (!floods_.run(layer(), t_.view().topology, tower.barred(), own))
        return found == Placement::kFree ? Placement::kUnknown : found;
      for (const std::vector<NodeId>& cells : floods_.small_parts())
        if (cuts_off_within(cells)) found = Placement::kCutsOff;
    }
    return found;
  }

  // Takes a small part away. Returns whether an agent in it has no goal there.
  bool cuts_off_within(const std::vector<NodeId>& cells) {
    std::vector<PlacementTables::AgentAt> agents;
    std::set<std::uint32_t> with_goals;
    for (const NodeId cell : cells) {
      take_away(cell, &agents);
      if (!t_.is_of_interest(cell)) continue;
      for (const PlacementTables::GoalAt& goal : t_.goals_at(cell)) with_goals.insert(goal.group);
    }
    return std::ranges::any_of(
        agents, [&](const PlacementTables::AgentAt& a) { return !with_goals.contains(a.group); });
  }

  // Judges an agent whose path begins in a cell that the tower bars.
  Placement judge_moved(const PlacementTables::AgentAt& a, const PlacedTower& tower) {
    const NodeId origin = origin_beside(agent(a), layer(), tower);
    if (origin == kNoNode) return Placement::kCutsOff;
    const std::span<const NodeId> goals = t_.view().goals[agent(a).goals]->nodes().nodes();
    bool reaches = false;
    if (!floods_.find_goal(layer(), t_.view().topology, tower.barred(), origin, goals, &reaches))
      return Placement::kUnknown;
    return reaches ? Placement::kFree : Placement::kCutsOff;
  }

  const PlacementTables& t_;
  RingFloods& floods_;
  // Goals and agents that are not in the largest part, by group. All 0 between two towers.
  std::vector<std::uint32_t> lost_;
  std::vector<std::uint32_t> away_;
  std::set<std::uint32_t> touched_;  // groups where one of the two is not 0
  std::vector<PlacementTables::AgentAt> moved_;
};

class PlacementSearch {
 public:
  PlacementSearch(const PlacementGround& ground, const PlacementQuery& query,
                  const QueryLimits& limits)
      : ground_(ground),
        q_(query),
        bytes_max_(limits.bytes_max),
        meter_(limits),
        floods_(ground.ground.width(), ground.ground.height(), limits.bytes_max, meter_) {}

  PlacementAnswer run() {
    const PlaceBox& box = q_.anchors;
    const auto columns = static_cast<std::size_t>(box.x1 - box.x0 + 1);
    const auto rows = static_cast<std::size_t>(box.y1 - box.y0 + 1);
    std::vector<Placement> placements(columns * rows, Placement::kUnknown);
    if (GroundRows(ground_.ground, q_).mark(&meter_, &placements) && prepare()) {
      for (std::size_t i = 0; i < placements.size() && !meter_.is_over(); ++i) {
        if (placements[i] == Placement::kGround) continue;
        placements[i] = judge({box.x0 + static_cast<std::int32_t>(i % columns),
                               box.y0 + static_cast<std::int32_t>(i / columns)});
      }
    }
    return {std::move(placements), meter_.spent()};
  }

 private:
  // Returns false if the query is over.
  bool prepare() {
    for (const PlacementView& view : ground_.views) {
      const std::uint64_t cells = view.layer.node_count();
      if (!meter_.spend(1 + cells / kCellsOfStep + view.agents.size())) return false;
      tables_.emplace_back(view, q_.size);
      if (!tables_.back().has_agents()) {
        tables_.pop_back();
        continue;
      }
      judges_.emplace_back(tables_.back(), floods_);
      bytes_ += tables_.back().bytes();
      if (bytes_ > bytes_max_) return meter_.end();
    }
    return true;
  }

  Placement judge(Place anchor) {
    std::deque<PlacedTower> towers;  // by view
    for (std::size_t i = 0; i < tables_.size(); ++i) {
      const PlacedTower& tower = towers.emplace_back(tables_[i], q_, anchor);
      if (!meter_.spend(1 + tower.cells() / kCellsOfStep)) return Placement::kUnknown;
      const Placement found = judges_[i].judge_standing(tower);
      if (found != Placement::kFree) return found;
    }
    for (std::size_t i = 0; i < tables_.size(); ++i) {
      if (towers[i].barred().empty()) continue;
      const Placement found = judges_[i].judge(towers[i]);
      if (found != Placement::kFree) return found;
    }
    return Placement::kFree;
  }

  const PlacementGround& ground_;
  const PlacementQuery& q_;
  const std::size_t bytes_max_;
  std::size_t bytes_ = 0;  // of the tables
  StepMeter meter_;
  RingFloods floods_;
  std::deque<PlacementTables> tables_;  // of views with agents that can be cut off
  std::deque<ViewJudge> judges_;        // of the same
};

}  // namespace

PlaceBox cells_covered(const PlacementQuery& query, std::int32_t width, std::int32_t height) {
  const PlaceBox& box = query.anchors;
  return {box.x0, box.y0, std::min(box.x1 + query.size.width, width) - 1,
          std::min(box.y1 + query.size.height, height) - 1};
}

PlacementAnswer find_placements(const PlacementGround& ground, const PlacementQuery& query,
                                const QueryLimits& limits) {
  return PlacementSearch(ground, query, limits).run();
}

}  // namespace repath
