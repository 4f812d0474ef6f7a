#include "grid/jps/jump_map.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "base/check.h"

namespace repath {
namespace {

constexpr std::uint64_t kAll = ~std::uint64_t{0};
// If more lines than this need a look, all facts of a tile are made again.
constexpr int kLinesMax = 24;

// Returns the lines and those beside them, within the tile.
constexpr std::uint64_t widened(std::uint64_t lines) { return lines | lines << 1 | lines >> 1; }

Cow<JumpTile> make_uniform_tile(bool free, CornerRule rule) {
  Cow<JumpTile> tile(new JumpTile);
  bits::Matrix cells{};
  Strips strips{};
  if (free) {
    cells.fill(kAll);
    strips.fill({kAll, 1, 1});
  }
  tile.writable().set_free(cells);
  tile.writable().make_facts(strips, strips, rule);
  return tile;
}

// The same tile for all maps, because its facts take as long to make as many searches.
const Cow<JumpTile>& uniform_tile(bool free, CornerRule rule) {
  static const std::array none{make_uniform_tile(false, CornerRule::kNone),
                               make_uniform_tile(true, CornerRule::kNone)};
  static const std::array one{make_uniform_tile(false, CornerRule::kOne),
                              make_uniform_tile(true, CornerRule::kOne)};
  return (rule == CornerRule::kNone ? none : one)[free ? 1 : 0];
}

bool is_all(const bits::Matrix& words, std::uint64_t value) {
  return std::ranges::all_of(words, [value](std::uint64_t word) { return word == value; });
}

}  // namespace

JumpMap::JumpMap(const GridLayer& layer, CornerRule rule, Unmade)
    : rule_(rule),
      width_(layer.width()),
      height_(layer.height()),
      stride_(static_cast<std::size_t>(layer.tiles_x()) + 2),
      slots_(stride_ * (static_cast<std::size_t>(layer.tiles_y()) + 2)),
      free_tile_(uniform_tile(true, rule)),
      blocked_tile_(uniform_tile(false, rule)) {
  for (std::size_t i = 0; i < slots_; i += kPageTiles) {
    Cow<Page> page(new Page);
    page.writable().tiles.fill(blocked_tile_);
    pages_.push_back(std::move(page));
  }
}

// Cells that change during the making are changed here too, although the facts around them are not
// valid yet. All facts are made once all cells have been read, and after that all are carried.
bool JumpMap::make(const GridLayer& layer, std::size_t* steps) {
  REPATH_CHECK(layer.width() == width_ && layer.height() == height_);
  while (true) {
    while (!is_made() && is_rim(next_step_ % slots_)) ++next_step_;
    if (is_made() || *steps == 0) return is_made();
    --*steps;
    const std::size_t slot = next_step_ % slots_;
    if (next_step_ < slots_)
      read(layer, slot);
    else if (next_step_ < 2 * slots_)
      make_facts(slot);
    else
      for (const Heading h : kHeadings) carry(slot, h);
    ++next_step_;
  }
}

void JumpMap::read(const GridLayer& layer, std::size_t slot) {
  const bits::Matrix& free = layer
                                 .tile(static_cast<std::int32_t>(slot % stride_) - 1,
                                       static_cast<std::int32_t>(slot / stride_) - 1)
                                 .free;
  if (is_all(free, kAll))
    put(slot, free_tile_);
  else if (is_all(free, 0))
    put(slot, blocked_tile_);
  else
    writable(slot).set_free(free);
}

void JumpMap::update(const GridLayer& layer, std::span<const NodeId> touched) {
  REPATH_CHECK(layer.width() == width_ && layer.height() == height_);
  std::size_t last = slots_;
  for (const NodeId cell : touched) {
    const std::int32_t x = layer.x_of(cell);
    const std::int32_t y = layer.y_of(cell);
    const std::size_t slot = slot_of(x, y);
    if (slot == last) continue;
    last = slot;
    change_tile(slot, layer.tile(x >> kTileBits, y >> kTileBits).free);
  }
}

bool JumpMap::operator==(const JumpMap& other) const {
  if (rule_ != other.rule_ || width_ != other.width_ || height_ != other.height_) return false;
  for (std::size_t slot = 0; slot < slots_; ++slot) {
    if (&tile(slot) != &other.tile(slot) && !(tile(slot) == other.tile(slot))) return false;
    if (!(beyond(slot) == other.beyond(slot))) return false;
  }
  return true;
}

unsigned JumpMap::free_around_border(std::int32_t x, std::int32_t y) const {
  const std::size_t slot = slot_of(x, y);
  const auto three = [&](std::int32_t line) {
    const bits::Strip row = strip(slot, line, true);
    const std::int32_t lx = x & kTileMask;
    return static_cast<unsigned>((row.lower() >> lx & 1) | (row.word >> lx & 1) << 1 |
                                 (row.higher() >> lx & 1) << 2);
  };
  const std::int32_t ly = y & kTileMask;
  return three(ly - 1) | three(ly) << 3 | three(ly + 1) << 6;
}

// Line -1 is the last line of the tile before, line 64 the first line of the tile after.
bits::Strip JumpMap::strip(std::size_t slot, std::int32_t line, bool is_row) const {
  const std::size_t across = is_row ? stride_ : 1;
  const std::size_t along = is_row ? 1 : stride_;
  if (line < 0) slot -= across;
  if (line > kTileMask) slot += across;
  const auto cells = [&](std::size_t of) {
    return tile(of).line(is_row ? Heading::kEast : Heading::kSouth, line & kTileMask).free;
  };
  return {cells(slot), cells(slot - along) >> 63, cells(slot + along) & 1};
}

StripTriple JumpMap::triple(std::size_t slot, std::int32_t line, bool is_row) const {
  if (line > 0 && line < kTileMask) {
    const std::size_t along = is_row ? 1 : stride_;
    const auto lines_of = [&](std::size_t of) {
      return &tile(of).line(is_row ? Heading::kEast : Heading::kSouth, line - 1);
    };
    const JumpTile::Line* before = lines_of(slot - along);
    const JumpTile::Line* own = lines_of(slot);
    const JumpTile::Line* after = lines_of(slot + along);
    const auto at = [&](std::size_t i) -> bits::Strip {
      return {own[i].free, before[i].free >> 63, after[i].free & 1};
    };
    return {at(0), at(1), at(2)};
  }
  return {strip(slot, line - 1, is_row), strip(slot, line, is_row), strip(slot, line + 1, is_row)};
}

void JumpMap::put(std::size_t slot, const Cow<JumpTile>& tile) {
  Cow<JumpTile>& place = pages_[slot / kPageTiles].writable().tiles[slot % kPageTiles];
  own_tiles_ -= is_shared(place.get()) ? 0 : 1;
  own_tiles_ += is_shared(tile.get()) ? 0 : 1;
  place = tile;
}

void JumpMap::make_facts(std::size_t slot) {
  Strips rows;
  Strips columns;
  bool is_free = true;
  bool is_blocked = true;
  for (std::int32_t i = -1; i <= kTileSide; ++i) {
    const auto at = static_cast<std::size_t>(i + 1);
    rows[at] = strip(slot, i, true);
    columns[at] = strip(slot, i, false);
    is_free = is_free && rows[at] == bits::Strip{kAll, 1, 1};
    is_blocked = is_blocked && (i < 0 || i > kTileMask || rows[at].word == 0);
  }
  if (is_free) return put(slot, free_tile_);
  if (is_blocked) return put(slot, blocked_tile_);
  writable(slot).make_facts(rows, columns, rule_);
}

void JumpMap::change_tile(std::size_t slot, const bits::Matrix& free) {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  for (std::size_t y = 0; y < 64; ++y) {
    const std::uint64_t changed = free[y] ^ tile(slot).rows[y].free;
    columns |= changed;
    rows |= std::uint64_t{changed != 0} << y;
  }
  if (rows == 0) return;
  const bool is_anew = std::popcount(widened(rows)) + std::popcount(widened(columns)) > kLinesMax;
  const std::vector<OldLine> around = old_lines(slot, rows, columns, is_anew);

  JumpTile& own = writable(slot);
  for (; rows != 0; rows &= rows - 1) {
    const auto y = static_cast<std::size_t>(std::countr_zero(rows));
    std::uint64_t changed = own.rows[y].free ^ free[y];
    for (; changed != 0; changed &= changed - 1)
      own.columns[static_cast<std::size_t>(std::countr_zero(changed))].free ^= std::uint64_t{1}
                                                                               << y;
    own.rows[y].free = free[y];
  }
  const std::array<JumpTile::Entry, 4> before = own.entries;
  if (is_anew) make_facts(slot);
  carry_changed(slot, before);
  for (std::size_t first = 0, end = 0; first < around.size(); first = end) {
    while (end < around.size() && around[end].slot == around[first].slot) ++end;
    look_again({&around[first], end - first}, around[first].slot == slot);
  }
}

// Returns the facts of the lines that a change of these rows and columns of a tile can alter, tile
// by tile.
std::vector<JumpMap::OldLine> JumpMap::old_lines(std::size_t slot, std::uint64_t rows,
                                                 std::uint64_t columns, bool but_its_own) const {
  std::vector<OldLine> lines;
  lines.reserve(2 * kLinesMax);
  const std::array<std::uint64_t, 3> near_rows{rows << 63, widened(rows), rows >> 63};
  const std::array<std::uint64_t, 3> near_columns{columns << 63, widened(columns), columns >> 63};
  for (std::size_t down = 0; down < 3; ++down)
    for (std::size_t right = 0; right < 3; ++right) {
      const std::size_t of = slot + (down - 1) * stride_ + right - 1;
      if (near_rows[down] == 0 || near_columns[right] == 0 || is_rim(of)) continue;
      if (of == slot && but_its_own) continue;
      for (std::uint64_t left = near_rows[down]; left != 0; left &= left - 1) {
        const std::int32_t y = std::countr_zero(left);
        const StripTriple strips = triple(of, y, true);
        lines.push_back({of, y, true, line_facts(strips, rule_), step_facts(strips, rule_)});
      }
      for (std::uint64_t left = near_columns[right]; left != 0; left &= left - 1) {
        const std::int32_t x = std::countr_zero(left);
        lines.push_back({of, x, false, line_facts(triple(of, x, false), rule_), {}});
      }
    }
  return lines;
}

// Updates lines that are all of one tile. A line of the changed tile is always written, because its
// first stop may differ even if none of its cells' facts does.
void JumpMap::look_again(std::span<const OldLine> lines, bool is_changed) {
  const std::size_t slot = lines.front().slot;
  const std::array<JumpTile::Entry, 4> before = tile(slot).entries;
  for (const OldLine& old : lines) {
    const StripTriple strips = triple(slot, old.i, old.is_row);
    const LineFacts facts = line_facts(strips, rule_);
    if (is_changed || !(facts == old.facts))
      writable(slot).change_line(old.is_row, old.i, old.facts, facts);
    if (!old.is_row) continue;
    const StepFacts steps = step_facts(strips, rule_);
    if (!(steps == old.steps)) writable(slot).change_steps(old.i, old.steps, steps);
  }
  for (const Cow<JumpTile>* uniform : {&free_tile_, &blocked_tile_})
    if (!is_shared(&tile(slot)) && tile(slot) == **uniform) put(slot, *uniform);
  carry_changed(slot, before);
}

// Carries a fact from tile to tile against the heading, until it changes nothing more.
void JumpMap::carry(std::size_t slot, Heading h) {
  const std::size_t along = is_along_rows(h) ? 1 : stride_;
  while (true) {
    const JumpTile::Entry& entry = tile(slot).entries[index(h)];
    const std::uint64_t corner = entry.corner | (entry.beyond & beyond(slot).corner[index(h)]);
    slot = is_up(h) ? slot - along : slot + along;
    if (is_rim(slot) || beyond(slot).corner[index(h)] == corner) return;
    Beyond& changed = pages_[slot / kPageTiles].writable().beyond[slot % kPageTiles];
    changed.corner[index(h)] = corner;
    if (!is_along_rows(h)) changed.mirrored[index(h) - 2] = bits::mirror(corner);
  }
}

}  // namespace repath
