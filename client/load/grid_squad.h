// Agents on a grid. A path is kept as its corners, four bytes each; a frame costs one subtraction
// for an agent that stays in its cell and O(1) for one that enters the next. Agents report cells,
// not points, because the server knows no more of an agent than its cell. So an agent of speed S
// (cells a second, a diagonal counts 1.41) has S reports a second. Thread rule: one thread.
#pragma once

#include <vector>

#include "load/grid_ground.h"
#include "load/grid_ways.h"
#include "load/squad.h"

namespace repath::load {

class GridSquad final : public Squad {
 public:
  // Entrances and goals of a stream.
  struct Stream {
    std::vector<Spot> entrances;
    std::vector<Spot> goals;
    std::vector<std::vector<GridWay>> ways;  // for each goal one from each entrance
  };

  // Borrows `ground`. `stream` is used if the errand streams: then agents begin at random places
  // along its ways, as they are spread when as many arrive as enter. Else, or if there is no way,
  // they begin anywhere.
  GridSquad(GridGround& ground, int agents, const Errand& errand, const Stream& stream,
            std::uint64_t ids, std::uint64_t first, std::uint64_t seed);

  void advance(double seconds) override;

  // Returns up to `most` cells of an agent's way, beginning `skip` steps ahead. Empty if the way is
  // shorter.
  std::vector<Spot> way_ahead(std::size_t slot, int skip, int most) const;
  Spot place(std::size_t slot) const { return at_[slot]; }
  Spot goal(std::size_t slot) const;
  // Returns the goal before the current one, for which verdicts may still come; the current one if
  // there was none.
  Spot last_goal(std::size_t slot) const;

 private:
  struct Way {
    std::vector<Spot> corners;
    std::uint32_t next = 0;  // the corner that it walks to
    std::int8_t dx = 0;
    std::int8_t dy = 0;
  };

  bool walks(std::size_t slot) const override;
  void follow(std::size_t slot, const v1::Path& path) override;
  void stop(std::size_t slot) override;
  void locate(std::size_t slot, v1::Location* out) const override;
  void add_goals(std::size_t slot, v1::Agent* out) const override;
  void begin_anew(std::size_t slot) override;
  void change_goal(std::size_t group) override;
  Spot some_start(std::size_t slot);
  void step(std::size_t slot);
  void head_on(std::size_t slot);

  GridGround& ground_;
  Stream stream_;
  std::vector<Spot> goals_;  // by group, or the stream's
  std::vector<Spot> last_goals_;
  std::vector<Spot> at_;
  std::vector<float> left_;  // cells until the next is entered; very many if it stands
  std::vector<Way> ways_;
};

}  // namespace repath::load
