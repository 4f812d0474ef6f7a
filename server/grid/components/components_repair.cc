#include <algorithm>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

#include "grid/components/components.h"

namespace repath {

void Components::RepairMemory::clear() {
  bands.clear();
  is_changed.clear();
  region.clear();
  borders_used = 0;
  clusters.clear();
  cluster_of.clear();
  seeds.clear();
}

// Repairs all touched bands of one edit: compares how parts were joined with how they are joined
// now, and finds which groups come together or come apart.
class Components::Repair {
 public:
  Repair(Components& c, const GridLayer& layer) : c_(c), m_(c.memory_), layer_(layer) {
    m_.clear();
  }

  // Returns false if the units did not suffice; the groups are then unusable.
  bool run(WorkUnits* units) {
    label();
    find_borders();
    keep_what_is_as_before();
    bool is_done = true;
    if (!m_.region.empty()) {
      leave_groups();
      find_lost_neighbours();
      is_done = join_parts(units) && part_groups(units);
    }
    for (const std::size_t i : m_.region) c_.is_touched_[m_.bands[i]] = false;
    return is_done;
  }

 private:
  void label() {
    m_.bands.swap(c_.touched_);
    if (m_.parts_before.size() < m_.bands.size()) m_.parts_before.resize(m_.bands.size());
    for (std::size_t i = 0; i < m_.bands.size(); ++i) {
      std::vector<Part>& parts = c_.bands_[m_.bands[i]].parts;
      m_.parts_before[i].swap(parts);
      c_.label(layer_, m_.bands[i]);
      m_.is_changed.push_back(m_.parts_before[i].size() != parts.size());
    }
  }

  void find_borders() {
    for (const std::uint32_t band : m_.bands)
      for (const Side side : c_.sides()) {
        add_border(band, side);
        const std::size_t before = c_.before(band, side);
        if (before != kNoBand && !c_.is_touched_[before]) add_border(before, side);
      }
    for (Border& border : borders()) {
      std::vector<Joint>& joints = c_.joints(border.band, border.side);
      border.before.swap(joints);
      c_.find_joints(layer_, border.band, border.side);
      if (joints == border.before) continue;
      note_change(border.band);
      note_change(c_.beside(border.band, border.side));
    }
  }
  void add_border(std::size_t band, Side side) {
    if (c_.beside(band, side) == kNoBand) return;
    if (m_.borders_used == m_.borders.size()) m_.borders.emplace_back();
    Border& border = m_.borders[m_.borders_used++];
    border.band = band;
    border.side = side;
  }
  std::span<Border> borders() { return std::span(m_.borders).first(m_.borders_used); }
  void note_change(std::size_t band) {
    const auto at = std::ranges::find(m_.bands, static_cast<std::uint32_t>(band));
    if (at != m_.bands.end()) m_.is_changed[static_cast<std::size_t>(at - m_.bands.begin())] = true;
  }

  // Keeps the groups of the bands whose parts are as many as before and joined in the same way,
  // whichever cells a part now stands for. From here on is_touched_ marks the other bands.
  void keep_what_is_as_before() {
    for (std::size_t i = 0; i < m_.bands.size(); ++i) {
      if (m_.is_changed[i]) {
        m_.region.push_back(i);
        continue;
      }
      c_.bands_[m_.bands[i]].parts.swap(m_.parts_before[i]);
      c_.is_touched_[m_.bands[i]] = false;
    }
  }

  void leave_groups() {
    for (const std::size_t i : m_.region)
      for (const Part& part : m_.parts_before[i]) c_.leave_group(part.group);
  }

  // Finds the parts around the region that were joined to it.
  void find_lost_neighbours() {
    for (const Border& border : borders()) {
      const std::size_t other = c_.beside(border.band, border.side);
      const bool own_is_in = c_.is_touched_[border.band];
      const bool other_is_in = c_.is_touched_[other];
      if (own_is_in == other_is_in) continue;
      for (const Joint& joint : border.before)
        m_.seeds.push_back(own_is_in ? PartAt{static_cast<std::uint32_t>(other), joint.other}
                                     : PartAt{static_cast<std::uint32_t>(border.band), joint.own});
    }
  }

