// The last verdicts of each agent, which show later why an agent turned.
//
// Not thread-safe; owned by the world's strand. Keeps at most kOfAgent verdicts of an agent. Above
// its limit of memory it forgets the oldest verdicts of the world. The verdicts of removed agents
// stay until that happens.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "base/ids.h"
#include "runtime/shared_event.h"

namespace repath {

struct DiaryEntry {
  EventPtr event;
  Micros at = 0;  // when it was given
};

class VerdictDiary {
 public:
  static constexpr std::size_t kOfAgent = 64;

  // 0 bytes: keeps nothing.
  explicit VerdictDiary(std::size_t bytes_max) : bytes_max_(bytes_max) {}

  bool keeps() const { return bytes_max_ > 0; }
  // O(1).
  void add(const EventPtr& event, Micros now);
  // Returns an agent's verdicts, the oldest first; empty for an unknown agent.
  std::vector<DiaryEntry> of(AgentId agent) const;
  std::size_t bytes() const { return bytes_; }

 private:
  using Order = std::list<DiaryEntry>;

  void forget(Order::iterator entry);

  const std::size_t bytes_max_;
  std::size_t bytes_ = 0;
  Order order_;  // of all agents, the oldest first
  absl::flat_hash_map<AgentId, std::deque<Order::iterator>> by_agent_;  // never iterated
};

}  // namespace repath
