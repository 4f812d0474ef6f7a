// Finds all cells of a carved navmesh within a cost of a place, or from which one of several places
// can be reached within it.
//
// The cost of a cell is that of the way to its nearest point. If all ground has factor 1 and no
// link can be taken, CellsWithin finds it exactly. Otherwise CorridorSearch is asked, too or alone.
// Its ways, pulled tight, lead to the point where they enter a cell. They cost at least the
// optimum.
#include <algorithm>
#include <span>
#include <tuple>
#include <utility>

#include "base/check.h"
#include "routes/nav_stages.h"

namespace repath {
namespace {

class NavFlood final : public RouteFlood, NavStages<NavFlood> {
 public:
  // Floods from the place, or backwards to the nearest of the places. The places are searched one
  // after the other, and each cell keeps its cheapest way. Ground costs the same both ways; links
  // do not. REQUIRES: 1 or more places.
  NavFlood(const NavGround* ground, std::shared_ptr<const NavKernels> kernels, bool is_backwards,
           std::span<const RoutePlace> places, Cost most)
      : NavStages(ground, std::move(kernels)),
        is_backwards_(is_backwards),
        most_(std::min(most, static_cast<Cost>(kFarthestWay * kRouteCostUnit))),
        asks_corridors_(!ground->is_plain() || ground->has_links()),
        entries_(ground->mesh().cells_end()) {
    for (const RoutePlace& place : places)
      for (const std::uint32_t cell : ground->pieces_at(mesh_place(place)))
        places_.push_back(mesh_place({place.at, cell}));
    begin_place();
  }

  Progress advance(std::uint32_t* expansions) override {
    return run(expansions) ? Progress::kNoPath : Progress::kOutOfBudget;
  }
  bool is_exact() const override { return !asks_corridors_; }
  void append_pieces(std::vector<ReachedPiece>* out) const override {
    const NavMesh& mesh = ground_->mesh();
    std::vector<std::uint32_t> places(entries_.size(), 0);
    for (std::uint32_t i = 0; i < cells_.size(); ++i) {
      const std::uint32_t cell = cells_[i];
      const Entry& entry = entries_[cell];
      places[cell] = i;
      out->push_back({.cell = cell,
                      .at = ground_->place_of(pull_into(mesh, cell, entry.x, entry.z)).at,
                      .cost = entry.cost,
                      .before = places[entry.before],
                      .bend_x = entry.bend.x,
                      .bend_z = entry.bend.z,
                      .link = {}});
      if (entry.link != kNoLink) out->back().link = mesh.links()[entry.link].id;
    }
  }
  std::uint64_t expanded() const override { return expanded_; }

 private:
  friend NavStages;
  struct Entry {
    Cost cost = kUnreachable;
    double x = 0;  // lattice steps
    double z = 0;
    std::uint32_t before = kNoCell;  // the cell before; its own index where ways begin
    Point bend;                      // world units
    std::uint32_t link = kNoLink;
  };

  void begin_place() {
    if (!ground_->is_plain()) return begin_corridors_here();
    stage_ = Stage::kExact;
    kernel_->cells_within.begin(ground_->mesh(), places_[next_], units_from_route_cost(most_));
  }
  void begin_corridors_here() {
    begin_corridors(places_[next_], units_from_route_cost(most_), is_backwards_);
  }
  Progress advance_exact(std::uint32_t* expansions) {
    return kernel_->cells_within.advance(expansions);
  }
  void take_exact() {
    for (const std::uint32_t cell : kernel_->cells_within.entered()) {
      const CellsWithin::Entry& entry = kernel_->cells_within.entry_of(cell);
      note(cell, {.cost = route_cost_of(from_steps(entry.length)),
                  .x = entry.x,
                  .z = entry.z,
                  .before = entry.before,
                  .bend = {from_steps(entry.bend.x), from_steps(entry.bend.z)}});
    }
    if (asks_corridors_) return begin_corridors_here();
    end_pull();
  }
  // A new cost must be lower by more than rounding to replace an old one, and a cell costs at least
  // as much as the one before it. So ways never lead round in a ring.
  void pull(const CorridorSearch::CellEntry& entry) {
    Cost cost = route_cost_of(kernel_->corridor.cost_to(entry));
    if (entry.before != entry.cell) cost = std::max(cost, entries_[entry.before].cost);
    const CorridorSearch::LastLeg leg = kernel_->corridor.last_leg(entry);
    note(entry.cell, {cost, entry.x, entry.z, entry.before, leg.from, leg.link});
  }
  void end_pull() {
    if (++next_ < places_.size()) return begin_place();
    settle();
  }
  void note(std::uint32_t cell, const Entry& entry) {
    Entry& known = entries_[cell];
    if (saturating_add(entry.cost, kRouteCostSlack) >= known.cost) return;
    if (known.cost == kUnreachable) cells_.push_back(cell);
    known = entry;
  }
  // Sorts the cells by cost; among equals, cells with fewer cells before them come first. Raises
  // costs that rounding has put below that of the cell before. Leaves out cells whose cost is above
  // the most.
  void settle() {
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

  bool is_backwards_;
  std::vector<MeshPlace> places_;
  std::size_t next_ = 0;  // index of the place whose turn it is
  Cost most_;
  bool asks_corridors_;
  std::vector<Entry> entries_;        // by cell
  std::vector<std::uint32_t> cells_;  // cells that have an entry; in order at the end
};

}  // namespace

std::unique_ptr<RouteFlood> NavGround::flood(const RoutePlace& from, Cost most) const {
  return std::make_unique<NavFlood>(this, kernels_, false, std::span(&from, 1), most);
}

std::unique_ptr<RouteFlood> NavGround::flood_to(std::span<const RoutePlace> goals,
                                                Cost most) const {
  REPATH_CHECK(!goals.empty() && goals.size() <= kRouteGoalsMax);
  return std::make_unique<NavFlood>(this, kernels_, true, goals, most);
}

}  // namespace repath
