#include "engine/placement_capture.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <utility>

namespace repath {
namespace {

// Returns the cells of the box that the team has not seen; null if it has seen them all.
std::shared_ptr<const UnseenCells> unseen_by(const World& world, TeamId team, const PlaceBox& box) {
  const Plane* plane = world.plane({team, PlaneKey::kUnseen});
  if (plane == nullptr) return nullptr;
  auto unseen = std::make_shared<UnseenCells>(box);
  bool is_any = false;
  std::array<Level, kTileSide> levels;
  for (std::int32_t y = box.y0; y <= box.y1; ++y) {
    for (std::int32_t tx = box.x0 >> kTileBits; tx <= box.x1 >> kTileBits; ++tx) {
      if (!plane->row(tx, y, &levels)) continue;
      const std::int32_t left = tx << kTileBits;
      const std::int32_t end = std::min(left + kTileSide, box.x1 + 1);
      for (std::int32_t x = std::max(left, box.x0); x < end; ++x) {
        if (levels[static_cast<std::size_t>(x - left)] == 0) continue;
        unseen->add({x, y});
        is_any = true;
      }
    }
  }
  return is_any ? unseen : nullptr;
}

constexpr std::uint32_t kNoPlace = ~std::uint32_t{0};

// Returns the element of the list, which grows if it is too short.
std::uint32_t& element(std::vector<std::uint32_t>* list, std::size_t at) {
  if (list->size() <= at) list->resize(at + 1, kNoPlace);
  return (*list)[at];
}

// Gathers the views one after the other.
class Gathering {
 public:
  Gathering(const World& world, std::span<const ViewComponents> known, const PlaceBox& covered)
      : world_(world), known_(known), covered_(covered) {}

  void add(const AgentRow& row, const Agent& agent, const GoalsEntry& goals) {
    PlacementView& view = view_of(row.view);
    std::uint32_t& place = element(&goals_, index(row.goals));
    if (place == kNoPlace) {
      place = static_cast<std::uint32_t>(view.goals.size());
      view.goals.push_back(goals.shared);
    }
    view.agents.push_back({agent.node, point_of(view.layer, agent), agent.spec.snap_start, place});
  }
  std::vector<PlacementView> take_views() { return std::move(views_); }

 private:
  PlacementView& view_of(ViewId id) {
    std::uint32_t& place = element(&view_at_, index(id));
    if (place != kNoPlace) return views_[place];
    place = static_cast<std::uint32_t>(views_.size());
    const Profile& profile = world_.view_profile(id);
    PlacementView view{world_.layer(id), profile.topology, disc_of(profile, world_.cell_size())};
    const auto known = std::ranges::find(known_, id, &ViewComponents::view);
    if (known != known_.end()) view.components = *known->components;
    const auto [unseen, is_new] = unseen_.try_emplace(world_.view_team(id));
    if (is_new) unseen->second = unseen_by(world_, unseen->first, covered_);
    view.unseen = unseen->second;
    return views_.emplace_back(std::move(view));
  }

  const World& world_;
  std::span<const ViewComponents> known_;
  const PlaceBox covered_;
  std::vector<PlacementView> views_;
  std::vector<std::uint32_t> view_at_;  // by ViewId: the place in views_, or kNoPlace
  std::vector<std::uint32_t> goals_;    // by GoalsId: the place in its view's goals, or kNoPlace
  std::map<TeamId, std::shared_ptr<const UnseenCells>> unseen_;
};

}  // namespace

std::vector<PlacementView> capture_placements(const World& world, const ReplanState& state,
                                              std::span<const ViewComponents> known,
                                              const PlaceBox& covered) {
  Gathering gathering(world, known, covered);
  const std::vector<AgentRow>& rows = state.agents.rows();
  for (Slot slot = 0; slot < rows.size(); ++slot)
    if (rows[slot].standing != Standing::kEmpty)
      gathering.add(rows[slot], state.agents[slot], state.goals_of(slot));
  return gathering.take_views();
}

}  // namespace repath
