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

// Where the demonstration itself knows that nobody can go: its own rectangles, by obstacle id.
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
  std::map<client::Cell, int> covered_;  // By how many pieces; none are left out.
};

struct Walker {
  client::Cell at;
  std::vector<client::Cell> goals;
  std::vector<client::Cell> way;  // Cells of its path; empty: none.
  std::size_t step = 0;           // way[step] is where it is.
  std::uint64_t version = 0;      // Of the path it was last given.
  bool arrived = false;
};

class Walkers {
 public:
  // Puts one in or gives it new goals; the caller tells the server.
  void set(std::uint64_t id, client::Cell at, std::vector<client::Cell> goals);
  void remove(std::uint64_t id) { walkers_.erase(id); }

  // Puts one on another cell. If that is not on its way, it waits for a new path.
  void put(std::uint64_t id, client::Cell at);

  // Takes a verdict in; those of strangers are passed over.
  void take(const client::PathEvent& event);

  // Everybody who can moves one cell, unless a wall stands there by now. Returns who arrived in
  // this step, ascending.
  std::vector<std::uint64_t> step(const Ground& ground);

  // What to report: everybody's position and the path followed.
  [[nodiscard]] std::vector<client::AgentPosition> positions() const;
  [[nodiscard]] const std::map<std::uint64_t, Walker>& all() const { return walkers_; }
  // Who has not arrived.
  [[nodiscard]] std::size_t walking() const;

 private:
  std::map<std::uint64_t, Walker> walkers_;
};

// The length of the rest of a walker's way: straight steps 1, diagonals the square root of two.
double rest_of_way(const Walker& walker);

}  // namespace repath::cli
