#include "navmesh/carve/carved_mesh.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/hash.h"
#include "navmesh/carve/carve_editor.h"
#include "navmesh/mesh/size_cap.h"

namespace repath {
namespace {

constexpr std::uint64_t kUnitsPerEdge = 100;  // to join edges and settle vertices
constexpr std::uint64_t kUnitsPerBaseCell = 400;
constexpr std::uint64_t kUnitsPerCellLeftOut = 600;
constexpr std::size_t kCarvedAtOnce = 4096;  // base cells; each takes memory while it is staged

}  // namespace

CarvedMesh::CarvedMesh() : tools_(std::make_unique<Tools>()) {}
CarvedMesh::CarvedMesh(const CarvedMesh& other)
    : ground_(other.ground_),
      states_(other.states_),
      walls_(other.walls_),
      left_out_(other.left_out_),
      obstacles_(other.obstacles_),
      hash_(other.hash_),
      tools_(std::make_unique<Tools>()) {}
CarvedMesh::CarvedMesh(CarvedMesh&&) noexcept = default;
CarvedMesh& CarvedMesh::operator=(CarvedMesh&&) noexcept = default;
CarvedMesh::~CarvedMesh() = default;

absl::StatusOr<CarvedMesh> CarvedMesh::make(const MeshSource& source, double cell_side,
                                            std::optional<std::uint32_t> landmarks,
                                            WorkMeter* work) {
  WorkMeter endless(kNoWorkLimits);
  if (work == nullptr) work = &endless;
  if (!work->spend(kUnitsPerEdge * source.corners.size())) return work->error("cells");
  absl::StatusOr<NavMesh> whole = NavMesh::build(source);
  if (!whole.ok()) return whole.status();
  std::vector<std::uint32_t> cut_from;
  const absl::StatusOr<MeshSource> cut = cut_to_size(source, *whole, cell_side, &cut_from, work);
  if (!cut.ok()) return cut.status();
  if (!work->spend(kUnitsPerEdge * cut->corners.size() + kUnitsPerBaseCell * cut->cells.size()))
    return work->error("cells");
  absl::StatusOr<NavMesh> base = NavMesh::build(*cut);
  if (!base.ok()) return base.status();
  CarvedMesh carved;
  CarvedGround& ground = carved.ground_;
  ground.base_ = std::make_shared<const CarvedGround::Base>(*std::move(base), *std::move(whole),
                                                            std::move(cut_from), landmarks, work);
  if (work->is_over()) return work->error("cells");
  ground.mesh_ = ground.base();
  ground.cells_.resize(ground.base().cells_end());
  carved.states_.resize(ground.base().cells_end());
  for (std::uint32_t c = 0; c < carved.states_.size(); ++c) {
    if (!work->spend(kUnitsPerBaseCell)) return work->error("cells");
    State& state = carved.states_[c];
    LatticeRing ring;
    for (const NavMesh::Edge& e : ground.base().edges_of(c))
      ring.push_back(ground.base().vertex(e.vertex).at);
    carved.tools_->carver.carve(ring, {}, &state.carving);
    for (std::uint32_t k = 0; k < ring.size(); ++k) state.fragments.sides.push_back({ring[k], k});
    state.fragments.ends.push_back(static_cast<std::uint32_t>(ring.size()));
    ground.cells_[c].push_back(c);
    ground.base_of_.push_back(c);
    state.hash = hash_of(c, state.fragments);
    carved.hash_ += state.hash;
  }
  return carved;
}

absl::StatusOr<CarvedMesh> CarvedMesh::with_walls(double by, WorkMeter* work) const {
  REPATH_CHECK(obstacles_.empty() && walls_ == nullptr);
  auto walls = CarveWalls::find(base(), by, work);
  if (!walls.ok()) return walls.status();
  CarvedMesh made = clone();
  made.walls_ = std::make_shared<const CarveWalls>(*std::move(walls));
  std::vector<std::uint32_t> beside;
  for (std::uint32_t c = 0; c < states_.size(); ++c)
    if (!made.walls_->of_cell(c).empty()) beside.push_back(c);
  if (auto s = made.carve_again(beside, made.walls_->units_to_carve(), "radius", work); !s.ok())
    return s;
  return made;
}

absl::StatusOr<CarvedMesh> CarvedMesh::only_allowed(const NavFilter& filter,
                                                    WorkMeter* work) const {
  REPATH_CHECK(obstacles_.empty() && left_out_ == nullptr);
  std::vector<bool> is_left_out(states_.size(), false);
  std::vector<std::uint32_t> cells;
  for (std::uint32_t c = 0; c < states_.size(); ++c) {
    if (filter.allows(base().cell(c).flags)) continue;
    is_left_out[c] = true;
    cells.push_back(c);
  }
  CarvedMesh made = clone();
  made.left_out_ = std::make_shared<const std::vector<bool>>(std::move(is_left_out));
  if (auto s = made.carve_again(cells, cells.size() * kUnitsPerCellLeftOut, "flags", work); !s.ok())
    return s;
  return made;
}

absl::Status CarvedMesh::carve_again(std::span<const std::uint32_t> base_cells, std::uint64_t units,
                                     const std::string& field, WorkMeter* work) {
  if (!work->affords(units)) return work->error(field, units);
  while (!base_cells.empty()) {
    const auto part = base_cells.first(std::min(base_cells.size(), kCarvedAtOnce));
    // Evenly, so that a stop is noticed between two parts.
    const std::uint64_t units_of_part = units / base_cells.size() * part.size();
    if (!work->spend(units_of_part)) return work->error(field);
    units -= units_of_part;
    base_cells = base_cells.subspan(part.size());
    CarveEditor editor(this);
    if (auto s = editor.prepare_again(part); !s.ok()) return s;
    editor.commit();
  }
  return absl::OkStatus();
}

absl::StatusOr<CarveDelta> CarvedMesh::apply(std::span<const CarveEdit> edits) {
  CarveEditor editor(this);
  if (auto s = editor.prepare(edits, ~std::uint64_t{0}); !s.ok()) return s;
  return editor.commit();
}

void CarvedMesh::switch_link(std::uint32_t link, bool enabled) {
  ground_.mesh_.switch_link(link, enabled);
}

std::uint64_t CarvedMesh::hash_of(std::uint32_t base_cell, const Fragments& fragments) {
  Hasher hash;
  hash.add(std::uint64_t{base_cell});
  for (const std::uint32_t end : fragments.ends) hash.add(std::uint64_t{end});
  for (const FragmentSide& side : fragments.sides)
    hash.add(static_cast<std::uint64_t>(side.from.x))
        .add(static_cast<std::uint64_t>(side.from.z))
        .add(std::uint64_t{side.on});
  for (const FragmentGround& ground : fragments.grounds)
    hash.add(std::uint64_t{ground.factor})
        .add(ground.area ? std::uint64_t{index(*ground.area)} + 1 : std::uint64_t{0});
  return hash.value();
}

std::span<const std::uint32_t> CarvedMesh::base_cells_of(ObstacleId id) const {
  const auto known = obstacles_.find(id);
  if (known == obstacles_.end()) return {};
  return known->second.base_cells;
}

const CarveShape* CarvedMesh::shape_of(ObstacleId id) const {
  const auto known = obstacles_.find(id);
  return known == obstacles_.end() ? nullptr : &known->second.shape;
}

std::size_t CarvedMesh::bytes() const {
  constexpr std::size_t kOfFragments = 300;  // of a base cell: its ring, what was carved
  return ground_.bytes() + base().bytes() + ground_.finder().bytes() + ground_.landmarks().bytes() +
         states_.capacity() * (sizeof(State) + kOfFragments) +
         obstacles_.size() * kBytesOfObstacle + (walls_ == nullptr ? 0 : walls_->bytes()) +
         (left_out_ == nullptr ? 0 : left_out_->size() / 8);
}

}  // namespace repath
