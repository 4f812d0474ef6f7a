#include "routes/nav_world.h"

#include <algorithm>
#include <cstdlib>
#include <span>

#include "base/check.h"
#include "base/error.h"
#include "navmesh/carve/carve_editor.h"
#include "routes/boxes.h"
#include "routes/nav_changes.h"
#include "world/checks.h"
#include "world/content_hash.h"
#include "world/read_back.h"

namespace repath {
namespace {

// Rough memory of an obstacle in the list, and in each mesh without the fragments around it.
constexpr std::uint64_t kBytesPerObstacle = 250;
constexpr std::uint64_t kBytesPerCarved = 700;

constexpr ProfileRules kNavRules{.kind = WorldKind::kNavmesh};

bool is_there(const ObstacleSpec* obstacle, TeamId team) {
  return obstacle != nullptr && concerns(obstacle->teams, team);
}

std::uint64_t bytes_of(const MeshSource& source) {
  return source.vertices.size() * sizeof source.vertices[0] +
         source.corners.size() * sizeof source.corners[0] +
         source.cells.size() * sizeof source.cells[0] +
         source.links.size() * sizeof source.links[0];
}

std::uint64_t form_if_shut(const ObstacleSpec& obstacle) {
  return obstacle.enabled && obstacle.effect.blocked ? content_hash(obstacle) : 0;
}

// Turns an error of a mesh about edits[k] into one about the batch's entry.
absl::Status of_batch(const absl::Status& status, std::span<const std::string> fields) {
  const std::string field = error_field(status);
  const std::size_t open = field.find('[');
  std::size_t place = fields.size();
  if (open != std::string::npos && field.rfind("edits[", 0) == 0)
    place = static_cast<std::size_t>(std::strtoull(field.c_str() + open + 1, nullptr, 10));
  const std::string said(status.message());
  return make_error(status.code(), error_reason(status),
                    place < fields.size() ? fields[place] : fields.front(), said);
}

}  // namespace

// The edits of one mesh that a batch causes, and their effect.
struct NavWorld::SheetEdits {
  explicit SheetEdits(Sheet* of) : sheet(of), editor(&of->mesh) {}
  void commit(Revision now) {
    const CarveDelta delta = editor.commit();
    changed = delta.gone.size() + delta.come.size();
    for (const std::uint32_t base : delta.base_cells) base_cells.push_back(NodeId{base});
    sheet->kept.reset();
    sheet->shut.note(sheet->mesh, now, touched);
    changes = changes_of_edit(sheet->mesh, delta, touched);
  }