  // Gives each part of the region the largest group that it meets, and renumbers the other groups.
  // Lost neighbours that are still joined to a part of the region need no search.
  bool join_parts(WorkUnits* units) {
    marks_before_ = c_.marks_;
    for (const std::size_t i : m_.region)
      for (std::uint32_t p = 0; p < c_.bands_[m_.bands[i]].parts.size(); ++p)
        if (c_.part({m_.bands[i], p}).group == kNone && !join_cluster({m_.bands[i], p}, units))
          return false;
    std::erase_if(m_.seeds, [&](PartAt at) { return c_.part(at).mark > marks_before_; });
    for (std::size_t i = 0; i < m_.clusters.size(); ++i)
      if (m_.cluster_of[i] == i) m_.seeds.push_back(m_.clusters[i]);
    return true;
  }
  bool join_cluster(PartAt first, WorkUnits* units) {
    const std::uint32_t mark = ++c_.marks_;
    std::size_t own = m_.clusters.size();
    m_.clusters.push_back(first);
    m_.cluster_of.push_back(own);
    std::vector<PartAt>& cluster = m_.cluster;
    std::vector<PartAt>& around = m_.around;
    cluster.assign(1, first);
    around.clear();
    c_.part(first).mark = mark;
    for (std::size_t next = 0; next < cluster.size(); ++next)
      c_.for_each_neighbour(cluster[next], [&](PartAt to) {
        Part& there = c_.part(to);
        const bool is_new = there.mark <= marks_before_;
        if (!is_new) {
          const std::size_t other = root_of(there.mark - marks_before_ - 1);
          m_.cluster_of[std::max(own, other)] = std::min(own, other);
          own = std::min(own, other);
        } else {
          there.mark = mark;
        }
        if (there.group != kNone) {
          around.push_back(to);
        } else if (is_new) {
          cluster.push_back(to);
        }
      });
    std::uint32_t group = kNone;
    for (const PartAt at : around) {
      const std::uint32_t other = c_.part(at).group;
      if (group == kNone || c_.sizes_[other] > c_.sizes_[group]) group = other;
    }
    if (group == kNone) group = c_.new_group();
    for (const PartAt at : cluster) c_.part(at).group = group;
    c_.sizes_[group] += static_cast<std::uint32_t>(cluster.size());
    for (const PartAt at : around)
      if (c_.part(at).group != group && !merge(at, group, units)) return false;
    return spend(units, std::min<WorkUnits>(*units, cluster.size()));
  }
  std::size_t root_of(std::size_t cluster) {
    while (m_.cluster_of[cluster] != cluster) cluster = m_.cluster_of[cluster];
    return cluster;
  }
  // Gives the number `group` to `from` and to all connected parts of its old group.
  bool merge(PartAt from, std::uint32_t group, WorkUnits* units) {
    const std::uint32_t old = c_.part(from).group;
    std::vector<PartAt> open{from};
    const auto renumber = [&](PartAt at) {
      c_.part(at).group = group;
      ++c_.sizes_[group];
      c_.leave_group(old);
    };
    renumber(from);
    while (!open.empty()) {
      if (!spend(units, 1)) return false;
      const PartAt at = open.back();
      open.pop_back();
      c_.for_each_neighbour(at, [&](PartAt to) {
        if (c_.part(to).group != old) return;
        renumber(to);
        open.push_back(to);
      });
    }
    return true;
  }

  bool part_groups(WorkUnits* units);

  Components& c_;
  RepairMemory& m_;
  const GridLayer& layer_;
  std::uint32_t marks_before_ = 0;
};

// Finds which of some parts of one group are still connected: a search from each of them, in turns.
class Components::Parting {
 public:
  Parting(Components& c, std::span<const PartAt> seeds) : c_(c), marks_before_(c.marks_) {
    for (const PartAt seed : seeds) {
      if (is_marked(seed)) continue;
      mark(seed, sides_.size());
      sides_.push_back({{}, {seed}, 0});
    }
    parents_.resize(sides_.size());
    std::iota(parents_.begin(), parents_.end(), std::size_t{0});
    c_.marks_ += static_cast<std::uint32_t>(sides_.size());
    going_ = sides_.size();
  }

