// The meshes of a world: those without obstacles, for profiles that are wider than the base or may
// not use all ground, and those with obstacles, for the views in use.
#include <algorithm>
#include <set>
#include <span>

#include "base/error.h"
#include "routes/nav_changes.h"
#include "routes/nav_world.h"
#include "world/checks.h"

namespace repath {
namespace {

// For the ground of all profiles that one batch adds: about a second.
constexpr WorkLimits kAddedGroundWork{.units_per_byte = 0};

}  // namespace

NavWorld::Taken NavWorld::taken_by(const Profile& profile) const {
  Taken taken;
  const double growth = profile.radius - base_radius_;
  if (growth >= kWallGrowthMin) taken.growth = growth;
  const NavFilter filter = nav_filter(profile);
  for (const auto& [flags, area] : grounds_)
    if (!filter.allows(flags) && (taken.left_out.empty() || taken.left_out.back() != flags))
      taken.left_out.push_back(flags);
  return taken;
}

absl::Status NavWorld::make_lessened(const Profile& profile, const std::string& field,
                                     WorkMeter* work, Lessened* made) const {
  const Taken taken = taken_by(profile);
  if (taken.is_nothing() || lessened_.contains(taken) || made->contains(taken))
    return absl::OkStatus();
  const std::uint64_t most = limits().memory_bytes;
  std::uint64_t used = bytes();
  if (made != &lessened_)
    for (const auto& [other, mesh] : *made) used += mesh->bytes();
  const auto make = [&]() -> absl::StatusOr<CarvedMesh> {
    if (used + bare_.bytes() > most) return no_memory(most);
    absl::StatusOr<CarvedMesh> mesh =
        taken.growth > 0 ? bare_.with_walls(taken.growth, work) : bare_.clone();
    if (mesh.ok() && !taken.left_out.empty()) mesh = mesh->only_allowed(nav_filter(profile), work);
    if (mesh.ok() && used + mesh->bytes() > most) return no_memory(most);
    return mesh;
  };
  absl::StatusOr<CarvedMesh> mesh = make();
  if (!mesh.ok())
    return make_error(mesh.status().code(), error_reason(mesh.status()), field,
                      "profile \"" + profile.name + "\": " + std::string(mesh.status().message()));
  made->emplace(taken, std::make_shared<const CarvedMesh>(*std::move(mesh)));
  return absl::OkStatus();
}

absl::StatusOr<NavWorld::Lessened> NavWorld::make_lessened(
    const std::vector<Profile>& added) const {
  Lessened made;
  WorkMeter work(kAddedGroundWork);
  for (std::size_t i = 0; i < added.size(); ++i) {
    const Taken taken = taken_by(added[i]);
    const std::string field =
        item("add_profiles", i) + (taken.growth > 0 ? ".radius" : ".exclude_flags");
    const absl::Status status = make_lessened(added[i], field, &work, &made);
    if (error_reason(status) == "IMPORT_TOO_LARGE")
      return make_error(absl::StatusCode::kResourceExhausted, "WALLS_TOO_MANY", field,
                        "profile \"" + added[i].name +
                            "\": making its ground takes too long for a batch; bring the profile "
                            "with the world" +
                            (taken.growth > 0 ? ", or give it a smaller radius" : ""));
    if (!status.ok()) return status;
  }
  return made;
}

CarvedMesh NavWorld::bare_without(const Taken& taken) const {
  if (taken.is_nothing()) return bare_.clone();
  CarvedMesh mesh = lessened_.at(taken)->clone();
  const std::vector<NavLink>& links = bare_.mesh().links();
  for (std::uint32_t i = 0; i < links.size(); ++i) mesh.switch_link(i, links[i].enabled);
  return mesh;
}

FactorRange NavWorld::factors_for(const NavFilter& filter) const {
  FactorRange range;
  for (const auto& [flags, area] : grounds_)
    if (filter.allows(flags)) range.add(filter.factor(area));
  return range;
}

absl::StatusOr<std::unique_ptr<NavWorld::Sheet>> NavWorld::make_sheet(const Profile& profile,
                                                                      TeamId team) const {
  const Taken taken = taken_by(profile);
  auto sheet = std::make_unique<Sheet>(Sheet{profile.radius, taken, team, bare_without(taken),
                                             std::make_shared<const NavKernels>()});
  std::vector<CarveEdit> edits;
  const auto carve = [&]() -> absl::Status {
    const absl::StatusOr<CarveDelta> delta = sheet->mesh.apply(edits);
    edits.clear();
    if (delta.ok()) return absl::OkStatus();
    return make_error(delta.status().code(), error_reason(delta.status()), "profile",
                      std::string(delta.status().message()));
  };
  for (const auto& [id, obstacle] : obstacles_) {
    if (!concerns(obstacle.teams, team)) continue;
    edits.push_back({CarveEdit::Kind::kUpsert, id, carve_shape(obstacle, profile.radius)});
    if (edits.size() < kCarveEditsMax) continue;
    if (auto s = carve(); !s.ok()) return s;
  }
  if (auto s = carve(); !s.ok()) return s;
  return sheet;
}

absl::StatusOr<std::unique_ptr<QueryGround>> NavWorld::make_ground(const Profile& profile,
                                                                   TeamId team) {
  const Taken taken = taken_by(profile);
  auto found = std::ranges::find_if(sheets_, [&](const auto& sheet) {
    return sheet->radius == profile.radius && sheet->taken == taken && sheet->team == team;
  });
  if (found == sheets_.end()) {
    const std::uint64_t most = limits().memory_bytes;
    if (bytes() + bare_.bytes() > most) return no_memory(most);
    REPATH_ASSIGN_OR_RETURN(std::unique_ptr<Sheet> made, make_sheet(profile, team));
    if (bytes() + made->mesh.bytes() > most) return no_memory(most);
    found = sheets_.insert(sheets_.end(), std::move(made));
  }
  const NavFilter filter = nav_filter(profile);
  return std::make_unique<NavGround>(&(*found)->mesh.ground(), filter, factors_for(filter),
                                     (*found)->kernels);
}

// Drops a mesh that no view uses any more.
void NavWorld::note_view_end() {
  std::set<const Sheet*> used;
  for_each_view<NavGround>(
      [&](RouteViewId, const NavGround& ground) { used.insert(&sheet_of(ground)); });
  std::erase_if(sheets_, [&](const auto& sheet) { return !used.contains(sheet.get()); });
}

NavWorld::Sheet& NavWorld::sheet_of(const NavGround& ground) const {
  return **std::ranges::find(sheets_, &ground.carved(),
                             [](const auto& sheet) { return &sheet->mesh.ground(); });
}

std::shared_ptr<const QueryGround> NavWorld::keep(RouteViewId view) {
  const NavGround& today = ground(view);
  Sheet& sheet = sheet_of(today);
  if (sheet.kept == nullptr) sheet.kept = std::make_shared<const CarvedGround>(sheet.mesh.ground());
  return std::make_shared<NavGround>(sheet.kept.get(), today.filter(), today.base_factors(),
                                     sheet.kernels, sheet.kept);
}

}  // namespace repath
