// Searches from several places of a layer at the same time, which find the parts that a tower would
// cut off from the rest.
//
// Each search takes a step in turn. Searches that meet become one. They end when all have met or
// all but one have ended, so the work is that of the small parts and not of the map. Belongs to one
// query on one thread; its memory is kept from one run to the next.
//
// Source: Y. Shiloach, S. Even, "An on-line edge-deletion problem", JACM 1981.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/ids.h"
#include "engine/step_meter.h"
#include "grid/cells/layer.h"
#include "grid/cells/topology.h"

namespace repath {

class RingFloods {
 public:
  // Borrows the meter, which ends the query if the marks would take more than `bytes_max`. All
  // layers of the runs have this size.
  RingFloods(std::int32_t width, std::int32_t height, std::size_t bytes_max, StepMeter& meter);

  // Finds the parts that the barred cells leave. Each piece has at least one cell; all are free and
  // not barred, and no cell is in two pieces. Returns false if the query is over; the parts are
  // then unusable. O(cells of all parts but the largest x pieces).
  bool run(const GridLayer& layer, Topology topology, std::span<const NodeId> barred,
           std::span<const std::vector<NodeId>> pieces);
  // Returns the cells of each part that ended, in any order. All other pieces hang together.
  std::span<const std::vector<NodeId>> small_parts() const { return parts_; }

  // Finds whether steps lead from the cell to one of the goals, past barred cells. The goals are
  // ascending. Returns false if the query is over. REQUIRES: the cell is free and not barred.
  // O(cells reached).
  bool find_goal(const GridLayer& layer, Topology topology, std::span<const NodeId> barred,
                 NodeId from, std::span<const NodeId> goals, bool* is_found);

 private:
  struct Search {
    std::vector<NodeId> cells;  // reached
    std::vector<NodeId> open;   // from `next` on: reached, and not continued from
    std::size_t next = 0;
    std::size_t parent = 0;  // the search that it has met; its own index: it goes on

    bool has_ended() const { return next == open.size(); }
  };
  using MarkTile = std::array<std::uint32_t, kTileSide * kTileSide>;

  // Marks of this run, from base_ on: a barred cell, or the search that has reached the cell.
  static constexpr std::uint32_t kBarred = 0;
  static constexpr std::uint32_t kFirstSearch = 1;

  bool begin(const GridLayer& layer, Topology topology, std::span<const NodeId> barred,
             std::size_t searches);
  // Returns the mark of the cell; null if the query is over.
  std::uint32_t* mark_at(std::int32_t x, std::int32_t y);
  std::size_t root_of(std::size_t search) const;
  bool add(std::size_t search, std::int32_t x, std::int32_t y);
  void merge(std::size_t a, std::size_t b);
  // Continues from one cell. REQUIRES: the search goes on and has not ended.
  bool step(std::size_t search);

  StepMeter& meter_;
  const std::size_t bytes_max_;
  const std::int32_t tiles_x_;
  std::size_t bytes_ = 0;
  std::vector<std::unique_ptr<MarkTile>> marks_;  // by tile; null: no cell of it was reached yet
  std::uint32_t base_ = 0;
  std::uint32_t next_base_ = 1;
  const GridLayer* layer_ = nullptr;
  Topology topology_{};
  std::vector<Search> searches_;
  std::size_t alive_ = 0;  // searches that have not met another
  std::vector<std::vector<NodeId>> parts_;
};

}  // namespace repath
