#include "grid/jps/jps.h"

#include <cstdlib>

#include "base/check.h"
#include "grid/jps/jump_scan.h"

namespace repath {

void JumpPointSearch::begin_anew(const GridLayer& layer, const JumpMap& map, NodeId start,
                                 const GoalSet& goals, GoalsCellBound bound) {
  map_ = &map;
  table_ = &jump_table(map.corner_rule());
  bound_ = bound;
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

Progress JumpPointSearch::advance(std::uint32_t* expansions) {
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
    last_expanded_ = record.key;
    expand(&record);
  }
  return best_ == kUnreachable ? Progress::kNoPath : Progress::kPathFound;
}

template <std::int32_t kDx, std::int32_t kDy>
struct JumpPointSearch::Finder {
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
void JumpPointSearch::expand(JumpRecords::Record* record) {
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
template <Heading h>
void JumpPointSearch::go_on(const Origin& from, unsigned moves) {
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

template <Heading h>
void JumpPointSearch::scan(const Origin& from) {
  Finder<0, 0> finder{this, from};
  const Place at = from.at;
  const std::int32_t corner = corner_ahead<h>(*map_, from.tile, at.x, at.y);
  if (corner != 0) finder.template corner<h>(0, corner);
  if (!goals_.has(h, at.x, at.y)) return;
  const std::int32_t goal = goals_.goal_ahead(h, at.x, at.y);
  if (goal != 0) finder.template goal<h>(0, goal);
}

template <std::int32_t kDx, std::int32_t kDy>
void JumpPointSearch::run(const Origin& from) {
  constexpr bits::Family kFamily = kDx == kDy ? bits::Family::kFalling : bits::Family::kRising;
  Finder<kDx, kDy> finder{this, from};
  DiagonalRun<kFamily, kDy == 1, decltype(finder)>(*map_, goals_, &finder)
      .go(from.tile, from.at.x, from.at.y);
}

void JumpPointSearch::relax(Place to, Cost g, std::uint32_t arrival, Key parent) {
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

void JumpPointSearch::reach_goal(Place at, Cost g, Key parent) {
  ++generated_;
  if (g >= best_) return;
  best_ = g;
  goal_ = at;
  goal_parent_ = parent;
}

// A leg goes diagonally first, then straight. Backwards it is the other way round.
void JumpPointSearch::append_way_back(std::vector<NodeId>* out) const {
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

}  // namespace repath
