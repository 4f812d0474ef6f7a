// Jump point search: finds a cheapest path to the nearest of the goals on a uniform grid with eight
// neighbours, many times faster than A*.
//
// Source: D. Harabor, A. Grastien, "Online graph pruning for pathfinding on grid maps", AAAI 2011,
// and "Improving jump point search", ICAPS 2014. The search follows one cheapest path out of many:
// one that makes its diagonal steps as early as possible. It passes over cells where that path does
// not turn. Diagonal runs make no nodes: the results of their scans are successors of the node
// where the run began. A JumpMap (grid/jps/jump_map.h) gives the ends of scans and runs. Departure:
// buckets narrower than a step take the place of a heap, so a node may be expanded before it has
// its least g, and then again. The search ends when no bucket holds a lower f than the best path to
// a goal.
//
// Not thread-safe. Borrows the map, which must outlive the search and must not change before it is
// done; a copy of the map is a snapshot. Memory: 32 to 128 bytes for each node, 8 for each open
// node, 1 KiB for each tile that has goals, at least 10 KiB.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/cost.h"
#include "base/ids.h"
#include "grid/cells/graph.h"
#include "grid/cells/layer.h"
#include "grid/jps/bucket_queue.h"
#include "grid/jps/jump_goals.h"
#include "grid/jps/jump_map.h"
#include "grid/jps/jump_records.h"
#include "grid/jps/jump_scan.h"
#include "grid/jps/jump_table.h"
#include "search/goal_set.h"
#include "search/graph.h"

namespace repath {

// A lower bound of the cost from a cell to the nearest goal. It must be zero on every goal and
// consistent.
template <class B>
concept CellBound = requires(const B& bound, std::int32_t x, std::int32_t y) {
  { bound(x, y) } -> std::same_as<Cost>;
};

// The default bound: the least octile distance to a goal, or to the box around the goals if there
// are more than kGoalsMax.
class NearestGoalCell {
 public:
  static constexpr std::size_t kGoalsMax = 8;

  NearestGoalCell(const GridLayer& layer, const GoalSet& goals);

  // O(goals).
  Cost operator()(std::int32_t x, std::int32_t y) const {
    Cost least = kUnreachable;
    for (const Box& box : std::span(boxes_).first(boxes_used_)) {
      const std::int32_t dx = std::max({box.left - x, x - box.right, 0});
      const std::int32_t dy = std::max({box.top - y, y - box.bottom, 0});
      least = std::min(least,
                       octile_cost(static_cast<std::uint32_t>(dx), static_cast<std::uint32_t>(dy)));
    }
    return least;
  }

 private:
  struct Box {
    std::int32_t left, top, right, bottom;  // all sides included
  };
  std::array<Box, kGoalsMax> boxes_{};
  std::size_t boxes_used_ = 0;
};

template <CellBound Bound = NearestGoalCell>
class JumpPointSearch {
 public:
  // REQUIRES: `map` is the map of `layer`, which is uniform; start and goals are nodes of it.
  JumpPointSearch(const GridLayer& layer, const JumpMap& map, NodeId start,
                  const GoalSet& goals) requires std::same_as<Bound, NearestGoalCell>
      : JumpPointSearch(layer, map, start, goals, Bound(layer, goals)) {}
  // Uses the caller's own lower bound to the nearest goal (see CellBound). O(goals).
  JumpPointSearch(const GridLayer& layer, const JumpMap& map, NodeId start, const GoalSet& goals,
                  Bound bound)
      : bound_(bound), queue_(0) {
    begin_anew(layer, map, start, goals, std::move(bound));
  }
  // Forgets its answer and begins another search in the memory of the last one. It finds the same
  // as a new object. O(goals + nodes of the last search).
  void begin_anew(const GridLayer& layer, const JumpMap& map, NodeId start, const GoalSet& goals,
                  Bound bound);

  // Expands at most `*expansions` jump points and subtracts the number used. Returns kNoPath if no
  // goal can be reached. Each costs a few scans; allocates when the search becomes larger than ever
  // before.
  [[nodiscard]] Progress advance(std::uint32_t* expansions);

