// Dead ends and components, beside an edit and of a whole mesh.
#include <algorithm>
#include <cstddef>

#include "navmesh/mesh/mesh_patch.h"

namespace repath {
namespace {

constexpr std::uint32_t kNoLabel = ~std::uint32_t{0};
constexpr std::uint32_t kNoGroup = ~std::uint32_t{0};

}  // namespace

void DeadEndRepair::run(NavMesh* mesh, std::span<const std::uint32_t> cells, std::size_t made) {
  mesh_ = mesh;
  candidates_.assign(cells.begin(), cells.end());
  // Inserted cells do not hang on a stem yet.
  for (const std::uint32_t cell : cells.subspan(made)) take_off(cell);
  peel_candidates();
}

void DeadEndRepair::find_all(NavMesh* mesh) {
  mesh_ = mesh;
  for (std::uint32_t c = 0; c < mesh->cells_end(); ++c)
    if (ways_left(c) == 1) candidates_.push_back(c);
  peel_candidates();
}

// Takes the cell, and every cell between it and the rest of the mesh, off its tree: no edge leads
// into them as a dead end any more. run() decides about them again.
void DeadEndRepair::take_off(std::uint32_t cell) {
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    std::uint32_t stem = kNoCell;
    for (const NavMesh::Edge& e : mesh_->edges_of(cell)) {
      if (e.twin == kNoEdge || !mesh_->edges_[e.twin].leads_into_dead_end) continue;
      mesh_->edges_[e.twin].leads_into_dead_end = false;
      stem = e.neighbour;
      goes_on = true;
    }
    if (goes_on) candidates_.push_back(cell = stem);
  }
}

// Returns the number of neighbours that do not hang on the cell; 0 if it hangs on one. Two cells
// may share several edges in a row.
std::uint32_t DeadEndRepair::ways_left(std::uint32_t cell) const {
  const std::span<const NavMesh::Edge> edges = mesh_->edges_of(cell);
  std::uint32_t ways = 0;
  std::uint32_t before = edges.back().neighbour;
  for (const NavMesh::Edge& e : edges) {
    if (e.twin != kNoEdge) {
      if (mesh_->edges_[e.twin].leads_into_dead_end) return 0;
      ways += !e.leads_into_dead_end && e.neighbour != before;
    }
    before = e.neighbour;
  }
  return ways;
}

// Hangs each candidate on its only way out, if it has just one, and then its stem likewise.
void DeadEndRepair::peel_candidates() {
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    if (ways_left(candidates_[i]) != 1) continue;
    std::uint32_t stem = kNoCell;
    for (const NavMesh::Edge& e : mesh_->edges_of(candidates_[i])) {
      if (e.twin == kNoEdge || e.leads_into_dead_end) continue;
      mesh_->edges_[e.twin].leads_into_dead_end = true;
      stem = e.neighbour;
    }
    if (ways_left(stem) == 1) candidates_.push_back(stem);
  }
}

void ComponentRepair::run(NavMesh* mesh, std::span<const std::uint32_t> cells, std::size_t made) {
  mesh_ = mesh;
  nodes_ = cells;
  made_ = made;
  group_nodes();
  seeds_.clear();
  for (std::size_t i = made; i < cells.size(); ++i)
    seeds_.push_back({mesh_->cells_[cells[i]].component, groups_[i], cells[i]});
  std::ranges::sort(seeds_);
  for (std::size_t begin = 0; begin < seeds_.size();) {
    std::size_t end = begin + 1;
    while (end < seeds_.size() && seeds_[end].label == seeds_[begin].label) ++end;
    separate(std::span(seeds_).subspan(begin, end - begin));
    begin = end;
  }
  unite();
}

