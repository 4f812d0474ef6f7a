// Who is in the world and how they move: agents with goals from a common pool, a few with their
// own, walking along the paths that they were given, sometimes straying, sometimes following an old
// path for a while. Fills requests; what was sent is noted by sent(). Thread rule: one thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "repath/v1/agent.pb.h"
#include "verify/agents.h"
#include "verify/dice.h"
#include "verify/oracle.h"

namespace repath::verify {

class Crowd {
 public:
  // Borrows all three. The world's views must exist; those of one agent alone are the last ones.
  // `keeps_clear`: most agents do, of others.
  Crowd(WorldModel& world, Oracle& oracle, Dice& dice, double cell_size, bool keeps_clear);

  Agents& agents() { return agents_; }

  // `count` new agents.
  v1::SessionRequest join(int count);
  // Everybody takes some steps, or none. Nothing if nobody moved.
  std::optional<v1::SessionRequest> walk();
  // Agents that have arrived, and a few others, get new goals or another nature. Nothing if none.
  std::optional<v1::SessionRequest> change_minds();
  // One agent leaves.
  v1::SessionRequest leave();

  // The message was sent under this number.
  void sent(const v1::SessionRequest& request, std::uint64_t sequence);

 private:
  struct Errand {
    std::vector<Cell> goals;
    double radius = 0;
  };

  Errand errand();
  AgentSpec nature(std::uint64_t id);
  Cell free_cell(int view);
  Cell start_for(const AgentSpec& spec);
  void describe(const Agent& agent, Cell cell, v1::Agent& message) const;
  void place(Cell cell, bool as_point, double off, v1::Location& location);
  Cell next_cell(Agent& agent, std::uint64_t& follows);
  Cell along(Agent& agent, const Held& held, int steps);
  Cell stray(const Agent& agent);

  int shared_views_ = 0;
  std::map<std::uint64_t, int> own_view_;  // of agents that say they stand
  WorldModel& world_;
  Oracle& oracle_;
  Dice& dice_;
  double cell_size_;
  bool keeps_clear_;
  Agents agents_;
  std::vector<Errand> pool_;
  std::uint64_t next_id_ = 1;
  std::map<std::uint64_t, Cell> moved_;  // with the next report
};

}  // namespace repath::verify
