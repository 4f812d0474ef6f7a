#include "routes/nav_flood.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/check.h"

namespace repath {
namespace {

constexpr double kFarthest = 1e9;  // world units: sums of such costs do not overflow

}  // namespace

NavFlood::NavFlood(const NavGround* ground, std::shared_ptr<const NavKernels> kernels,
                   FloodDirection direction, std::span<const RoutePlace> places, Cost most)
    : ground_(ground),
      kernels_(std::move(kernels)),
      kernel_(kernels_->take()),
      direction_(direction),
      most_(std::min(most, static_cast<Cost>(kFarthest * kRouteCostUnit))),
      asks_corridors_(!ground->is_plain() || ground->has_links()),
      entries_(ground->mesh().cells_end()) {
  for (const RoutePlace& place : places)
    places_.push_back(place_in(place.cell, {place.at.x, place.at.z}));
  begin_place();
}

NavFlood::~NavFlood() {
  if (kernel_ != nullptr) kernels_->give(std::move(kernel_));
}

void NavFlood::begin_place() {
  if (!ground_->is_plain()) return begin_corridors();
  stage_ = Stage::kAnyAngle;
  kernel_->cells_within.begin(ground_->mesh(), places_[next_], units_from_route_cost(most_));
}

void NavFlood::begin_corridors() {
  stage_ = Stage::kCorridor;
  pulled_ = 0;
  kernel_->corridor.begin_within(ground_->mesh(), places_[next_], ground_->filter(),
                                 units_from_route_cost(most_), direction_ == FloodDirection::kTo);
}

void NavFlood::end_place() {
  if (++next_ < places_.size()) {
    begin_place();
  } else {
    settle();
  }
}

Progress NavFlood::advance(std::uint32_t* expansions) {
  const std::uint32_t granted = *expansions;
  while (stage_ != Stage::kDone) {
    Progress progress = Progress::kNoPath;
    if (stage_ == Stage::kAnyAngle) {
      progress = kernel_->cells_within.advance(expansions);
    } else if (stage_ == Stage::kCorridor) {
      progress = kernel_->corridor.advance(expansions);
    } else {
      for (; *expansions > 0 && pull_one(); --*expansions) {
      }
      if (*expansions == 0) progress = Progress::kOutOfBudget;
    }
    if (progress == Progress::kOutOfBudget) break;
    if (stage_ == Stage::kAnyAngle) {
      take_any_angle();
      if (asks_corridors_) {
        begin_corridors();
      } else {
        end_place();
      }
    } else if (stage_ == Stage::kCorridor) {
      stage_ = Stage::kPull;
    } else {
      end_place();
    }
  }
  expanded_ += granted - *expansions;
  if (stage_ != Stage::kDone) return Progress::kOutOfBudget;
  if (kernel_ != nullptr) kernels_->give(std::move(kernel_));
  return Progress::kNoPath;
}

void NavFlood::take_any_angle() {
  for (const std::uint32_t cell : kernel_->cells_within.entered()) {
    const CellsWithin::Entry& entry = kernel_->cells_within.entry_of(cell);
    note(cell, {.cost = route_cost_of(from_steps(entry.length)),
                .x = entry.x,
                .z = entry.z,
                .before = entry.before,
                .bend = {from_steps(entry.bend.x), from_steps(entry.bend.z)}});
  }
}

// Takes the next cell that corridors reach. Returns false if there are no more. A new cost must be
// lower by more than rounding to replace an old one, and a cell costs at least as much as the one
// before it. So ways never lead round in a ring.
bool NavFlood::pull_one() {
  const std::vector<CorridorSearch::CellEntry>& entered = kernel_->corridor.entered();
  if (pulled_ == entered.size()) return false;
  const CorridorSearch::CellEntry& entry = entered[pulled_++];
  Cost cost = route_cost_of(kernel_->corridor.cost_to(entry));
  if (entry.before != entry.cell) cost = std::max(cost, entries_[entry.before].cost);
  const CorridorSearch::LastLeg leg = kernel_->corridor.last_leg(entry);
  note(entry.cell, {cost, entry.x, entry.z, entry.before, leg.from, leg.link});
  return true;
}

void NavFlood::note(std::uint32_t cell, const Entry& entry) {
  Entry& known = entries_[cell];
  if (saturating_add(entry.cost, kRouteCostSlack) >= known.cost) return;
  if (known.cost == kUnreachable) cells_.push_back(cell);
  known = entry;
}

// Sorts the cells by cost; among equals, cells with fewer cells before them come first. Raises
// costs that rounding has put below that of the cell before. Leaves out cells whose cost is above
// the most.
void NavFlood::settle() {
  stage_ = Stage::kDone;
  std::vector<std::uint32_t> depth(entries_.size(), 0);  // 1 where ways begin; 0: not known yet
  std::vector<std::uint32_t> way;
  for (const std::uint32_t cell : cells_) {
    std::uint32_t c = cell;
    for (; depth[c] == 0 && entries_[c].before != c; c = entries_[c].before) way.push_back(c);
    depth[c] = std::max(depth[c], 1u);
    for (; !way.empty(); way.pop_back()) {
      const std::uint32_t next = way.back();
      depth[next] = depth[c] + 1;
      entries_[next].cost = std::max(entries_[next].cost, entries_[c].cost);
      c = next;
    }
  }
  std::erase_if(cells_, [&](std::uint32_t cell) { return entries_[cell].cost > most_; });
  std::ranges::sort(cells_, {}, [&](std::uint32_t cell) {
    return std::tuple(entries_[cell].cost, depth[cell], cell);
  });
}

void NavFlood::append_pieces(std::vector<ReachedPiece>* out) const {
  std::vector<std::uint32_t> places(entries_.size(), 0);
  for (std::uint32_t i = 0; i < cells_.size(); ++i) {
    const std::uint32_t cell = cells_[i];
    const Entry& entry = entries_[cell];
    places[cell] = i;
    const RoutePlace place = ground_->place_of(pull_into(ground_->mesh(), cell, entry.x, entry.z));
    out->push_back({.cell = cell,
                    .at = place.at,
                    .cost = entry.cost,
                    .before = places[entry.before],
                    .bend_x = entry.bend.x,
                    .bend_z = entry.bend.z,
                    .link = {}});
    if (entry.link != kNoLink) out->back().link = ground_->mesh().links()[entry.link].id;
  }
}

std::unique_ptr<RouteFlood> NavGround::flood(const RoutePlace& from, Cost most) const {
  return std::make_unique<NavFlood>(this, kernels_, FloodDirection::kFrom, std::span(&from, 1),
                                    most);
}

std::unique_ptr<RouteFlood> NavGround::flood_to(std::span<const RoutePlace> goals,
                                                Cost most) const {
  REPATH_CHECK(!goals.empty() && goals.size() <= kRouteGoalsMax);
  return std::make_unique<NavFlood>(this, kernels_, FloodDirection::kTo, goals, most);
}

}  // namespace repath