void ComponentRepair::find_all(NavMesh* mesh) {
  mesh_ = mesh;
  mesh->component_cells_.assign(mesh->cells_end(), 0);
  for (NavMesh::Cell& cell : mesh->cells_) cell.component = kNoLabel;
  for (std::uint32_t c = 0; c < mesh->cells_end(); ++c) {
    if (mesh->cells_[c].component != kNoLabel) continue;
    label(c, c);
    spread_label({c}, kNoLabel, c);
  }
}

// Puts nodes into one group if they are connected near the edit, by inserted cells or by edges
// between staying cells; such nodes need no search. The least index in nodes_ of its nodes names a
// group. The mark of a cell stores its index.
void ComponentRepair::group_nodes() {
  groups_.assign(nodes_.size(), kNoGroup);
  const std::uint32_t first = mesh_->cell_marks_.fresh(nodes_.size(), mesh_->cells_end());
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) mesh_->cell_marks_.of[nodes_[i]] = first + i;
  reached_.clear();
  for (std::uint32_t i = 0; reached_.size() < nodes_.size(); ++i)
    if (groups_[i] == kNoGroup) spread_group(i, first);
}

// Adds to the group all nodes that are connected with its first node. `first` is the mark of
// nodes_[0].
void ComponentRepair::spread_group(std::uint32_t group, std::uint32_t first) {
  std::size_t next = reached_.size();
  groups_[group] = group;
  reached_.push_back(group);
  for (; next < reached_.size() && reached_.size() < nodes_.size(); ++next)
    for (const NavMesh::Edge& e : mesh_->edges_of(nodes_[reached_[next]])) {
      if (e.twin == kNoEdge || mesh_->cell_marks_.of[e.neighbour] < first) continue;
      const std::uint32_t node = mesh_->cell_marks_.of[e.neighbour] - first;
      if (groups_[node] != kNoGroup) continue;
      groups_[node] = group;
      reached_.push_back(node);
    }
}

std::uint32_t ComponentRepair::root_of(std::uint32_t search) {
  while (searches_[search].parent != search)
    search = searches_[search].parent = searches_[searches_[search].parent].parent;
  return search;
}

// Takes the seeds of one label, sorted by group, and gives parts that are no longer connected
// labels of their own.
void ComponentRepair::separate(std::span<Seed> seeds) {
  if (seeds.front().group == seeds.back().group) return;
  searches_.clear();
  mark_ =
      mesh_->cell_marks_.fresh(seeds.size(), mesh_->cells_end());  // at most one for each search
  for (const Seed& seed : seeds) {
    if (&seed == &seeds.front() || (&seed - 1)->group != seed.group)
      searches_.push_back({static_cast<std::uint32_t>(searches_.size()), 0, 0, {}});
    mesh_->cell_marks_.of[seed.cell] = mark_ + static_cast<std::uint32_t>(searches_.size()) - 1;
    searches_.back().cells.push_back(seed.cell);
    ++searches_.back().waiting;
  }
  // Number of classes of searches that have waiting cells.
  auto classes = static_cast<std::uint32_t>(searches_.size());
  for (std::uint32_t i = 0; classes > 1; i = i + 1 == searches_.size() ? 0 : i + 1)
    if (searches_[i].next < searches_[i].cells.size()) spread(i, seeds.front().label, &classes);
  // A part that was searched completely gets a new label. The part that still has waiting cells
  // keeps the old one.
  std::vector<std::uint32_t> labels(searches_.size(), kNoLabel);
  for (std::uint32_t i = 0; i < searches_.size(); ++i) {
    const std::uint32_t root = root_of(i);
    if (searches_[root].waiting != 0) continue;
    if (labels[root] == kNoLabel) labels[root] = fresh_label();
    for (const std::uint32_t cell : searches_[i].cells) label(cell, labels[root]);
  }
  for (Seed& seed : seeds) seed.label = mesh_->cells_[seed.cell].component;
}

