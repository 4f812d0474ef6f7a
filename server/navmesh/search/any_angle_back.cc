// What AnyAngleSearch has of a search back from its goal over uncut ground: WayBack.
#include <algorithm>
#include <cmath>

#include "navmesh/search/any_angle.h"
#include "navmesh/search/way_back.h"

namespace repath {
namespace {

constexpr double kBeyondLeast = 0.5 * kLatticePerUnit;
constexpr std::uint64_t kBackPerNode = 2;   // nodes back for each node ahead, at most
constexpr std::uint64_t kBackTurn = 64;     // and so many at once, for the caches
constexpr std::uint32_t kBendsPerUnit = 8;  // listing so many takes as long as an expansion

}  // namespace

void AnyAngleSearch::begin_way_back() {
  if (!has_goal_ || landmarks_.uncut == nullptr) return;
  if (way_back_ == nullptr) way_back_ = std::make_unique<WayBack>();
  const auto on_uncut = [this](const MeshPlace& place) {
    return pull_into(*landmarks_.uncut, landmarks_.uncut_cell(place.cell), place.x, place.z);
  };
  const double dx = goal_.x - start_.x;
  const double dz = goal_.z - start_.z;
  way_back_->begin(*landmarks_.uncut, on_uncut(goal_), on_uncut(start_),
                   std::max(kBeyondLeast, landmarks_.beyond * std::sqrt(dx * dx + dz * dz)));
  looks_back_ = true;
}

// Both searches in turns, so that neither waits for one that takes much longer. False: out of
// budget.
bool AnyAngleSearch::look_back(std::uint32_t* expansions) {
  if (kBackPerNode * expanded_ >= back_until_ + kBackTurn) back_until_ = kBackPerNode * expanded_;
  if (expanded_back_ == back_until_) return true;
  const auto turn = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(*expansions, back_until_ - expanded_back_));
  std::uint32_t left = turn;
  const Progress progress = way_back_->advance(&left);
  expanded_back_ = way_back_->expanded();
  *expansions -= turn - left;
  if (progress == Progress::kOutOfBudget) return expanded_back_ == back_until_;
  looks_back_ = false;
  if (progress == Progress::kNoPath) return true;  // nothing is known
  uses_way_back_ = true;
  *expansions -= std::min<std::uint32_t>(*expansions, way_back_->bends() / kBendsPerUnit);
  lengths_.certain = way_back_->certain();
  bound_waiting_anew();
  return true;
}

// Over the last bends of ways from the goal into the cell behind the edge, each as if nothing lay
// between.
double AnyAngleSearch::bound_by_way_back(const Cone& cone, const Edge& a, const Edge& b) {
  std::uint32_t next = way_back_->first_bend(landmarks_.uncut_cell(mesh_->cell_of(cone.edge)));
  double least = lengths_.certain;
  while (next != WayBack::kNone) {
    const WayBack::Bend& bend = way_back_->bend(next);
    least = std::min(least, straight_bound(cone, a, b, bend.x, bend.z) + bend.g);
    next = bend.next;
  }
  return least - LandmarkView::kSlack;
}

}  // namespace repath