  // Returns the goal reached; kNoNode before kPathFound.
  NodeId goal() const { return is_done_ && best_ != kUnreachable ? node_at(goal_) : kNoNode; }
  // Returns the cost of the path to goal(), the least of all paths to all goals; kUnreachable
  // before kPathFound.
  Cost path_cost() const { return is_done_ ? best_ : kUnreachable; }
  // Appends every cell of the path from the start to goal(), both included. REQUIRES: kPathFound.
  // O(length).
  void append_path(std::vector<NodeId>* out) const;
  // Appends the same cells from goal() to the start.
  void append_way_back(std::vector<NodeId>* out) const;

  // Visits every jump point and goal reached so far, in ascending order of ids.
  template <class Visit>
  void for_each_touched(Visit&& visit) const;

  std::uint64_t expanded() const { return expanded_; }
  // Number of successors found.
  std::uint64_t generated() const { return generated_; }
  std::size_t bytes() const { return records_.bytes() + queue_.bytes() + goals_.bytes(); }

 private:
  using Place = JumpRecords::Place;
  using Key = JumpRecords::Key;
  static constexpr std::uint32_t kStartArrival = 8;

  // Takes the results of a run or scan as successors of the node that is expanded.
  template <std::int32_t kDx, std::int32_t kDy>
  struct Finder;

  NodeId node_at(Place p) const {
    return NodeId{static_cast<std::uint32_t>(p.y) * static_cast<std::uint32_t>(map_->width()) +
                  static_cast<std::uint32_t>(p.x)};
  }
  // The node that is being expanded.
  struct Origin {
    JumpMap::View tile;
    Place at;
    Key key = 0;
    Cost g = 0;
  };
  void expand(JumpRecords::Record* record);
  template <Heading h>
  void go_on(const Origin& from, unsigned moves);
  template <Heading h>
  void scan(const Origin& from);
  template <std::int32_t kDx, std::int32_t kDy>
  void run(const Origin& from);
  void relax(Place to, Cost g, std::uint32_t arrival, Key parent);
  void reach_goal(Place at, Cost g, Key parent);

  const JumpMap* map_ = nullptr;
  const JumpTable* table_ = nullptr;
  Bound bound_;
  JumpGoals goals_;
  JumpRecords records_;
  BucketQueue queue_;
  bool is_done_ = false;
  Cost best_ = kUnreachable;  // least cost of the paths to goals found so far
  Place goal_;                // end of that path
  Key goal_parent_ = 0;
  std::uint64_t expanded_ = 0;
  std::uint64_t generated_ = 0;
};

template <CellBound Bound>
void JumpPointSearch<Bound>::begin_anew(const GridLayer& layer, const JumpMap& map, NodeId start,
                                        const GoalSet& goals, Bound bound) {
  map_ = &map;
  table_ = &jump_table(map.corner_rule());
  bound_ = std::move(bound);
  goals_.set(map, goals);
  records_.clear();
  queue_.clear(bound_(layer.x_of(start), layer.y_of(start)));
  is_done_ = false;
  best_ = kUnreachable;
  expanded_ = generated_ = 0;
  REPATH_CHECK(layer.is_uniform() && layer.width() == map.width() &&
               layer.height() == map.height() && index(start) < layer.node_count());
  const Place at{layer.x_of(start), layer.y_of(start)};
  const Key key = JumpRecords::key_of(at);
  JumpRecords::Record& record = records_.touch(key);
  record.g = 0;
  record.arrival = kStartArrival;
  if (goals.contains(start)) {
    reach_goal(at, 0, key);
  } else if (!goals.empty() && map.is_free(at.x, at.y)) {
    record.is_open = 1;
    queue_.push(0, key);
  }
}

template <CellBound Bound>
Progress JumpPointSearch<Bound>::advance(std::uint32_t* expansions) {
  while (!is_done_) {
    if (queue_.empty() || queue_.floor() >= best_) {
      is_done_ = true;
      break;
    }
    JumpRecords::Record& record = records_.at(queue_.top());
    if (record.is_open == 0) {
      queue_.pop();
      continue;
    }
    if (*expansions == 0) return Progress::kOutOfBudget;
    --*expansions;
    ++expanded_;
    queue_.pop();
    expand(&record);
  }
  return best_ == kUnreachable ? Progress::kNoPath : Progress::kPathFound;
}

template <CellBound Bound>
template <std::int32_t kDx, std::int32_t kDy>
struct JumpPointSearch<Bound>::Finder {
  JumpPointSearch* search;
  const Origin& from;