// Expands one cell of the search.
void ComponentRepair::spread(std::uint32_t search, std::uint32_t label, std::uint32_t* classes) {
  const std::uint32_t cell = searches_[search].cells[searches_[search].next++];
  for (const NavMesh::Edge& e : mesh_->edges_of(cell)) {
    if (e.twin == kNoEdge || mesh_->cells_[e.neighbour].component != label) continue;
    const std::uint32_t root = root_of(search);
    std::uint32_t& mark = mesh_->cell_marks_.of[e.neighbour];
    if (mark < mark_) {
      mark = mark_ + search;
      searches_[search].cells.push_back(e.neighbour);
      ++searches_[root].waiting;
    } else if (const std::uint32_t other = root_of(mark - mark_); other != root) {
      searches_[other].parent = root;
      searches_[root].waiting += searches_[other].waiting;
      --*classes;
    }
  }
  const std::uint32_t root = root_of(search);
  if (--searches_[root].waiting == 0) --*classes;
}

// Unites the labels of each group; the inserted cells take the united label.
void ComponentRepair::unite() {
  same_.clear();
  for (const Seed& seed : seeds_)
    if (same_.empty() || same_.back() != std::pair{seed.group, seed.label})
      same_.push_back({seed.group, seed.label});
  std::ranges::sort(same_);
  same_.erase(std::unique(same_.begin(), same_.end()), same_.end());
  for (std::size_t i = 1; i < same_.size(); ++i) {
    if (same_[i].first != same_[i - 1].first) continue;
    std::uint32_t from = same_[i - 1].second;
    std::uint32_t to = same_[i].second;
    if (from == to) continue;
    if (mesh_->component_cells_[from] > mesh_->component_cells_[to]) std::swap(from, to);
    relabel_all(from, to);
    for (auto& pair : same_)
      if (pair.second == from) pair.second = to;
  }
  for (std::uint32_t i = 0; i < made_; ++i) {
    const std::uint32_t cell = nodes_[i];
    const std::uint32_t group = groups_[i];
    const auto known = std::ranges::lower_bound(same_, std::pair{group, std::uint32_t{0}});
    if (known != same_.end() && known->first == group) {
      label(cell, known->second);
      continue;
    }
    const std::uint32_t fresh = fresh_label();
    label(cell, fresh);
    same_.insert(known, {group, fresh});
  }
}

void ComponentRepair::relabel_all(std::uint32_t from, std::uint32_t to) {
  std::vector<std::uint32_t> cells;
  for (Seed& seed : seeds_) {
    if (seed.label != from) continue;
    seed.label = to;
    if (mesh_->cells_[seed.cell].component == from) {
      label(seed.cell, to);
      cells.push_back(seed.cell);
    }
  }
  spread_label(std::move(cells), from, to);
}

void ComponentRepair::spread_label(std::vector<std::uint32_t> cells, std::uint32_t from,
                                   std::uint32_t to) {
  while (!cells.empty()) {
    const std::uint32_t cell = cells.back();
    cells.pop_back();
    for (const NavMesh::Edge& e : mesh_->edges_of(cell)) {
      if (e.twin == kNoEdge || mesh_->cells_[e.neighbour].component != from) continue;
      label(e.neighbour, to);
      cells.push_back(e.neighbour);
    }
  }
}

void ComponentRepair::label(std::uint32_t cell, std::uint32_t component) {
  std::uint32_t& old = mesh_->cells_[cell].component;
  if (old != kNoLabel && --mesh_->component_cells_[old] == 0)
    mesh_->free_components_.push_back(old);
  old = component;
  ++mesh_->component_cells_[component];
}

std::uint32_t ComponentRepair::fresh_label() {
  if (mesh_->free_components_.empty()) {
    mesh_->component_cells_.push_back(0);
    return static_cast<std::uint32_t>(mesh_->component_cells_.size() - 1);
  }
  const std::uint32_t label = mesh_->free_components_.back();
  mesh_->free_components_.pop_back();
  return label;
}

}  // namespace repath
