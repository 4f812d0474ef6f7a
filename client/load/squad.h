// The agents of one session: their ids, their movement, and the messages about them. Agents are
// `slots` counted from 0. On the wire an agent's id is `first` + life x `ids` + slot, so that an
// agent that begins again is a new one. Thread rule: one thread.
//
// Invariants:
//  1. An agent moves only along its latest path, and never over ground that is shut.
//  2. Reports have only changes: an agent whose place the server knows is in none.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "repath/v1/agent.pb.h"
#include "verify/dice.h"

namespace repath::load {

// Counters of a squad; they only grow.
struct SquadCounts {
  std::uint64_t arrivals = 0;
  std::uint64_t moves = 0;   // cells entered, or positions changed
  std::uint64_t barred = 0;  // frames that agents stood before ground that is shut
  std::uint64_t strays = 0;  // paths that came when the agent was off them
};

// The task of all agents of a world.
struct Errand {
  bool streams = false;      // goals stay; an agent that arrives begins again at an entrance
  int agents_each_goal = 1;  // else: when half of them have arrived, all get another goal
  double speed = 4;
  bool report_all = false;
};

class Squad {
 public:
  // `ids` is how many ids of the world one life takes, `first` the first of this squad's.
  Squad(int agents, const Errand& errand, std::uint64_t ids, std::uint64_t first,
        std::uint64_t seed);
  virtual ~Squad() = default;

  int agents() const { return static_cast<int>(lives_.size()); }
  const SquadCounts& counts() const { return counts_; }

  // Moves all agents for this time.
  virtual void advance(double seconds) = 0;
  // Takes a verdict of one agent; ignores it if the agent is gone.
  void take(const v1::PathEvent& event);

  // Returns the slot of an id; empty if the agent is gone.
  std::optional<std::size_t> slot_of(std::uint64_t id) const;

  // Whether there is anything to send.
  bool has_news() const {
    return errand_.report_all || !moved_.empty() || !asked_.empty() || !gone_.empty();
  }
  // Each moves up to `most` pending items into a message, and returns false if there are none. Send
  // removals before upserts, and upserts before reports.
  bool fill_removals(v1::SessionRequest::Remove* message, int most);
  bool fill_upserts(v1::SessionRequest::Upsert* message, int most);
  bool fill_report(v1::SessionRequest::Report* message, int most);

  // Returns a random agent that walks; empty if none was found.
  std::optional<std::size_t> some_walker(verify::Dice& dice) const;

 protected:
  virtual bool walks(std::size_t slot) const = 0;
  virtual void follow(std::size_t slot, const v1::Path& path) = 0;
  virtual void stop(std::size_t slot) = 0;
  virtual void locate(std::size_t slot, v1::Location* out) const = 0;
  virtual void add_goals(std::size_t slot, v1::Agent* out) const = 0;
  // Lets an agent that has arrived begin again somewhere.
  virtual void begin_anew(std::size_t slot) = 0;
  // The squad's goal number `group` becomes another one.
  virtual void change_goal(std::size_t group) = 0;

  // Notes that the agent has moved.
  void moved(std::size_t slot);
  void arrived(std::size_t slot);
  std::uint64_t version(std::size_t slot) const { return versions_[slot]; }
  std::size_t group_of(std::size_t slot) const {
    return slot / static_cast<std::size_t>(errand_.agents_each_goal);
  }
  std::size_t groups() const { return group_of(lives_.size() - 1) + 1; }

  const Errand& errand() const { return errand_; }
  verify::Dice& dice() { return dice_; }
  SquadCounts& counting() { return counts_; }

 private:
  std::uint64_t id_of(std::size_t slot) const { return first_ + lives_[slot] * ids_ + slot; }
  void ask_for(std::size_t slot);

  const Errand errand_;
  verify::Dice dice_;
  SquadCounts counts_;
  std::uint64_t ids_;
  std::uint64_t first_;
  std::vector<std::uint64_t> lives_;
  std::vector<std::uint64_t> versions_;  // version of the path that it follows
  std::vector<std::uint8_t> is_moved_;   // is in moved_
  std::vector<std::uint8_t> is_asked_;   // is in asked_
  std::vector<std::uint32_t> moved_;
  std::vector<std::uint32_t> asked_;  // to be upserted
  std::vector<std::uint64_t> gone_;   // ids
  std::vector<std::uint32_t> home_;   // by group: number of agents that have arrived
};

}  // namespace repath::load
