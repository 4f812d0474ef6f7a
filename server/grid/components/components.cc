#include "grid/components/components.h"

#include <algorithm>
#include <numeric>

#include "grid/cells/place.h"

namespace repath {
namespace {

constexpr std::uint32_t kMarksMax = std::uint32_t{1} << 31;
constexpr WorkUnits kUnitsToJoin = 1;  // share of kUnitsToLabel for the joints of a band

}  // namespace

Components::Components(const GridLayer& layer, Topology topology)
    : width_(layer.width()),
      bands_x_(static_cast<std::size_t>(layer.tiles_x())),
      is_hex_(topology == Topology::kHex),
      bands_(bands_x_ * static_cast<std::size_t>(layer.tiles_y()) * kBandsInTile),
      corners_(is_hex_ ? bands_.size() : 0),
      touched_(bands_.size()),
      is_touched_(bands_.size(), true) {
  std::iota(touched_.rbegin(), touched_.rend(), 0u);
}

void Components::touch(NodeId cell) {
  const auto width = static_cast<std::uint32_t>(width_);
  const std::uint32_t y = index(cell) / width;
  const std::uint32_t x = index(cell) - y * width;
  const auto band = static_cast<std::uint32_t>(y / kBandHeight * bands_x_ + x / kTileSide);
  if (is_touched_[band]) return;
  is_touched_[band] = true;
  touched_.push_back(band);
}

bool Components::update(const GridLayer& layer, WorkUnits* units) {
  if (marks_ > kMarksMax) forget_marks();
  if (is_grouping_) return group_anew(layer, units);
  if (touched_.empty()) return true;
  if (touched_.size() <= kBandsAtOnce && spend(units, touched_.size() * kUnitsToLabel) &&
      repair(layer, units))
    return true;
  is_grouping_ = true;
  next_band_ = 0;
  open_.clear();
  return group_anew(layer, units);
}

void Components::forget_marks() {
  for (Band& band : bands_)
    for (Part& part : band.parts) part.mark = 0;
  marks_ = 0;
  next_band_ = 0;
  open_.clear();
}

std::uint32_t Components::component_of(const GridLayer& layer, NodeId cell) const {
  const auto [x, y] = place_of(layer, cell);
  if (!layer.is_free(x, y)) return kNone;
  const std::size_t band = static_cast<std::size_t>(y / kBandHeight) * bands_x_ +
                           static_cast<std::size_t>(x >> kTileBits);
  const std::uint16_t label =
      bands_[band].labels.at(rows_of(layer, band), x & kTileMask, y % kBandHeight);
  return bands_[band].parts[label].group;
}

std::uint64_t Components::bytes() const {
  std::uint64_t bytes = bands_.size() * (sizeof(Band) + sizeof(std::uint32_t)) +
                        (sizes_.capacity() + free_groups_.capacity()) * sizeof(std::uint32_t);
  for (const Band& band : bands_)
    bytes += band.labels.bytes() + band.parts.capacity() * sizeof(Part) +
             (band.right.capacity() + band.below.capacity()) * sizeof(Joint);
  for (const std::vector<Joint>& corner : corners_)
    bytes += sizeof(corner) + corner.capacity() * sizeof(Joint);
  return bytes;
}

std::size_t Components::beside(std::size_t band, Side side) const {
  const std::size_t right = side == Side::kBelow ? 0 : 1;
  if (right == 1 && (band + 1) % bands_x_ == 0) return kNoBand;
  if (side == Side::kRight) return band + 1;
  return band + bands_x_ < bands_.size() ? band + bands_x_ + right : kNoBand;
}

std::size_t Components::before(std::size_t band, Side side) const {
  const std::size_t left = side == Side::kBelow ? 0 : 1;
  if (left == 1 && band % bands_x_ == 0) return kNoBand;
  if (side == Side::kRight) return band - 1;
  return band >= bands_x_ ? band - bands_x_ - left : kNoBand;
}

BandRows Components::rows_of(const GridLayer& layer, std::size_t band) const {
  const std::size_t y = band / bands_x_;
  const Tile& tile = layer.tile(static_cast<std::int32_t>(band % bands_x_),
                                static_cast<std::int32_t>(y / kBandsInTile));
  return BandRows(tile.free.data() + y % kBandsInTile * kBandHeight, kBandHeight);
}

void Components::find_joints(const GridLayer& layer, std::size_t band, Side side) {
  const std::size_t other = beside(band, side);
  if (other == kNoBand) return;
  BandLabels::find_joints(side, is_hex_, bands_[band].labels, rows_of(layer, band),
                          bands_[other].labels, rows_of(layer, other), &joints(band, side));
}

// Makes a group without parts.
std::uint32_t Components::new_group() {
  if (free_groups_.empty()) {
    sizes_.push_back(0);
    return static_cast<std::uint32_t>(sizes_.size() - 1);
  }
  const std::uint32_t group = free_groups_.back();
  free_groups_.pop_back();
  return group;
}

bool Components::group_anew(const GridLayer& layer, WorkUnits* units) {
  if (!label_touched(layer, units)) return false;
  while (!old_joints_.empty()) {
    if (!spend(units, kUnitsToJoin)) return false;
    for (const Side side : sides()) find_joints(layer, old_joints_.back(), side);
    old_joints_.pop_back();
  }
  if (!flood(units)) return false;
  is_grouping_ = false;
  return true;
}

// Labels all touched bands before it looks at any joint, because a joint needs the labels of both
// sides.
bool Components::label_touched(const GridLayer& layer, WorkUnits* units) {
  while (!touched_.empty()) {
    if (!spend(units, kUnitsToLabel - kUnitsToJoin)) return false;
    const std::uint32_t band = touched_.back();
    touched_.pop_back();
    is_touched_[band] = false;
    label(layer, band);
    old_joints_.push_back(band);
    for (const Side side : sides())
      if (const std::size_t other = before(band, side); other != kNoBand)
        old_joints_.push_back(static_cast<std::uint32_t>(other));
    next_band_ = 0;
    open_.clear();
  }
  std::ranges::sort(old_joints_);
  old_joints_.erase(std::unique(old_joints_.begin(), old_joints_.end()), old_joints_.end());
  return true;
}

bool Components::flood(WorkUnits* units) {
  if (next_band_ == 0 && open_.empty()) {
    ++marks_;
    sizes_.clear();
    free_groups_.clear();
  }
  const auto come_to = [&](PartAt at, std::uint32_t group) {
    Part& to = part(at);
    if (to.mark == marks_) return;
    to = {group, marks_};
    ++sizes_[group];
    open_.push_back(at);
  };
  for (; next_band_ < bands_.size(); ++next_band_)
    for (std::uint32_t p = 0; p < bands_[next_band_].parts.size() || !open_.empty();) {
      if (!open_.empty()) {
        if (!spend(units, 1)) return false;
        const PartAt at = open_.back();
        open_.pop_back();
        for_each_neighbour(at, [&](PartAt to) { come_to(to, part(at).group); });
        continue;
      }
      const PartAt next{static_cast<std::uint32_t>(next_band_), p++};
      if (part(next).mark != marks_) come_to(next, new_group());
    }
  return true;
}

}  // namespace repath
