// The ground of a mesh for agents that are wider than those it was made for.
#include "base/error.h"
#include "routes/nav_world.h"
#include "world/checks.h"

namespace repath {
namespace {

// For the walls of all profiles that one batch adds: about a second.
constexpr WorkLimits kAddedWallsWork{.units_per_byte = 0};

}  // namespace

double NavWorld::wall_growth(double radius) const {
  const double by = radius - base_radius_;
  return by < kWallGrowthMin ? 0 : by;
}

absl::Status NavWorld::make_walled(const Profile& profile, const std::string& field,
                                   WorkMeter* work, Walled* made) const {
  const double by = wall_growth(profile.radius);
  if (by == 0 || walled_.contains(by) || made->contains(by)) return absl::OkStatus();
  const std::uint64_t most = limits().memory_bytes;
  std::uint64_t used = bytes();
  if (made != &walled_)
    for (const auto& [other, mesh] : *made) used += mesh->bytes();
  absl::StatusOr<CarvedMesh> mesh = no_memory(most, field);
  if (used + bare_.bytes() <= most) mesh = bare_.with_walls(by, work);
  if (mesh.ok() && used + mesh->bytes() > most) mesh = no_memory(most, field);
  if (!mesh.ok())
    return make_error(mesh.status().code(), error_reason(mesh.status()), field,
                      "profile \"" + profile.name + "\": " + std::string(mesh.status().message()));
  made->emplace(by, std::make_shared<const CarvedMesh>(*std::move(mesh)));
  return absl::OkStatus();
}

absl::StatusOr<NavWorld::Walled> NavWorld::make_walled(const std::vector<Profile>& added) const {
  Walled made;
  WorkMeter work(kAddedWallsWork);
  for (std::size_t i = 0; i < added.size(); ++i) {
    const std::string field = item("add_profiles", i) + ".radius";
    const absl::Status status = make_walled(added[i], field, &work, &made);
    if (error_reason(status) == "IMPORT_TOO_LARGE")
      return make_error(absl::StatusCode::kResourceExhausted, "WALLS_TOO_MANY", field,
                        "profile \"" + added[i].name +
                            "\": growing the walls takes too long for a batch; bring the profile "
                            "with the world, or give it a smaller radius");
    if (!status.ok()) return status;
  }
  return made;
}

// Returns a copy of the mesh without obstacles for this radius, with its links switched as they are
// now.
CarvedMesh NavWorld::bare_for(double radius) const {
  const double by = wall_growth(radius);
  if (by == 0) return bare_.clone();
  CarvedMesh mesh = walled_.at(by)->clone();
  const std::vector<NavLink>& links = bare_.mesh().links();
  for (std::uint32_t i = 0; i < links.size(); ++i) mesh.switch_link(i, links[i].enabled);
  return mesh;
}

}  // namespace repath