  // Returns false if the units did not suffice.
  bool run(WorkUnits* units) {
    while (going_ > 1)
      for (std::size_t side = 0; side < sides_.size() && going_ > 1; ++side) {
        if (parents_[side] != side || sides_[side].has_ended) continue;
        if (!spend(units, 1)) return false;
        go_on(side);
      }
    return true;
  }

 private:
  struct Side {
    std::vector<PartAt> done;
    std::vector<PartAt> open;
    std::size_t next = 0;  // index in `open`
    bool has_ended = false;
  };

  bool is_marked(PartAt at) const { return c_.part(at).mark > marks_before_; }
  void mark(PartAt at, std::size_t side) {
    c_.part(at).mark = marks_before_ + 1 + static_cast<std::uint32_t>(side);
  }
  std::size_t root_of(std::size_t side) {
    while (parents_[side] != side) side = parents_[side] = parents_[parents_[side]];
    return side;
  }

  void go_on(std::size_t side) {
    if (sides_[side].next == sides_[side].open.size()) return end(side);
    const PartAt at = sides_[side].open[sides_[side].next++];
    sides_[side].done.push_back(at);
    c_.for_each_neighbour(at, [&](PartAt to) {
      const std::size_t own = root_of(side);
      if (!is_marked(to)) {
        mark(to, own);
        sides_[own].open.push_back(to);
      } else if (const std::size_t other = root_of(c_.part(to).mark - marks_before_ - 1);
                 other != own) {
        unite(own, other);
      }
    });
  }
  // Makes a side that has reached all its parts without meeting another side a group of its own.
  void end(std::size_t side) {
    sides_[side].has_ended = true;
    --going_;
    const std::uint32_t group = c_.new_group();
    for (const PartAt at : sides_[side].done) {
      c_.leave_group(c_.part(at).group);
      c_.part(at).group = group;
    }
    c_.sizes_[group] = static_cast<std::uint32_t>(sides_[side].done.size());
  }
  void unite(std::size_t a, std::size_t b) {
    const auto size = [&](std::size_t s) { return sides_[s].done.size() + sides_[s].open.size(); };
    if (size(a) < size(b)) std::swap(a, b);
    Side& into = sides_[a];
    Side& from = sides_[b];
    into.done.insert(into.done.end(), from.done.begin(), from.done.end());
    into.open.insert(into.open.end(), from.open.begin() + static_cast<std::ptrdiff_t>(from.next),
                     from.open.end());
    from = {};
    parents_[b] = a;
    --going_;
  }

  Components& c_;
  std::uint32_t marks_before_;
  std::vector<Side> sides_;
  std::vector<std::size_t> parents_;  // by side; a root is its own parent
  std::size_t going_ = 0;             // number of sides that are roots and have not ended
};

bool Components::Repair::part_groups(WorkUnits* units) {
  const auto group_of = [&](PartAt at) { return c_.part(at).group; };
  std::ranges::sort(m_.seeds, {},
                    [&](PartAt at) { return std::tuple(group_of(at), at.band, at.part); });
  for (std::size_t i = 0; i < m_.seeds.size();) {
    std::size_t end = i + 1;
    while (end < m_.seeds.size() && group_of(m_.seeds[end]) == group_of(m_.seeds[i])) ++end;
    if (end == i + 1) {
      i = end;
      continue;
    }
    // Groups change when they part, but only to new numbers.
    const std::vector<PartAt> seeds(m_.seeds.begin() + static_cast<std::ptrdiff_t>(i),
                                    m_.seeds.begin() + static_cast<std::ptrdiff_t>(end));
    if (!Parting(c_, seeds).run(units)) return false;
    i = end;
  }
  return true;
}

bool Components::repair(const GridLayer& layer, WorkUnits* units) {
  return Repair(*this, layer).run(units);
}

}  // namespace repath
