#include "grid/components.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "base/check.h"

namespace repath {
namespace {

constexpr WorkUnits kUnitsToRelabel = 2;
constexpr WorkUnits kUnitsToLookAt = 1;

// False if there are not as many left.
bool spend(WorkUnits* units, WorkUnits cost) {
  if (*units < cost) return false;
  *units -= cost;
  return true;
}

// Bits where a run begins.
constexpr std::uint64_t run_starts(std::uint64_t row) { return row & ~(row << 1); }

struct Run {
  int begin = 0;
  int end = 0;
};

// Takes the lowest run off `row`. REQUIRES: row != 0.
Run take_run(std::uint64_t* row) {
  const int begin = std::countr_zero(*row);
  const int length = std::countr_one(*row >> begin);
  const int end = begin + length;
  *row = end == kTileSide ? 0 : *row >> end << end;
  return {begin, end};
}

std::uint16_t find(std::vector<std::uint16_t>* parents, std::uint16_t run) {
  while ((*parents)[run] != run) run = (*parents)[run] = (*parents)[(*parents)[run]];
  return run;
}

}  // namespace

Components::Components(const GridLayer& layer)
    : width_(layer.width()),
      tiles_x_(layer.tiles_x()),
      tiles_(static_cast<std::size_t>(layer.tiles_x()) *
             static_cast<std::size_t>(layer.tiles_y())) {
  to_relabel_.has.resize(tiles_.size());
  to_look_at_.has.resize(tiles_.size());
  for (std::size_t tile = tiles_.size(); tile-- > 0;) to_relabel_.add(tile);
}

void Components::Pending::add(std::size_t tile) {
  if (has[tile]) return;
  has[tile] = true;
  tiles.push_back(static_cast<std::uint32_t>(tile));
}

std::size_t Components::Pending::take() {
  const std::size_t tile = tiles.back();
  tiles.pop_back();
  has[tile] = false;
  return tile;
}

void Components::touch(NodeId cell) {
  const std::uint32_t width = static_cast<std::uint32_t>(width_);
  const std::uint32_t tx = index(cell) % width / kTileSide;
  const std::uint32_t ty = index(cell) / width / kTileSide;
  to_relabel_.add(ty * static_cast<std::uint32_t>(tiles_x_) + tx);
}

bool Components::update(const GridLayer& layer, WorkUnits* units) {
  while (!to_relabel_.tiles.empty()) {
    if (!spend(units, kUnitsToRelabel)) return false;
    relabel(layer, to_relabel_.take());
  }
  while (!to_look_at_.tiles.empty()) {
    if (!spend(units, kUnitsToLookAt)) return false;
    find_joints(layer, to_look_at_.take());
  }
  return unite(units);
}

bool Components::unite(WorkUnits* units) {
  if (next_to_unite_ == 0) number_tiles();
  for (; next_to_unite_ < tiles_.size(); ++next_to_unite_) {
    if (next_to_unite_ % kTilesPerUnit == 0 && !spend(units, 1)) return false;
    const TileLabels& tile = tiles_[next_to_unite_];
    const std::uint32_t own = first_[next_to_unite_];
    for (std::size_t i = 0; i < tile.joints.size(); ++i) {
      const std::size_t beside = i < tile.right_joints ? 1 : static_cast<std::size_t>(tiles_x_);
      join(own + tile.joints[i].own, first_[next_to_unite_ + beside] + tile.joints[i].other);
    }
    if (next_to_unite_ + 1 == tiles_.size())
      for (std::uint32_t& parent : parents_) parent = root_of(parent);
  }
  return true;
}

std::uint32_t Components::component_of(const GridLayer& layer, NodeId cell) const {
  const std::int32_t x = layer.x_of(cell);
  const std::int32_t y = layer.y_of(cell);
  if (!layer.is_free(x, y)) return kNone;
  const std::int32_t tx = x >> kTileBits;
  const auto tile = static_cast<std::size_t>((y >> kTileBits) * tiles_x_ + tx);
  const auto label = label_at(tiles_[tile], layer.free_word(tx, y), x & kTileMask, y & kTileMask);
  return parents_[first_[tile] + label];
}

std::uint64_t Components::bytes() const {
  std::uint64_t bytes = tiles_.size() * (sizeof(TileLabels) + 3 * sizeof(std::uint32_t));
  for (const TileLabels& tile : tiles_)
    bytes +=
        tile.labels.capacity() * sizeof(std::uint16_t) + tile.joints.capacity() * sizeof(Joint);
  return bytes + parents_.capacity() * sizeof(std::uint32_t);
}

void Components::relabel(const GridLayer& layer, std::size_t tile) {
  const auto tx = static_cast<std::int32_t>(tile) % tiles_x_;
  const auto ty = static_cast<std::int32_t>(tile) / tiles_x_;
  TileLabels& labels = tiles_[tile];
  const std::uint16_t count = labels.count;
  label_runs(layer.tile(tx, ty), &labels);
  if (labels.count != count) next_to_unite_ = 0;
  to_look_at_.add(tile);
  if (tx > 0) to_look_at_.add(tile - 1);
  if (ty > 0) to_look_at_.add(tile - static_cast<std::size_t>(tiles_x_));
}

// A run belongs together with every run of the row above that it overlaps.
void Components::label_runs(const Tile& tile, TileLabels* out) {
  std::vector<std::uint16_t> parents;
  std::uint64_t above = 0;
  std::uint16_t first_above = 0;
  for (std::size_t y = 0; y < tile.free.size(); ++y) {
    const auto first = static_cast<std::uint16_t>(parents.size());
    out->first[y] = first;
    for (std::uint64_t row = tile.free[y]; row != 0;) {
      const Run run = take_run(&row);
      const auto own = static_cast<std::uint16_t>(parents.size());
      parents.push_back(own);
      const std::uint64_t bits = ~std::uint64_t{0} >> (kTileSide - (run.end - run.begin))
                                                          << run.begin;
      // The runs above that begin within this one, and the one that reaches into its first cell.
      const auto before =
          static_cast<std::uint16_t>(std::popcount(run_starts(above) & ((bits & -bits) - 1)));
      std::uint16_t number = static_cast<std::uint16_t>(first_above + before);
      if ((above & bits & -bits) != 0 && (run_starts(above) & bits & -bits) == 0)
        parents[find(&parents, own)] = find(&parents, static_cast<std::uint16_t>(number - 1));
      for (int n = std::popcount(run_starts(above) & bits); n > 0; --n, ++number)
        parents[find(&parents, own)] = find(&parents, number);
    }
    above = tile.free[y];
    first_above = first;
  }
  out->count = 0;
  out->labels.resize(parents.size());
  std::vector<std::uint16_t> label_of_root(parents.size());
  for (std::uint16_t run = 0; run < parents.size(); ++run)
    if (parents[run] == run) label_of_root[run] = out->count++;
  for (std::uint16_t run = 0; run < parents.size(); ++run)
    out->labels[run] = label_of_root[find(&parents, run)];
}

// REQUIRES: bit x of `row`, the row y of the tile, is set.
std::uint16_t Components::label_at(const TileLabels& labels, std::uint64_t row, std::int32_t x,
                                   std::int32_t y) {
  const std::uint64_t up_to_x = ~std::uint64_t{0} >> (kTileMask - x);
  const int run = std::popcount(run_starts(row) & up_to_x) - 1;
  return labels.labels[static_cast<std::size_t>(labels.first[static_cast<std::size_t>(y)] + run)];
}

void Components::number_tiles() {
  first_.resize(tiles_.size());
  std::uint32_t next = 0;
  for (std::size_t tile = 0; tile < tiles_.size(); ++tile) {
    first_[tile] = next;
    next += tiles_[tile].count;
  }
  parents_.resize(next);
  std::iota(parents_.begin(), parents_.end(), 0u);
}

// With the tiles to the right and below. Where the same labels meet as before, all that was united
// stays right, whichever cells they stand for now.
void Components::find_joints(const GridLayer& layer, std::size_t tile) {
  const auto tx = static_cast<std::int32_t>(tile) % tiles_x_;
  const auto ty = static_cast<std::int32_t>(tile) / tiles_x_;
  const Tile& own = layer.tile(tx, ty);
  const auto label = [&](std::size_t of, const Tile& cells, std::int32_t x, std::int32_t y) {
    return label_at(tiles_[of], cells.free[static_cast<std::size_t>(y)], x, y);
  };
  std::vector<Joint> joints;
  if (tx + 1 < tiles_x_) {
    const Tile& right = layer.tile(tx + 1, ty);
    bool was_open = false;
    for (std::int32_t y = 0; y < kTileSide; ++y) {
      const auto i = static_cast<std::size_t>(y);
      const bool is_open = (own.free[i] >> kTileMask & right.free[i] & 1) != 0;
      if (is_open && !was_open)
        joints.push_back({label(tile, own, kTileMask, y), label(tile + 1, right, 0, y)});
      was_open = is_open;
    }
  }
  const auto right_joints = static_cast<std::uint16_t>(joints.size());
  if (ty + 1 < layer.tiles_y()) {
    const std::size_t under = tile + static_cast<std::size_t>(tiles_x_);
    const Tile& below = layer.tile(tx, ty + 1);
    for (std::uint64_t open = own.free[kTileMask] & below.free[0]; open != 0;) {
      const Run run = take_run(&open);
      joints.push_back({label(tile, own, run.begin, kTileMask), label(under, below, run.begin, 0)});
    }
  }
  TileLabels& labels = tiles_[tile];
  if (labels.right_joints == right_joints && labels.joints == joints) return;
  labels.right_joints = right_joints;
  labels.joints = std::move(joints);
  next_to_unite_ = 0;
}

// The lesser number becomes the root, so that numbers do not depend on the order of joins.
void Components::join(std::uint32_t a, std::uint32_t b) {
  a = root_of(a);
  b = root_of(b);
  parents_[std::max(a, b)] = std::min(a, b);
}

std::uint32_t Components::root_of(std::uint32_t label) {
  while (parents_[label] != label) label = parents_[label] = parents_[parents_[label]];
  return label;
}

}  // namespace repath
