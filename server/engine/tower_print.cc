#include "engine/tower_print.h"

#include <algorithm>
#include <array>
#include <memory>

#include "grid/components/block_labels.h"

namespace repath {
namespace {

constexpr std::uint32_t kNowhere = ~std::uint32_t{0};

// A window of cells around a tower, each with a number.
class Window {
 public:
  Window(TowerSize size, std::int32_t margin)
      : margin_(margin),
        width_(size.width + 2 * margin),
        height_(size.height + 2 * margin),
        numbers_(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_), kNowhere) {}

  // Calls visit(Place) for each cell, row by row.
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::int32_t y = -margin_; y < height_ - margin_; ++y)
      for (std::int32_t x = -margin_; x < width_ - margin_; ++x) visit(Place{x, y});
  }
  // Returns kNowhere for cells without a number, and outside of the window.
  std::uint32_t at(Place p) const { return contains(p) ? numbers_[index_of(p)] : kNowhere; }
  // REQUIRES: the cell is in the window.
  void set(Place p, std::size_t number) {
    numbers_[index_of(p)] = static_cast<std::uint32_t>(number);
  }

 private:
  bool contains(Place p) const {
    return p.x >= -margin_ && p.y >= -margin_ && p.x < width_ - margin_ && p.y < height_ - margin_;
  }
  std::size_t index_of(Place p) const {
    return static_cast<std::size_t>(p.y + margin_) * static_cast<std::size_t>(width_) +
           static_cast<std::size_t>(p.x + margin_);
  }

  std::int32_t margin_;
  std::int32_t width_;
  std::int32_t height_;
  std::vector<std::uint32_t> numbers_;
};

bool is_hidden(TowerSize size, std::span<const std::uint8_t> hidden, Place p) {
  return !hidden.empty() && hidden[static_cast<std::size_t>(p.y * size.width + p.x)] != 0;
}

// Returns whether the tower bars a walker from the cell.
bool bars(TowerSize size, const Disc& disc, bool odd, std::span<const std::uint8_t> hidden,
          Place cell) {
  const std::int32_t row = cell.y + 2 * disc.reach() + (odd ? 1 : 0);  // its parity, not negative
  const std::int32_t first = std::max(0, cell.y - disc.reach());
  const std::int32_t last = std::min(size.height - 1, cell.y + disc.reach());
  for (std::int32_t y = first; y <= last; ++y) {
    const Disc::Columns columns =
        disc.is_point() ? Disc::Columns{0, 0} : disc.columns(y - cell.y, row);
    const std::int32_t end = std::min(size.width - 1, cell.x + columns.hi);
    for (std::int32_t x = std::max(0, cell.x + columns.lo); x <= end; ++x)
      if (!is_hidden(size, hidden, {x, y})) return true;
  }
  return false;
}

bool is_odd(Place p, bool odd_anchor) { return ((p.y & 1) != 0) != odd_anchor; }

// Returns whether the cell lies beside a barred one, or on squares at a corner of one.
bool is_around(const Window& barred, Topology topology, bool odd, Place p) {
  for (std::int32_t dy = -1; dy <= 1; ++dy) {
    for (std::int32_t dx = -1; dx <= 1; ++dx) {
      if (dx == 0 && dy == 0) continue;
      if (topology == Topology::kHex && !is_hex_step(dx, dy, is_odd(p, odd))) continue;
      if (barred.at({p.x + dx, p.y + dy}) != kNowhere) return true;
    }
  }
  return false;
}

// Returns whether the joints join all cells of the ring.
bool are_joined(const TowerPrint& print) {
  UnitedSets sets(print.ring.size());
  for (const auto& [a, b] : print.joints) sets.unite(a, b);
  for (std::uint32_t i = 1; i < print.ring.size(); ++i)
    if (sets.find(i) != sets.find(0)) return false;
  return true;
}

}  // namespace

std::span<const Place> joining_steps(Topology topology, bool odd) {
  static constexpr std::array<Place, 4> kStraight{{{0, -1}, {-1, 0}, {1, 0}, {0, 1}}};
  static constexpr std::array<Place, 6> kEven{
      {{-1, -1}, {0, -1}, {-1, 0}, {1, 0}, {-1, 1}, {0, 1}}};
  static constexpr std::array<Place, 6> kOdd{{{0, -1}, {1, -1}, {-1, 0}, {1, 0}, {0, 1}, {1, 1}}};
  if (topology != Topology::kHex) return kStraight;
  return odd ? std::span<const Place>(kOdd) : std::span<const Place>(kEven);
}

TowerPrint make_tower_print(TowerSize size, const Disc& disc, Topology topology, bool odd,
                            std::span<const std::uint8_t> hidden) {
  TowerPrint print;
  Window barred(size, disc.reach() + 1);
  barred.for_each([&](Place p) {
    if (!bars(size, disc, odd, hidden, p)) return;
    barred.set(p, print.barred.size());
    print.barred.push_back(p);
  });
  Window ring(size, disc.reach() + 1);
  ring.for_each([&](Place p) {
    if (barred.at(p) != kNowhere || !is_around(barred, topology, odd, p)) return;
    ring.set(p, print.ring.size());
    print.ring.push_back(p);
  });
  for (std::uint32_t i = 0; i < print.ring.size(); ++i) {
    const Place from = print.ring[i];
    for (const Place step : joining_steps(topology, is_odd(from, odd))) {
      const Place to{from.x + step.x, from.y + step.y};
      if (ring.at(to) != kNowhere && ring.at(to) > i) print.joints.emplace_back(i, ring.at(to));
      if (barred.at(to) != kNowhere) print.contacts.emplace_back(i, barred.at(to));
    }
  }
  print.is_ring_joined = are_joined(print);
  return print;
}

}  // namespace repath