  template <Heading h>
  Place place(std::int32_t k, std::int32_t n) const {
    return {from.at.x + kDx * k + dx_of(h) * n, from.at.y + kDy * k + dy_of(h) * n};
  }
  Cost cost(std::int32_t k, std::int32_t n) const {
    return from.g + kDiagonalStep * static_cast<Cost>(k) + kStraightStep * static_cast<Cost>(n);
  }
  template <Heading h>
  void corner(std::int32_t k, std::int32_t n) {
    search->relax(place<h>(k, n), cost(k, n), direction_by(dx_of(h), dy_of(h)), from.key);
  }
  template <Heading h>
  void goal(std::int32_t k, std::int32_t n) {
    search->reach_goal(place<h>(k, n), cost(k, n), from.key);
  }
  void goal(std::int32_t k) {
    search->reach_goal(place<Heading::kEast>(k, 0), cost(k, 0), from.key);
  }
  void forced(std::int32_t k) {
    search->relax(place<Heading::kEast>(k, 0), cost(k, 0), direction_by(kDx, kDy), from.key);
  }
};

// Most nodes are corners that were reached straight. For these the moves are tried in an order in
// which the processor predicts branches well.
template <CellBound Bound>
void JumpPointSearch<Bound>::expand(JumpRecords::Record* record) {
  record->is_open = 0;
  const Place at = JumpRecords::place_of(record->key);
  const Origin from{map_->view(map_->slot_of(at.x, at.y)), at, record->key, record->g};
  const std::uint32_t arrival = record->arrival;
  const unsigned moves = (*table_)[arrival][map_->free_around(from.tile, at.x, at.y)];
  switch (arrival) {
    case direction_by(1, 0):
      return go_on<Heading::kEast>(from, moves);
    case direction_by(-1, 0):
      return go_on<Heading::kWest>(from, moves);
    case direction_by(0, 1):
      return go_on<Heading::kSouth>(from, moves);
    case direction_by(0, -1):
      return go_on<Heading::kNorth>(from, moves);
    default:
      break;
  }
  const auto is_open = [&](std::int32_t dx, std::int32_t dy) {
    return (moves & 1u << direction_by(dx, dy)) != 0;
  };
  if (is_open(0, -1)) scan<Heading::kNorth>(from);
  if (is_open(-1, 0)) scan<Heading::kWest>(from);
  if (is_open(1, 0)) scan<Heading::kEast>(from);
  if (is_open(0, 1)) scan<Heading::kSouth>(from);
  if (is_open(-1, -1)) run<-1, -1>(from);
  if (is_open(1, -1)) run<1, -1>(from);
  if (is_open(-1, 1)) run<-1, 1>(from);
  if (is_open(1, 1)) run<1, 1>(from);
}

// Continues from a corner reached by `h`: straight on and round it, on one side or on both.
template <CellBound Bound>
template <Heading h>
void JumpPointSearch<Bound>::go_on(const Origin& from, unsigned moves) {
  constexpr Heading kLess = is_along_rows(h) ? Heading::kNorth : Heading::kWest;
  constexpr Heading kMore = is_along_rows(h) ? Heading::kSouth : Heading::kEast;
  const auto turn = [&]<Heading side>() {
    constexpr std::int32_t kDx = dx_of(h) + dx_of(side);
    constexpr std::int32_t kDy = dy_of(h) + dy_of(side);
    constexpr unsigned kStraight = 1u << direction_by(dx_of(side), dy_of(side));
    constexpr unsigned kDiagonal = 1u << direction_by(kDx, kDy);
    if ((moves & (kStraight | kDiagonal)) == 0) return;
    if ((moves & kStraight) != 0) scan<side>(from);
    if ((moves & kDiagonal) != 0) run<kDx, kDy>(from);
  };
  turn.template operator()<kLess>();
  turn.template operator()<kMore>();
  if ((moves & 1u << direction_by(dx_of(h), dy_of(h))) != 0) scan<h>(from);
}

template <CellBound Bound>
template <Heading h>
void JumpPointSearch<Bound>::scan(const Origin& from) {
  Finder<0, 0> finder{this, from};
  const Place at = from.at;
  const std::int32_t corner = corner_ahead<h>(*map_, from.tile, at.x, at.y);
  if (corner != 0) finder.template corner<h>(0, corner);
  if (!goals_.has(h, at.x, at.y)) return;
  const std::int32_t goal = goals_.goal_ahead(h, at.x, at.y);
  if (goal != 0) finder.template goal<h>(0, goal);
}

template <CellBound Bound>
template <std::int32_t kDx, std::int32_t kDy>
void JumpPointSearch<Bound>::run(const Origin& from) {
  constexpr bits::Family kFamily = kDx == kDy ? bits::Family::kFalling : bits::Family::kRising;
  Finder<kDx, kDy> finder{this, from};
  DiagonalRun<kFamily, kDy == 1, decltype(finder)>(*map_, goals_, &finder)
      .go(from.tile, from.at.x, from.at.y);
}

template <CellBound Bound>
void JumpPointSearch<Bound>::relax(Place to, Cost g, std::uint32_t arrival, Key parent) {
  ++generated_;
  const Cost f = g + bound_(to.x, to.y);
  if (f >= best_) return;
  const Key key = JumpRecords::key_of(to);
  JumpRecords::Record& record = records_.touch(key);
  if (g >= record.g) return;
  record.g = g & JumpRecords::kNoCost;
  record.parent = parent & JumpRecords::kKeyMask;
  record.arrival = arrival & 15u;
  record.is_open = 1;
  queue_.push(f, key);
}

template <CellBound Bound>
void JumpPointSearch<Bound>::reach_goal(Place at, Cost g, Key parent) {
  ++generated_;
  if (g >= best_) return;
  best_ = g;
  goal_ = at;
  goal_parent_ = parent;
}

template <CellBound Bound>
void JumpPointSearch<Bound>::append_path(std::vector<NodeId>* out) const {
  const auto first = static_cast<std::ptrdiff_t>(out->size());
  append_way_back(out);
  std::reverse(out->begin() + first, out->end());
}

// A leg goes diagonally first, then straight. Backwards it is the other way round.
template <CellBound Bound>
void JumpPointSearch<Bound>::append_way_back(std::vector<NodeId>* out) const {
  REPATH_CHECK(is_done_ && best_ != kUnreachable);
  const auto towards = [](std::int32_t from, std::int32_t to) { return (to > from) - (to < from); };
  Place to = goal_;
  for (Key key = goal_parent_;; key = records_.at(key).parent) {
    const JumpRecords::Record& record = records_.at(key);
    const Place from = JumpRecords::place_of(key);
    const std::int32_t down = towards(to.y, from.y) * map_->width();  // difference of ids in a step
    const std::int32_t right = towards(to.x, from.x);
    const std::int32_t wide = std::abs(to.x - from.x);
    const std::int32_t high = std::abs(to.y - from.y);
    const auto straight = static_cast<std::uint32_t>(wide > high ? right : down);
    const auto diagonal = static_cast<std::uint32_t>(right + down);
    std::uint32_t node = index(node_at(to));
    const std::size_t old_size = out->size();
    out->resize(old_size + static_cast<std::size_t>(std::max(wide, high)));
    NodeId* next = out->data() + old_size;
    for (std::int32_t k = std::abs(wide - high); k > 0; --k, node += straight)
      *next++ = NodeId{node};
    for (std::int32_t k = std::min(wide, high); k > 0; --k, node += diagonal)
      *next++ = NodeId{node};
    to = from;
    if (record.arrival == kStartArrival) break;
  }
  out->push_back(node_at(to));
}

template <CellBound Bound>
template <class Visit>
void JumpPointSearch<Bound>::for_each_touched(Visit&& visit) const {
  std::vector<TouchedNode> touched;
  records_.for_each([&](const JumpRecords::Record& record) {
    const Place at = JumpRecords::place_of(record.key);
    if (best_ != kUnreachable && at == goal_) return;
    touched.push_back({node_at(at), record.g, bound_(at.x, at.y), record.is_open != 0});
  });
  if (best_ != kUnreachable) touched.push_back({node_at(goal_), best_, 0, !is_done_});
  std::ranges::sort(touched, {}, &TouchedNode::node);
  for (const TouchedNode& node : touched) visit(node);
}

}  // namespace repath
