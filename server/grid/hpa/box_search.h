// Cheapest paths within a small box of cells, found again and again in the same memory. HPA* uses
// it for cells (grid/hpa/hpa_map.h, grid/hpa/hpa_smooth.h).
//
// Dijkstra, and A* with the graph's metric, over the cells of the box only; cells outside count as
// blocked. Entries order by (f, larger g, cell), so equal runs give equal paths. A stamp marks the
// records of the current search, so beginning another one costs nothing. Not thread-safe. Memory:
// 16 bytes for each cell of the largest box so far, 24 for each open cell.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/cost.h"
#include "base/ids.h"
#include "grid/cells/cells.h"
#include "grid/cells/graph.h"

namespace repath {

// An entry of an open list that is a heap: the least f comes first, then the larger g, then the
// least id.
template <class Id>
struct OpenEntry {
  Cost f = 0;
  Cost g = 0;
  Id id{};
  struct Later {
    bool operator()(const OpenEntry& a, const OpenEntry& b) const {
      if (a.f != b.f) return a.f > b.f;
      return a.g != b.g ? a.g < b.g : a.id > b.id;
    }
  };
};

class BoxSearch {
 public:
  // Borrows the graph's layer.
  explicit BoxSearch(const GridGraph& graph) : graph_(graph) {}

  // Forgets everything and begins with another box. REQUIRES: `box` is not empty and lies on the
  // map. Amortised O(1).
  void begin(const CellRect& box);
  // Lets a path begin at the cell, at this cost. REQUIRES: a cell of the box; no settle() or find()
  // since begin().
  void seed(NodeId cell, Cost cost) {
    relax(graph_.layer().x_of(cell), graph_.layer().y_of(cell), kNoNode, cost);
  }

  // Finds the least cost of every cell that can be reached.
  void settle() {
    for (Entry next; take(&next);) expand(next);
  }
  // Finds the least cost of these cells at least. `ends` ascend.
  void settle(std::span<const NodeId> ends) {
    std::size_t missing = ends.size();
    for (Entry next; missing > 0 && take(&next); expand(next))
      missing -= std::ranges::binary_search(ends, next.id) ? 1 : 0;
  }
  // Returns the cost of a cheapest path from a seed to `goal` if it is less than `below`; otherwise
  // kUnreachable. REQUIRES: a cell of the box.
  Cost find(NodeId goal, Cost below);

  // Returns the cost of a cheapest path to the cell; kUnreachable if there is none. REQUIRES: the
  // cell is settled, or it is the goal that was found.
  Cost cost(NodeId cell) const {
    const GridLayer& layer = graph_.layer();
    const Record& of = records_[place(layer.x_of(cell), layer.y_of(cell))];
    return of.stamp == stamp_ ? of.g : kUnreachable;
  }
  // Calls visit(NodeId cell, Cost, NodeId parent) for each cell reached, row by row; the parent of
  // a seed is kNoNode.
  template <class Visit>
  void for_each_reached(Visit&& visit) const {
    for (std::int32_t y = box_.y0; y < box_.y1; ++y)
      for (std::int32_t x = box_.x0; x < box_.x1; ++x) {
        const Record& of = records_[place(x, y)];
        if (of.stamp == stamp_ && of.g != kUnreachable)
          visit(graph_.layer().node_at(x, y), of.g, of.parent);
      }
  }
  // Appends the cells of the path from `cell` back to its seed, without `cell` itself. REQUIRES:
  // cost(cell) is known and finite. O(length).
  void append_way_back(NodeId cell, std::vector<NodeId>* out) const;

  // Number of cells expanded since construction.
  std::uint64_t expanded() const { return expanded_; }
  std::size_t bytes() const {
    return records_.capacity() * sizeof(Record) + open_.capacity() * sizeof(Entry);
  }

 private:
  struct Record {
    Cost g = kUnreachable;
    NodeId parent = kNoNode;  // kNoNode: a seed
    std::uint32_t stamp = 0;
  };
  using Entry = OpenEntry<NodeId>;

  std::size_t place(std::int32_t x, std::int32_t y) const {
    return static_cast<std::size_t>(y - box_.y0) * static_cast<std::size_t>(box_.x1 - box_.x0) +
           static_cast<std::size_t>(x - box_.x0);
  }
  bool contains(std::int32_t x, std::int32_t y) const {
    return x >= box_.x0 && y >= box_.y0 && x < box_.x1 && y < box_.y1;
  }
  // REQUIRES: a cell of the box.
  Record& record(std::int32_t x, std::int32_t y) {
    Record& of = records_[place(x, y)];
    if (of.stamp != stamp_) of = {kUnreachable, kNoNode, stamp_};
    return of;
  }
  // Lowers the cell's cost, unless the cost is `below_` or more.
  void relax(std::int32_t x, std::int32_t y, NodeId parent, Cost g);
  // Takes the next entry that is still valid. Returns false if there is none.
  bool take(Entry* next);
  void expand(const Entry& at);

  GridGraph graph_;
  CellRect box_;
  NodeId goal_ = kNoNode;
  Cost below_ = kUnreachable;
  std::uint32_t stamp_ = 0;
  std::vector<Record> records_;
  std::vector<Entry> open_;
  std::uint64_t expanded_ = 0;
};

}  // namespace repath
