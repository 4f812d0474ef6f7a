// The agents of one session: who they are, where they walk, and what is to be told of them. Agents
// are `slots` counted from 0; over the wire an agent's id is id_base + life x ids + slot, so that
// who begins anew is somebody else. Thread rule: one thread.
//
// Invariants:
//  1. An agent moves only along the path that counts, and never over ground that is shut.
//  2. Only what changed is told: an agent whose place the server knows is in no report.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "repath/v1/agent.pb.h"
#include "verify/dice.h"

namespace repath::load {

// What squads count. Added to, never reset.
struct SquadCounts {
  std::uint64_t arrivals = 0;
  std::uint64_t moves = 0;   // cells entered, or positions changed
  std::uint64_t barred = 0;  // times that an agent stood before ground that is shut, by frames
  std::uint64_t strays = 0;  // paths that came when the agent was beside them
};

// What all agents of a world are asked to do.
struct Errand {
  bool streams = false;      // goals stay; who arrives begins anew at an entrance
  int agents_each_goal = 1;  // else: when half of these have arrived, they get another goal
  double speed = 4;
  bool report_all = false;
};

class Squad {
 public:
  // `ids`: how many of the world's ids one life takes; `first` is this squad's first of them.
  Squad(int agents, const Errand& errand, std::uint64_t ids, std::uint64_t first,
        std::uint64_t seed);
  virtual ~Squad() = default;

  int agents() const { return static_cast<int>(lives_.size()); }
  const SquadCounts& counts() const { return counts_; }

  // Everybody walks for so long.
  virtual void advance(double seconds) = 0;
  // What the server said of one agent. Of one that is gone it says nothing.
  void take(const v1::PathEvent& event);

  // Who that is; nothing if it is gone.
  std::optional<std::size_t> slot_of(std::uint64_t id) const;

  // Is there anything to be told?
  bool has_news() const {
    return errand_.report_all || !moved_.empty() || !asked_.empty() || !gone_.empty();
  }
  // Each fills a message with what is to be told next, at most so many, and forgets it; false if
  // there is nothing. Removals go before upserts, upserts before reports.
  bool fill_removals(v1::SessionRequest::Remove* message, int most);
  bool fill_upserts(v1::SessionRequest::Upsert* message, int most);
  bool fill_report(v1::SessionRequest::Report* message, int most);

  // Where some agent that walks will be in a while; nothing if none was found.
  std::optional<std::size_t> some_walker(verify::Dice& dice) const;

 protected:
  virtual bool walks(std::size_t slot) const = 0;
  virtual void follow(std::size_t slot, const v1::Path& path) = 0;
  virtual void stop(std::size_t slot) = 0;
  virtual void locate(std::size_t slot, v1::Location* out) const = 0;
  virtual void add_goals(std::size_t slot, v1::Agent* out) const = 0;
  // Who arrived begins anew somewhere.
  virtual void begin_anew(std::size_t slot) = 0;
  // The squad's goal number `group` becomes another one.
  virtual void change_goal(std::size_t group) = 0;

  // For who walks.
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
  std::vector<std::uint64_t> versions_;  // of the path followed
  std::vector<std::uint8_t> is_moved_;   // is in moved_
  std::vector<std::uint8_t> is_asked_;   // is in asked_
  std::vector<std::uint32_t> moved_;
  std::vector<std::uint32_t> asked_;  // to be upserted
  std::vector<std::uint64_t> gone_;   // ids
  std::vector<std::uint32_t> home_;   // by group: who has arrived
};

}  // namespace repath::load