  Sheet* sheet;
  CarveEditor editor;
  std::vector<TouchedObstacle> touched;
  std::uint64_t changed = 0;  // cells
  std::vector<NodeId> base_cells;
  std::vector<RouteChange> changes;
};

absl::StatusOr<std::unique_ptr<NavWorld>> NavWorld::create(Source source, const WorldLimits& limits,
                                                           WorkMeter* work) {
  if (!(source.base_radius >= 0 && source.base_radius <= kNavBaseRadiusMax))
    return invalid_field("OUT_OF_RANGE", "base_radius", "must be in [0, 100]");
  if (auto s = check_profiles(&source.profiles, kNavRules); !s.ok()) return s;
  absl::StatusOr<CarvedMesh> bare =
      CarvedMesh::make(source.mesh, source.cell_side, source.landmarks, work);
  if (!bare.ok()) {
    if (error_field(bare.status()) == "cell_side") return bare.status();
    return with_field_prefix(bare.status(), "mesh.");
  }
  std::unique_ptr<NavWorld> world(new NavWorld(std::move(source), *std::move(bare), limits));
  if (world->bytes() > limits.memory_bytes) return no_memory(limits.memory_bytes);
  WorkMeter endless(kNoWorkLimits);
  for (const Profile& profile : world->profiles())
    if (auto s = world->make_lessened(profile, "profiles", work == nullptr ? &endless : work,
                                      &world->lessened_);
        !s.ok())
      return s;
  return world;
}

NavWorld::NavWorld(Source source, CarvedMesh bare, const WorldLimits& limits)
    : RouteWorld(std::move(source.name), std::move(source.profiles), limits),
      bare_(std::move(bare)),
      source_(std::make_shared<const MeshSource>(std::move(source.mesh))),
      cell_side_(source.cell_side),
      base_radius_(source.base_radius) {
  content_hash_ += content_hash(*source_, cell_side_);
  content_hash_ += base_radius_hash(base_radius_);
  for (const MeshSource::Cell& cell : source_->cells) {
    grounds_.push_back({cell.flags, cell.area});
    for (std::uint32_t k = 0; k < cell.count; ++k) {
      const Point at = to_point(source_->vertices[source_->corners[cell.first + k]].at);
      add_to(&bounds_, Spot{at.x, 0, at.z});
    }
  }
  for (const NavLink& link : bare_.mesh().links()) content_hash_ += content_hash(link);
  std::ranges::sort(grounds_);
  grounds_.erase(std::unique(grounds_.begin(), grounds_.end()), grounds_.end());
}

NavWorld::NavWorld(const NavWorld& other)
    : RouteWorld(other),
      bare_(other.bare_.clone()),
      source_(other.source_),
      cell_side_(other.cell_side_),
      base_radius_(other.base_radius_),
      lessened_(other.lessened_),
      bounds_(other.bounds_),
      grounds_(other.grounds_),
      obstacles_(other.obstacles_),
      corners_(other.corners_) {
  std::map<const Sheet*, Sheet*> copies;
  for (const auto& sheet : other.sheets_) {
    sheets_.push_back(std::make_unique<Sheet>(
        Sheet{sheet->radius, sheet->taken, sheet->team, sheet->mesh.clone(), sheet->kernels}));
    copies[sheet.get()] = sheets_.back().get();
  }
  copy_views<NavGround>(other, [&](const NavGround& ground) {
    const Sheet* sheet = copies.at(&other.sheet_of(ground));
    return std::make_unique<NavGround>(&sheet->mesh.ground(), ground.filter(),
                                       ground.base_factors(), sheet->kernels);
  });
}

std::unique_ptr<RouteWorld> NavWorld::clone() const {
  return std::unique_ptr<RouteWorld>(new NavWorld(*this));
}

std::uint64_t NavWorld::form_of(ObstacleId id) const {
  const auto known = obstacles_.find(id);
  return known == obstacles_.end() ? 0 : form_if_shut(known->second);
}

bool NavWorld::is_link_enabled(std::uint64_t id) const {
  return bare_.mesh().links()[*bare_.ground().find_link(id)].enabled;
}

ObstaclePage NavWorld::read_obstacles(const ObstacleQuestion& question) const {
  return repath::read_obstacles(obstacles_, question);
}

absl::StatusOr<CopyId> NavWorld::begin_copy() {
  if (copies_.size() >= kCopiesMax) return too_many_copies();
  return copies_.begin(std::make_unique<NavCopy>(*this));
}

std::optional<WorldContent> NavWorld::advance_copy(CopyId id, std::size_t bytes) {
  return copies_.advance(id, bytes);
}

std::uint64_t NavWorld::bytes() const {
  std::uint64_t sum = sizeof *this + bare_.bytes() + bytes_of(*source_) +
                      obstacles_.size() * kBytesPerObstacle + corners_ * sizeof(Point);
  for (const auto& [taken, mesh] : lessened_) sum += mesh->bytes();
  for (const auto& sheet : sheets_) sum += sheet->mesh.bytes();
  return sum;
}

absl::Status NavWorld::check(const ChangeBatch& batch) const {
  if (auto s = check_lists(batch.sizes(), WorldKind::kNavmesh); !s.ok()) return s;
  if (auto s = check_obstacles(batch, navmesh_bounds()); !s.ok()) return s;
  if (auto s = check_ids_differ(batch); !s.ok()) return s;
  const auto has = [&](ObstacleId id) { return obstacles_.contains(id); };
  if (auto s = check_known(batch, has); !s.ok()) return s;
  for (std::size_t i = 0; i < batch.switch_links.size(); ++i)
    if (!bare_.ground().find_link(batch.switch_links[i].id))
      return unknown_id("LINK_UNKNOWN", "link", batch.switch_links[i].id,
                        item("switch_links", i) + ".id");
  if (auto s = check_new_profiles(profiles(), batch.add_profiles, kNavRules); !s.ok()) return s;
  std::size_t count = obstacles_.size() - batch.remove_obstacles.size();
  std::uint64_t bytes_more = 0;
  for (std::size_t i = 0; i < batch.upsert_obstacles.size(); ++i) {
    bytes_more +=
        kBytesPerObstacle + kBytesPerCarved * sheets_.size() +
        points_kept(batch.upsert_obstacles[i].shape) * (sizeof(Point) + 100 * sheets_.size());
    count += obstacles_.contains(batch.upsert_obstacles[i].id) ? 0 : 1;
    if (auto s = check_number(count, limits().obstacles_max, "OBSTACLES_TOO_MANY", "obstacles",
                              item("upsert_obstacles", i));
        !s.ok())
      return s;
  }
  if (bytes_more > 0 && bytes() + bytes_more > limits().memory_bytes)
    return no_memory(limits().memory_bytes);
  return absl::OkStatus();
}

// Leaves out obstacles that stay as they are.
std::vector<NavWorld::Edited> NavWorld::collect_edits(const ChangeBatch& batch) const {
  std::vector<Edited> edits;
  const auto add = [&](ObstacleId id, std::optional<ObstacleSpec> after, std::string field) {
    const auto known = obstacles_.find(id);
    const ObstacleSpec* before = known == obstacles_.end() ? nullptr : &known->second;
    if (before != nullptr && after && *before == *after) return;
    edits.push_back({before, std::move(after), std::move(field)});
  };
  for (std::size_t i = 0; i < batch.remove_obstacles.size(); ++i)
    add(batch.remove_obstacles[i], std::nullopt, item("remove_obstacles", i));
  for (std::size_t i = 0; i < batch.switch_obstacles.size(); ++i) {
    ObstacleSpec after = obstacles_.at(batch.switch_obstacles[i].id);
    after.enabled = batch.switch_obstacles[i].enabled;
    const ObstacleId id = after.id;
    add(id, std::move(after), item("switch_obstacles", i));
  }
  for (std::size_t i = 0; i < batch.upsert_obstacles.size(); ++i)
    add(batch.upsert_obstacles[i].id, batch.upsert_obstacles[i], item("upsert_obstacles", i));
  return edits;
}

absl::Status NavWorld::prepare(Sheet* sheet, const std::vector<Edited>& edits,
                               SheetEdits* work) const {
  std::vector<CarveEdit> carve;
  std::vector<std::string> fields;
  for (const Edited& edit : edits) {
    const bool was = is_there(edit.before, sheet->team);
    const bool is = edit.after && is_there(&*edit.after, sheet->team);
    if (!was && !is) continue;
    const ObstacleId id = edit.before != nullptr ? edit.before->id : edit.after->id;
    TouchedObstacle touched{.id = id};
    if (is && edit.after->enabled) touched.after = edit.after->effect;
    if (was && edit.before->enabled) {
      touched.before = edit.before->effect;
      touched.form = form_if_shut(*edit.before);
      const std::span<const std::uint32_t> cells = sheet->mesh.base_cells_of(id);
      touched.base_cells_before.assign(cells.begin(), cells.end());
      touched.box_before = box_of(*sheet->mesh.shape_of(id));
    }
    work->touched.push_back(std::move(touched));
    fields.push_back(edit.field);
    if (!is) {
      carve.push_back({CarveEdit::Kind::kRemove, id, {}});
    } else {
      carve.push_back({CarveEdit::Kind::kUpsert, id, carve_shape(*edit.after, sheet->radius)});
    }
  }
  const absl::Status s = work->editor.prepare(carve);
  return s.ok() ? s : of_batch(s, fields);
}

class NavWorld::Staged final : public StagedRoutes {
 public:
  Staged(NavWorld* world, const ChangeBatch* batch) : world_(*world), batch_(*batch) {}
  RouteCommit commit() override { return world_.commit(batch_, edits, work, &lessened); }

