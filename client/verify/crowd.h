// The agents of a run and their movement. Most goals come from a common pool, a few are an agent's
// own. Agents walk along their paths; sometimes they stray or follow an old path for a while. The
// functions fill requests; sent() notes what was sent. Thread rule: one thread.
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
  // Borrows all three. The world's views must exist; views of a single agent come last. With
  // `keeps_clear` most agents keep clear of others.
  Crowd(WorldModel& world, Oracle& oracle, Dice& dice, double cell_size, bool keeps_clear);

  Agents& agents() { return agents_; }

  // Adds `count` agents.
  v1::SessionRequest join(int count);
  // Moves some agents. Empty if no agent moved.
  std::optional<v1::SessionRequest> walk();
  // Gives new goals or other properties to agents that have arrived and a few others. Empty if
  // there are none.
  std::optional<v1::SessionRequest> change_minds();
  // Removes one agent.
  v1::SessionRequest leave();

  // Says again what a restarted server may have lost, and forgets all verdicts: agents that were
  // asked for after message `durable` are added again, of all others the position is reported.
  // Agents that are being removed are forgotten; the caller removes them again.
  std::vector<v1::SessionRequest> again(std::uint64_t durable);

  // Notes that the message was sent with this sequence.
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
  Cell along(const Agent& agent, const Route& route, std::optional<int> from, int steps);
  Cell stray(const Agent& agent);

  int shared_views_ = 0;
  std::map<std::uint64_t, int> own_view_;  // views of agents with `stands`
  WorldModel& world_;
  Oracle& oracle_;
  Dice& dice_;
  double cell_size_;
  bool keeps_clear_;
  Agents agents_;
  std::vector<Errand> pool_;
  std::uint64_t next_id_ = 1;
  std::map<std::uint64_t, Cell> moved_;  // positions of the next report
};

}  // namespace repath::verify
