// Agents of a demonstration that walk along the paths they are given, one cell a step.
//
// Thread rule: one thread.
// Invariants:
//  1. A walker moves only along the path that counts; without one, or standing beside it, it waits.
//  2. An arrived walker does not move until it gets new goals.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "repath/world.h"

namespace repath::cli {

// The blocked cells as the demonstration knows them: its own rectangles, by obstacle id.
class Ground {
 public:
  // Takes in obstacles of cells, switches and removals.
  void change(const client::ChangeBatch& batch);
  [[nodiscard]] bool blocked(client::Cell cell) const { return covered_.contains(cell); }

 private:
  struct Piece {
    client::CellRect cells;
    bool enabled = false;
  };
  void turn(Piece& piece, bool enabled);

  std::map<std::uint64_t, Piece> pieces_;
  std::map<client::Cell, int> covered_;  // number of rectangles; cells with 0 are left out
};

struct Walker {
  client::Cell at;
  std::vector<client::Cell> goals;
  std::vector<client::Cell> way;  // Cells of its path; empty: none.
  std::size_t step = 0;           // way[step] is its cell.
  std::uint64_t version = 0;      // version of its latest path
  bool arrived = false;
};

class Walkers {
 public:
  // Adds a walker or gives it new goals. The caller reports that to the server.
  void set(std::uint64_t id, client::Cell at, std::vector<client::Cell> goals);
  void remove(std::uint64_t id) { walkers_.erase(id); }

  // Moves a walker to another cell. If that is not on its way, it waits for a new path.
  void put(std::uint64_t id, client::Cell at);

  // Takes in a verdict. Verdicts of other agents are ignored.
  void take(const client::PathEvent& event);

  // Moves each walker that can one cell, unless that cell is blocked. Returns the ids that arrived
  // in this step, ascending.
  std::vector<std::uint64_t> step(const Ground& ground);

  // Returns the position of each walker and the path that it follows.
  [[nodiscard]] std::vector<client::AgentPosition> positions() const;
  [[nodiscard]] const std::map<std::uint64_t, Walker>& all() const { return walkers_; }
  // Returns how many walkers have not arrived.
  [[nodiscard]] std::size_t walking() const;

 private:
  std::map<std::uint64_t, Walker> walkers_;
};

// The length of the rest of a walker's way: straight steps 1, diagonals the square root of two.
double rest_of_way(const Walker& walker);

}  // namespace repath::cli
