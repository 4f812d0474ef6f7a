// The latest verdict of each agent, for a stream that begins. Streams that begin while the world
// does not change share the events and their bytes.
//
// Not thread-safe; owned by the world's strand. Borrows the engine, which must outlive it.
// It keeps at most kKeptBytes, and only events that a stream has asked for in the last kKeptUs.
// Invariant: kept events equal the engine's present answer, because forget() is called after every
// change to it.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "engine/engine.h"
#include "runtime/shared_event.h"

namespace repath {

class LatestVerdicts {
 public:
  explicit LatestVerdicts(Engine& engine) : engine_(engine) {}

  static constexpr Micros kKeptUs = 5'000'000;

  const Engine& engine() const { return engine_; }
  // Returns all agents, ascending.
  const std::vector<AgentId>& agents();
  // Returns the agent's latest verdict; null for an unknown agent, or one without a verdict.
  // O(log agents + path), O(1) if another stream asked before.
  EventPtr of(AgentId agent);
  void forget();

  // Reports that a stream asks for verdicts.
  void use(Micros now) { used_at_ = now; }
  // Returns when to forget the kept events if no stream asks before.
  std::optional<Micros> expiry() const;
  void expire(Micros now) {
    if (now >= used_at_ + kKeptUs) forget();
  }

 private:
  // Estimated size of the kept events with their paths and bytes: about 40,000 verdicts with short
  // paths. Further events are made again for each stream.
  static constexpr std::size_t kKeptBytes = 32u << 20;

  Engine& engine_;
  std::vector<AgentId> agents_;                  // empty: not known
  absl::flat_hash_map<AgentId, EventPtr> kept_;  // never iterated
  std::size_t kept_bytes_ = 0;
  Micros used_at_ = 0;
};

}  // namespace repath