  Lessened lessened;
  std::vector<Edited> edits;
  Work work;  // of all meshes in use, if there are edits

 private:
  NavWorld& world_;
  const ChangeBatch& batch_;
};

absl::StatusOr<std::unique_ptr<StagedRoutes>> NavWorld::stage(const ChangeBatch& batch) {
  if (auto s = check(batch); !s.ok()) return s;
  auto staged = std::make_unique<Staged>(this, &batch);
  REPATH_ASSIGN_OR_RETURN(staged->lessened, make_lessened(batch.add_profiles));
  staged->edits = collect_edits(batch);
  if (staged->edits.empty()) return staged;
  for (const auto& sheet : sheets_) {
    staged->work.push_back(std::make_unique<SheetEdits>(sheet.get()));
    if (auto s = prepare(sheet.get(), staged->edits, staged->work.back().get()); !s.ok()) return s;
  }
  if (auto s = check_memory(*staged); !s.ok()) return s;
  return staged;
}

// Obstacles that go may cut ground into more cells, too. They are never refused.
absl::Status NavWorld::check_memory(const Staged& staged) const {
  const bool is_larger = std::ranges::any_of(
      staged.edits, [](const Edited& edit) { return edit.after && edit.after->enabled; });
  if (!is_larger) return absl::OkStatus();
  std::uint64_t more = 0;
  for (const auto& one : staged.work) more += one->editor.bytes_more();
  const std::uint64_t most = limits().memory_bytes;
  return more == 0 || bytes() + more <= most ? absl::OkStatus() : no_memory(most);
}

RouteCommit NavWorld::commit(const ChangeBatch& batch, const std::vector<Edited>& edits,
                             const Work& work, Lessened* lessened) {
  for (const auto& one : work) one->commit(next(revision()));
  if (!work.empty()) look_again();
  const Switched switched = collect_switched(batch);
  switch_links(switched);
  copies_.for_each([&](NavCopy& copy) {
    for (const Edited& edit : edits)
      copy.note_before(edit.before != nullptr ? edit.before->id : edit.after->id, edit.before);
  });
  store(edits);
  lessened_.merge(*lessened);
  add_profiles(batch.add_profiles);
  RouteCommit commit = begin_commit();
  for_each_view<NavGround>([&](RouteViewId id, const NavGround& ground) {
    RouteDelta delta{.view = id, .changes = {}};
    const auto known =
        std::ranges::find(work, &sheet_of(ground), [](const auto& one) { return one->sheet; });
    if (known != work.end()) {
      commit.changed += (*known)->changed;
      delta.changes = (*known)->changes;
      delta.tails = (*known)->base_cells;
    }
    append_link_changes(switched, ground, &delta.changes);
    if (delta.changes.empty() && delta.tails.empty()) return;
    append_link_cells(ground.carved(), switched, &delta.tails);
    delta.heads = delta.tails;
    commit.views.push_back(std::move(delta));
  });
  return commit;
}

void NavWorld::look_again() {
  for_each_view<NavGround>([](RouteViewId, NavGround& ground) { ground.look_again(); });
}

NavWorld::Switched NavWorld::collect_switched(const ChangeBatch& batch) const {
  Switched switched;
  for (const LinkSwitch& one : batch.switch_links) {
    const std::uint32_t place = *bare_.ground().find_link(one.id);
    if (bare_.mesh().links()[place].enabled != one.enabled)
      switched.push_back({place, one.enabled});
  }
  return switched;
}

void NavWorld::switch_links(const Switched& switched) {
  if (switched.empty()) return;
  for (const auto& [place, enabled] : switched) {
    content_hash_ -= content_hash(bare_.mesh().links()[place]);
    bare_.switch_link(place, enabled);
    content_hash_ += content_hash(bare_.mesh().links()[place]);
    for (const auto& sheet : sheets_) {
      sheet->mesh.switch_link(place, enabled);
      if (enabled) sheet->shut.forget();
    }
  }
  for (const auto& sheet : sheets_) sheet->kept.reset();
  look_again();
}

void NavWorld::append_link_changes(const Switched& switched, const NavGround& ground,
                                   std::vector<RouteChange>* changes) const {
  for (const auto& [place, enabled] : switched) {
    const NavLink& link = bare_.mesh().links()[place];
    if (!ground.filter().allows(link.flags)) continue;
    const Point from = to_point(link.from);
    const Point to = to_point(link.to);
    RouteChange change{.from = box_of({from.x, 0, from.z}),
                       .to = box_of({to.x, 0, to.z}),
                       .rose = !enabled,
                       .fell = enabled,
                       .least = enabled ? cost_over(link, ground.filter()) : 0,
                       .cause = {}};
    changes->push_back(change);
    if (!link.both_ways) continue;
    std::swap(change.from, change.to);
    changes->push_back(change);
  }
}

void NavWorld::store(const std::vector<Edited>& edits) {
  for (const Edited& edit : edits) {
    const ObstacleId id = edit.before != nullptr ? edit.before->id : edit.after->id;
    if (edit.before != nullptr) {
      content_hash_ -= content_hash(*edit.before);
      corners_ -= points_kept(edit.before->shape);
    }
    if (!edit.after) {
      obstacles_.erase(id);
      continue;
    }
    content_hash_ += content_hash(*edit.after);
    corners_ += points_kept(edit.after->shape);
    obstacles_[id] = *edit.after;
  }
}

}  // namespace repath
