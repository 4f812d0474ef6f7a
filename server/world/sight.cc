#include "world/sight.h"

#include <algorithm>

#include "base/check.h"

namespace repath {
namespace {

// Returns the lowest n of 64 bits, n in [1, 64].
std::uint64_t bits_of(std::size_t n) { return ~std::uint64_t{0} >> (kTileSide - n); }

}  // namespace

Sight::Sight(const TerrainTable& classes, const Profile& profile, TeamId team,
             std::optional<AgentId> without)
    : team_(team), without_(without) {
  REPATH_CHECK(classes.size() <= kTerrainClassesMax);
  for (std::size_t i = 0; i < classes.size(); ++i) {
    forbidden_[i] = classes[i].forbidden;
    factor_[i] = classes[i].factor;
  }
  for (const TerrainRule& rule : profile.terrain_rules) {
    forbidden_[index(rule.terrain)] = rule.forbidden;
    factor_[index(rule.terrain)] = rule.factor;
  }
  for (std::size_t i = 0; i < classes.size(); ++i) weighs_[i] = !forbidden_[i] && factor_[i] != 1;
}

RowState Sight::look(std::span<const TerrainId> terrain, std::span<const CoverBits> covers,
                     std::span<const LevelRow> levels) const {
  RowState row;
  bool weighs = false;
  for (std::size_t x = 0; x < terrain.size(); ++x) {
    row.free |= std::uint64_t{!forbidden_[index(terrain[x])]} << x;
    weighs = weighs || weighs_[index(terrain[x])];
  }
  for (const CoverBits& cover : covers) {
    if (!sees(cover.teams, cover.body)) continue;
    if (cover.effect.blocked) {
      row.free &= ~cover.bits;
    } else {
      weighs = true;
    }
  }
  row.free |= unseen_bits(levels) & bits_of(terrain.size());
  for (const LevelRow& level : levels) weighs = weighs || is_influence(level);
  if (weighs && row.free != 0) weigh(terrain, covers, levels, &row);
  return row;
}

std::uint64_t Sight::unseen_bits(std::span<const LevelRow> levels) const {
  std::uint64_t bits = 0;
  for (const LevelRow& level : levels) {
    if (level.key != PlaneKey{team_, PlaneKey::kUnseen}) continue;
    for (std::size_t x = 0; x < level.levels.size(); ++x)
      bits |= std::uint64_t{level.levels[x] != 0} << x;
  }
  return bits;
}

void Sight::weigh(std::span<const TerrainId> terrain, std::span<const CoverBits> covers,
                  std::span<const LevelRow> levels, RowState* row) const {
  std::array<double, kTileSide> factor;
  factor.fill(1);
  for (std::size_t x = 0; x < terrain.size(); ++x) factor[x] = factor_[index(terrain[x])];
  for (const CoverBits& cover : covers) {
    if (cover.effect.blocked || !sees(cover.teams, cover.body)) continue;
    for (std::size_t x = 0; x < factor.size(); ++x)
      if ((cover.bits >> x & 1u) != 0) factor[x] *= cover.effect.factor;
  }
  const std::uint64_t unseen = unseen_bits(levels);
  for (std::size_t x = 0; x < factor.size(); ++x)
    if ((unseen >> x & 1u) != 0) factor[x] = 1;
  for (const LevelRow& level : levels) {
    if (!is_influence(level)) continue;
    for (std::size_t x = 0; x < factor.size(); ++x)
      factor[x] *= 1 + static_cast<double>(level.levels[x]) / kLevelsPerFactor;
  }
  for (std::size_t x = 0; x < factor.size(); ++x) {
    const bool is_free = (row->free >> x & 1u) != 0;
    row->factors[x] = is_free ? to_factor(std::min(factor[x], kFactorMax)) : kFactorOne;
    row->weighted = row->weighted || row->factors[x] != kFactorOne;
  }
}

}  // namespace repath
